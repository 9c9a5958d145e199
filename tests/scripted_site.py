"""A site that talks to remote bots by scripts, frame by frame (docs/author/remote.md)."""

import contextlib
import json
import logging
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Self

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

QUIET: Final = logging.getLogger("tests.scripted_site")
QUIET.setLevel(logging.CRITICAL)


class Peer:
    """The site's end of a connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    def send(self, kind: str, **fields: Any) -> None:
        """Send a frame."""
        self.socket.send(json.dumps({"type": kind, **fields}))

    def expect(self, kind: str) -> dict[str, Any]:
        """The next frame, which is of this kind."""
        frame: dict[str, Any] = json.loads(self.socket.recv(timeout=20))
        assert frame.pop("type") == kind, frame
        return frame

    def welcome(self) -> dict[str, Any]:
        """Take the bot, and return what it said."""
        said = self.expect("hello")
        self.send("welcome", wire=1, bot=said["bot"], boards=said["boards"], games=said["games"])
        return said

    def game(self, key: str = "g1") -> None:
        """Begin a game."""
        self.send("game", game=key, board="crapaud", seat=0, players=2, opponents=["greedy"], rated=True)

    def line(self, n: int, text: str, key: str = "g1") -> None:
        """Send a line of a game."""
        self.send("line", game=key, n=n, line=text)

    def answers(self, n: int, text: str, key: str = "g1") -> None:
        """Wait for the answer to a line."""
        assert self.expect("line") == {"game": key, "n": n, "line": text}

    def ask(self, n: int, text: str, answer: str, key: str = "g1") -> None:
        """Send a line, and wait for its answer."""
        self.line(n, text, key)
        self.answers(n, answer, key)

    def over(self, key: str = "g1", result: str = "win") -> None:
        """End a game."""
        self.send("over", game=key, result=result, termination="win", url="/games/1/")

    def wait_closed(self) -> None:
        """Wait until the other end has closed; it may still say that it is leaving."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.expect("leaving")


@dataclass
class Site:
    """A site that follows a script for each connection."""

    scripts: list[Callable[[Peer], object]]
    answer: Callable[[ServerConnection, Request], Response | None] | None = None
    give_up: Callable[[], None] = field(default_factory=lambda: interrupt_twice)
    """Ends the command if a script fails."""
    tokens: list[str | None] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    origin: str = ""
    """Its address."""

    def __enter__(self) -> Self:
        self.server = serve(self.talk, "127.0.0.1", 0, process_request=self.answer, logger=QUIET)
        self.origin = f"http://127.0.0.1:{self.server.socket.getsockname()[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()

    def talk(self, socket: ServerConnection) -> None:
        """Follow the next script; should it fail, have the command end."""
        assert socket.request is not None
        self.tokens.append(socket.request.headers.get("Authorization"))
        try:
            self.scripts.pop(0)(Peer(socket))
        except BaseException as error:
            self.errors.append(error)
            self.give_up()
            raise


def interrupt() -> None:
    """Press Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def interrupt_twice() -> None:
    """Press Ctrl-C until nothing is played on."""
    interrupt()
    interrupt()
