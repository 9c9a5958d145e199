"""Reads what the kernel says about processes, cgroups and mounts.

A bot has a say in these texts: the name it gives itself stands at the top of `status` and in the middle of
`stat`, and a path may hold almost any byte. So every text is read as bytes and parsed by its structure:
a field is what stands at the start of a line, or behind the last bracket. No function here raises, whatever
the text: what is missing or makes no sense is 0 or empty.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

READ_BYTES = 1 << 16
_DIGITS = 20
"""The most digits that the kernel's 64-bit counters have."""
_OCTAL = re.compile(rb"\\([0-7]{3})")


class MountLine(NamedTuple):
    """One line of `mountinfo` (proc_pid_mountinfo(5))."""

    where: bytes
    options: tuple[bytes, ...]
    kind: bytes


def read(path: str) -> bytes:
    """The whole file; empty if it cannot be read, for example because the process is gone."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # a third of the system calls of a file object
    except (OSError, ValueError):
        return b""
    text = b""
    try:
        while chunk := os.read(fd, READ_BYTES):
            text += chunk
    except OSError:  # the process ended meanwhile
        return b""
    finally:
        os.close(fd)
    return text


def number(text: bytes, base: int = 10) -> int:
    """The number that is the first word of `text`; 0 if there is none, or none that a kernel would write."""
    words = text[:64].split(None, 1)
    if not words or len(words[0]) > _DIGITS or not words[0].isalnum():
        return 0
    try:
        return int(words[0], base)
    except ValueError:
        return 0


def field(text: bytes, name: bytes) -> bytes:
    r"""The value of a line `name: value`; empty if no line begins so.

    The bot's own name is the first line, where the kernel writes a line end as ``\n`` in two characters. Were
    one to get through all the same, the kernel's own line is still the last of its name.
    """
    begun = text.rfind(b"\n" + name + b":") + 1
    if not begun and not text.startswith(name + b":"):
        return b""
    begun += len(name) + 1
    end = text.find(b"\n", begun)
    return text[begun : len(text) if end < 0 else end].strip()


def counts(text: bytes) -> dict[bytes, int]:
    """The counts of a file with a name and a number on each line, such as `vmstat` or `memory.events`."""
    lines = (line.partition(b" ") for line in text.split(b"\n"))
    return {name: number(value) for name, _, value in lines if value}


def run_delay_ns(schedstat: bytes) -> int:
    """How long a process stood ready without a core, in nanoseconds: the second word of `schedstat`."""
    words = schedstat.split(None, 2)
    return number(words[1]) if len(words) > 1 else 0


def mounts(mountinfo: bytes) -> list[MountLine]:
    """The lines of `mountinfo` that are whole, in their order."""
    found = []
    for line in mountinfo.split(b"\n"):
        before, separated, after = line.partition(b" - ")
        fields, kind = before.split(b" "), after.partition(b" ")[0]
        if separated and len(fields) > 5:
            found.append(MountLine(_unescaped(fields[4]), tuple(fields[5].split(b",")), kind))
    return found


def _unescaped(path: bytes) -> bytes:
    return _OCTAL.sub(lambda found: bytes((int(found[1], 8) & 255,)), path)
