"""The stage: a read-only copy of everything that plays, in a place the playing uid can reach.

The checkout may lie in a directory only root can read, and change while games run. So everything a game needs
(engine, referee, SDK, sandbox, filters) is copied to a folder named by the hash of its content, which is
built elsewhere and renamed into place. Bots are unpacked next to the stages, also named by hash.

<root>/stages/<digest>/player   what a bot may read and import
                          /runner   what the playing process imports
                          /filters  seccomp programs
                          /stub.pyc
                          /MANIFEST sha256 and path of every file
    <root>/bots/<sha256>/           one unpacked bot each, closed to other accounts
    <root>/inspections/             uploads while they are inspected (`inspections`)
                                    (both end with the runner's uid if we are root: `store.closed_folder`)
    <root>/pythons/<digest>/        the interpreter, only where it lies out of reach

What bots see of that is copied to memory as well, with the interpreters (see `image` for the reason):

<memory>/views/<digest>/player
                           /stub.pyc
                           /MANIFEST
    <memory>/images/<digest>/       interpreters and their libraries
    <memory>/wheels/<digest>/       NumPy and ONNX Runtime (`wheels`)
    <memory>/jails/<digest>/        all of them together, as the root of bots at `confined`
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import inspections
from sandbox.errors import SandboxUnavailable
from sandbox.identity import runner_identity
from sandbox.staging import copies, image, interpreter, sources, store, wheels
from sandbox.staging.sources import SOURCE, manifest_of
from sandbox.staging.store import MANIFEST
from sandbox.walls import cgroup, jail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sandbox.staging.interpreter import Interpreter

SETTING = "CRAPETTE_STAGE"
FOR_ROOT = Path("/var/lib/crapette")
BOTS = "bots"
UNUSED_STAGE_SECONDS = 3600.0
UNUSED_BOT_SECONDS = 7 * 86400.0
PYTHON_FLAGS = ("-s", "-P", "-S", "-B", "-X", "utf8")


@dataclass(frozen=True)
class Stage:
    """A built stage. Holding one keeps it from being cleaned away (a shared lock on its manifest)."""

    path: Path
    python_: Interpreter
    memory: Path
    """On a tmpfs: what bots see."""

    @classmethod
    def ensure(cls, root: Path | None = None, environ: Mapping[str, str] | None = None) -> Stage:
        """Return the stage of the code we are running, and build it if necessary.

        `root` or CRAPETTE_STAGE says where; else /var/lib/crapette for root and the user's cache otherwise.
        From inside a stage it is that stage. Raises `SandboxUnavailable` when it cannot be built or reached.
        """
        if (SOURCE.parent / MANIFEST).exists():
            return cls.open(SOURCE.parent)
        environ = os.environ if environ is None else environ
        root = (root or default_root(environ)).resolve()
        store.prepare_root(root)
        store.make_closed(store.closed_folder(root, BOTS))
        inspections.remove_abandoned(root)
        memory = image.memory_root(environ)
        found = sources.collect_sources()
        digest = sources.digest(found)
        path = root / "stages" / digest
        python = _reachable_python(root)
        for _ in range(3):
            if not path.exists():
                store.write_tree(path, sources.contents(found), frozenset(sources.executables(found)))
                clean(root, keep=path)
            try:
                stage = cls._locked(path, python, memory)
            except FileNotFoundError:  # cleaned away between building and locking
                continue
            if not stage.damage():
                stage._copy_to_memory()
                return stage
            store.let_go(path)
            store.set_aside(path)
        raise SandboxUnavailable(f"the stage {path} vanishes or is damaged as soon as it is built")

    @classmethod
    def open(cls, path: Path) -> Stage:
        """Open an existing stage, as a playing process inside one does."""
        stage = cls._locked(path, _reachable_python(path.parents[1]), Path(os.environ[image.SETTING]))
        stage._hold_memory()
        jail.keep_to_ourselves()
        return stage

    @classmethod
    def _locked(cls, path: Path, python: Interpreter, memory: Path) -> Stage:
        store.hold(path)
        if os.geteuid() == 0 and not interpreter.readable_by_everyone(path):
            raise SandboxUnavailable(
                f"the stage {path} cannot be read by an unprivileged uid",
                f"set {SETTING} to a place that can",
            )
        return cls(path, python, memory)

    def _copy_to_memory(self) -> None:
        """Build what bots see if it is missing or has changed, and keep it while this process lives."""
        for _ in range(3):
            libraries = [self.path / name for name in self.manifest if name.endswith(".so")]
            image.ensure(self.image, self._interpreters(), libraries)
            packages = wheels.ensure(self.memory, os.environ, self.python)
            if _damage(self.view):
                store.set_aside(self.view)
            self._make_room_for_games()
            if not self.view.exists():
                kept = {self.view, self.image, *([packages] if packages else [])}
                clean_memory(self.memory, keep=frozenset(kept))
                names = [name for name in self.manifest if name.startswith("player/") or name == "stub.pyc"]
                files = {name: (self.path / name).read_bytes() for name in names}
                files[MANIFEST] = manifest_of(files)
                store.write_tree(self.view, files)
                for path in (self.view, *self.view.rglob("*")):
                    store.freeze_access_time(path)
            with contextlib.suppress(FileNotFoundError):  # cleaned away between building and locking
                # Also without the packages, for who starts while they are exchanged.
                for each in dict.fromkeys((None, packages)) if jail.possible() else ():
                    jail.ensure(self._jail_with(each), self.image, self.view, each)
                if packages is not None:
                    wheels.use(packages, self.memory, os.environ)
                self._hold_memory()
                return
        raise SandboxUnavailable(f"what bots see in {self.memory} vanishes as soon as it is built")

    def _make_room_for_games(self) -> None:
        self.games.mkdir(mode=0o711, exist_ok=True)
        identity = runner_identity()
        if identity is not None and self.games.stat().st_uid != identity[0]:
            os.chown(self.games, *identity)
        copies.remove_abandoned(self.games)

    def _hold_memory(self) -> None:
        store.hold(self.view)
        store.hold(self.image)
        if jail.possible():
            store.hold(self.jail)

    def _interpreters(self) -> list[Interpreter]:
        node = interpreter.node()
        return [self.python_] if node is None else [self.python_, node]

    @property
    def view(self) -> Path:
        """The folder in memory with the part of this stage that bots see."""
        return self.memory / "views" / self.path.name

    @property
    def jail(self) -> Path:
        """The root of bots at level `confined`, in memory. It exists if `jail.possible`."""
        best = self._jail_with(self.wheels)
        # Another process may have put the packages there a moment ago, and not the jail yet.
        return best if best.exists() else self._jail_with(None)

    def _jail_with(self, packages: Path | None) -> Path:
        # Its folder of games belongs to one uid.
        plain = self.memory / "jails" / f"{self.path.name}-{_playing_uid()}"
        return plain if packages is None else plain.with_name(f"{plain.name}-{packages.name}")

    @property
    def wheels(self) -> Path | None:
        """NumPy and ONNX Runtime in memory (see `wheels`); None if this arena does not have them."""
        return wheels.current(self.memory, os.environ)

    @property
    def games(self) -> Path:
        """Where the runner keeps the files of bots that are playing, at level `confined`."""
        return self.memory / f"games-{_playing_uid()}"

    @property
    def image(self) -> Path:
        """The interpreters and their libraries, in memory."""
        return self.memory / "images" / image.name_of(self._interpreters())

    @property
    def root(self) -> Path:
        """The folder of all stages and unpacked bots."""
        return self.path.parents[1]

    @property
    def python(self) -> Path:
        """The interpreter that runs the playing process and the Python bots."""
        return self.python_.executable

    @property
    def player(self) -> Path:
        """The directory from which a Python bot imports `engine` and `kit.sdk`."""
        return self.view / "player"

    def command(self, module: str, *arguments: str) -> list[str]:
        """Return the argv that runs one of our modules from the stage, such as the playing process."""
        return [str(self.python), *PYTHON_FLAGS, "-m", module, *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """The complete environment of the playing process. It has no secrets and inherits nothing."""
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": "/",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(self.path / "runner"),
            "PYTHONHASHSEED": "0",
            image.SETTING: str(self.memory),
            wheels.LINK: str(wheels.link(self.memory, os.environ)),
            **{name: os.environ[name] for name in (cgroup.SETTING, wheels.SETTING) if name in os.environ},
            **self.python_.environment(),
        }

    @cached_property
    def manifest(self) -> dict[str, str]:
        """The path and sha256 of every file when the stage was built."""
        return _listed(self.path)

    def filter(self, name: str) -> bytes:
        """Return a seccomp program after checking its hash, once for each process."""
        return _read_filter(self.path / "filters" / name, self.manifest.get(f"filters/{name}", ""))

    def damage(self) -> str:
        """Return what differs from the manifest, as a clause; empty if nothing does."""
        return _damage(self.path)

    def bot_directory(self, sha256: str) -> Path:
        """The folder of the bot with this content, once it is stored."""
        if len(sha256) != 64 or set(sha256) - set("0123456789abcdef"):
            raise ValueError(f"expected a sha256 in hexadecimal, got {sha256!r}")
        return store.closed_folder(self.root, BOTS) / sha256

    def store_bot(self, sha256: str, files: Mapping[str, bytes], entry: str) -> Path:
        """Unpack a bot (paths and contents checked by `sandbox.uploads`) and return its directory."""
        target = self.bot_directory(sha256)
        store.write_tree(target, files, frozenset({entry}))
        os.utime(target)  # so that cleaning sees it is used
        return target


@cache
def _read_filter(path: Path, expected: str) -> bytes:
    try:
        program = path.read_bytes()
    except OSError as error:
        raise SandboxUnavailable(f"the seccomp filter {path.name} cannot be read: {error}") from error
    if (got := hashlib.sha256(program).hexdigest()) != expected:
        raise SandboxUnavailable(
            f"expected the seccomp filter {path.name} with sha256 {expected!r}, got {got!r}"
        )
    return program


def _playing_uid() -> int:
    """The uid that plays, also in its own processes."""
    identity = runner_identity()
    return os.geteuid() if identity is None else identity[0]


def _listed(tree: Path) -> dict[str, str]:
    lines = (tree / MANIFEST).read_text().splitlines()
    return {name: digest for digest, _, name in (line.partition(" ") for line in lines)}


def _damage(tree: Path) -> str:
    """What differs from the tree's manifest, as a clause; empty when nothing does, or it is not there."""
    if not tree.exists():
        return ""
    try:
        listed = _listed(tree)
    except OSError as error:
        return f"its manifest cannot be read: {error}"
    for name, expected in listed.items():
        try:
            got = hashlib.sha256((tree / name).read_bytes()).hexdigest()
        except OSError as error:
            return f"{name} cannot be read: {error}"
        if got != expected:
            return f"expected {name} with sha256 {expected!r}, got {got!r}"
    return ""


