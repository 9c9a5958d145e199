"""Starts a bot in its sandbox, and lets it run only once every layer is proved to hold."""

from __future__ import annotations

import contextlib
import dataclasses
import marshal
import os
import select
import socket
import subprocess
import time
from typing import TYPE_CHECKING

from sandbox import exit_causes, zygote
from sandbox.errors import SandboxUnavailable
from sandbox.model import Attestation, BotLimits, Level, Program
from sandbox.plan import SandboxPlan
from sandbox.probing.attestation import attest
from sandbox.process import Process, Started, reap
from sandbox.staging.copies import copy_bot
from sandbox.walls import bubblewrap, cgroup, jail

if TYPE_CHECKING:
    from sandbox.staging.stage import Stage

GO = b"go"
OOM_FIRST = "1000"


def spawn(program: Program, limits: BotLimits, level: Level | str, stage: Stage) -> Process:
    """Start `program` at `level`. When this returns, the program is running and its sandbox is attested.

    Call it from the thread that will talk to the bot: the kernel ends the bot with that thread. Raises
    `SandboxUnavailable` when any layer is missing or we are root, and `BotFault` never.
    """
    level = Level.parse(level)
    if os.geteuid() == 0:
        raise SandboxUnavailable("bots never run as root", "drop to runner_identity() before spawning")
    return start(SandboxPlan(program, limits, level, stage))


def start(plan: SandboxPlan, *, verify: bool = True) -> Process:
    """Carry out a plan. `verify=False` lets tests see what an attack does when a layer is left out."""
    reap()
    with contextlib.ExitStack() as kept:
        if plan.level is Level.CONFINED and plan.in_memory:
            copy = kept.enter_context(copy_bot(plan.program.directory, plan.copies, plan.games))
            plan = dataclasses.replace(plan, copy=copy)
        process = _start(plan, _group(plan, kept), verify=verify)
        process.when_gone = kept.pop_all().close
    return process


def _group(plan: SandboxPlan, kept: contextlib.ExitStack) -> cgroup.Group | None:
    parent = cgroup.operator_folder(os.environ)
    if parent is None:
        return None
    group = cgroup.make(parent, plan.limits.memory_bytes + exit_causes.UNLIMITED_BYTES)
    kept.callback(group.remove)
    return group


def _start(plan: SandboxPlan, group: cgroup.Group | None, *, verify: bool) -> Process:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with contextlib.ExitStack() as kept:
        kept.enter_context(ours)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        with theirs:
            parent = zygote.of(plan) if plan.from_zygote else None
            started = _fresh(plan, ours, theirs) if parent is None else _forked(plan, parent, ours, theirs)
        process: Process | None = None
        try:
            report, host_pid = _hear(ours, started, plan)
            attestation = attest(host_pid, report, plan, parent) if verify else _unproved(host_pid, plan)
            attestation = dataclasses.replace(
                attestation, warnings=(*attestation.warnings, *_extras(host_pid))
            )
            if group is not None:
                group.add(host_pid)
            events = None if group is None else group.events
            watched = "memory-samples" not in plan.without
            process = Process(
                started,
                attestation,
                plan.limits,
                events,
                watch_memory=watched,
                yields=parent is not None and parent.yields(),
            )
            ours.send(GO)
        except BaseException as error:
            if process is None:
                abandon(started)
            else:
                process.kill()
            if isinstance(error, OSError):
                raise SandboxUnavailable(f"the sandbox did not start: {error}") from error
            raise
        if parent is not None:
            kept.pop_all()  # the keeper says on it how the bot ended
    return process


def _forked(
    plan: SandboxPlan, parent: zygote.Zygote, ours: socket.socket, theirs: socket.socket
) -> zygote.ForkedBot:
    try:
        job = marshal.dumps({**plan.job(), "copies": plan.listing})
        return parent.fork(plan, job, ours, theirs)
    except OSError as error:
        parent.end()
        raise SandboxUnavailable(f"the sandbox did not start: {error}") from error


def _fresh(plan: SandboxPlan, ours: socket.socket, theirs: socket.socket) -> subprocess.Popen[bytes]:
    ours.send(marshal.dumps(plan.job()))
    return _popen(plan, theirs.fileno())


def _popen(plan: SandboxPlan, control: int) -> subprocess.Popen[bytes]:
    full = plan.level is Level.FULL
    with contextlib.ExitStack() as opened:
        try:
            copies = plan.copies if full else []
            descriptors = [opened.enter_context(path.open("rb")).fileno() for path in copies]
            opened.enter_context(jail.passed_on(plan.jailed))
            return subprocess.Popen(
                plan.command(control, descriptors),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd="/",
                env=plan.stub_environment,
                pass_fds=(control, *descriptors),
                start_new_session=not full,
            )
        except OSError as error:
            raise SandboxUnavailable(f"the sandbox did not start: {error}") from error


def _hear(ours: socket.socket, started: Started, plan: SandboxPlan) -> tuple[str, int]:
    """Return the stub's report and its pid as the kernel shows it to us."""
    ours.settimeout(plan.limits.start_seconds)
    try:
        message, ancillary, _, _ = ours.recvmsg(1 << 16, 64)
    except TimeoutError:
        raise SandboxUnavailable(
            f"the sandbox did not stand within {plan.limits.start_seconds:g} s", "is the host overloaded?"
        ) from None
    except ConnectionResetError:  # gone with the job unread
        message, ancillary = b"", []
    if not message or message.startswith(zygote.END):
        raise bubblewrap.explain(_last_words(started))
    if pid := zygote.sender(ancillary):
        return message.decode("ascii", "replace"), pid
    raise SandboxUnavailable("the stub's report came without its sender's pid")


def _last_words(popen: Started) -> str:
    assert popen.stderr is not None  # noqa: S101  (it is a pipe)
    deadline = time.monotonic() + 1.0
    said = b""
    while (
        len(said) < 4096 and select.select([popen.stderr], [], [], max(0.0, deadline - time.monotonic()))[0]
    ):
        chunk = os.read(popen.stderr.fileno(), 4096)
        if not chunk:
            break
        said += chunk
    return said.decode("utf-8", "replace")


def abandon(popen: Started) -> None:
    """End a failed start. When bwrap ends, so does everything inside."""
    popen.kill()
    popen.wait()
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        if pipe is not None:
            pipe.close()


def _unproved(host_pid: int, plan: SandboxPlan) -> Attestation:
    return Attestation(plan.level, host_pid, 0, 0, (), (), ("not verified",))


def _extras(host_pid: int) -> list[str]:
    """Make bots the first to go if the host runs out of memory. This is a convenience, not a layer."""
    try:
        with open(f"/proc/{host_pid}/oom_score_adj", "w") as file:  # noqa: PTH123  (half the time of pathlib)
            file.write(OOM_FIRST)
    except OSError as error:
        return [f"the kernel may end others before this bot when memory runs out: {error}"]
    return []
