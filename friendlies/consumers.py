"""Websockets: pings that a person's game has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.common.rooms import CHANGED, Listener, Room, Watcher, hub
from friendlies.events import friendly_group

if TYPE_CHECKING:
    from arena.common.asgi import Message, Receive, Send


class FriendlyRoom(Room):
    """A person's game: sends a ping when it changes. The page then asks for what it may know.

    A ping reveals nothing about the cards, so anyone who knows the address may listen.
    """

    async def welcome(self, watcher: Listener) -> None:
        """The page may have missed something until now."""
        watcher.say(CHANGED)

    async def hear(self, message: Message) -> None:
        """Pass the ping on."""
        self.say(CHANGED)


async def friendly_socket(scope: Message, receive: Receive, send: Send) -> None:
    """`/ws/play/<id>/`: `{"type": "changed"}` at once and with every change."""
    group = friendly_group(str(scope["url_route"]["kwargs"]["friendly_id"]))
    await Watcher(scope, receive, send).serve(hub().room(FriendlyRoom, group))
