"""Checks a sandbox before its bot runs: what the kernel says about the process, and what the stub tried."""

from __future__ import annotations

import os
import resource
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import proc
from sandbox.errors import SandboxUnavailable
from sandbox.model import Attestation, Level
from sandbox.staging.image import IN_MEMORY
from sandbox.walls.bubblewrap import BOT, DEVICES, NAMESPACES, OF_ZYGOTE

if TYPE_CHECKING:
    from sandbox.plan import SandboxPlan
    from sandbox.zygote import Zygote

NO_CAPABILITY = b"0" * 16
# Every attempt the stub makes. If one is missing from its report, a layer is missing.
ATTEMPTS = frozenset(
    {
        *("socket", "new-namespace", "shared-memory", "memfd", "sysv-shm", "message-queue", "inotify"),
        *("flock", "file-lock", "sendmsg", "foreign-limits", "foreign-clock", "pidfd", "timer", "setuid"),
        *("foreign-signal", "list-root", "passwd", "proc", "write-here", "write-tmp"),
    }
)
ATTEMPTS_WITHOUT_EXEC = ATTEMPTS | {"exec", "thread"}


def attest(host_pid: int, report: str, plan: SandboxPlan, zygote: Zygote | None = None) -> Attestation:
    """Check everything. Raises `SandboxUnavailable`, which names each missing layer.

    What a `zygote` has of its own, its bots must not share with it.
    """
    if report.startswith("!"):
        raise SandboxUnavailable(f"the sandbox could not be closed: {report[1:]}")
    try:
        abi_text, denied_text, granted = report.split(";")
        abi, denied = int(abi_text), tuple(filter(None, denied_text.split(",")))
    except ValueError:
        raise SandboxUnavailable(f"expected the stub's report, got {report!r}") from None
    missing = [f"attempt not refused: {name}" for name in granted.split(",") if name]
    wanted = ATTEMPTS if plan.threads else ATTEMPTS_WITHOUT_EXEC
    missing += [
        f"attempt not made: {name}" for name in sorted(wanted.difference(denied)) if name not in granted
    ]
    if abi < 1:
        missing.append("landlock")
    different = tuple(name for name in NAMESPACES if _namespace(host_pid, name) != _own_namespace(name))
    if zygote is not None:
        shared = (
            name for name in OF_ZYGOTE if _namespace(host_pid, name) == _namespace(zygote.host_pid, name)
        )
        missing += [f"{name} namespace of its own" for name in shared]
    filters, status_missing = _status(host_pid, plan.level)
    missing += status_missing + _limits(host_pid, plan)
    if plan.level is Level.FULL:
        missing += [f"{name} namespace" for name in NAMESPACES if name not in different]
        own = {BOT} if zygote is not None else set()
        missing += _mounts(host_pid, {inside for _, inside in plan.binds} | own)
    if plan.jail is not None:
        missing += _root(host_pid, plan.jail)
    if missing:
        raise SandboxUnavailable(f"layers of the sandbox are missing: {', '.join(missing)}")
    own_root = plan.level is Level.FULL or plan.jail is not None
    return Attestation(plan.level, host_pid, abi, filters, different, denied, own_root=own_root)


def _namespace(pid: int | str, name: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/{name}")  # noqa: PTH115  (a third of pathlib's time)
    except OSError as error:
        raise SandboxUnavailable(f"the bot's process cannot be looked at: {error}") from error


@cache
def _own_namespace(name: str) -> str:
    """Ours, which never change."""
    return _namespace("self", name)


def _status(host_pid: int, level: Level) -> tuple[int, list[str]]:
    text = proc.read(f"/proc/{host_pid}/status")
    if not text:
        raise SandboxUnavailable("the bot's process cannot be looked at: it is gone")
    missing = []
    if proc.field(text, b"Seccomp") != b"2":
        missing.append("seccomp")
    filters = proc.number(proc.field(text, b"Seccomp_filters") or b"2")  # counted since Linux 5.9
    if filters < 2:
        missing.append("the filter for signals")
    if proc.field(text, b"NoNewPrivs") != b"1":
        missing.append("no_new_privs")
    names = ("CapInh", "CapPrm", "CapEff", "CapAmb", *(("CapBnd",) if level is Level.FULL else ()))
    held = [name for name in names if proc.field(text, name.encode()) != NO_CAPABILITY]
    missing += [f"capabilities ({name})" for name in held]
    people = [*proc.field(text, b"Uid").split(), *proc.field(text, b"Gid").split()]
    if not people or b"0" in people:
        missing.append("an unprivileged uid and gid")
    return filters, missing


def _mounts(host_pid: int, expected: set[str]) -> list[str]:
    """Return what is wrong with its mounts. All must be read-only and in memory, with none besides."""
    missing = []
    seen = set()
    for line in proc.mounts(proc.read(f"/proc/{host_pid}/mountinfo")):
        where, kind = os.fsdecode(line.where), os.fsdecode(line.kind)
        seen.add(where)
        if where in DEVICES:
            continue
        if where not in {"/", *expected}:
            missing.append(f"expected nothing at {where}, got {kind}")
        elif b"ro" not in line.options:
            missing.append(f"expected {where} to be read-only")
        elif kind not in IN_MEMORY:
            missing.append(f"expected {where} in memory, it is on {kind}")
    missing += [f"expected a mount at {where}" for where in sorted({"/", *expected} - seen)]
    return missing


def _root(host_pid: int, jail: Path) -> list[str]:
    """Return what is wrong with its root and working directory; neither may lie outside the jail."""
    try:
        root, here = (Path(f"/proc/{host_pid}/{name}").readlink() for name in ("root", "cwd"))
    except OSError as error:
        raise SandboxUnavailable(f"the bot's root cannot be looked at: {error}") from error
    missing = [] if root == jail else [f"expected {jail} as its root, got {root}"]
    if not here.is_relative_to(jail):
        missing.append(f"expected it to work within {jail}, got {here}")
    return missing


def _limits(host_pid: int, plan: SandboxPlan) -> list[str]:
    missing = []
    for number, soft, hard in plan.rlimits:
        try:
            got = resource.prlimit(host_pid, number)
        except OSError as error:
            raise SandboxUnavailable(f"the bot's limits cannot be looked at: {error}") from error
        if got != (soft, hard):
            missing.append(f"limit {number} (expected {(soft, hard)}, got {got})")
    return missing
