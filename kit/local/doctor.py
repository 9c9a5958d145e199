"""``crapette doctor``: is this machine fit to make bots on, and do the sites know you?"""

from __future__ import annotations

import json
import platform
import re
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import engine
from kit.console.command import Parser, run_command
from kit.console.screen import Screen
from kit.runners.choice import Contained
from kit.site import token_file
from kit.site.client import Site, SiteRefused, known_site
from kit.versions import is_installed, own_version, warn_uncompiled
from referee.errors import Infrastructure
from sandbox import SandboxUnavailable
from sandbox.uploads import UploadError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

PROG: Final = "crapette doctor"
REFERENCE: Final = 22_900_000
"""Random moves a second inside the engine's core, on one of an AMD EPYC (docs/develop/measurements.md)."""
SECONDS: Final = 0.3
ENOUGH: Final = 0.2
"""Of the reference; below it something is wrong with the machine or its engine."""
BOT: Final = b"from crapette import run\nrun(lambda turn: turn.legal[0])\n"


@dataclass(frozen=True, slots=True)
class Checkup:
    """What was looked at, whether all is well with it, and a sentence."""

    what: str
    good: bool
    says: str


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Find out whether this machine is fit to make bots on, and whether the sites know you.",
        epilog="""\
It tells the versions, how fast the engine is beside the machine of our measurements, whether bots run in the
sandbox, and for each site that you are logged in to whether your token is good and your kit is the site's.

examples:
  crapette doctor
  crapette doctor --json

exit status:
  0  all is well      1  something is not      130  interrupted""",
    )
    made.add_argument("--json", action="store_true", help="print it as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at everything and tell; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    screen, found = Screen(), []
    for finding in _findings():
        found.append(finding)
        if not given.json:
            screen.say("✓ " if finding.good else "✗ ", f"{finding.what}: {finding.says}")
    if given.json:
        sys.stdout.write(json.dumps([asdict(finding) for finding in found], indent=1) + "\n")
    return 0 if all(finding.good for finding in found) else 1


def _findings() -> Iterator[Checkup]:
    """Everything, as it is found out."""
    machine = f"{platform.system()} {platform.machine()}"
    told = f"crapette {own_version()}, Python {platform.python_version()}, {machine}"
    yield Checkup("versions", True, told)
    yield _engine()
    yield _sandbox()
    yield from _sites()


def _engine() -> Checkup:
    """How fast the engine is."""
    if slow := warn_uncompiled():
        return Checkup("engine", False, slow)
    core, plies = engine.TurnGame.deal("crapaud", "doctor").core, 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        plies += core.clone().playout(plies)
    share = plies / spent / REFERENCE
    told = f"compiled, {plies / spent / 1e6:.1f} million random moves a second, {share:.0%} of the reference"
    return Checkup("engine", share >= ENOUGH, told)


def _sandbox() -> Checkup:
    """Whether bots run in the arena's own sandbox."""
    if not sys.platform.startswith("linux"):
        return Checkup("sandbox", True, "it needs Linux; run bots that you trust with --unsandboxed")
    try:
        runs = Contained()
        runs.inspect("bot.py", BOT)
    except (SandboxUnavailable, Infrastructure, UploadError, OSError) as error:
        return Checkup("sandbox", False, f"{error}. Until then, --unsandboxed runs bots that you trust")
    return Checkup("sandbox", True, f"bots run in it, at the level {runs.level}")


def _sites() -> Iterator[Checkup]:
    """The sites that the author is logged in to, and the one that the kit came from."""
    known = token_file.sites()
    home = known_site()
    if home and home not in known:
        known = [home, *known]
    if not known:
        yield Checkup("sites", True, "you are not logged in to any. Run: crapette login SITE")
    for origin in known:
        yield _site(origin)


def _site(origin: str) -> Checkup:
    """Whether a site answers, knows the token, and has the same kit."""
    secret = token_file.token_for(origin)
    try:
        if not secret:
            Site(origin).get("/api/v1/queue/")
            return Checkup(origin, True, f"it answers; you are not logged in. Run: crapette login {origin}")
        account = Site(origin, secret).get("/api/v1/account/")
        page = Site(origin).read("/kit/").decode(errors="replace")
    except SiteRefused as error:
        return Checkup(origin, False, str(error))
    told = f"logged in as {account['user']}, with the scopes {', '.join(account['scopes'])}"
    offered = re.search(r"crapette-([^-\"]+)\.tar\.gz", page)
    if is_installed() and offered and offered[1] != own_version():
        update = f"pip install --upgrade --find-links {origin}/kit/ crapette"
        return Checkup(origin, True, f"{told}. It has another kit, {offered[1]}: {update}")
    return Checkup(origin, True, told)


if __name__ == "__main__":
    sys.exit(main())
