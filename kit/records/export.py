"""``crapette export``: downloads a game, a tournament or a leaderboard with all that proves it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kit.console.command import BadUsage, Parser, run_command
from kit.console.output_files import new_file
from kit.console.screen import Screen, show_waiting
from kit.records.sources import blocks, download_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette export"


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Download a game, tournament or leaderboard with all its evidence, to verify or study.",
        epilog="""\
examples:
  crapette export https://arena.example/games/6f9b0c52-…/                the record of a game
  crapette export https://arena.example/tournaments/cup/ --to cup.jsonl  every game of a tournament
  crapette export https://arena.example/leaderboard/crapaud/             the ratings and their games
  crapette verify cup.jsonl

exit status:
  0  downloaded      2  wrong arguments, or the site refused      130  interrupted""",
    )
    made.add_argument("page", metavar="URL", help="the address of a page of the arena")
    made.add_argument("--to", type=Path, metavar="FILE", help="default: named after the page, in this folder")
    made.add_argument("--json", action="store_true", help="print where it is and how large as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Download; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    offered = download_of(given.page) if "://" in given.page else None
    if offered is None:
        raise BadUsage(f"expected the address of a game, tournament or leaderboard, got {given.page[:200]!r}")
    target = given.to or Path(offered.name)
    new_file("--to", target)
    part = target.with_name(f"{target.name}.new")
    try:
        with show_waiting(Screen(errors=True), f"downloading {offered.name}"), part.open("wb") as file:
            for block in blocks(offered.url):
                file.write(block)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)  # half a download would pass for all of it
    size = target.stat().st_size
    if given.json:
        sys.stdout.write(json.dumps({"file": str(target), "bytes": size}) + "\n")
    else:
        Screen().say(f"{target}: {size} bytes. Verify it with crapette verify {target}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
