"""Places where machines fail for real: a disk that is full, a network that is cut, a clock that jumps."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

DISK_MB: Final = 700
HERE, THERE = "10.213.77.1", "10.213.77.2"


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of its own in memory, at this new folder."""
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=755", "tmpfs", str(folder)],
        check=True,
        capture_output=True,
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """A file that leaves no byte on the disk."""
    path = disk / "everything-else"
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 20)):
                pass
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
    return path


class Network:
    """A network namespace with one cable to this machine, which can be cut."""

    def __init__(self) -> None:
        self.name = f"crapette-{os.getpid()}"
        self.near, self.far = f"cr{os.getpid()}a", f"cr{os.getpid()}b"

    def __enter__(self) -> Network:
        _ip("netns", "add", self.name)
        try:
            self._connect()
        except subprocess.CalledProcessError:
            self.__exit__()
            raise
        return self

    def _connect(self) -> None:
        """Lay the cable."""
        _ip("link", "add", self.near, "type", "veth", "peer", "name", self.far, "netns", self.name)
        _ip("addr", "add", f"{HERE}/30", "dev", self.near)
        _ip("link", "set", self.near, "up")
        self._inside("addr", "add", f"{THERE}/30", "dev", self.far)
        self._inside("link", "set", "lo", "up")
        self._inside("link", "set", self.far, "up")

    def __exit__(self, *_: object) -> None:
        _ip("netns", "delete", self.name)
        with suppress(subprocess.CalledProcessError):  # it goes with its other end
            _ip("link", "delete", self.near)

    def within(self, *command: str) -> list[str]:
        """A command that runs behind the cable."""
        return ["ip", "netns", "exec", self.name, *command]

    def cut(self) -> None:
        """Let nothing through; nobody is told."""
        self._inside("link", "set", self.far, "down")

    def mend(self) -> None:
        """Let everything through again."""
        self._inside("link", "set", self.far, "up")

    def _inside(self, *words: str) -> None:
        _ip("-n", self.name, *words)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Relay:
    """Passes connections to a port of this end of the cable on to a server here."""

    def __init__(self, family: socket.AddressFamily, address: str | tuple[str, int]) -> None:
        self._family, self._address = family, address
        self._listener = socket.create_server((HERE, 0))
        self._open: list[tuple[socket.socket, threading.Thread]] = []
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Take no more connections, and end those that are open."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes whoever waits for a connection
        self._listener.close()
        for near, thread in self._open:
            with suppress(OSError):
                near.shutdown(socket.SHUT_RDWR)
            thread.join(10)

    def _serve(self, near: socket.socket) -> None:
        """Pass on both ways until either end is closed."""
        with near, socket.socket(self._family) as far, suppress(OSError):
            far.connect(self._address)
            back = threading.Thread(target=_pass_on, args=(far, near), daemon=True)
            back.start()
            _pass_on(near, far)
            back.join()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                thread = threading.Thread(target=self._serve, args=(near,), daemon=True)
                thread.start()
                self._open.append((near, thread))


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def clock_library(folder: Path) -> Path:
    """The compiled library that moves a process's clock."""
    made, source = folder / "clock.so", Path(__file__).with_name("clock.c")
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return made


def clock_turned(folder: Path, seconds: int) -> dict[str, str]:
    """The environment of a process whose clock is ahead by what the file `$CLOCK_FILE` says, now `seconds`.

    Raises AssertionError if it is not.
    """
    clock = folder / "ahead"
    clock.write_text(str(seconds))
    environment = {"LD_PRELOAD": str(clock_library(folder)), "CLOCK_FILE": str(clock)}
    told = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert abs(float(told.stdout) - time.time() - seconds) < 60, "the library turns no clock"
    return environment
