"""``crapette verify FILE|URL``: verify a downloaded game, tournament or leaderboard offline.

The exit status is 0 if everything agrees, 1 if something differs (each difference is printed on a line), and
2 if the input cannot be read.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from kit.console.command import Parser, run_command
from kit.console.screen import plain
from kit.records.sources import open_source
from kit.verify.verifier import verify

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SHOWN = 20


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette verify",
        description="Verify a downloaded game, tournament or leaderboard, or a replay of crapette play.",
        epilog="""\
Commitments, deals, every move, results, hash chains, pairs, who met whom, standings and ratings are computed
again and compared.

examples:
  crapette verify https://arena.example/games/6f9b0c52-…/
  crapette verify cup.jsonl                  a download of crapette export
  crapette verify games/0007-1.json --json

exit status:
  0  everything agrees      1  something differs      2  the input cannot be read
  75  the site did not answer      130  interrupted""",
    )
    made.add_argument(
        "source", metavar="FILE|URL", help="record.json, bundle.jsonl, or the address of a page"
    )
    made.add_argument("--json", action="store_true", help="print the differences as JSON")
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Verify the given file or address and return the exit status."""
    given = parser().parse_args(words)
    return run_command("crapette verify", lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    with open_source(given.source) as file:
        found, checked = verify(file)
    checked, _, caveat = checked.partition("\n")
    if given.json:
        differences = [str(finding) for finding in found]
        document = {"agrees": not differences, "checked": checked, "caveat": caveat, "differs": differences}
        print(json.dumps(document, indent=1))
        return 1 if differences else 0
    for finding in list(found)[:SHOWN]:
        print(plain(str(finding)))
    if len(found) > SHOWN:
        print(f"… and {len(found) - SHOWN} more")
    if len(found):
        print(f"DIFFERS in {len(found)} place{'s' if len(found) > 1 else ''} — {checked}")
        return 1
    print(f"Verified {checked}.")
    if caveat:
        print(caveat)
    return 0


if __name__ == "__main__":
    sys.exit(main())
