"""What the kernel says of processes is parsed by its structure, whatever a bot writes into it."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sandbox import BotLimits, proc
from sandbox.exit_causes import MemoryEvents, Peaks, ProcessEnd
from sandbox.staging.image import mount_of

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
