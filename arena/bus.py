"""What the processes of one site tell each other: JSON messages over a pair of sockets, parent and child.

A message is whole or not there (`SOCK_SEQPACKET`), also when several processes send through one end. The end
of the other side is seen at once, however it came about; a child then has nobody to work for.
"""

from __future__ import annotations

import json
import os
import socket
from typing import Any, Final

from channels.layers import BaseChannelLayer

VARIABLE: Final = "CRAPETTE_BUS"
"""The environment's variable with the number of the child's end."""
MOST_BYTES: Final = 1 << 20

Message = dict[str, Any]


class Bus:
    """One end; both may be used from several threads."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, option, MOST_BYTES)

    @classmethod
    def pair(cls) -> tuple[Bus, socket.socket]:
        """A parent's end, and a child's to be inherited."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        return cls(ours), theirs

    @classmethod
    def inherited(cls) -> Bus:
        """This child's end."""
        return cls(socket.socket(fileno=int(os.environ[VARIABLE])))

    def send(self, message: Message) -> bool:
        """Send a message; False if nobody is there any more, or it is too long."""
        try:
            self._socket.send(json.dumps(message, separators=(",", ":")).encode())
        except OSError:
            return False
        return True

    def receive(self) -> Message | None:
        """The next message, waited for; None once the other side has ended."""
        try:
            data = self._socket.recv(MOST_BYTES)
        except OSError:
            return None
        return json.loads(data) if data else None

    def fileno(self) -> int:
        """The descriptor, to be waited for."""
        return self._socket.fileno()

    def end(self) -> None:
        """Tell the other side and whoever waits here that it is over."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


class BusLayer(BaseChannelLayer):  # type: ignore[misc]  # channels is untyped
    """The channel layer of a child: news goes to the parent, which serves the pages."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._bus = Bus.inherited()

    async def group_send(self, group: str, message: Message) -> None:
        """Have the parent send a message to every channel of a group."""
        self._bus.send({"group": group, "message": message})
