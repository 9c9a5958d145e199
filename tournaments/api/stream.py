"""What happens, as it happens: one stream of JSON lines for as many games and tournaments as asked for."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.http import Http404, HttpRequest
from ninja import Query, Router

from arena.api.bearer import Caller
from arena.api.limits import Held, streams
from arena.api.operations import route
from arena.api.schemas.common import Slug
from arena.web.cache.values import kept_for
from arena.web.live.rooms import Listener, Room, hub
from bots.errors import BotsError
from tournaments.api.tournaments import describe
from tournaments.consumers import FINISHED, ChangesRoom, GameRoom
from tournaments.live_updates import game_group, tournament_group
from tournaments.models import Game, Tournament

router = Router()
BEAT_SECONDS: Final = 15.0
"""A blank line is sent this often, so that proxies and programs see that the connection lives."""
LONGEST_SECONDS: Final = 6 * 3600.0
MOST_SUBJECTS: Final = 8
ENDED: Final = 1000


class NothingToStream(BotsError):
    """No game and no tournament was named, or too many."""

    code = "subjects"


LINES = {
    "application/x-ndjson": {
        "schema": {
            "type": "string",
            "description": "JSON objects, one a line. A blank line comes every 15 seconds, to show that the"
            " connection lives: skip it.",
        },
        "examples": {
            "a game": {
                "summary": "A game: its start, its events in parts, and its end.",
                "value": '{"game":"6f9b…","type":"start","attempt":1,"record":{…}}\n'
                '{"game":"6f9b…","type":"events","events":[{"n":0,…},{"n":1,…}]}\n'
                '{"game":"6f9b…","type":"finished"}\n',
            },
            "a tournament": {
                "summary": "A tournament: how far it has come, at first and after each change.",
                "value": '{"tournament":"friday-cup","type":"progress","state":{…}}\n',
            },
        },
    }
}


class StreamSubject(Listener):
    """One subject of a stream: it knows which, and passes on what its room says."""

    def __init__(self, stream: Stream, kind: str, name: str) -> None:
        super().__init__()
        self.stream = stream
        self.kind = kind
        self.name = name

    def say(self, text: str) -> None:
        """Queue a text of the room with the name of the subject before it."""
        self.stream.say(f'{{"{self.kind}":{json.dumps(self.name)},{text[1:]}')
        if text == FINISHED:
            self.stream.end_subject(self)

    def dismiss(self, code: int) -> None:
        """The room is broken, or there is nothing in it: the program asks again."""
        self.stream.dismiss(code)


class TournamentLine(StreamSubject):
    """A tournament: its room says that something changed, and the stream says what it is now."""

    room: ChangesRoom

    def say(self, text: str) -> None:
        """Have the state read."""
        self.stream.update(self)


class Stream(Listener):
    """An open stream and its subjects."""

    def __init__(self, games: list[str], tournaments: list[str]) -> None:
        super().__init__()
        self._games = games
        self._tournaments = tournaments
        self._open: set[StreamSubject] = set()
        self._changed: dict[TournamentLine, None] = {}

    def end_subject(self, line: StreamSubject) -> None:
        """A subject is over; with the last of them the stream ends."""
        self._open.discard(line)
        if not self._open:
            self.dismiss(ENDED)

    def update(self, line: TournamentLine) -> None:
        """A tournament has changed."""
        self._changed[line] = None
        self._wake.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines, until every subject is over or the program has gone."""
        until = time.monotonic() + LONGEST_SECONDS
        rooms: list[tuple[Room, StreamSubject]] = []
        try:
            await self._enter(rooms)
            while time.monotonic() < until:
                try:
                    # Not asyncio.wait_for: before Python 3.12 it may swallow the cancellation of a stream
                    # that is left just as something happens.
                    async with asyncio.timeout(BEAT_SECONDS):
                        texts, code = await self.receive()
                except TimeoutError:
                    yield b"\n"
                    continue
                if texts:
                    yield "\n".join((*texts, "")).encode()
                while self._changed:
                    changed = next(iter(self._changed))
                    del self._changed[changed]
                    state, over = await database_sync_to_async(_state)(changed.name, changed.room.news)
                    said = f'"tournament":{json.dumps(changed.name)},"type":"progress","state":{state}'
                    yield f"{{{said}}}\n".encode()
                    if over:
                        self.end_subject(changed)
                if code is not None:
                    return
        finally:
            for room, line in rooms:
                await hub().leave(room, line)

    async def _enter(self, rooms: list[tuple[Room, StreamSubject]]) -> None:
        """Enter the room of each subject, and note it."""
        games = [StreamSubject(self, "game", name) for name in self._games]
        tournaments = [TournamentLine(self, "tournament", name) for name in self._tournaments]
        self._open = {*games, *tournaments}
        for line in games:
            rooms.append((await hub().enter(GameRoom, game_group(line.name), line), line))
        for followed in tournaments:
            followed.room = await hub().enter(ChangesRoom, tournament_group(followed.name), followed)
            rooms.append((followed.room, followed))
            self.update(followed)


@kept_for(1.0)
def _state(slug: str, news: int) -> tuple[str, bool]:
    """A tournament as JSON and whether it is over; read once a ping, however many programs listen."""
    found = Tournament.objects.select_related("owner").filter(slug=slug).first()
    if found is None:
        return "null", True
    return json.dumps(describe([found])[0], default=str), found.is_over


@route(router, "GET", "stream/", media=LINES)
def stream_live(
    request: HttpRequest,
    game: list[UUID] = Query([], description="Games to follow, move by move."),
    tournament: list[Slug] = Query([], description="Tournaments to follow."),
) -> Held:
    """Live progress of games and tournaments, as JSON lines.

    Each line names its subject. A game is sent from its first move on, whenever you come: with type `start`
    for an attempt, `events` for moves, and `finished`. A tournament is sent as `progress` at first and after
    each change, at most once a second. The stream ends when everything in it is over, after six hours, or
    when you are too slow to read it; then ask again. It also ends after an `error` with `code` and `message`:
    the record of that game is in the archive, which cannot be read at the moment.
    """
    games = list(dict.fromkeys(str(key) for key in game))
    tournaments = list(dict.fromkeys(tournament))
    if not 1 <= len(games) + len(tournaments) <= MOST_SUBJECTS:
        raise NothingToStream(f"Name 1 to {MOST_SUBJECTS} games and tournaments to follow.", "game")
    missing = set(games) - {
        str(key) for key in Game.objects.filter(pk__in=games).values_list("pk", flat=True)
    }
    known = Tournament.objects.filter(slug__in=tournaments).values_list("slug", flat=True)
    missing |= set(tournaments) - set(known)
    if missing:
        raise Http404(f"Expected a game or tournament, got {min(missing)!r}.")
    caller: Caller = request.auth  # type: ignore[attr-defined]
    held = streams.open(caller.account, caller.address)
    response = Held(Stream(games, tournaments).lines(), content_type="application/x-ndjson")
    response.when_closed(lambda: streams.close(held))
    response["Cache-Control"] = "no-store"
    # nginx keeps back what it has not enough of, unless it is told not to.
    response["X-Accel-Buffering"] = "no"
    return response
