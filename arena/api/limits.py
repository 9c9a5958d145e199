"""How often a program may ask, and how many long answers it may have at once.

An account counts as one however many tokens it has; callers without a token count by address. Long answers
(streams, downloads) are counted in each process, because each holds a connection there.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.http import StreamingHttpResponse

from arena.web.http import rate_limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest


class TooMany(Exception):
    """The caller asked too often, or has too much open: `retry_after` in seconds."""

    def __init__(self, sentence: str, retry_after: int) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Cost:
    """A kind of request, and how many of it are allowed in a window: with a token, and without."""

    name: str
    seconds: int
    account: int
    address: int


READ: Final = Cost("read", 60, 600, 240)
WRITE: Final = Cost("write", 60, 60, 60)
BULK: Final = Cost("bulk", 600, 30, 10)
WRONG_TOKENS: Final = Cost("token", 60, 20, 20)
OPEN_RETRY_SECONDS: Final = 30


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a caller's allowance, for the header RateLimit."""

    cost: Cost
    most: int
    remaining: int
    resets_in: int

    def header(self) -> str:
        """As in the IETF's draft "RateLimit header fields for HTTP"."""
        return f'"{self.cost.name}";r={self.remaining};t={self.resets_in}'

    def policy(self) -> str:
        """The limit itself, in the same notation."""
        return f'"{self.cost.name}";q={self.most};w={self.cost.seconds}'


LEFT = "_api_left"


def set_left(request: HttpRequest, left: Left) -> None:
    """Note what is left of the caller's allowance, for the answer's headers."""
    setattr(request, LEFT, left)


def left_of(request: HttpRequest) -> Left | None:
    """What is left of the caller's allowance, if it was counted."""
    return getattr(request, LEFT, None)


def spend(cost: Cost, who: str, *, signed_in: bool, now: float | None = None) -> Left:
    """Count one request of `who` and return what is left. Raises :class:`TooMany`."""
    most = cost.account if signed_in else cost.address
    used, resets_in = rate_limits.spend(f"api:{cost.name}:{who}", cost.seconds, now)
    if used > most:
        raise TooMany(
            f"You sent more than {most} requests in {cost.seconds} seconds. Try again in {resets_in}.",
            resets_in,
        )
    return Left(cost, most, most - used, resets_in)


class OpenAnswers:
    """Counts long answers in this process, by account, by address and in all."""

    def __init__(self, account: int, address: int, everybody: int) -> None:
        self.most = {"account": account, "address": address, "arena": everybody}
        self._open: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def open(self, account: str, address: str) -> tuple[tuple[str, str], ...]:
        """Count one more, and return what to give to :meth:`close`. Raises :class:`TooMany`."""
        keys = (("address", address), ("arena", ""), *((("account", account),) if account else ()))
        with self._lock:
            for kind, name in keys:
                if self._open[kind, name] < self.most[kind]:
                    continue
                raise TooMany(
                    "As many are open as this site serves at once. Try again in a moment."
                    if kind == "arena"
                    else f"Your {kind} already has {self.most[kind]} of these open. Close one first.",
                    OPEN_RETRY_SECONDS,
                )
            self._open.update(keys)
        return keys

    def close(self, keys: tuple[tuple[str, str], ...]) -> None:
        """Count one less."""
        with self._lock:
            self._open.subtract(keys)
            for key in keys:
                if self._open[key] <= 0:
                    del self._open[key]


streams = OpenAnswers(account=8, address=24, everybody=1_000)
# Each holds a thread, and a view of the database.
downloads = OpenAnswers(account=2, address=3, everybody=6)


class Held(StreamingHttpResponse):
    """A streamed answer with something to do once, when it is closed."""

    def when_closed(self, close: Callable[[], None]) -> None:
        """Call `close` when the answer ends, however it ends."""
        self._resource_closers.append(close)  # type: ignore[attr-defined]  # Django's own list, not in the stubs
