"""``crapette logs``: what your bot wrote to standard error in the last games that it lost on an arena."""

from __future__ import annotations

import json
import sys
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

from kit.console.command import Parser, count, run_command
from kit.console.screen import Screen
from kit.site.own_bot import add_own_bot, find_own_bot

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from kit.site.client import Site

PROG: Final = "crapette logs"
LOOKED_THROUGH: Final = 500
"""Games at most among which lost ones are looked for."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Show what your bot wrote to standard error in the last games that it lost.",
        epilog="""\
Only a bot's owners get this. Your token needs the scope read.

examples:
  crapette logs mybot
  crapette logs mybot --faults --games 1      the last game lost by a crash, an illegal move or a timeout
  crapette logs mybot --json | jq .stderr     one JSON object for each game

exit status:
  0  shown      2  wrong arguments, or the site refused      75  the site did not answer
  130  interrupted""",
    )
    add_own_bot(made)
    made.add_argument(
        "--games", type=count, default=5, metavar="N", help="lost games shown (default: %(default)s)"
    )
    made.add_argument("--faults", action="store_true", help="only games that your bot lost by a fault")
    made.add_argument("--json", action="store_true", help="print one JSON object for each game")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Show them; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, slug = find_own_bot(given)
    screen, shown = Screen(), 0
    for game, seat in lost_games(site, slug, LOOKED_THROUGH):
        if given.faults and (game["culprit"] != seat or game["ending"] == "resignation"):
            continue
        evidence = site.when_ready(f"/api/v1/games/{urllib.parse.quote(game['id'])}/evidence/")["seats"]
        own: dict[str, Any] = next((one for one in evidence if one.get("seat") == seat), {})
        if given.json:
            said = {"game": f"{site.origin}{game['url']}", "seat": seat, "detail": game["detail"]}
            sys.stdout.write(
                json.dumps(said | {"stderr": own.get("stderr", ""), "exit": own.get("exit")}) + "\n"
            )
        else:
            _show(screen, site, game, own)
        shown += 1
        if shown == given.games:
            break
    if not shown and not given.json:
        screen.say(f"{slug} lost none of its last {LOOKED_THROUGH} games{' by a fault' * given.faults}.")
    return 0


def lost_games(site: Site, slug: str, most: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the finished games, among the last `most`, that a bot has lost, and its seat in each."""
    for game in site.items("/api/v1/games/", most, bot=slug, status="finished"):
        seat = next(one for one in game["seats"] if one["bot"] == slug)
        if seat["place"] != 1:
            yield game, seat["seat"]


def _show(screen: Screen, site: Site, game: dict[str, Any], own: dict[str, Any]) -> None:
    """Print a game, and what the bot wrote."""
    seats = " – ".join(f"{seat['name']} {seat['version']}" for seat in game["seats"])
    screen.say((f"{game['variant']}: {seats}: {game['detail']}", "bold"))
    screen.say(f"  {site.origin}{game['url']}")
    if own.get("stderr"):
        screen.quote(str(own["stderr"]))
    else:
        screen.say("  It wrote nothing.")


if __name__ == "__main__":
    sys.exit(main())
