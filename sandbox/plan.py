"""Decides what one bot's sandbox should look like, before anything is started."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable
from sandbox.model import MEBIBYTE, NODES, PYTHONS, WASM_RUNNER, BotLimits, Language, Level, Program
from sandbox.staging import interpreter, wheels
from sandbox.staging.stage import PYTHON_FLAGS, Stage
from sandbox.walls import bubblewrap, jail
from sandbox.walls.filters import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

OPEN_FILES = 64
NO_CORE = 1
"""0 would not do: a handler the host has set (core_pattern) is run all the same, but not for 1."""
STACK_BYTES = 8 * MEBIBYTE
THREADS = 16
THREADS_CONFINED = 64
"""At `confined` the kernel counts the threads of the whole uid, so others' are added to this."""
RESERVED_BYTES: dict[Language, int] = {"javascript": 22 << 30, "wasm": 12 << 30, "native": 4 << 30}
"""Address space beyond the limit where data is the limit, so that page tables stay small.

Measured with node 20: 0.7 GB for itself, and 10 GB reserved for each memory of WebAssembly, of which a module
has one and a JavaScript bot gets two. The runtimes of compiled languages reserve less than 2 GB, mostly
for the heaps of threads.
"""
LIBRARY_BYTES = 256 * MEBIBYTE
"""Address space beyond the limit for NumPy and ONNX Runtime themselves, which take 200 MB of it."""
# One thread is all they get; told so, they do not try for more.
ONNX_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# Node reads OpenSSL's settings when it starts, and gives up if it cannot.
NODE_ENVIRONMENT = {"UV_THREADPOOL_SIZE": "1", "OPENSSL_CONF": "/dev/null"}
NODE_FLAGS = ("--v8-pool-size=1", "--no-warnings")
PAGE_BYTES = 64 << 10
"""What a WebAssembly module's memory grows by (WebAssembly Core Specification 2.0, 4.2.8)."""

LAYERS = frozenset(
    {
        *(
            "seccomp",
            "landlock",
            "rlimits",
            "no_new_privs",
            "signals",
            "pdeathsig",
            "memory-samples",
            "no-addons",
            "memory-image",
            "chroot",
        ),
        *("readonly-root", "no-proc", "pid", "net", "ipc", "uts"),
    }
)


