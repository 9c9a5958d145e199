"""Games with remote bots: what their authors are told, and the threads that play them.

Such a game mostly waits for what others compute, so many are played at once, each supervised by a thread of
its own as every game is. The threads ask the database through a few others, which keep the connections, so
that fifty waiting games do not hold fifty.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.db import connections

from analysis.scores import half_points
from arena.web.database.db_retry import AWAY
from bots.remote.bridge import RemoteTable, bridge
from engine.boards import board_name
from tournaments.games.claims import bots_that_left

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from bots.models import Version
    from bots.remote.bus import Message
    from tournaments.models import Game, Result

    class Stored(Protocol):
        """Calls a function that asks the database, and returns what it returns."""

        def __call__(self, do: Callable[[], Row]) -> Row: ...


Row = TypeVar("Row")
DATABASE_THREADS: Final = 4
RESULTS: Final = ("loss", "draw", "win")


def remote_table(game: Game, versions: Sequence[Version], stored: Stored) -> RemoteTable | None:
    """The seats of a game's remote bots, with what their authors are told of it; None without any."""
    if not any(version.is_remote for version in versions):
        return None
    left = stored(partial(bots_that_left, versions))
    names = [version.bot.name for version in versions]
    seats = {
        seat: (version.bot_id, _frame(game, seat, names))
        for seat, version in enumerate(versions)
        if version.is_remote
    }
    return RemoteTable(bridge(), seats, left)


def _frame(game: Game, seat: int, names: Sequence[str]) -> Message:
    return {
        "type": "game",
        "board": board_name(game.tournament.variant, len(names)),
        "seat": seat,
        "players": len(names),
        # Who meets whom follows from hidden results.
        "opponents": ["?" if game.hidden else name for other, name in enumerate(names) if other != seat],
        "rated": game.tournament.rated,
    }


def ending_frames(game: Game, versions: Sequence[Version], result: Result) -> dict[int, Message]:
    """What the authors of a game's remote bots are told of its end, by seat. With more than two players, a
    win is a place above the middle of all."""
    others = len(versions) - 1
    return {
        seat: {
            "result": RESULTS[1 + _sign(half_points(result.ranking, seat) - others)],
            "termination": result.termination,
            "url": None if game.hidden else game.get_absolute_url(),
        }
        for seat, version in enumerate(versions)
        if version.is_remote
    }


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class DatabaseThreads:
    """A few threads that ask the database for many."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(DATABASE_THREADS, "remote games' database")

    def __call__(self, do: Callable[[], Row]) -> Row:
        """Call a function in one of the threads, and return what it returns or raise what it raises."""
        answer: Row = self._threads.submit(copy_context().run, self._asked, do).result()
        return answer

    @staticmethod
    def _asked(do: Callable[[], Any]) -> Any:
        try:
            return do()
        except AWAY:
            connections.close_all()  # broken, perhaps: the next one connects again
            raise
