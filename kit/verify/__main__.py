"""``./crapette verify FILE|URL``: check a downloaded game, tournament or leaderboard offline.

Exits with 0 if everything is as it must be, with 1 if something differs (each difference on a line), with 2
if the input cannot be read.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kit.terminal import plain
from kit.usage import Parser
from kit.verify.checking import verify
from kit.verify.findings import Unreadable
from kit.verify.reading import opened

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOWN = 20


def main(words: Sequence[str] | None = None) -> int:
    """Verify what the command line names and return the exit status."""
    parser = Parser(
        prog="crapette verify",
        description="Check a game, a tournament or a leaderboard that was downloaded, or a replay that"
        " ./crapette play --replays wrote: commitments, deals, every move, results, hash chains, pairs,"
        " standings and ratings are computed again.",
        epilog="Exit status: 0 all is as it must be, 1 something differs, 2 the input cannot be read.",
    )
    parser.add_argument("source", metavar="FILE|URL", help="record.json, bundle.jsonl, or a page's address")
    source = parser.parse_args(words).source
    try:
        with opened(source) as file:
            found, checked = verify(file)
    except Unreadable as error:
        print(f"crapette verify: {plain(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("crapette verify: interrupted, nothing can be said", file=sys.stderr)
        return 130
    checked, _, caveat = checked.partition("\n")
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
