"""``crapette upload``: uploads a bot to an arena and waits for its check."""

from __future__ import annotations

import json
import sys
import time
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kit.bot.project import describe_zip, not_built, project_of, zip_folder
from kit.console.command import INTERRUPTED, BadUsage, Parser, run_command
from kit.console.screen import Screen, show_waiting
from kit.runners.unsandboxed import Open
from kit.site.client import Site, SiteRefused, SiteUnreachable, multipart
from kit.site.own_bot import slug_of
from sandbox.uploads import UploadError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette upload"
ASK_EVERY_SECONDS: Final = 1.0
OVER: Final = frozenset({"accepted", "partly", "rejected"})
PLAYS: Final = frozenset({"accepted", "partly"})


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Upload a bot to an arena and wait for its check.",
        epilog="""\
Without --bot and --new, the bot's name comes from crapette.toml or the folder. If you have a bot of this
name on the site, it gets a new version; otherwise the bot is created. If its newest version has the same
files, nothing is uploaded, and the command tells how that version did.

examples:
  crapette upload mybot
  crapette upload mybot --notes "Looks one move further."
  crapette upload bot.py --bot first --site https://arena.example
  crapette upload mybot --homepage https://git.example/mybot
  CRAPETTE_TOKEN=… crapette upload . --json     in continuous integration

exit status:
  0  it plays on every board that the version before it plays, or was not waited for
  1  rejected, or it does not play on some of them; a first version: it fails on a board
  2  refused, or the file is no bot      75  the site did not answer      130  interrupted""",
    )
    made.add_argument(
        "path",
        type=Path,
        nargs="?",
        default=Path(),
        metavar="PATH",
        help="a file, or a folder with a bot.py, bot.js, bot.wasm or bot (default: this folder)",
    )
    which = made.add_mutually_exclusive_group()
    which.add_argument(
        "--bot", metavar="SLUG", help="upload a new version of the bot whose page is /bots/SLUG/"
    )
    which.add_argument("--new", metavar="NAME", help="create a bot with this name")
    made.add_argument(
        "--notes",
        default="",
        metavar="TEXT",
        help="what changed in this version, for everyone to read (at most 500 characters)",
    )
    made.add_argument("--note", default="", metavar="TEXT", help="a note that only you can see")
    made.add_argument("--homepage", metavar="URL", help="the address of its source, shown on the bot's page")
    made.add_argument(
        "--main-rating",
        metavar="BOARD",
        help="the board whose rating is shown first, such as crapette/3",
    )
    made.add_argument("--site", help="address of the arena (default: where you logged in last)")
    made.add_argument(
        "--no-activate", action="store_true", help="let the version before it play on: see crapette activate"
    )
    made.add_argument("--no-wait", action="store_true", help="do not wait for the check")
    made.add_argument("--json", action="store_true", help="print the site's last answer as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Upload, wait and return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    screen, errors = Screen(), Screen(errors=True)
    project = project_of(given.path)
    site = Site.choose(given.site or project.site)
    file, content = pack(given.path)
    version, new = _upload(site, given, project.name, file, content)
    path = _path(version["status_url"])
    if not new:
        errors.say(f"Version {version['version']} has exactly these files, so nothing is uploaded.")
    elif given.path.is_dir() and not given.json:
        errors.say(f"Uploaded {describe_zip(content)}.")
    if not given.json:
        screen.say(f"{version['bot']} version {version['version']}: {version['url']}")
    if not given.no_wait:
        try:
            version = _wait(site, path, errors)
        except KeyboardInterrupt:
            errors.say(f"{PROG}: interrupted; the site continues with what it has received")
            return INTERRUPTED
    if given.json:
        sys.stdout.write(json.dumps(version, indent=1) + "\n")
    elif not given.no_wait:
        _show(screen, version)
    return 0 if given.no_wait or (version["status"] in PLAYS and not version["lost"]) else 1


def pack(path: Path) -> tuple[str, bytes]:
    """The name and content to send: a file as it is, a folder as a zip. Raises BadUsage."""
    try:
        if not path.is_dir():
            return path.name, path.read_bytes()
        if problem := not_built(path):
            raise BadUsage(problem)
        return f"{path.resolve().name}.zip", zip_folder(path)
    except OSError as error:
        raise BadUsage(f"expected a readable file or folder, got {str(path)!r}: {error.strerror}") from None


def _upload(
    site: Site, given: argparse.Namespace, name: str, file: str, content: bytes
) -> tuple[dict[str, Any], bool]:
    """Send the bot, unless its newest version has the same files; return the version, and whether it is new.

    Raises Refused.
    """
    newest: dict[str, Any] | None = None
    slug = given.bot or (None if given.new else slug_of(site, name))
    said = {} if given.homepage is None else {"homepage": given.homepage}
    main = {} if given.main_rating is None else {"headline_board": given.main_rating}
    if slug:
        bot = f"/api/v1/bots/{urllib.parse.quote(slug, safe='')}/"
        path = f"{bot}versions/"
        if said or main:
            site.patch(bot, said | main)
        newest = _newest(site, path)
        if newest is not None and _is_same(newest, file, content):
            return dict(site.get(f"{path}{newest['number']}/")), False
        fields = {"note": given.note, "release_notes": given.notes}
        fields["activate_when_accepted"] = "false" if given.no_activate else "true"
    else:
        path, fields = "/api/v1/bots/", {"name": given.new or name, "release_notes": given.notes, **said}
    try:
        version = dict(site.post(path, *multipart(fields, file, content)))
        if main and not slug:
            site.patch(f"/api/v1/bots/{version['bot']}/", main)
        return version, True
    except SiteRefused as refused:
        if refused.field == "homepage":  # a form's words, which do not say what they are about
            raise SiteRefused(f"--homepage: {refused}", refused.status) from None
        # Until the newest version is inspected, only the site can tell what is in it.
        if newest is None or newest["sha256"] is not None or refused.field != "file":
            raise
        return dict(site.get(f"{path}{newest['number']}/")), False


def _newest(site: Site, path: str) -> dict[str, Any] | None:
    """The newest version of the bot; None if there is none, or the site does not say."""
    try:
        return next(iter(site.get(path)["versions"]), None)
    except SiteUnreachable:
        raise
    except SiteRefused:
        return None  # a token that may only upload; the site says the rest when the bot is sent


def _is_same(newest: dict[str, Any], file: str, content: bytes) -> bool:
    """Whether a version has these files, as far as it can be told here."""
    try:
        return bool(newest["sha256"] == Open().inspect(file, content).sha256)
    except UploadError:
        return False  # the site says what is wrong when the bot is sent


def _path(address: str) -> str:
    """The path of an address that the site gave. We ask it of the site itself, whatever host is named."""
    parts = urllib.parse.urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _wait(site: Site, path: str, errors: Screen) -> dict[str, Any]:
    """Wait for the end of the check and return the version. Raises SiteRefused if the file is no bot."""
    with show_waiting(errors, "the arena checks the bot") as say:
        while True:
            version: dict[str, Any] = site.follow(path)
            if version["status"] in OVER:
                break
            before = version.get("checks_before")
            say(f"the arena checks the bot: {f'{before} checks before it' if before else version['status']}")
            time.sleep(ASK_EVERY_SECONDS)
    if version["status"] == "rejected" and version.get("sha256") is None:
        raise SiteRefused(version["log"])  # the file is no bot
    return version


def _show(screen: Screen, version: dict[str, Any]) -> None:
    """Print the result of the check."""
    status = "partly accepted" if version["status"] == "partly" else version["status"]
    screen.say(f"{status}. {version['log'] or ''}".rstrip(), lines=True)
    if version["active_on"]:
        screen.say(f"It now plays on the ladders of {', '.join(version['active_on'])}.")
    if version["lost"] and (version["status"] in PLAYS or version["lost"][0]["version"]):
        screen.say((describe_lost(version["lost"]), "bold"))


def describe_lost(boards: Sequence[dict[str, Any]]) -> str:
    """What a version does not play, in one line."""
    parts = []
    for number in dict.fromkeys(one["version"] for one in boards):
        names = ", ".join(one["board"] for one in boards if one["version"] == number)
        parts.append(names if number is None else f"{names} (version {number} still does)")
    return f"It does not play {'; '.join(parts)}."


if __name__ == "__main__":
    sys.exit(main())
