"""What a bot says on standard error: kept for its owner, bounded for us."""

from __future__ import annotations

import os

READ_BYTES = 1 << 16
TOLERATED = 16
"""How many times the kept size is read at all; then the pipe is left to fill, and the bot to wait on it."""


class KeptStderr:
    """The first quarter and the latest three quarters of what came, up to a size in bytes."""

    def __init__(self, fd: int, size: int) -> None:
        self.fd = fd
        self._head_size = size // 4
        self._tail_size = size - self._head_size
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def take(self) -> bool:
        """Read once; False when there will be no more (closed, or it has said too much)."""
        try:
            chunk = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return True
        if not chunk:
            return False
        self._total += len(chunk)
        room = self._head_size - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:] if room > 0 else chunk
        del self._tail[: -self._tail_size]
        return self._total < TOLERATED * (self._head_size + self._tail_size)

    def take_rest(self) -> None:
        """Read what a dead process left in the pipe."""
        before = -1
        while self._total != before and self._total < TOLERATED * (self._head_size + self._tail_size):
            before = self._total
            if not self.take():
                return

    def __bytes__(self) -> bytes:
        left_out = self._total - len(self._head) - len(self._tail)
        gap = b"\n[... %d bytes left out ...]\n" % left_out if left_out else b""
        return bytes(self._head) + gap + bytes(self._tail)
