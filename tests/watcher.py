"""A websocket client of an ASGI application, in the same process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from asgiref.testing import ApplicationCommunicator

if TYPE_CHECKING:
    from typing import Self


class Watcher(ApplicationCommunicator):
    """Connects to a path, receives JSON messages."""

    def __init__(self, application: Any, path: str) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "websocket",
            "path": address,
            "query_string": query.encode(),
            "headers": [],
            "subprotocols": [],
        }
        super().__init__(application, scope)

    async def connect(self) -> Self:
        """Connect; AssertionError if the application closes the socket instead."""
        await self.send_input({"type": "websocket.connect"})
        answer = await self.receive_output(timeout=5)
        assert answer["type"] == "websocket.accept", answer
        return self

    async def receive(self, timeout: float = 5) -> Any:
        """The next message; AssertionError if the socket is closed instead."""
        message = await self.receive_output(timeout=timeout)
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    async def disconnect(self) -> None:
        """Leave, and wait until the application has noticed."""
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(timeout=5)
