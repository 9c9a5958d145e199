"""The web server in the main thread."""

import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from arena.run.http_connections import server_options

# How long open requests and websockets may take to end once the site was told to.
GRACE_SECONDS = 3


class Server(uvicorn.Server):
    """uvicorn, which calls back when it serves, and returns from a signal instead of raising it again."""

    def __init__(self, application: str, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(application, timeout_graceful_shutdown=GRACE_SECONDS, **server_options())
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the signals to ``watch_signals``, which covers the time before and after serving as well."""
        yield

    def watch_signals(self) -> None:
        """End serving at SIGTERM and SIGINT; a second one ends it without grace."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)

    def _end(self, number: int, frame: FrameType | None) -> None:  # the signature of a signal handler
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True
