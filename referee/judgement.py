"""Judges errors that nobody foresaw, so that nothing a bot does can void a game or end the playing process.

A bot decides what it says and how its process looks from outside, so an error that turns up while the arena
listens to it or looks at it is held against it: a bot that knows of one could otherwise void every game it is
about to lose. The machine is at fault only where that is proved. What the sandbox and the clocks prove
(a kill that the kernel counted, a core that was not given) reaches the referee as Infrastructure already.
Here it is the kernel's word that the host has run out of something, which no bot's data can make it say.
A MemoryError is no such word: Python raises it for absurd sizes, and those come from data.
"""

from __future__ import annotations

import errno
import traceback
from typing import Final

from referee.endings import Termination
from referee.errors import Infrastructure, RefereeError
from referee.player import PlayerFault
from referee.protocol import COMMENT_CHARS, clean

HOST_IS_SHORT: Final = frozenset(
    {errno.ENOMEM, errno.ENFILE, errno.EMFILE, errno.ENOSPC, errno.EDQUOT, errno.EIO}
)
"""What the kernel says when the host, or this process's share of it, has run out or broken."""


class Unforeseen(PlayerFault):
    """A player met an error of the arena's that nobody foresaw. ``trace`` is for those who run it."""

    def __init__(self, error: Exception) -> None:
        words = clean(f"{type(error).__name__}: {error}", COMMENT_CHARS)
        super().__init__(Termination.CRASH, f"caused an error that the arena did not expect ({words})")
        self.trace = "".join(traceback.format_exception(error))


def judge(error: Exception) -> PlayerFault:
    """Return what a player has done by this error. Raises it if it is somebody's decision already, and
    Infrastructure if it proves that the machine failed."""
    if isinstance(error, PlayerFault):
        return error
    if isinstance(error, RefereeError):
        raise error
    if isinstance(error, OSError) and error.errno in HOST_IS_SHORT:
        raise Infrastructure(f"the host has run out of something: {error.strerror}") from error
    return Unforeseen(error)
