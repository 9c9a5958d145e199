"""The attacks as data: each file's header says what it is, what must contain it and how that shows."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from sandbox import memory_of
from sandbox.plan import LIBRARY_BYTES
from tests.wat import assemble

ATTACKS = Path(__file__).with_name("attacks")
LANGUAGES = {".py": "python", ".js": "javascript", ".wat": "wasm", ".c": "native"}
ENTRIES = {".py": "bot.py", ".js": "bot.js", ".wat": "bot.wasm", ".c": "bot"}
COMMENTS = ("# ", "// ", ";; ")
GUEST = Path(__file__).with_name("guest.wat")
"""What every attack in WebAssembly begins with."""
WITH_PACKAGES = "onnx_"
"""How the names of attacks begin that import them."""


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

    path: Path
    family: str
    contained_by: str
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
    limits: dict[str, int] = field(default_factory=dict)
    has_packages: bool = False
    """Whether it runs with NumPy and ONNX Runtime."""

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.path.stem

    @property
    def language(self) -> str:
        """What runs it."""
        return "python-onnx" if self.has_packages else LANGUAGES[self.path.suffix]

    def with_packages(self) -> Attack:
        """The same attack of a Python bot where bots have NumPy and ONNX Runtime, and more memory."""
        more = memory_of("python-onnx") + LIBRARY_BYTES >> 20
        return replace(
            self, has_packages=True, most=more if self.most == memory_of("python") >> 20 else self.most
        )

    @property
    def entry(self) -> str:
        """What the arena calls its file."""
        return ENTRIES[self.path.suffix]

    def expected(self, level: str, *, jail: bool) -> list[str]:
        """How it may end at that level; `jail`: whether bots have one at `confined` on this host."""
        confined = self.confined if jail else self.without_jail
        return (self.expect if level == "full" else confined).split()

    def program(self) -> bytes:
        """What its author would upload."""
        if self.path.suffix == ".wat":
            return assemble(f"(module {GUEST.read_text()} {self.path.read_text()})")
        return compiled(self.path) if self.path.suffix == ".c" else self.path.read_bytes()


@cache
def compiled(path: Path, *options: str) -> bytes:
    """A C file as a static executable, which is what the arena accepts."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "bot")
        command = ("gcc", "-std=gnu11", "-O1", "-static", "-pthread", *options)
        command = (*command, "-o", str(program), str(path))
        subprocess.run(command, check=True, capture_output=True)
        return program.read_bytes()


def read(path: Path) -> Attack:
    """Parse a header; a key nobody knows, or one missing, is an error in the corpus."""
    header: dict[str, str] = {}
    for line in path.read_text().splitlines():
        comment = next((mark for mark in COMMENTS if line.startswith(mark)), None)
        if comment is None:
            break
        key, found, value = line.removeprefix(comment).partition(": ")
        if not found:
            raise ValueError(f"{path.name}: expected 'key: value', got {line!r}")
        header[key] = value
    layers, _, level = header.pop("without", "").partition(" at ")
    limits = {}
    if "cpu seconds" in header:
        limits["cpu_seconds"] = int(header.pop("cpu seconds"))
    expect = header.pop("expect")
    confined = header.pop("confined expects", expect)
    attack = Attack(
        path,
        family=header.pop("family"),
        contained_by=header.pop("contained by"),
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
        limits=limits,
        has_packages=path.name.startswith(WITH_PACKAGES),
    )
    header.pop("does")
    if header:
        raise ValueError(f"{path.name}: unknown keys {sorted(header)}")
    return attack


def all_attacks() -> list[Attack]:
    """The whole corpus."""
    return [read(path) for path in sorted(ATTACKS.iterdir()) if path.suffix in LANGUAGES]
