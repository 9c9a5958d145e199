"""``crapette activate``: lets a version of your bot play on the ladders of an arena."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

from kit.console.command import Parser, count, run_command
from kit.console.screen import Screen
from kit.site.client import Site, SiteRefused
from kit.site.own_bot import add_own_bot, bot_path, find_own_bot
from kit.site.upload import describe_lost

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette activate"


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Let a version of your bot play on every board on which it passed its check.",
        epilog="""\
The other boards keep the version that they have. Your token needs the scopes read and upload.

examples:
  crapette activate mybot                 the newest version, after upload --no-activate
  crapette activate mybot --version 3

exit status:
  0  it plays wherever the version before it played      1  it does not play on some of these boards
  2  wrong arguments, or the site refused                75  the site did not answer""",
    )
    add_own_bot(made)
    made.add_argument("--version", type=count, metavar="N", help="its number (default: the newest)")
    made.add_argument("--json", action="store_true", help="print what the site says as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Activate; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, slug = find_own_bot(given)
    number = given.version
    if number is None:
        versions = site.get(f"{bot_path(slug)}versions/")["versions"]
        if not versions:
            raise SiteRefused(f"{slug} has no version yet. Upload one first.")
        number = versions[0]["number"]
    version = site.post(f"{bot_path(slug)}versions/{number}/activate/", "application/json", b"")
    show(site, version, as_json=given.json)
    return int(bool(version["lost"]))


def show(site: Site, version: dict[str, Any], *, as_json: bool) -> None:
    """Print which version plays where, after one was activated or taken back."""
    if as_json:
        sys.stdout.write(json.dumps(version, indent=1) + "\n")
        return
    screen = Screen()
    boards = site.get(bot_path(version["bot"]))["boards"]
    for number in sorted({one["version"] for one in boards}, reverse=True):
        names = (one["board"] for one in boards if one["version"] == number)
        screen.say(f"Version {number} plays on the ladders of {', '.join(names)}.")
    if not boards:
        screen.say(f"No version of {version['bot']} plays on a ladder now.")
    if version["lost"]:
        screen.say((f"Version {version['version']}: {describe_lost(version['lost'])}", "bold"))


if __name__ == "__main__":
    sys.exit(main())
