"""``crapette rollback``: takes a version of your bot off the ladders, so that an earlier one plays again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from kit.console.command import Parser, count, run_command
from kit.site.activate import show
from kit.site.client import SiteRefused
from kit.site.own_bot import add_own_bot, bot_path, find_own_bot

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette rollback"


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Take a version of your bot off the ladders, so that an earlier one plays again.",
        epilog="""\
The version that was active before takes its boards, as far as it passed there. Your token needs the scopes
read and upload. To play the version again, use crapette activate.

examples:
  crapette rollback mybot                 the newest version that plays anywhere
  crapette rollback mybot --version 4

exit status:
  0  done      2  wrong arguments, or the site refused      75  the site did not answer""",
    )
    add_own_bot(made)
    made.add_argument(
        "--version", type=count, metavar="N", help="its number (default: the newest that plays)"
    )
    made.add_argument("--json", action="store_true", help="print what the site says as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Take it back; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, slug = find_own_bot(given)
    number = given.version
    if number is None:
        playing = [one["version"] for one in site.get(bot_path(slug))["boards"]]
        if not playing:
            raise SiteRefused(f"No version of {slug} plays on a ladder, so there is nothing to take back.")
        number = max(playing)
    version = site.post(f"{bot_path(slug)}versions/{number}/deactivate/", "application/json", b"")
    show(site, version, as_json=given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
