"""Lines to a bot, why it ended, and what the kernel says of it, whatever a bot writes into that."""

import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sandbox import (
    BotExited,
    BotFault,
    BotLimits,
    BotOutOfCpu,
    BotOutOfMemory,
    KilledByHost,
    SandboxUnavailable,
    exit_causes,
    identity,
    proc,
    runner_identity,
    timer,
)
from sandbox.autogroup import TOO_SOON_SECONDS, set_group_nice
from sandbox.exchange import Exchange
from sandbox.exit_causes import MemoryEvents, Peaks, ProcessEnd
from sandbox.staging.image import mount_of

GROUPED = Path("/proc/self/autogroup").exists()


def test_a_session_gets_the_niceness_it_is_given_where_there_are_groups() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            tries = 0
            # Plain users are told to try again while somebody else on this machine does the same.
            while not set_group_nice(process.pid, 5):
                assert (tries := tries + 1) < 100
                time.sleep(TOO_SOON_SECONDS)
            if GROUPED:
                assert Path(f"/proc/{process.pid}/autogroup").read_text().endswith("nice 5\n")
        finally:
            process.kill()


class Ends:
    """An exchange, and the bot's ends of its pipes."""

    def __init__(self, tick: int) -> None:
        self.heard, to = os.pipe()
        back, self.said = os.pipe()
        for fd in (to, back):
            os.set_blocking(fd, False)
        self.exchange = Exchange(to, back, tick, 64)
        self.fds = [self.heard, to, back, self.said]


@pytest.fixture(params=["ticking", "no timer"])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    made = Ends(timer.ticking() if request.param == "ticking" else -1)
    yield made
    for fd in made.fds:
        os.close(fd)


def test_a_whole_line_comes_back_without_its_end(ends: Ends) -> None:
    os.write(ends.said, b"yes\n")
    assert ends.exchange.ask(b"well?\n", 1) == b"yes"
    assert os.read(ends.heard, 64) == b"well?\n"
    assert (ends.exchange.sent, ends.exchange.kept) == (6, b"")


@pytest.mark.parametrize("said", [b"ye", b"yes\nno\n", b"yes\nn", b"\n\n", b"x" * 64])
def test_what_is_not_one_line_is_kept_and_nothing_more_is_asked_until_it_is_taken(
    ends: Ends, said: bytes
) -> None:
    os.write(ends.said, said)
    assert ends.exchange.ask(b"well?\n", 1) is None
    assert (ends.exchange.sent, ends.exchange.kept) == (6, said)
    assert ends.exchange.ask(b"and?\n", 1) is None
    assert ends.exchange.sent == 0
    ends.exchange.kept.clear()
    os.write(ends.said, b"\n")
    assert ends.exchange.ask(b"now?\n", 1) == b""
    assert os.read(ends.heard, 64) == b"well?\nnow?\n"


def test_a_bot_that_does_not_read_is_not_waited_for(ends: Ends) -> None:
    line = b"x" * (1 << 20)
    os.write(ends.said, b"early\n")
    assert ends.exchange.ask(line, 1) is None
    assert 0 < ends.exchange.sent < len(line)
    assert ends.exchange.ask(line, 1) is None
    assert (ends.exchange.sent, ends.exchange.kept) == (0, b"")


def test_a_bot_that_is_gone_gives_no_answer(ends: Ends) -> None:
    for fd in (ends.said, ends.heard):
        os.close(fd)
    assert ends.exchange.ask(b"well?\n", 1) is None
    assert ends.exchange.sent == 0
    ends.fds = ends.fds[1:3]
    ends.exchange.close()
    assert ends.exchange.ask(b"well?\n", 1) is None


PLAIN = ProcessEnd(0, 5_000_000, Peaks(), b"", BotLimits(cpu_seconds=10), killed=False, host_oom=False)
FULL = Peaks()
FULL.data_kb = 500 << 10
LARGE = Peaks()
LARGE.rss_kb = LARGE.held_kb = 500 << 10
MAPPED = Peaks()
MAPPED.rss_kb = 500 << 10
KILLED = replace(PLAIN, status=137, host_oom=True)
"""A SIGKILL that nobody of ours sent, while the kernel killed something on the host."""
HOSTS = "was ended by the kernel because the host ran out of memory"
MEMORY = "wanted more than its 512 MB of memory"
CPU = "used up its 10 s of processor time"


def dead(status: int = 137, stderr: bytes = b"", **more: Any) -> ProcessEnd:
    return replace(PLAIN, status=status, stderr=stderr, **more)