def default_root(environ: Mapping[str, str]) -> Path:
    """The default folder for stages."""
    if environ.get(SETTING):
        return Path(environ[SETTING])
    if os.geteuid() == 0:
        return FOR_ROOT
    cache = environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(cache) / "crapette"


def clean(root: Path, keep: Path) -> None:
    """Remove stages nobody holds, bots that have not played for a week, and leftovers of dead builders."""
    unpacked = [*root.glob(f"{BOTS}*")]
    for parent in (root / "stages", *unpacked, root / "pythons"):
        store.remove_abandoned(parent)
    for path in (root / "stages").glob("[0-9a-f]*"):
        if path != keep and store.older_than(path, UNUSED_STAGE_SECONDS):
            store.remove_unheld(path)
    for parent in unpacked:
        for path in parent.glob("[0-9a-f]*"):
            if store.older_than(path, UNUSED_BOT_SECONDS):
                store.remove_tree(path)


def clean_memory(memory: Path, keep: frozenset[Path]) -> None:
    """Remove what bots no longer use from memory, and leftovers of dead builders."""
    for parent in (memory / "views", memory / "images", memory / "wheels", memory / "jails"):
        store.remove_abandoned(parent)
        for path in parent.glob("[0-9a-f]*"):
            if path not in keep and store.older_than(path, UNUSED_STAGE_SECONDS):
                store.remove_unheld(path)


def _reachable_python(root: Path) -> Interpreter:
    python = interpreter.base_python()
    if python.prefix is None or os.geteuid() != 0:
        return python
    if interpreter.readable_by_everyone(python.executable) and interpreter.readable_by_everyone(
        python.prefix
    ):
        return python
    return interpreter.copy_python(python, root / "pythons")
