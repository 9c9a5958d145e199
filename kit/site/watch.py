"""``crapette watch URL``: a game or a tournament as it is played, in the terminal."""

from __future__ import annotations

import json
import sys
import time
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

from rich.live import Live
from rich.table import Table
from rich.text import Text

import engine
from engine.turns.knowledge.tracker import Tracker
from kit.console.command import BadUsage, Parser, run_command
from kit.console.screen import Screen, plain
from kit.site.client import Site, SiteRefused, SiteUnreachable, origin_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

PROG: Final = "crapette watch"
AGAIN_S: Final = 2.0
"""How long to wait before a stream that broke off is asked for again."""
TRIES: Final = 5
"""Failed attempts in a row before the command gives up."""
TOO_MANY: Final = 429


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Watch a game or a tournament of an arena in the terminal, as it is played.",
        epilog="""\
You see a game from its first move, even if you join late. If output is not a terminal, each move is one line.

examples:
  crapette watch https://arena.example/games/6f9b0c52-…/
  crapette watch https://arena.example/tournaments/friday-cup/
  crapette watch https://arena.example/games/6f9b0c52-…/ --json | jq .type     the arena's own lines

exit status:
  0  over      2  refused, no such game, or no answer from the arena      130  Ctrl-C""",
    )
    made.add_argument("page", metavar="URL", help="the address of a game or a tournament")
    made.add_argument(
        "--json", action="store_true", help="print what the arena says, one JSON object per line"
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Watch until it is over; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, kind, name = Site(origin_of(given.page)), *_subject(given.page)
    if given.json:
        for message in messages(site, kind, name):
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()
        return 0
    screen = Screen()
    if kind == "tournament":
        return tournament(screen, site, name)
    return _game(screen, site, name)


def _subject(page: str) -> tuple[str, str]:
    """What to watch: its kind and its name. Raises BadUsage."""
    parts = [part for part in urllib.parse.urlsplit(page).path.split("/") if part]
    match parts:
        case ["games", game, *_]:
            return "game", game
        case ["tournaments", slug, *_]:
            return "tournament", slug
    raise BadUsage(f"expected the address of a game or tournament, got {page[:200]!r}")


def messages(site: Site, kind: str, name: str) -> Iterator[dict[str, Any]]:
    """Yield what the arena's stream says, until the subject is over.

    A stream that breaks off is asked for again; what was said before is left out. Raises Refused.
    """
    path = f"/api/v1/stream/?{urllib.parse.urlencode({kind: name})}"
    attempt, events, failures = None, 0, 0
    while True:
        try:
            for line in site.lines(path):
                message = json.loads(line)
                failures = 0
                if message["type"] == "start":
                    if message["attempt"] == attempt:
                        continue
                    attempt, events = message["attempt"], 0
                if message["type"] == "events":
                    message["events"] = [one for one in message["events"] if one["n"] >= events]
                    events += len(message["events"])
                    if not message["events"]:
                        continue
                yield message
                if message["type"] == "finished" or _is_over(message):
                    return
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise SiteRefused(
                f"Expected the lines of an arena from {site.origin}, got others: {error!r}."
            ) from None
        except SiteRefused as refused:
            again = isinstance(refused, SiteUnreachable) or refused.status == TOO_MANY
            if not again or failures >= TRIES:
                raise
        failures += 1
        time.sleep(AGAIN_S)


def _is_over(message: dict[str, Any]) -> bool:
    """Whether a tournament's line says that it is over, or gone."""
    if message["type"] != "progress":
        return False
    state = message["state"]
    return state is None or state["status"] in {"finished", "cancelled"}


def _game(screen: Screen, site: Site, name: str) -> int:
    """Show a game: its table and last moves on a terminal, otherwise its moves line by line."""
    table = _Board()
    with Live(console=screen, auto_refresh=False) if screen.is_interactive else _Nothing() as live:
        for message in messages(site, "game", name):
            for line in table.take(message):
                if not screen.is_interactive:
                    screen.say(line)
            if screen.is_interactive:
                live.update(Text(plain(table.picture, lines=True)), refresh=True)
    return 0


class _Nothing:
    """Stands in for a live display where there is no terminal."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave."""


class _Board:
    """A game as far as it was told."""

    def __init__(self) -> None:
        self._seats: list[str] = []
        self._tracker: Tracker | None = None
        self._lines: list[str] = []

    @property
    def picture(self) -> str:
        """The table and the last lines."""
        drawn = "" if self._tracker is None else f"{engine.Game.of(self._tracker.position)}\n"
        return "\n".join([drawn, *self._lines[-6:]])

    def take(self, message: dict[str, Any]) -> list[str]:
        """Follow a message of the stream; what it says, in lines."""
        said: list[str] = []
        if message["type"] == "start":
            record = message["record"]
            self._seats = [str(seat["bot"]) for seat in record["seats"]]
            ticks = engine.variant(record["variant"]).in_ticks
            self._tracker = None if ticks else Tracker(engine.TurnPosition.parse(record["start"]))
            said.append(f"{record['variant']}: {' – '.join(self._seats)}")
        elif message["type"] == "events":
            said += [line for event in message["events"] if (line := self._event(event))]
        self._lines += said
        return said

    def _event(self, event: dict[str, Any]) -> str:
        """Follow an event; what it says."""
        if event["type"] == "end":
            return str(event["result"].get("detail") or event["result"]["termination"])
        if event["type"] == "tick":
            return f"{event['ply']:>4}  {' · '.join(event['actions'])}"
        if event["type"] not in {"move", "stop"}:
            return f"{'':4}  {self._name(event.get('seat'))}: {event['type']}"
        words = str(event.get("move", "stop"))
        if self._tracker is not None:
            if event["type"] == "move":
                words = engine.Move.parse(words).words(self._tracker.position)
            self._tracker.see(engine.Event.from_dict(event))
        return f"{event['ply']:>4}  {self._name(event.get('seat'))}: {words}"

    def _name(self, seat: int | None) -> str:
        return self._seats[seat] if seat is not None and seat < len(self._seats) else ""


def tournament(screen: Screen, site: Site, name: str) -> int:
    """Show how far a tournament is, and its standings once it is over."""
    last = ""
    with screen.status("…") if screen.is_interactive else _Nothing() as shown:
        for message in messages(site, "tournament", name):
            state = message["state"]
            if state is None:
                raise BadUsage(f"the tournament {name!r} no longer exists")
            progress = state["progress"]
            words = f"{state['name']}: {state['status']}, {progress['done']} of {progress['total']} pairs"
            if progress["running"]:
                running = progress["running"]
                words += ", 1 game is" if running == 1 else f", {running} games are"
                words += " being played"
            if screen.is_interactive:
                shown.update(Text(plain(words)))
            elif words != last:
                screen.say(words)
            last = words
    screen.say(last)
    found = site.get(f"/api/v1/tournaments/{urllib.parse.quote(name)}/standings/")["items"]
    table = Table("", "bot", "version", "won", "drawn", "lost", "points")
    for one in found:
        numbers = (one["wins"], one["draws"], one["losses"])
        entry = one["entry"]
        bot = plain(str(entry.get("name") or entry.get("bot")))
        version = str(entry.get("version", ""))
        table.add_row(str(one["place"]), bot, version, *map(str, numbers), f"{one['points']:g}")
    screen.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