@pytest.mark.parametrize(
    ("ending", "cause", "words"),
    [
        (PLAIN, "exit", "exited with status 0"),
        (dead(3), "exit", "exited with status 3"),
        (dead(87), "exit", "exited with status 87"),
        (dead(-11), "crash", "was killed by SIGSEGV"),
        (dead(139), "crash", "was killed by SIGSEGV"),
        (dead(134), "crash", "was killed by SIGABRT"),
        (dead(137), "crash", "was killed by SIGKILL"),
        (dead(-40), "crash", "was killed by signal 40"),
        (dead(159), "forbidden", "made a forbidden system call (SIGSYS)"),
        (dead(152), "cpu", CPU),
        (dead(cpu_ns=10_900_000_000), "cpu", CPU),
        (dead(killed=True), "killed", "was ended by the referee"),
        (dead(1, killed=True), "exit", "exited with status 1"),
        # It may have sent it to itself: that something was killed on the host says nothing of this bot.
        (KILLED, "crash", "was killed by SIGKILL"),
        (replace(KILLED, peaks=FULL), "memory", MEMORY),
        (replace(KILLED, peaks=LARGE), "host", HOSTS),
        # It looks large if it maps its own file often enough.
        (replace(KILLED, peaks=MAPPED), "memory", MEMORY),
        (replace(KILLED, peaks=LARGE, host_oom=False), "memory", MEMORY),
        # Its own cgroup knows.
        (replace(KILLED, memory_events=MemoryEvents(oom_kill=1)), "host", HOSTS),
        (replace(KILLED, memory_events=MemoryEvents(oom_kill=1), host_oom=False), "host", HOSTS),
        (replace(KILLED, peaks=LARGE, memory_events=MemoryEvents()), "memory", MEMORY),
        (replace(KILLED, memory_events=MemoryEvents()), "crash", "was killed by SIGKILL"),
        (replace(KILLED, memory_events=MemoryEvents(oom=3, oom_kill=1)), "memory", MEMORY),
        (replace(KILLED, status=1, memory_events=MemoryEvents(oom_kill=1)), "exit", "exited with status 1"),
        (dead(1, host_oom=True), "exit", "exited with status 1"),
        (dead(86), "memory", MEMORY),
        (dead(1, b"...\nMemoryError\n"), "memory", MEMORY),
        (dead(134, b"FATAL ERROR: JavaScript heap out of memory"), "memory", MEMORY),
        (dead(1, b"RangeError: Out of memory: Cannot allocate Wasm memory"), "memory", MEMORY),
        (dead(139, peaks=FULL), "memory", MEMORY),
        (dead(0, b"MemoryError", peaks=FULL), "exit", "exited with status 0"),
    ],
)
def test_an_ending_is_named(ending: ProcessEnd, cause: str, words: str) -> None:
    ended = ending.explain()
    assert (ended.cause, ended.words) == (cause, words)
    assert ended.signal == (signal.SIGSEGV if "SEGV" in words else ended.signal)


def test_the_host_is_never_taken_for_the_bot_nor_the_other_way_round() -> None:
    for ending, kind in (
        (PLAIN, BotExited),
        (dead(159), BotExited),
        (dead(86), BotOutOfMemory),
        (dead(152), BotOutOfCpu),
        (replace(KILLED, peaks=LARGE), KilledByHost),
    ):
        fault = exit_causes.fault(ending.explain())
        assert type(fault) is kind
        assert isinstance(fault, BotFault) == (kind is not KilledByHost)
        assert isinstance(fault, SandboxUnavailable) == (kind is KilledByHost)
    # Size alone speaks for it, and only a cgroup proves it.
    counted = replace(KILLED, memory_events=MemoryEvents(oom_kill=1))
    assert [one.explain().proved for one in (replace(KILLED, peaks=LARGE), counted)] == [False, True]


def test_the_kernels_count_of_a_cgroup_is_read() -> None:
    text = b"low 0\nhigh 2\nmax 7\noom 1\noom_kill 2\noom_group_kill 0\n"
    assert MemoryEvents.parse(text) == MemoryEvents(oom=1, oom_kill=2)
    assert MemoryEvents.parse(b"") == MemoryEvents()


def test_a_plain_user_stays_itself_and_root_drops_to_a_uid_without_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By default a fixed one, so that what it owns is ours the next time too; one that an account
    or a service has is passed over."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert runner_identity({}) is None
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert runner_identity({}) == (64264, 64264)
    with pytest.raises(KeyError):
        pwd.getpwuid(64264)
    monkeypatch.setattr(identity, "_taken", lambda uid: 64264 <= uid < 65000)
    assert runner_identity({}) == (65000, 65000)


