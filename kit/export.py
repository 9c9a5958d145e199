"""``crapette export``: downloads a game, a tournament or a leaderboard with all that proves it."""

from __future__ import annotations

import json
import sys
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING

from kit.screen import Screen
from kit.site import Refused, Site, origin_of
from kit.usage import BadUsage, Parser, new_file
from kit.waiting import waiting

if TYPE_CHECKING:
    from collections.abc import Sequence


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette export",
        description="Download a game, tournament or leaderboard with all that proves it, to verify or study.",
        epilog="""\
examples:
  crapette export https://arena.example/games/6f9b0c52-…/                the record of a game
  crapette export https://arena.example/tournaments/cup/ --to cup.jsonl  every game of a tournament
  crapette export https://arena.example/leaderboard/crapaud/             the ratings and their games
  crapette verify cup.jsonl

exit status:
  0  downloaded      2  wrong arguments, or the site refused""",
    )
    made.add_argument("page", metavar="URL", help="the address of a page of the arena")
    made.add_argument("--to", type=Path, metavar="FILE", help="default: named after the page, in this folder")
    made.add_argument("--json", action="store_true", help="print where it is and how large as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Download; return the exit status."""
    given = parser().parse_args(arguments)
    screen, errors = Screen(), Screen(errors=True)
    try:
        origin = origin_of(given.page)
        path, name = _download_of(given.page)
        target = given.to or Path(name)
        new_file("--to", target)
        with waiting(errors, f"downloading {name}"):
            content = Site(origin).read(path)
        target.write_bytes(content)
    except (Refused, BadUsage) as error:
        errors.say(f"crapette export: {error}")
        return 2
    except OSError as error:
        errors.say(f"crapette export: cannot write {error.filename}: {error.strerror}")
        return 2
    if given.json:
        sys.stdout.write(json.dumps({"file": str(target), "bytes": len(content)}) + "\n")
        return 0
    screen.say(f"{target}: {len(content)} bytes. Verify it with crapette verify {target}.")
    return 0


def _download_of(page: str) -> tuple[str, str]:
    """The path of what a page's address offers, and a name for the file. Raises BadUsage."""
    parts = [part for part in urllib.parse.urlsplit(page).path.split("/") if part]
    match parts:
        case ["games", game, *_]:
            return f"/games/{game}/record.json", f"{game}.json"
        case ["tournaments", slug, *_]:
            return f"/tournaments/{slug}/bundle.jsonl", f"{slug}.jsonl"
        case ["leaderboard", variant, *rest]:
            seats = f"/{rest[0]}" if rest and rest[0].isdecimal() else ""
            return f"/leaderboard/{variant}{seats}/bundle.jsonl", f"leaderboard-{variant}{seats[1:]}.jsonl"
    raise BadUsage(f"expected the address of a game, tournament or leaderboard, got {page[:200]!r}")


if __name__ == "__main__":
    sys.exit(main())
