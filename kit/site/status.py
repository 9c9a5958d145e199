"""``crapette status``: what your bots wait for on an arena, and what they play now."""

from __future__ import annotations

import json
import sys
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

from kit.console.command import Parser, run_command
from kit.console.screen import Screen
from kit.site.own_bot import add_own_bot, find_own_bot

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from kit.site.client import Site

PROG: Final = "crapette status"
LOOKED_THROUGH: Final = 30
"""Waiting tournaments in which the bot is looked for: those that are over soonest."""
MOST_GAMES: Final = 20


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Show what your bot waits for on an arena, and what it plays now.",
        epilog="""\
You see which version plays where, the place of its check in the queue, the games it is playing, and the
ladders and tournaments in which games wait, with how long they will take, about. Your token needs the scope
read.

examples:
  crapette status mybot
  crapette status --bot planner --json

exit status:
  0  shown      2  wrong arguments, or the site refused      75  the site did not answer""",
    )
    add_own_bot(made)
    made.add_argument("--json", action="store_true", help="print it as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the site and show what it says; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, slug = find_own_bot(given)
    found = _found(site, slug)
    if given.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        _show(Screen(), site, found)
    return 0


def _found(site: Site, slug: str) -> dict[str, Any]:
    """Where it plays, what it plays, and what waits. Raises Refused."""
    queue = site.get("/api/v1/queue/")
    waiting = []
    for place, one in enumerate(queue["tournaments"][:LOOKED_THROUGH], start=1):
        if not one["waiting"]:
            continue
        entries = site.when_ready(f"/api/v1/tournaments/{urllib.parse.quote(one['tournament'])}/entries/")
        if any(entry["bot"] == slug for entry in entries["items"]):
            waiting.append({"place": place, **one})
    return {
        "bot": slug,
        "boards": site.get(f"/api/v1/bots/{urllib.parse.quote(slug, safe='')}/")["boards"],
        "checks": [
            {"place": place, **one}
            for place, one in enumerate(queue["checks"], start=1)
            if one["bot"] == slug
        ],
        "games": list(site.items("/api/v1/games/", MOST_GAMES, bot=slug, status="running")),
        "waiting": waiting,
        "games_at_once": queue["games_at_once"],
    }


def _show(screen: Screen, site: Site, found: dict[str, Any]) -> None:
    for number in sorted({one["version"] for one in found["boards"]}, reverse=True):
        boards = (one["board"] for one in found["boards"] if one["version"] == number)
        screen.say(f"Version {number} is on the ladders of {', '.join(boards)}.")
    for one in found["checks"]:
        screen.say(
            f"The check of version {one['version']}: {one['status']}, place {one['place']} in the queue."
        )
    for game in found["games"]:
        seats = " – ".join(f"{seat['name']} {seat['version']}" for seat in game["seats"])
        screen.say(f"Playing {game['variant']}: {seats}  {site.origin}{game['url']}")
    if not found["games"]:
        screen.say("It is not playing at the moment.")
    for one in found["waiting"]:
        screen.say(waiting_words(one))


def waiting_words(one: dict[str, Any]) -> str:
    """How much of a tournament waits, and how long about, by the arena's queue."""
    games = "1 game waits" if one["waiting"] == 1 else f"{one['waiting']} games wait"
    minutes = max(1, round(one["seconds"] / 60))
    return f"{one['name']}: {games}, about {minutes} min. {one['why']}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
