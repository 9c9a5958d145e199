"""``python -m arena.run.analysis``: imports what searches need, forks the workers and keeps them alive."""

import gc
import logging
import os
import select
import signal
import sys
import time
from contextlib import suppress

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup()

from django.db import connections  # noqa: E402 (needs the settings)

from arena.run.analysis.worker import (  # noqa: E402 (its services need the apps loaded)
    SLOTS,
    UNWANTED,
    Slot,
    step_back_together,
    work,
)
from arena.run.bus import Bus  # noqa: E402
from arena.web import worker_messages  # noqa: E402

log = logging.getLogger("arena.run.analysis")

NICE = 5
LOOK_SECONDS = 1.0
END_SECONDS = 2.0
DIED_EARLY = 1.0
REST_SECONDS = 1.0


class Analysts:
    """The workers of this process."""

    def __init__(self) -> None:
        self._pids: dict[int, tuple[Slot, float]] = {}
        self._wakes: dict[str, tuple[int, int]] = {}
        for slot in SLOTS:
            self._wakes[slot.name] = os.pipe()
            os.set_blocking(self._wakes[slot.name][1], False)

    def start(self) -> None:
        """Fork all workers."""
        for slot in SLOTS:
            self._fork(slot)

    def wake(self) -> None:
        """Wake sleeping workers to look for work."""
        for _, write in self._wakes.values():
            with suppress(BlockingIOError):  # it was told often enough
                os.write(write, b".")

    def renew(self) -> None:
        """Replace workers that ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                slot, begun = self._pids.pop(ended[0])
                code = os.waitstatus_to_exitcode(ended[1])
                if code != UNWANTED:
                    log.warning("the analysis worker for %s ended with %s", slot.name, code)
                    if time.monotonic() - begun < DIED_EARLY:
                        time.sleep(REST_SECONDS)
                self._fork(slot)

    def end(self) -> None:
        """End all workers, which give back their questions."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in self._pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            deadline = time.monotonic() + END_SECONDS
            while self._pids and time.monotonic() < deadline:
                with suppress(ChildProcessError):
                    self._pids.pop(os.waitpid(-1, os.WNOHANG)[0], None)
                time.sleep(0.02)

    def _fork(self, slot: Slot) -> None:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            try:
                work(slot, self._wakes[slot.name][0], parent)
            except SystemExit:
                os._exit(0)
            except BaseException:
                logging.getLogger("arena.run.analysis").exception("an analysis worker failed")
                os._exit(1)
        self._pids[pid] = (slot, time.monotonic())


def main() -> int:
    """Work until the parent says stop or is gone."""
    # Ctrl-C reaches every process of a terminal; the parent says what is to be done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bus = Bus.from_parent()
    step_back_together(NICE)
    worker_messages.carry_by(
        lambda task, arguments, delay: bus.send(
            {"task": task, "arguments": arguments, "delay_seconds": delay}
        )
    )
    # The garbage collector must not touch shared objects, so that their memory stays shared.
    gc.collect()
    gc.freeze()
    if not _told_to_begin(bus):
        return 0
    connections.close_all()
    analysts = Analysts()
    analysts.start()
    seen, written = os.pipe()
    os.set_blocking(seen, False)
    os.set_blocking(written, False)
    signal.set_wakeup_fd(written)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        readable, _, _ = select.select([bus.fileno(), seen], [], [], LOOK_SECONDS)
        if seen in readable:
            os.read(seen, 4096)
        analysts.renew()
        if bus.fileno() in readable:
            message = bus.receive()
            if message is None or message.get("do") == "stop":
                break
            analysts.wake()
    analysts.end()
    return 0


def _told_to_begin(bus: Bus) -> bool:
    """Wait until the database is ready; return False if the parent ends before."""
    message = bus.receive()
    while message is not None and message.get("do") not in ("begin", "stop"):
        message = bus.receive()
    return message is not None and message["do"] == "begin"


if __name__ == "__main__":
    sys.exit(main())
