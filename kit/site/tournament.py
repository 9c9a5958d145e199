"""``crapette tournament A B C …``: holds a tournament on an arena."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

import engine
from kit.console.command import Parser, count, run_command
from kit.console.screen import Screen
from kit.site.own_bot import NAMED, find_entrants
from kit.site.watch import tournament

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette tournament"
FORMATS: Final = ("round-robin", "gauntlet", "swiss", "single-elimination", "double-elimination", "groups")


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Hold a tournament of bots on an arena, and watch it.",
        epilog=f"""\
You can enter your own bots, and those whose owners let everyone enter them. Your token needs the scopes read
and compete.

{NAMED}

examples:
  crapette tournament mybot:3 mybot:4 greedy planner --pairs 20
  crapette tournament mybot planner greedy oracle --format gauntlet     mybot against each of the others

exit status:
  0  played to the end; with --no-wait: begun      1  cancelled
  2  wrong arguments, or the site refused      75  the site did not answer      130  Ctrl-C (it goes on)""",
    )
    made.add_argument(
        "bots", nargs="+", metavar="BOT", help="two or more; in a gauntlet the first plays the others"
    )
    made.add_argument("--name", help="its name (default: who plays)")
    made.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="default: %(default)s")
    made.add_argument(
        "--variant", choices=list(engine.VARIANTS), default="crapaud", help="default: %(default)s"
    )
    made.add_argument(
        "--players", type=count, default=2, metavar="N", help="seats of a game (default: %(default)s)"
    )
    made.add_argument(
        "--pairs", type=count, default=10, metavar="N", help="that two play who meet (%(default)s)"
    )
    made.add_clock()
    made.add_argument("--site", help="address of the arena (default: where you logged in last)")
    made.add_argument("--no-wait", action="store_true", help="only begin it")
    made.add_argument("--json", action="store_true", help="print the site's last answer as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Hold it; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, entrants = find_entrants(given.site, *given.bots)
    names = [
        each["bot"] if each["version"] is None else f"{each['bot']} v{each['version']}" for each in entrants
    ]
    wish = {
        "name": given.name or ", ".join(names)[:60],
        "entrants": entrants,
        "format": given.format,
        "variant": given.variant,
        "players": given.players,
        "pairs": given.pairs,
        "bank_ms": given.clock.bank_ms,
        "increment_ms": given.clock.increment_ms,
    }
    event = site.post("/api/v1/tournaments/", "application/json", json.dumps(wish).encode())
    screen = Screen(errors=given.json)
    screen.say(f"{event['name']}: {site.origin}{event['url']}")
    path = f"/api/v1/tournaments/{event['tournament']}/"
    if not given.no_wait:
        tournament(screen, site, event["tournament"])
        event = site.get(path)
    if given.json:
        sys.stdout.write(json.dumps(event, indent=1) + "\n")
    return int(event["status"] == "cancelled")


if __name__ == "__main__":
    sys.exit(main())
