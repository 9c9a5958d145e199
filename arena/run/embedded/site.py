"""The running site: its preparation, its web server, its child processes, and its messages."""

import signal
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import get_resolver

from analysis import serving_guard
from arena.run.bus import Message
from arena.run.children import Child
from arena.run.embedded import preparation
from arena.run.embedded.progress import StartProgress
from arena.run.http_connections import server_options
from arena.web import worker_messages
from arena.web.live.publisher import publisher
from tournaments.game_messages import THINK

STOP_SECONDS = 10.0
LOOK_SECONDS = 0.1


class NotPrepared(Exception):
    """The worker could not make the site ready, and has said why."""


class EmbeddedSite:
    """One embedded site from its preparation to its end.

    This process serves pages and nothing else: it plays no game and thinks about none. What it asks for goes
    to the processes beside it, and their news comes back from there (`arena.run.bus`).
    """

    def __init__(self, progress: StartProgress, address: str, worker: Child, begun: float) -> None:
        """`worker` was started before this process had read its own code, at the monotonic time `begun`."""
        self.progress = progress
        self.address = address
        self.worker = worker
        self.analysts = Child("arena.run.analysis", self._heard)
        self._prepared = threading.Event()
        self._refused: str | None = None
        self._working = threading.Event()
        self._begun = begun
        self._leisure: list[Callable[[], object]] = []

    def at_leisure(self, begin: Callable[[], object]) -> None:
        """Call this once the site serves and plays."""
        self._leisure.append(begin)

    def start(self) -> None:
        """From now on nothing thinks here, and what is to be done goes to the processes beside this one."""
        serving_guard.forbid()
        worker_messages.carry_by(self._carry)
        self.worker.listen(self._heard)

    def prepare(self, stopped: Callable[[], bool]) -> None:
        """Have tables, static files and house bots made ready, and what waited or was broken off taken up.

        Returns once pages can be served, or when the site has been `stopped`. Raises ImproperlyConfigured
        with a sentence for the operator, and NotPrepared if the worker has said what is wrong.
        """
        self.progress.say(f"Crapette Arena, data in {settings.DATA_DIR}")
        self.worker.begin()
        get_resolver().url_patterns  # noqa: B018 (reads the code of every page now, not in the first request)
        if preparation.is_up_to_date():
            return
        while not self._prepared.wait(LOOK_SECONDS) and not stopped():
            pass
        if self._refused:
            raise ImproperlyConfigured(self._refused)
        if self._refused is not None:
            raise NotPrepared

    def _think(self) -> None:
        """Let questions be answered; not earlier, so that nothing competes with the first page."""
        if not self.analysts.started:
            self.analysts.start()
            self.analysts.begin()

    def announce(self) -> None:
        """Print the address, once the site answers and its worker takes tasks."""
        threading.Thread(target=self._announce, name="announce", daemon=True).start()

    def _announce(self) -> None:
        self._working.wait()
        took = time.monotonic() - self._begun
        self.progress.say(f"Ready in {took:.1f} s: {self.address}   (Ctrl-C ends it)")
        for begin in self._leisure:
            begin()

    def stop(self) -> bool:
        """End the processes beside this one; False if one did not end in time."""
        children = (self.worker, self.analysts)
        for child in children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        waited = [child.wait(max(0.1, deadline - time.monotonic())) for child in children]
        return all(waited)

    def _carry(self, task: str, arguments: list[Any], delay_seconds: float) -> None:
        """Messages go where their task is done: the queue is not in this process."""
        if task == THINK:
            self.analysts.send({"do": "wake"})
        else:
            self.worker.send({"task": task, "arguments": arguments, "delay_seconds": delay_seconds})

    def _heard(self, message: Message) -> None:
        """Handle a message from a child process."""
        if "group" in message:
            publisher().send(message["group"], message["message"])
        elif "task" in message:
            self._carry(message["task"], message["arguments"], message["delay_seconds"])
        elif "join" in message:
            get_channel_layer().elsewhere[message["join"]] = self.worker.send
        elif "step" in message:
            self.progress.report_step(message["step"], message["outcome"], message["seconds"])
        elif "prepared" in message:
            self._prepared.set()
        elif "refused" in message:
            self._refused = message["refused"]
            self._prepared.set()
        elif "ready" in message:
            self._working.set()
            self._think()
        elif message.get("do") == "wake":
            self.analysts.send(message)


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
