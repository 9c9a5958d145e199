"""A child process that is restarted when it dies, and always ends with this process."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final

from arena.run.bus import VARIABLE, Bus

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.run.bus import Message

log = logging.getLogger("arena.run.children")

PR_SET_PDEATHSIG: Final = 1
FIRST_REST: Final = 0.2
LONGEST_REST: Final = 30.0
LIVED_SECONDS: Final = 60.0
"""A process that lived this long did not fail because of its start."""


class Child:
    """Runs ``python -m MODULE`` and keeps it running. A thread passes its messages to who listens.

    It is told ``{"do": "begin"}`` once :meth:`begin` was called, and ``{"do": "stop"}`` when it is to end.
    """

    def __init__(self, module: str, heard: Callable[[Message], None] | None = None) -> None:
        self._module = module
        self._heard: Future[Callable[[Message], None]] = Future()
        if heard is not None:
            self.listen(heard)
        self._lock = threading.Lock()
        self._bus: Bus | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = False
        self._stopping = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name=f"keeper of {module}", daemon=True)

    @property
    def started(self) -> bool:
        """Whether :meth:`start` was called."""
        return self._keeper.ident is not None

    def start(self) -> None:
        """Start the process, which prepares itself and waits for :meth:`begin`."""
        self._keeper.start()

    def listen(self, heard: Callable[[Message], None]) -> None:
        """Pass its messages on from now on; those that came before have waited."""
        self._heard.set_result(heard)

    def begin(self) -> None:
        """Let it work."""
        with self._lock:
            self._begun = True
            if self._bus is not None:
                self._bus.send({"do": "begin"})

    def send(self, message: Message) -> bool:
        """Send the process a message; return False if it is not running, or does not read.

        This never waits: pages send messages.
        """
        with self._lock:
            return self._bus is not None and self._bus.send(message, wait=False)

    def ask_to_stop(self) -> None:
        """Ask the process to end, and do not restart it."""
        self._stopping.set()
        self.send({"do": "stop"})

    def wait(self, timeout: float) -> bool:
        """Wait for the end after :meth:`ask_to_stop`; return False if it failed or had to be forced."""
        process = self._process
        if process is None:
            return True
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return False
        return process.returncode == 0

    def _keep(self) -> None:
        rest = FIRST_REST
        while not self._stopping.is_set():
            started = time.monotonic()
            self._run()
            if self._stopping.is_set():
                return
            log.error(
                "%s ended with %s and is started again", self._module, self._process and self._process.poll()
            )
            rest = FIRST_REST if time.monotonic() - started > LIVED_SECONDS else min(LONGEST_REST, 2 * rest)
            self._stopping.wait(rest)

    def _run(self) -> None:
        """One life of the process."""
        bus, theirs = Bus.pair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", self._module],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env={**os.environ, VARIABLE: str(theirs.fileno())},
            )
        with self._lock:
            self._bus, self._process = bus, process
            if self._begun:
                bus.send({"do": "begin"})
        if self._stopping.is_set():
            bus.send({"do": "stop"})
        while (message := bus.receive()) is not None:
            try:
                self._heard.result()(message)
            except Exception:  # one message must not end the conversation
                log.exception("a message of %s was not understood", self._module)
        with self._lock:
            self._bus = None
        bus.end()
        # Nobody missed it yet: the parent may be about to say why neither of them can work.
        self._heard.result()
        if not self._stopping.is_set():
            process.kill()
            process.wait()


def end_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends. Call this first in a child."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
