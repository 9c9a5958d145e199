"""Websockets: a person's game, for the page of the person who plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.utils import translation

from arena.web.live.rooms import Room, Subscriber, to_text
from friendlies.tables.people import language_of_socket, person_of_socket
from friendlies.tables.state import find, number_of, page_state
from friendlies.tables.store import friendly_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.web.http.requests import Message, Receive, Send

NOT_YOURS = 4403
"""The code for whoever does not play this game, or is no longer signed in."""


class PersonPage(Subscriber):
    """A page of the person who plays, and how many events of which epoch it has."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self.scope = scope
        query = parse_qs(self.query)
        self.length = number_of(query.get("length", [""])[0]) or 0
        self.epoch = number_of(query.get("epoch", [""])[0])

    def tell(self, state: dict[str, Any]) -> None:
        """Send a state, after which the page has all its events."""
        self.length, self.epoch = state["length"], state["epoch"]
        self.say(to_text({"type": "state", **state}))


class FriendlyRoom(Room):
    """A person's game: each of the person's pages is sent what it lacks, at once and with every change.

    Nobody else may know what can be done now. So the room asks who listens before every message: a person who
    signs out hears nothing more.
    """

    async def welcome(self, watcher: Any) -> None:
        """The page may have missed something until now."""
        await self._tell([watcher])

    async def hear(self, message: Message) -> None:
        """The game has changed."""
        await self._tell([*self._welcomed])

    async def _tell(self, seats: Sequence[Any]) -> None:
        found = await database_sync_to_async(self._states)(seats)
        for seat, state in zip(seats, found, strict=True):
            if state is None:
                seat.dismiss(NOT_YOURS)
            else:
                seat.tell(state)

    def _states(self, seats: Sequence[PersonPage]) -> list[dict[str, Any] | None]:
        """What each page lacks; None for one that may not know it."""
        row = find(self.group.removeprefix(friendly_group("")))
        if row is None:
            return [None] * len(seats)
        people = [person_of_socket(seat.scope) for seat in seats]
        states: list[dict[str, Any] | None] = []
        for seat, person in zip(seats, people, strict=True):
            if person is None or not person.plays(row):
                states.append(None)
                continue
            with translation.override(language_of_socket(seat.scope, person.user)):
                states.append(page_state(row, seat.length, seat.epoch))
        return states


async def friendly_socket(scope: Message, receive: Receive, send: Send) -> None:
    """`/ws/play/<id>/?length=<n>&epoch=<e>`: `{"type": "state", ...}` at once and with every change.

    A state is what `state.json` answers, for a page that has so many events of that epoch.
    """
    group = friendly_group(str(scope["url_route"]["kwargs"]["friendly_id"]))
    await PersonPage(scope, receive, send).serve(FriendlyRoom, group)