def test_an_operator_may_choose_the_uid_from_the_range_that_nobodys_accounts_are_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert runner_identity({"CRAPETTE_RUNNER_UID": "62000"}) == (62000, 62000)
    for setting in ("0", "1000", "65534", "nobody", "-5", "٦٢٠٠٠"):
        with pytest.raises(SandboxUnavailable) as refusal:
            runner_identity({"CRAPETTE_RUNNER_UID": setting})
        assert str(refusal.value) == f"expected CRAPETTE_RUNNER_UID from 61184 to 65519, got {setting!r}"
    monkeypatch.setattr(identity, "_taken", lambda uid: True)
    with pytest.raises(
        SandboxUnavailable, match=r"^CRAPETTE_RUNNER_UID=62000 belongs to an account or a service"
    ):
        runner_identity({"CRAPETTE_RUNNER_UID": "62000"})


STATUS = b"""\
Name:\t%s
Umask:\t0022
State:\tS (sleeping)
Uid:\t65534\t65534\t65534\t65534
VmPeak:\t  310000 kB
VmHWM:\t  307200 kB
RssAnon:\t  300000 kB
RssFile:\t    7200 kB
RssShmem:\t       0 kB
VmData:\t  301000 kB
VmPTE:\t     700 kB
VmSwap:\t       0 kB
Threads:\t1
Seccomp:\t2
voluntary_ctxt_switches:\t42
nonvoluntary_ctxt_switches:\t7
"""
NAMES = (
    *(
        b"bot",
        b"VmHWM:x",
        b"VmHWM: 10 kB",
        b"RssAnon:\t0 kB",
        b"RssAnon:",
        b"\\nVmHWM: 10",
        b"\nVmHWM: 10 kB",
    ),
    *(b"\nVmHWM:", b"\xff\xfe\x80", b") Z 1 (", b"voluntary_ctxt_", b"Seccomp: 0", b""),
)
"""What bots call themselves. The kernel writes a line end as two characters; here some get through."""


@pytest.mark.parametrize("name", NAMES)
def test_a_name_neither_hides_nor_forges_a_figure(name: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proc, "read", lambda _: STATUS % name)
    peaks = Peaks()
    peaks.sample(1)
    assert (peaks.rss_kb, peaks.data_kb, peaks.held_kb) == (307_200, 301_000, 300_700)
    assert peaks.exceed(BotLimits(memory_bytes=200 << 20))
    assert proc.field(STATUS % name, b"Seccomp") == b"2"
    assert proc.number(proc.field(STATUS % name, b"voluntary_ctxt_switches")) == 42


def test_numbers_and_mounts_are_what_a_kernel_would_write() -> None:
    for text, base, found in (
        (b"12 kB", 10, 12),
        (b"0000000000040000", 16, 1 << 18),
        (b"18446744073709551615", 10, (1 << 64) - 1),
        *((wrong, 10, 0) for wrong in (b"-1", b"1_000", b"x", b"", b"9" * 21, b"9" * 5000)),
    ):
        assert proc.number(text, base) == found
    line = rb"25 24 0:22 / /run/a\040\134b\377 rw,noexec shared:7 master:2 - ramfs none rw"
    (mount,) = proc.mounts(line + b"\nhalf a line\n\n")
    assert mount == (b"/run/a \\b\xff", (b"rw", b"noexec"), b"ramfs")
    assert proc.read("/proc/0/status") == proc.read("/no\0where") == b"", "of a process that is gone"


PIECES = st.sampled_from(
    [
        *NAMES,
        *(b"VmHWM:", b"\nVmHWM:\t", b"RssAnon:", b"\n", b" ", b"\t", b" kB", b":", b")", b"(", b" - ", b"\\"),
        *(b"oom ", b"oom_kill ", b"\noom_kill ", b"9" * 30, b"-5", b"1e9", b"0x10", b"\\777", b"\0"),
    ]
)
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TEXTS = st.lists(PIECES | st.binary(max_size=20), max_size=12).map(b"".join)


@PATIENT
@given(TEXTS)
@example(STATUS % b"VmHWM:x")
def test_no_text_makes_a_parser_raise(text: bytes) -> None:
    numbers = [
        proc.number(text),
        proc.number(text, 16),
        proc.run_delay_ns(text),
        proc.number(proc.field(text, b"VmHWM")),
        *proc.counts(text).values(),
    ]
    assert all(0 <= found < 1 << 80 for found in numbers)
    assert MemoryEvents.parse(text).oom >= 0
    assert mount_of(Path("/srv"), text).kind is not None


@PATIENT
@given(status=st.integers(-300, 300), stderr=st.binary(max_size=200), text=TEXTS, killed=st.booleans())
def test_no_end_makes_the_diagnosis_raise(status: int, stderr: bytes, text: bytes, killed: bool) -> None:
    peaks = Peaks()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proc, "read", lambda _: text)
        peaks.sample(1)
    events = MemoryEvents.parse(text)
    for memory in (None, events):
        ended = ProcessEnd(status, 0, peaks, stderr, BotLimits(), killed, host_oom=True, memory_events=memory)
        assert ended.explain().words
