"""A websocket client of an ASGI application, in the same process."""

import json
from collections.abc import Mapping
from typing import Any, Self

from asgiref.testing import ApplicationCommunicator


class Watcher:
    """Connects to a path, receives JSON messages."""

    def __init__(self, application: Any, path: str, headers: Mapping[str, str] | None = None) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "websocket",
            "path": address,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
            "subprotocols": [],
        }
        # asgiref's helpers have no types.
        self._ends: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]

    async def connect(self) -> Self:
        """Connect; AssertionError if the application closes the socket instead."""
        await self._ends.send_input({"type": "websocket.connect"})
        answer = await self.output()
        assert answer["type"] == "websocket.accept", answer
        return self

    async def receive(self, timeout: float = 30) -> Any:
        """The next message; AssertionError if the socket is closed instead."""
        message = await self.output(timeout)
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    async def output(self, timeout: float = 30) -> dict[str, Any]:
        """The next thing the application does, as ASGI words it."""
        message: dict[str, Any] = await self._ends.receive_output(timeout=timeout)
        return message

    async def silence(self, seconds: float = 0.1) -> bool:
        """Whether nothing comes for so long."""
        return bool(await self._ends.receive_nothing(timeout=seconds))

    async def disconnect(self) -> None:
        """Leave, and wait until the application has noticed."""
        await self._ends.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._ends.wait(timeout=5)
