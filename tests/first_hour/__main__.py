"""``./crapette test --only first-hour``: an author gets on a ladder by the tutorial's text alone.

Starts a fresh site, makes an account with a token in it, and runs every ``sh`` block of
``docs/author/first-bot.md`` in one shell of an empty folder, with only the address put in. The token is what
the author pastes at ``crapette login``. The commands of ``docs/author/remote.md`` then have another bot play
rated games on an open board from the author's own machine.
What pip needs besides the site comes from the index that pip is set up to use.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from kit.package.__main__ import main as build_kit
from tests.site import ROOT, RunningSite, manage

TUTORIAL = ROOT / "docs" / "author" / "first-bot.md"
REMOTE = TUTORIAL.with_name("remote.md")
LIMIT_S = 300.0
REMOTE_LIMIT_S = 120.0
PLAYED = re.compile(r"^\S+ against .+: (won|lost|drawn) by ")
TOKEN = """
from arena.accounts.models import User
from bots.tokens import create_token
print(create_token(User.objects.create_user("newcomer"), "laptop", ["read", "upload", "remote"])[1])
"""


def commands(site: str, document: Path = TUTORIAL) -> str:
    """A document's commands for a site."""
    blocks = re.findall(r"```sh\n(.*?)```", document.read_text(), re.DOTALL)
    return "set -ex\n" + "".join(blocks).replace("https://SITE", site)


def environment(folder: Path) -> dict[str, str]:
    """What an author's shell has."""
    home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    kept = (
        "PATH",
        "PIP_INDEX_URL",
        "PIP_CONFIG_FILE",
        "PIP_EXTRA_INDEX_URL",
        "CRAPETTE_STAGE",
        "SSL_CERT_FILE",
    )
    return {name: os.environ[name] for name in kept if name in os.environ} | home


def run(site: str, folder: Path, token: str) -> float:
    """Run the tutorial; return the seconds it took. Raises AssertionError."""
    begun = time.monotonic()
    done = subprocess.run(
        ["/bin/sh", "-c", commands(site)],
        cwd=folder,
        env=environment(folder),
        input=f"{token}\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    seconds = time.monotonic() - begun
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, f"the tutorial ended with status {done.returncode}"
    assert token not in done.stdout, "the token was printed"
    assert re.search(r"Version 1 is on the ladders of .*crapaud.*vitesse", done.stdout)
    return seconds


def play_remotely(site: str, folder: Path, token: str) -> float:
    """Run the page about remote bots with the kit that is installed there, until a rated game is over.

    Return the seconds it took. Raises AssertionError.
    """
    begun = time.monotonic()
    process = subprocess.Popen(
        ["/bin/sh", "-c", f". crapette-env/bin/activate\n{commands(site, REMOTE)}"],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    timer = threading.Timer(REMOTE_LIMIT_S, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{token}\n")
        process.stdin.close()
        lines: list[str] = []
        for line in process.stdout:
            sys.stdout.write(line)
            lines.append(line)
            if PLAYED.match(line):
                break
        seconds = time.monotonic() - begun
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does; the games being played are finished
        lines += process.stdout
        process.wait()
    finally:
        timer.cancel()
    assert any(PLAYED.match(line) for line in lines), "no game was over"
    assert any(line.endswith(": begun, rated\n") for line in lines)
    assert token not in "".join(lines), "the token was printed"
    return seconds


def main() -> int:
    """Build what a site serves, start a site, and time the tutorial; 0 if it took less than five minutes."""
    if build_kit([]):
        return 1
    with tempfile.TemporaryDirectory(prefix="crapette-first-hour-") as scratch:
        site = RunningSite(Path(scratch, "site"))
        try:
            site.wait_until_ready()
            author = Path(scratch, "author")
            author.mkdir()
            origin = site.url.rstrip("/")
            token = manage(site.data, "shell", "--no-imports", "-c", TOKEN).strip()
            seconds = run(origin, author, token)
            remote = play_remotely(origin, author, token)
        finally:
            site.stop()
    sys.stdout.write(f"On the ladder after {seconds:.0f} s by the tutorial's text alone.\n")
    sys.stdout.write(f"A rated game from the author's own machine after {remote:.0f} s.\n")
    return 0 if seconds < LIMIT_S else 1


if __name__ == "__main__":
    sys.exit(main())
