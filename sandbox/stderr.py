"""What a bot says on standard error: kept for its owner, bounded for us.

All of it is read, however much there is, so that a bot never waits for ever to say more; what is above the
kept size is counted and dropped. It is read once in `REST_SECONDS`, up to `READ_BYTES`. So a bot that writes
without end gets rid of about 13 MB a second, waits for the rest on its own clock, and costs its reader less
than one hundredth of a core, in large pieces or in small ones.
"""

from __future__ import annotations

import os
import time

READ_BYTES = 1 << 16
REST_SECONDS = 0.005


class KeptStderr:
    """The first quarter and the latest three quarters of what came, up to a size in bytes."""

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
        """For how many seconds there is to be no reading; 0 if there may be some now."""
        return max(0.0, self._rests_until - time.monotonic())

    def take(self) -> bool:
        """Read once; False when there will be no more."""
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
        """Read what a dead process left in the pipe, which is no more than a pipe holds."""
        before = -1
        while self.total != before:
            before = self.total
            if not self.take():
                return

    def __bytes__(self) -> bytes:
        left_out = self.total - len(self._head) - len(self._tail)
        gap = b"\n[... %d bytes left out ...]\n" % left_out if left_out else b""
        return bytes(self._head) + gap + bytes(self._tail)
