"""Keeps a limited part of what a bot writes to standard error, for its owner.

Everything is read, however much there is, so that a bot never blocks for ever. What exceeds the kept size is
counted and dropped. Reads happen once every `REST_SECONDS`, up to `READ_BYTES`. So a bot that writes without
end gets through about 13 MB a second, waits for the rest on its own clock, and costs its reader less than a
hundredth of a core, whether it writes large or small pieces.
"""

from __future__ import annotations

import os
import time

READ_BYTES = 1 << 16
REST_SECONDS = 0.005


class KeptStderr:
    """Keeps up to a number of bytes: a quarter from the start and three quarters from the end."""

    def __init__(self, fd: int, size: int) -> None:
        self.fd = fd
        self.total = 0
        """Bytes that were read in all."""
        self._head_size = size // 4
        self._tail_size = size - self._head_size
        self._head = bytearray()
        self._tail = bytearray()
        self._rests_until = 0.0

    def resting(self) -> float:
        """Seconds until the next read; 0 if it may happen now."""
        return max(0.0, self._rests_until - time.monotonic())

    def take(self) -> bool:
        """Read once; return False if nothing more can come."""
        try:
            chunk = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return True
        self._rests_until = time.monotonic() + REST_SECONDS
        if not chunk:
            return False
        self.total += len(chunk)
        room = self._head_size - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:] if room > 0 else chunk
        del self._tail[: -self._tail_size]
        return True

    def take_rest(self) -> None:
        """Read what a dead process left in the pipe. That is at most what a pipe holds."""
        before = -1
        while self.total != before:
            before = self.total
            if not self.take():
                return

    def __bytes__(self) -> bytes:
        left_out = self.total - len(self._head) - len(self._tail)
        gap = b"\n[... %d bytes left out ...]\n" % left_out if left_out else b""
        return bytes(self._head) + gap + bytes(self._tail)
