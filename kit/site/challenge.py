"""``crapette challenge MINE THEIRS``: challenges another owner's bot on an arena, and answers challenges."""

from __future__ import annotations

import json
import sys
import time
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

import engine
from kit.console.command import BadUsage, Parser, clock, count, run_command
from kit.console.screen import Screen, show_waiting
from kit.site.client import Site
from kit.site.own_bot import NAMED, find_entrants
from kit.site.status import waiting_words
from kit.site.watch import messages, tournament

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette challenge"
CHALLENGES: Final = "/api/v1/challenges/"
ASK_EVERY_SECONDS: Final = 2.0
REFUSED: Final = frozenset({"declined", "withdrawn", "expired"})
ANSWERS: Final = ("accept", "decline", "withdraw")


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Challenge another owner's bot on an arena, or answer a challenge.",
        epilog=f"""\
The games are played on the arena and are never rated. House bots accept at once, as do bots whose owners wish
so; other owners are asked and have seven days to answer. Your token needs the scopes read and compete.

{NAMED}

examples:
  crapette challenge mybot planner
  crapette challenge mybot:3 rival --variant vitesse --pairs 50
  crapette challenge mybot https://arena.example/bots/rival/ --wait       wait for the answer and the games
  crapette challenge mybot planner --wait --json | jq .type               one JSON object per line
  crapette challenge --list                                               what you asked and were asked
  crapette challenge --accept 17

exit status:
  0  asked, or accepted; with --wait: played to the end
  1  declined, withdrawn or expired; the games were cancelled
  2  wrong arguments, or the site refused      75  the site did not answer
  130  Ctrl-C (the challenge stays)""",
    )
    made.add_argument("mine", nargs="?", metavar="MINE", help="your bot")
    made.add_argument("theirs", nargs="?", metavar="THEIRS", help="the bot you challenge")
    made.add_argument(
        "--variant", choices=list(engine.VARIANTS), default="crapaud", help="the game (default: %(default)s)"
    )
    made.add_argument(
        "--pairs", type=count, default=10, metavar="N", help="pairs of games (default: %(default)s)"
    )
    made.add_argument(
        "--clock",
        type=clock,
        default=clock("60+0.5"),
        metavar="SECONDS+SECONDS",
        help="CPU time a game, and after each turn (default: 60+0.5)",
    )
    made.add_argument("--wait", action="store_true", help="wait for the answer, and until the games are over")
    which = made.add_mutually_exclusive_group()
    which.add_argument("--list", action="store_true", help="show your challenges instead")
    for answer in ANSWERS:
        which.add_argument(f"--{answer}", type=count, metavar="NUMBER", help=f"{answer} a challenge instead")
    made.add_argument("--site", help="address of the arena (default: where you logged in last)")
    made.add_argument(
        "--json", action="store_true", help="print what the site says, one JSON object per line"
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask or answer; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    answer = next((one for one in ANSWERS if getattr(given, one) is not None), "")
    if given.list or answer:
        if given.mine is not None:
            raise BadUsage(f"expected no bot with --{answer or 'list'}, got {given.mine!r}")
        site = Site.choose(given.site)
        if given.list:
            return _list(site, as_json=given.json)
        challenge = site.post(f"{CHALLENGES}{getattr(given, answer)}/{answer}/", "application/json", b"")
    else:
        if given.theirs is None:
            raise BadUsage(
                "expected your bot and the bot you challenge, such as: crapette challenge mybot planner"
            )
        site, challenge = _asked(given)
    return _followed(site, challenge, wait=given.wait, as_json=given.json)


def _asked(given: argparse.Namespace) -> tuple[Site, dict[str, Any]]:
    """Send the challenge; the site and what it says. Raises Refused and BadUsage."""
    site, (mine, theirs) = find_entrants(given.site, given.mine, given.theirs)
    wish = {
        "mine": mine,
        "theirs": theirs,
        "variant": given.variant,
        "pairs": given.pairs,
        "bank_ms": given.clock.bank_ms,
        "increment_ms": given.clock.increment_ms,
    }
    return site, site.post(CHALLENGES, "application/json", json.dumps(wish).encode())


def _list(site: Site, *, as_json: bool) -> int:
    """Show the newest challenges on both sides."""
    screen, found = Screen(), site.get(CHALLENGES)["items"]
    for one in found:
        if as_json:
            _print(one)
        else:
            screen.say(_words(one))
            if one["tournament"]:
                screen.say(f"    {_came_of_it(site, one['tournament'])}")
    if not found and not as_json:
        screen.say("You have neither sent nor received a challenge.")
    return 0


def _came_of_it(site: Site, slug: str) -> str:
    """How the games of a challenge stand, and where they are."""
    path = f"/api/v1/tournaments/{urllib.parse.quote(slug)}/"
    status = site.when_ready(path)["status"]
    rows = site.when_ready(f"{path}standings/")["items"] if status == "finished" else []
    score = ", ".join(f"{row['entry']['name']} {row['points']:g}" for row in rows)
    return f"{status}{f': {score}' if score else ''}  {site.origin}/tournaments/{slug}/"


def _words(one: dict[str, Any]) -> str:
    """A challenge in a line."""
    sides = " against ".join(f"{each['name']} v{each['version']}" for each in (one["mine"], one["theirs"]))
    whom = (
        f"from {one['mine']['owner']}"
        if one["side"] == "received"
        else f"to {one['theirs']['owner'] or 'house'}"
    )
    pairs = "1 pair" if one["pairs"] == 1 else f"{one['pairs']} pairs"
    return f"{one['id']}  {one['status']}  {whom}: {sides}, {pairs} of {one['variant']}"


def _followed(site: Site, challenge: dict[str, Any], *, wait: bool, as_json: bool) -> int:
    """Show a challenge and, if asked to, what becomes of it; return the exit status."""
    screen = Screen()
    if as_json:
        _print({"type": "challenge", **challenge})
    else:
        screen.say(_words(challenge))
    if wait and challenge["status"] == "open":
        challenge = _answered(site, challenge)
        if as_json:
            _print({"type": "challenge", **challenge})
        else:
            screen.say(f"The challenge is {challenge['status']}.")
    slug = challenge["tournament"]
    if slug is None:
        return int(challenge["status"] in REFUSED and wait)
    if not as_json:
        screen.say(f"The games: {site.origin}/tournaments/{slug}/")
    if not wait:
        return 0
    if not as_json:
        _say_place(screen, site, slug)
        tournament(screen, site, slug)
    else:
        for message in messages(site, "tournament", slug):
            _print(message)
        _print({"type": "standings", **site.get(f"/api/v1/tournaments/{slug}/standings/")})
    return int(site.get(f"/api/v1/tournaments/{slug}/")["status"] != "finished")


def _say_place(screen: Screen, site: Site, slug: str) -> None:
    """Say where a challenge's games stand in the arena's queue, if they wait. Raises Refused."""
    for place, one in enumerate(site.when_ready("/api/v1/queue/")["tournaments"], start=1):
        if one["tournament"] == slug and one["waiting"]:
            screen.say(f"Place {place} in the queue. {waiting_words(one)}")


def _answered(site: Site, challenge: dict[str, Any]) -> dict[str, Any]:
    """Wait until a challenge is open no more; what it is then. Raises Refused."""
    words = f"{challenge['theirs']['owner']} has until {challenge['expires_at'][:10]} to answer"
    with show_waiting(Screen(errors=True), words):
        while challenge["status"] == "open":
            time.sleep(ASK_EVERY_SECONDS)
            challenge = site.follow(f"{CHALLENGES}{challenge['id']}/")
    return challenge


def _print(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
