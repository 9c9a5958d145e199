"""``crapette results``: the ratings of a bot and its last games."""

from __future__ import annotations

import json
import sys
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from kit.console.command import Parser, count, run_command
from kit.console.screen import Screen, plain
from kit.site.client import Site, SiteRefused
from kit.site.own_bot import add_own_bot, find_own_bot
from kit.site.upload import describe_lost

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette results"
NO_SUCH_PAGE: Final = 404


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Show the ratings of a bot and its last games.",
        epilog="""\
examples:
  crapette results mybot                 your bot in this folder
  crapette results --bot planner         any bot, by the address of its page
  crapette results mybot --json

A rating is in Elo, with its 95 % interval. A bot that has won or lost all its games has one end of it.

exit status:
  0  shown      2  wrong arguments, or the site refused      75  the site did not answer""",
    )
    add_own_bot(made)
    made.add_argument(
        "--games", type=count, default=10, metavar="N", help="games shown (default: %(default)s)"
    )
    made.add_argument("--json", action="store_true", help="print what the site says as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the site and show what it says; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, slug = find_own_bot(given)
    found = _found(site, slug, given.games)
    if given.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        _show(Screen(), site, slug, found)
    return 0


def _found(site: Site, slug: str, games: int) -> dict[str, Any]:
    """Ratings, games, which version plays where, and the state of the last one. Raises Refused."""
    quoted = urllib.parse.quote(slug, safe="")
    found: dict[str, Any] = {"bot": slug, "boards": site.get(f"/api/v1/bots/{quoted}/")["boards"]}
    found["ratings"] = site.get(f"/api/v1/bots/{quoted}/ratings/")["items"]
    words = urllib.parse.urlencode({"bot": slug, "limit": min(games, 100)})
    found["games"] = site.get(f"/api/v1/games/?{words}")["items"]
    try:
        versions = site.get(f"/api/v1/bots/{quoted}/versions/")["versions"]
        if versions:
            last = site.get(f"/api/v1/bots/{quoted}/versions/{versions[0]['number']}/")
            found["version"], found["status"], found["lost"] = last["version"], last["status"], last["lost"]
    except SiteRefused as refused:
        if refused.status != NO_SUCH_PAGE:  # somebody else's bot
            raise
    return found


def _show(screen: Screen, site: Site, slug: str, found: dict[str, Any]) -> None:
    for number in sorted({one["version"] for one in found["boards"]}, reverse=True):
        boards = (one["board"] for one in found["boards"] if one["version"] == number)
        screen.say(f"Version {number} is on the ladders of {', '.join(boards)}.")
    if found.get("lost"):
        screen.say((f"Version {found['version']}: {describe_lost(found['lost'])}", "bold"))
    elif "status" in found and found["version"] not in {one["version"] for one in found["boards"]}:
        screen.say(f"Version {found['version']} is {found['status']}.")
    if found["ratings"]:
        table = Table("board", "version", "Elo", "95 %", "won", "drawn", "lost")
        for one in found["ratings"]:
            numbers = (one["wins"], one["draws"], one["losses"])
            elo = f"{one['elo']:.0f}"
            interval = _interval(one["low"], one["high"])
            table.add_row(plain(one["board"]), str(one["version"]), elo, interval, *map(str, numbers))
        screen.print(table)
    else:
        screen.say("It has no rated games yet.")
    for game in found["games"]:
        seats = " – ".join(f"{seat['name']} {seat['version']}" for seat in game["seats"])
        ending = f"{game['score'] or game['status']} {game['ending'] or ''}".rstrip()
        screen.say(f"{game['variant']}: {seats}: {ending}  {game['url']}")
    screen.say(f"More at {site.origin}/bots/{slug}/")


def _interval(low: float | None, high: float | None) -> str:
    """The 95 % interval of a rating. An end is None while the bot has only won, or only lost."""
    if low == high:
        return "unknown" if low is None else "fixed"
    if low is None:
        return f"below {high:.0f}"
    return f"above {low:.0f}" if high is None else f"{low:.0f} – {high:.0f}"


if __name__ == "__main__":
    sys.exit(main())