@dataclass(frozen=True)
class SandboxPlan:
    """The sandbox of one start.

    `without` leaves layers out. Only tests use it: `spawn` never passes it, and no setting reaches it.
    """

    program: Program
    limits: BotLimits
    level: Level
    stage: Stage
    without: frozenset[str] = frozenset()
    copy: Path | None = None
    """At `confined`, where the bot's files lie for this one start."""

    @property
    def threads(self) -> bool:
        """Whether the stub starts it with exec and it may have threads (node and native programs)."""
        return self.program.language not in PYTHONS

    @property
    def inside(self) -> str:
        """The bot's directory as it sees it."""
        if self.level is Level.FULL:
            return bubblewrap.BOT
        where = self.copy or self.program.directory
        return f"/{where.relative_to(self._root)}" if self.jailed else str(where)

    @property
    def player(self) -> str:
        """The directory of the engine and the SDK as the bot sees it."""
        return bubblewrap.PLAYER if self.has_own_root else str(self.stage.player)

    @cached_property
    def wheels(self) -> Path | None:
        """NumPy and ONNX Runtime in memory, for bots of that language; None for others.

        Raises `SandboxUnavailable` if they are not installed.
        """
        if self.program.language != "python-onnx":
            return None
        found = self.stage.wheels
        if found is None or (self.jailed and not (self._root / jail.WHEELS).exists()):
            raise SandboxUnavailable(
                "NumPy and ONNX Runtime are not installed, so bots that need them cannot play", wheels.ADVICE
            )
        return found

    @property
    def libraries(self) -> str | None:
        """Where the bot sees `wheels`."""
        if self.wheels is None:
            return None
        return bubblewrap.WHEELS if self.has_own_root else str(self.wheels)

    @cached_property
    def jail(self) -> Path | None:
        """At `confined`, the directory in memory that must be its root; None if we cannot change the root."""
        return self._root if self.level is Level.CONFINED and jail.possible() else None

    @cached_property
    def _root(self) -> Path:
        """The jail, which stays the same for one start, even if a newer one is made meanwhile."""
        if self.copy is not None and self.copy.parent != self.stage.games:
            return self.copy.parents[1]
        return self.stage.jail

    @property
    def jailed(self) -> bool:
        """Whether it is started in a jail. This is so in every real start that has one."""
        return self.jail is not None and self.in_memory and "chroot" not in self.without

    @property
    def has_own_root(self) -> bool:
        """Whether it sees a file system of its own, with the same paths as the host."""
        return self.level is Level.FULL or self.jailed

    @property
    def games(self) -> Path:
        """At `confined`, where the bot's files are copied to."""
        return self._root / jail.GAMES if self.jailed else self.stage.games

    @property
    def argv(self) -> list[str]:
        """The bot's own argv."""
        entry = f"{self.inside}/{self.program.entry}"
        if self.program.language not in NODES:
            return [entry, *self.program.arguments]
        node = self._runtime().executable
        heap = self.limits.memory_bytes // MEBIBYTE * 3 // 4
        flags: tuple[str, ...] = (f"--max-old-space-size={heap}", *NODE_FLAGS)
        if "no-addons" not in self.without:
            flags = (*flags, "--no-addons")
        return [str(node), *flags, *self._for_wasm, *self.program.arguments, entry]

    @property
    def _for_wasm(self) -> list[str]:
        """What node needs to be told to run a WebAssembly module."""
        if self.program.language != "wasm":
            return []
        # Growing fails there, as a program expects it to. V8 would end if it found no room of its own.
        pages = self.limits.memory_bytes * 7 // 8 // PAGE_BYTES
        return [f"--wasm-max-mem-pages={pages}", self._wasm_runner]

    @property
    def _wasm_runner(self) -> str:
        return f"{self.player}/{WASM_RUNNER}"

    @property
    def environment(self) -> dict[str, str]:
        """The complete environment of the bot."""
        return {
            **self._common_environment,
            **(NODE_ENVIRONMENT if self.program.language in NODES else {}),
            **(ONNX_ENVIRONMENT if self.libraries else {}),
            **self._library_path(),
        }

    @property
    def _common_environment(self) -> dict[str, str]:
        return {"PATH": "/usr/bin", "HOME": self.inside, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}

    def _library_path(self) -> dict[str, str]:
        own = self._runtime().library_path
        paths = [path for path in (self.libraries and f"{self.libraries}/lib", own) if path]
        return {"LD_LIBRARY_PATH": ":".join(paths)} if paths else {}

    @property
    def stub_environment(self) -> dict[str, str]:
        """The environment of the stub, which needs Python's libraries whatever language the bot uses."""
        return self.environment if self.libraries else {**self.environment, **self._python().environment()}

    @cached_property
    def rlimits(self) -> list[tuple[int, int, int]]:
        """The resource limits as (which, soft, hard)."""
        memory = self.limits.memory_bytes
        limits = {
            resource.RLIMIT_AS: memory,
            resource.RLIMIT_DATA: memory,
            resource.RLIMIT_STACK: STACK_BYTES,
            resource.RLIMIT_NOFILE: OPEN_FILES,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_CORE: NO_CORE,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_SIGPENDING: 64,
            resource.RLIMIT_RTPRIO: 0,
            resource.RLIMIT_NICE: 0,
            resource.RLIMIT_NPROC: self._processes(),
        }
        if self.threads:
            limits[resource.RLIMIT_AS] = memory + RESERVED_BYTES[self.program.language]
        if self.libraries:
            limits[resource.RLIMIT_AS] = memory + LIBRARY_BYTES
        cpu = self.limits.cpu_seconds
        pairs = [(number, value, value) for number, value in limits.items()]
        return [*pairs, (resource.RLIMIT_CPU, cpu, cpu + 1)]

    def _processes(self) -> int:
        if not self.threads:
            return 1
        return THREADS if self.level is Level.FULL else THREADS_CONFINED + _threads_of(os.geteuid())

    @property
    def in_memory(self) -> bool:
        """Whether everything the bot sees lies on a tmpfs, as in every real start."""
        return "memory-image" not in self.without

    def _placed(self, found: interpreter.Interpreter) -> interpreter.Interpreter:
        return found.within(self.stage.image) if self.in_memory and not self.has_own_root else found

    def _python(self) -> interpreter.Interpreter:
        return self._placed(self.stage.python_)

    def _runtime(self) -> interpreter.Interpreter:
        if self.program.language in PYTHONS:
            return self._python()
        if self.program.language == "native":
            return interpreter.native()
        node = interpreter.node()
        if node is None:
            raise SandboxUnavailable(
                "node is not installed, so JavaScript and WebAssembly bots cannot play",
                "apt-get install nodejs",
            )
        if self.program.language == "wasm" and not interpreter.has_wasi():
            raise SandboxUnavailable(interpreter.OLD_NODE)  # it would end at once, and the bot lose by it
        return self._placed(node)

    @property
    def files(self) -> list[tuple[str, bool]]:
        """The (path, writable) pairs below which Landlock lets the bot open files."""
        readable = [*self._runtime().reads, self.inside, "/dev/urandom"]
        if self.program.language in PYTHONS:
            readable.append(self.player)
        if self.program.language == "wasm":
            readable.append(self._wasm_runner)
        if self.libraries:
            readable.append(self.libraries)
        return [*((path, False) for path in readable), ("/dev/null", True)]

    @cached_property
    def binds(self) -> list[tuple[Path | str, str]]:
        """The (path here, path inside) pairs that bots of this language see at level `full`."""
        binds: list[tuple[Path | str, str]] = [
            (self.stage.player, bubblewrap.PLAYER),
            (self.stage.view / "stub.pyc", bubblewrap.STUB),
            *([(self.wheels, bubblewrap.WHEELS)] if self.wheels else []),
        ]
        if self.in_memory:
            tops = sorted(path for path in self.stage.image.iterdir() if path.is_dir())
            return [*((path, f"/{path.name}") for path in tops), *binds]
        prefix = self.stage.python_.prefix
        own = [(prefix, str(prefix))] if prefix is not None else []
        return [*bubblewrap.host_system(), *binds, *own, (self.program.directory, bubblewrap.BOT)]

    @cached_property
    def copies(self) -> list[Path]:
        """The bot's files, copied for each sandbox. Raises `SandboxUnavailable` if they are missing."""
        if not self.in_memory:
            return []
        found = os.walk(self.program.directory)  # in a third of pathlib's time
        files = sorted(Path(folder, name) for folder, _, names in found for name in names)
        if self.program.directory / self.program.entry not in files:
            raise SandboxUnavailable(f"the bot's files are not in {self.program.directory}")
        return files

    @property
    def listing(self) -> list[tuple[str, int]]:
        """The (path, mode) pairs of `copies`, from the bot's directory on."""
        return [(str(path.relative_to(self.program.directory)), _mode(path)) for path in self.copies]

    def command(self, control: int, descriptors: Sequence[int] = ()) -> list[str]:
        """argv of the process to start.

        `control` is the number of the stub's end of the socket pair; `descriptors` are of the open `copies`.
        """
        stub = bubblewrap.STUB if self.has_own_root else str(self.stage.view / "stub.pyc")
        python = [str(self._python().executable), *PYTHON_FLAGS, stub, str(control)]
        if self.level is Level.CONFINED:
            return [*jail.command(self._root), *python] if self.jailed else python
        copies = [
            (descriptor, f"{bubblewrap.BOT}/{path.relative_to(self.program.directory)}", _mode(path))
            for descriptor, path in zip(descriptors, self.copies, strict=True)
        ]
        drop = self.without & LAYERS
        links = wheels.system_links(bubblewrap.WHEELS) if self.wheels else []
        wall = bubblewrap.command(
            bubblewrap.find(), self.binds, copies, self.stub_environment, drop, links=links
        )
        return [*wall, *python]

    @property
    def from_zygote(self) -> bool:
        """Whether it may have a zygote: not where a test leaves out what bubblewrap does for each bot."""
        return self.level is Level.FULL and self.in_memory and not self.without & {"readonly-root", "no-proc"}

    @property
    def clone_flags(self) -> int:
        """The namespaces that a zygote's keeper is forked in. The one of users comes later."""
        kinds = [flag for name, flag in bubblewrap.CLONE_FLAGS.items() if name not in self.without]
        return sum(kinds, bubblewrap.CLONE_ALWAYS)

    @property
    def zygote_command(self) -> list[str]:
        """argv of a zygote for such bots, without the numbers of its descriptors. It names no bot."""
        links = wheels.system_links(bubblewrap.WHEELS) if self.wheels else []
        wall = bubblewrap.command(
            bubblewrap.find(), self.binds, (), self.zygote_environment, frozenset(), links=links, zygote=True
        )
        return [*wall, str(self._python().executable), *PYTHON_FLAGS, bubblewrap.STUB]

    @property
    def zygote_environment(self) -> dict[str, str]:
        """The environment of a zygote and of its Python bots. Other programs get their own with exec."""
        return (
            self.environment
            if self.libraries
            else {**self._common_environment, **self._python().environment()}
        )

    @property
    def spare_path(self) -> list[str]:
        """Where a zygote finds what it imports before a bot comes."""
        return [f"{self.player}/kit/sdk", self.player]

    def job(self) -> dict[str, object]:
        """The job sent to the stub."""
        name = NAMES[self.program.language]
        confined = self.level is Level.CONFINED
        return {
            "rlimits": [] if "rlimits" in self.without else self.rlimits,
            "files": None if "landlock" in self.without else self.files,
            "no_new_privs": "no_new_privs" not in self.without,
            "own_signals_only": "signals" not in self.without,
            "filter": None if "seccomp" in self.without else self.stage.filter(name),
            "parent": os.getpid() if confined and "pdeathsig" not in self.without else 0,
            "exec": self.threads,
            "directory": self.inside,
            "argv": self.argv,
            "path": [
                *(self.inside, f"{self.player}/kit/sdk", self.player),
                *([f"{self.libraries}/packages"] if self.libraries else []),
            ],
            "environment": self.environment,
        }


def _mode(path: Path) -> int:
    return 0o555 if path.stat().st_mode & 0o111 else 0o444


def _threads_of(uid: int) -> int:
    total = 0
    with os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdigit():
                try:
                    about = Path("/proc", entry.name, "task").stat()
                except OSError:
                    continue
                if about.st_uid == uid:
                    total += about.st_nlink - 2
    return total
