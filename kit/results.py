"""``crapette results``: the ratings of a bot and its last games."""

from __future__ import annotations

import json
import sys
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from kit.arguments import BadUsage, Parser, count
from kit.project import project_of
from kit.screen import Screen
from kit.site import Site, SiteRefused
from kit.terminal import plain
from kit.upload import describe_lost, slug_of

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_SUCH_PAGE: Final = 404


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette results",
        description="Show the ratings of a bot and its last games.",
        epilog="""\
examples:
  crapette results mybot                 your bot in this folder
  crapette results --bot planner         any bot, by the address of its page
  crapette results mybot --json

A rating is in Elo, with its 95 % interval. A bot that has won or lost all its games has one end of it.

exit status:
  0  shown      2  wrong arguments, or the site refused""",
    )
    made.add_argument(
        "path", type=Path, nargs="?", default=Path(), metavar="PATH", help="your bot (default: this folder)"
    )
    made.add_argument("--bot", metavar="SLUG", help="the bot whose page is /bots/SLUG/")
    made.add_argument(
        "--games", type=count, default=10, metavar="N", help="games shown (default: %(default)s)"
    )
    made.add_argument("--site", help="address of the arena (default: where you logged in last)")
    made.add_argument("--json", action="store_true", help="print what the site says as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the site and show what it says; return the exit status."""
    given = parser().parse_args(arguments)
    screen, errors = Screen(), Screen(errors=True)
    try:
        project = project_of(given.path)
        site = Site.choose(given.site or project.site)
        slug = given.bot or slug_of(site, project.name)
        if slug is None:
            raise SiteRefused(f"You have no bot called {project.name} on {site.origin}. Upload it first.")
        found = _found(site, slug, given.games)
    except (SiteRefused, BadUsage) as error:
        errors.say(f"crapette results: {error}")
        return 2
    if given.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return 0
    _show(screen, site, slug, found)
    return 0


def _found(site: Site, slug: str, games: int) -> dict[str, Any]:
    """Ratings, games, which version plays where, and the state of the last one. Raises Refused."""
    quoted = urllib.parse.quote(slug, safe="")
    found: dict[str, Any] = {"bot": slug, "ratings": None, "games": [], "boards": []}
    try:
        found["boards"] = site.get(f"/api/v1/bots/{quoted}/")["boards"]
        found["ratings"] = site.get(f"/api/v1/bots/{quoted}/ratings/")["items"]
        words = urllib.parse.urlencode({"bot": slug, "limit": min(games, 100)})
        found["games"] = site.get(f"/api/v1/games/?{words}")["items"]
    except SiteRefused as refused:
        if refused.status != NO_SUCH_PAGE:
            raise
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
