"""``crapette losses``: the worst turns of a bot in its last ladder games, and how to put it there again."""

from __future__ import annotations

import json
import shlex
import sys
import urllib.parse
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from kit.console.command import Parser, count, run_command
from kit.console.screen import Screen, plain, show_waiting
from kit.site.client import SiteRefused
from kit.site.own_bot import add_own_bot, find_own_bot

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from kit.site.client import Site

PROG: Final = "crapette losses"
FURTHER: Final = 10
"""How many times as many games are looked through for ladder games, since others lie between."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Show the worst turns of a bot in its last ladder games.",
        epilog="""\
A turn is bad where Planner found a clearly better line, by the arena's value function; luck is averaged out.
The arena works this out game by game, for games of two in turns, so the first time takes minutes. Each turn
comes with the command that puts your bot there again.

examples:
  crapette losses mybot
  crapette losses mybot --games 10 --turns 3 --json

exit status:
  0  shown      2  wrong arguments, or the site refused      75  the site did not answer
  130  interrupted""",
    )
    add_own_bot(made)
    made.add_argument(
        "--games", type=count, default=50, metavar="N", help="ladder games (default: %(default)s)"
    )
    made.add_argument(
        "--turns", type=count, default=10, metavar="N", help="turns shown (default: %(default)s)"
    )
    made.add_argument("--json", action="store_true", help="print them as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Show them; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, slug = find_own_bot(given)
    games = list(ladder_games(site, slug, given.games))
    turns: list[dict[str, Any]] = []
    judged = 0
    with show_waiting(Screen(errors=True), "the arena looks for bad turns") as say:
        for number, game in enumerate(games, start=1):
            say(f"the arena looks for bad turns: game {number} of {len(games)}")
            found = _turns(site, slug, game, str(given.path))
            judged += found is not None
            turns += found or ()
    worst = sorted(turns, key=lambda one: -one["cost"])[: given.turns]
    if given.json:
        sys.stdout.write(json.dumps({"bot": slug, "games": judged, "turns": worst}, indent=1) + "\n")
        return 0
    _show(Screen(), slug, judged, turns, worst)
    return 0


def ladder_games(site: Site, slug: str, most: int) -> Iterator[dict[str, Any]]:
    """Yield the last finished ladder games of a bot."""
    ladders = {one["tournament"] for one in site.get("/api/v1/ladders/")["items"]}
    found = 0
    for game in site.items("/api/v1/games/", FURTHER * most, bot=slug, status="finished"):
        if game["tournament"] in ladders:
            yield game
            found += 1
            if found == most:
                return


def _turns(site: Site, slug: str, game: dict[str, Any], path: str) -> list[dict[str, Any]] | None:
    """The bad turns of a bot in a game; None if nobody can tell."""
    try:
        said = site.when_ready(f"/api/v1/games/{urllib.parse.quote(game['id'])}/mistakes/")
    except SiteRefused as refused:
        failed = refused.status == HTTPStatus.SERVICE_UNAVAILABLE and refused.retry_after is not None
        if refused.status != HTTPStatus.CONFLICT and not failed:
            raise
        return None  # this game cannot be judged, or not now: the others can
    seats = {one["seat"] for one in game["seats"] if one["bot"] == slug}
    url = f"{site.origin}{game['url']}"
    again = f"crapette rerun {shlex.quote(url)} {shlex.quote(path)}"
    return [
        {
            "game": url,
            **{name: one[name] for name in ("ply", "seat", "cost")},
            "played": [move["words"] for move in one["played"]],
            "better": [move["words"] for move in one["better"]],
            "rerun": f"{again} --ply {one['ply']} --seat {one['seat']}",
        }
        for one in said["mistakes"]
        if one["seat"] in seats
    ]


def _show(
    screen: Screen, slug: str, judged: int, turns: Sequence[dict[str, Any]], worst: Sequence[dict[str, Any]]
) -> None:
    cost = sum(one["cost"] for one in turns)
    games = "1 ladder game" if judged == 1 else f"{judged} ladder games"
    screen.say((f"{slug}: {len(turns)} bad turns in {games}, which cost {cost:.2f} points.", "bold"))
    for number, one in enumerate(worst, start=1):
        table = Table(show_header=False, box=None, padding=(0, 1))
        table.add_row("played", plain(", ".join(one["played"])))
        table.add_row("better", plain(", ".join(one["better"])))
        screen.say(f"{number}. ply {one['ply'] + 1}, {one['cost']:.0%} of a point")
        screen.print(table)
        screen.say(f"  {one['rerun']}")


if __name__ == "__main__":
    sys.exit(main())
