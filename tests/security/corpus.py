"""The attacks as data: each one's header says what it is, what must contain it and how that shows.

Those in Python are in files of many. Those that are refused share one bot, which tries one after the other.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import memory_of
from sandbox.plan import LIBRARY_BYTES
from tests.wat import assemble

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ATTACKS = Path(__file__).with_name("attacks")
LANGUAGES = {".py": "python", ".js": "javascript", ".wat": "wasm", ".c": "native"}
ENTRIES = {".py": "bot.py", ".js": "bot.js", ".wat": "bot.wasm", ".c": "bot"}
GUEST = Path(__file__).with_name("guest.wat")
"""What every attack in WebAssembly begins with."""
SECTION = re.compile(r"^# (\w+) \(([\w ]+)\): (.+)\n", re.MULTILINE)
"""Where an attack in a file of many begins: its name, its family and what it does."""
HEADER = re.compile(r"(?:# |// |;; )(.+)\n")
TRIES = """
import ctypes, mmap, os, sys
from contextlib import suppress

HERE = os.path.dirname(os.path.abspath(__file__))
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p

def did(**attempts):
    found = []
    for name, attempt in attempts.items():
        with suppress(OSError, ValueError, RuntimeError):
            attempt()
            found.append(name)
    return found

def opened(*paths, how=os.O_RDONLY):
    return [path for path in paths if did(opens=lambda: os.close(os.open(path, how)))]

def permitted(got):
    return [] if got == -1 and ctypes.get_errno() == 1 else [f"{got}, errno {ctypes.get_errno()}"]

def shared_page():
    fd = os.open(os.__file__, os.O_RDONLY)
    return libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)

input()
for name, source in ATTACKS.items():
    scope = {**globals(), "found": []}
    try:
        exec(source, scope)
        verdict = f"escaped: {scope['found'][:9]}" if scope["found"] else "denied"
    except BaseException as error:
        verdict = f"failed: {error!r}"
    print(name, verdict, flush=True)
    os.chdir(HERE)
    os.closerange(3, 64)
"""
"""A bot that tries attacks, and says in one line of each what it could do."""


@dataclass(frozen=True)
class Attack:
    """One hostile bot.

    `expect` is how it must end: "denied" (it says so itself), "forbidden" (SIGSYS), "memory", "cpu",
    "silent", "flooded", "unasked" (what nobody asked for was taken away), "exited", "crashed", "bounded" (it
    says how much it got, at most `most`), or "leaks" (known not to be contained, and written down as such).
    Several where it depends on the machine. Where the levels differ the header says so ("confined expects",
    and "without a jail expects" for `confined` on a host where no bot's root can be changed).
    `without` names the layers, and the level, without which it succeeds.
    """

    name: str
    family: str
    suffix: str
    source: str
    expect: str
    confined: str
    without_jail: str
    without: frozenset[str]
    without_at: str
    most: int
    most_confined: int
    seconds: float
    feed: int
    lines: int
    linger: float
    limits: Mapping[str, int]
    shares: bool
    """Whether it is tried by a bot that tries others."""
    is_alone: bool
    """Whether, if it succeeds, that bot can try no others."""
    has_packages: bool
    """Whether it runs with NumPy and ONNX Runtime."""

    @property
    def language(self) -> str:
        """What runs it."""
        return "python-onnx" if self.has_packages else LANGUAGES[self.suffix]

    @property
    def entry(self) -> str:
        """What the arena calls its file."""
        return ENTRIES[self.suffix]

    def with_packages(self) -> Attack:
        """The same attack of a Python bot where bots have NumPy and ONNX Runtime, and more memory."""
        more = memory_of("python-onnx") + LIBRARY_BYTES >> 20
        return replace(
            self, has_packages=True, most=more if self.most == memory_of("python") >> 20 else self.most
        )

    def expected(self, level: str, *, jail: bool) -> list[str]:
        """How it may end at that level; `jail`: whether bots have one at `confined` on this host."""
        confined = self.confined if jail else self.without_jail
        return (self.expect if level == "full" else confined).split()

    def program(self) -> bytes:
        """What its author would upload."""
        if self.suffix == ".wat":
            return assemble(f"(module {GUEST.read_text()} {self.source})")
        return compiled(ATTACKS / f"{self.name}.c") if self.suffix == ".c" else self.source.encode()


@cache
def compiled(path: Path, *options: str) -> bytes:
    """A C file as a static executable, which is what the arena accepts."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "bot")
        command = ("gcc", "-std=gnu11", "-O1", "-static", "-pthread", *options)
        command = (*command, "-o", str(program), str(path))
        subprocess.run(command, check=True, capture_output=True)
        return program.read_bytes()


def together(attacks: Iterable[Attack]) -> Attack:
    """One bot that tries these, and says a line of each."""
    one, *others = attacks
    sources = {each.name: each.source for each in (one, *others)}
    return replace(one, source=f"ATTACKS = {sources!r}\n{TRIES}", lines=len(sources), seconds=60.0)


def _read(place: str, name: str, text: str, header: dict[str, str]) -> Attack:
    """Parse a header; a key nobody knows, or one missing, is an error in the corpus."""
    file = Path(place)
    at = 0
    while line := HEADER.match(text, at):
        at = line.end()
        words = line[1]
        for word in [words] if words.startswith(("contained by", "does")) else words.split("; "):
            key, found, value = word.partition(": ")
            if not found:
                raise ValueError(f"{place}, {name}: expected 'key: value', got {word!r}")
            header[key] = value
    layers, _, level = header.pop("without", "").partition(" at ")
    shares = place == "refused.py"
    expect = "denied" if shares else header.pop("expect")
    confined = header.pop("confined expects", expect)
    cpu = header.pop("cpu seconds", "")
    attack = Attack(
        name,
        family=header.pop("family"),
        suffix=file.suffix,
        source=text[at:],
        expect=expect,
        confined=confined,
        without_jail=header.pop("without a jail expects", confined),
        without=frozenset(layers.split()),
        without_at=level or "full",
        most=int(header.pop("most", "0")),
        most_confined=int(header.pop("confined most", "0")),
        seconds=float(header.pop("seconds", "8")),
        feed=int(header.pop("feed", "0")),
        lines=int(header.pop("lines", "1")),
        linger=float(header.pop("linger", "0")),
        limits={"cpu_seconds": int(cpu)} if cpu else {},
        shares=shares,
        is_alone=header.pop("alone", "") == "yes",
        has_packages=place == "packages.py",
    )
    if header.keys() != {"does", "contained by"}:
        raise ValueError(f"{place}, {name}: expected what it does and what contains it, got {header}")
    return attack


def all_attacks() -> list[Attack]:
    """The whole corpus."""
    found = []
    for path in sorted(ATTACKS.iterdir()):
        if path.suffix == ".py":
            _, *parts = SECTION.split(path.read_text())
            for name, family, does, text in zip(*(parts[number::4] for number in range(4)), strict=True):
                found.append(_read(path.name, name, text, {"family": family, "does": does}))
        elif path.suffix in LANGUAGES:
            found.append(_read(path.name, path.stem, path.read_text(), {}))
    return found
