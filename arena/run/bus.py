"""JSON messages between the processes of one site, over a pair of sockets between parent and child.

A message arrives completely or not at all (`SOCK_SEQPACKET`), even if several processes send through one end.
Each side notices at once when the other ends, for whatever reason. A child then has nobody to work for.
"""

from __future__ import annotations

import json
import os
import socket
from typing import Any, Final

VARIABLE: Final = "CRAPETTE_BUS"
"""The environment's variable with the number of the child's end."""
MOST_BYTES: Final = 1 << 20

Message = dict[str, Any]


class Bus:
    """One end of the pair. Several threads may use it."""

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
    def from_parent(cls) -> Bus:
        """This child's end."""
        return cls(socket.socket(fileno=int(os.environ[VARIABLE])))

    def send(self, message: Message, *, wait: bool = True) -> bool:
        """Send a message; return False if the other side is gone or the message is too long.

        Without `wait` also if the other side has not read those before.
        """
        flags = 0 if wait else socket.MSG_DONTWAIT
        try:
            self._socket.send(json.dumps(message, separators=(",", ":")).encode(), flags)
        except OSError:
            return False
        return True

    def receive(self) -> Message | None:
        """Wait for the next message; return None once the other side has ended."""
        try:
            data = self._socket.recv(MOST_BYTES)
        except OSError:
            return None
        return json.loads(data) if data else None

    def fileno(self) -> int:
        """The descriptor, to be waited for."""
        return self._socket.fileno()

    def end(self) -> None:
        """Close the connection, which wakes the other side and whoever waits here."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
