"""Programs without Python, native and WebAssembly: which of them are bots, and what holds them."""

from __future__ import annotations

import resource
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox import BotLimits, Level, Program, SandboxUnavailable, Stage, uploads
from sandbox.errand import Errand, run
from sandbox.model import MEBIBYTE
from sandbox.plan import SandboxPlan
from sandbox.staging import interpreter
from sandbox.uploads import UploadError, inspect
from tests.security.arena import drive, store
from tests.security.elf import program
from tests.security.test_attacks import assert_nobody_is_harmed, at_one_level
from tests.security.test_uploads import INSPECTOR, packed
from tests.thorough import THOROUGH
from tests.wat import HEADER, assemble, section, sized

NAMES = """(memory (export "memory") 1) (func (export "_start"))"""
BOT = assemble(f"(module {NAMES})")
COMPONENT = b"\0asm\x0d\0\1\0"
BUILD = "Build it for WASI preview 1 (wasm32-wasip1, in older tools wasm32-wasi)."
ONLY = f"but only wasi_snapshot_preview1 is there. {BUILD}"
LACKS = f"from 'wasi_snapshot_preview1', which does not have it. {BUILD}"
RUNNER = Path(uploads.__file__).parent / "wasm" / "run.cjs"
WITH_MAIN = "does not export a function '_start'. Build a program with main, not a library."


def importing(where: str, what: str, kind: str) -> bytes:
    return assemble(f"""(module (import "{where}" "{what}" ({kind})) {NAMES})""")


@pytest.mark.parametrize(
    ("name", "data", "more"),
    [
        ("mine.wasm", BOT, []),
        ("mine", BOT, []),
        ("a.zip", packed({"bot.wasm": BOT, "notes.txt": "x"}), ["notes.txt"]),
        ("a.zip", packed({"mine/bot.wasm": BOT}), []),
    ],
)
def test_a_module_is_accepted(name: str, data: bytes, more: list[str]) -> None:
    language, entry, files = INSPECTOR["inspect"](name, data, uploads.limits(len(data)))
    assert (language, entry, sorted(files)) == ("wasm", "bot.wasm", ["bot.wasm", *more])


def with_packed(name: str) -> tuple[bytes, str]:
    return packed(
        {"bot.wasm": BOT, name: b"\x7fELF\2\1"}
    ), f"'{name}' is native code, which a WebAssembly bot cannot load."


REFUSED: dict[str, tuple[bytes, str]] = {
    "text": (b"(module)", "'bot.wasm' is not a WebAssembly module."),
    "cut off": (HEADER[:6], "'bot.wasm' is not a WebAssembly module."),
    "component": (COMPONENT, "'bot.wasm' is a WebAssembly component. Bots are plain modules"),
    "other layer": (b"\0asm\1\0\2\0", "'bot.wasm' is WebAssembly of a kind that is not known here."),
    "addon": with_packed("lib/Addon.NODE"),
    "addon, renamed": with_packed("weights.bin"),
}
WASI = "wasi_snapshot_preview1"
NO_BOT: dict[str, tuple[bytes, str]] = {
    "nothing": (HEADER, WITH_MAIN),
    "library": (assemble("""(module (memory (export "memory") 1) (func (export "add")))"""), WITH_MAIN),
    "start is no function": (assemble("""(module (memory (export "_start") 1))"""), WITH_MAIN),
    "reactor": (assemble(f"""(module {NAMES} (func (export "_initialize")))"""), "exports '_initialize', as"),
    "hidden memory": (
        assemble("""(module (memory 1) (func (export "_start")))"""),
        "does not export its memory",
    ),
    "browser": (importing("env", "print", "func"), f"imports the function 'print' from 'env', {ONLY}"),
    **{
        name: (importing(WASI, name, "func"), f"imports the function {name!r} {LACKS}")
        for name in ("thread-spawn", "toString")
    },
    "shared memory": (
        assemble("""(module (import "env" "memory" (memory 1 10 shared)) (func (export "_start")))"""),
        f"imports the memory 'memory' from 'env', {ONLY}",
    ),
    "hostile name": (
        importing("\x1b[31m" + "x" * 90, "y", "func"),
        f"imports the function 'y' from '?[31m{'x' * 75}…', {ONLY}",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_is_no_module_is_refused_in_one_sentence(case: str) -> None:
    data, sentence = REFUSED[case]
    with pytest.raises(INSPECTOR["Refused"]) as refusal:
        INSPECTOR["inspect"]("x.wasm", data, uploads.limits(len(data)))
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize("case", NO_BOT)
def test_a_module_that_is_no_bot_is_refused_with_what_node_finds(case: str, tmp_path: Path) -> None:
    data, complaint = NO_BOT[case]
    (tmp_path / "bot.wasm").write_bytes(data)
    node = interpreter.node()
    assert node is not None
    command = [str(node.executable), str(RUNNER), "--check", str(tmp_path / "bot.wasm")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.stdout.startswith(complaint), said.returncode) == (True, 1), said


def test_an_upload_is_refused_with_it_by_a_sandbox_with_node(stage: Stage) -> None:
    with pytest.raises(UploadError) as refusal:
        inspect("x.wasm", HEADER, level=Level.FULL, stage=stage)
    assert str(refusal.value) == f"'bot.wasm' {WITH_MAIN}"
    assert inspect("x.wasm", BOT, level=Level.FULL, stage=stage).files == {"bot.wasm": BOT}


def test_an_arena_with_an_old_node_does_not_blame_the_author(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "WITH_WASI", (1000,))
    with pytest.raises(SandboxUnavailable) as refusal:
        inspect("x.wasm", BOT, level=Level.FULL, stage=stage)
    assert refusal.value.problem == interpreter.OLD_NODE


def test_a_bot_does_not_lose_where_node_is_too_old_to_run_it(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "WITH_WASI", (1000,))
    assert plan("javascript", "bot.js", stage, tmp_path, Level.FULL).argv
    with pytest.raises(SandboxUnavailable) as refusal:
        plan("wasm", "bot.wasm", stage, tmp_path, Level.FULL).argv  # noqa: B018
    assert refusal.value.problem == interpreter.OLD_NODE


@pytest.mark.parametrize("data", [BOT[:-1], b"\0asm\2\0\0\0"], ids=["cut off", "other version"])
def test_a_damaged_module_is_refused_with_what_node_says_of_it(data: bytes, stage: Stage) -> None:
    with pytest.raises(UploadError) as refusal:
        inspect("x.wasm", data, level=Level.FULL, stage=stage)
    said = str(refusal.value)
    assert said.startswith("'bot.wasm' is not a valid WebAssembly module: ")
    assert said.endswith(".")
    assert "@+" in said  # where


EMPTY = sized(b"\0\x0b")
MULTIPLIES = b"\x20\0\x41\xb9\xe0\0\x6c\x21\0"  # local.get, i32.const 12345, i32.mul, local.set
DEEP = sized(b"\0" + b"\x02\x40" * 400_000 + b"\x0b" * 400_001)


def module(*bodies: bytes, names: int = 0, data: int = 0) -> bytes:
    """A bot with these functions, the first of which is exported under more names, and with data."""
    exported = [b"\x06memory\2\0", *(name_of(number) for number in range(names)), b"\x06_start\0\0"]
    parts = {1: [b"\x60\0\0"], 3: [b"\0"] * len(bodies), 5: [b"\0\1"], 7: exported, 10: [*bodies]}
    parts[11] = [b"\0\x41\0\x0b\1x"] * data
    return HEADER + b"".join(section(number, items) for number, items in parts.items())


def name_of(number: int) -> bytes:
    return bytes((len(str(number)),)) + str(number).encode() + b"\0\0"


HOSTILE = {
    "one large function": module(sized(b"\1\1\x7f" + MULTIPLIES * 400_000 + b"\x0b")),
    "nesting": module(DEEP),
    "many functions": module(*[EMPTY] * 300_000),
    "many names": module(EMPTY, names=90_000),
    "much data": module(EMPTY, data=90_000),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_module_made_to_break_the_compiler_breaks_nothing_of_ours(case: str, stage: Stage) -> None:
    try:
        said = inspect("x.zip", packed({"bot.wasm": HOSTILE[case]}), level=Level.FULL, stage=stage).entry
    except UploadError as refusal:
        said = str(refusal)
    assert said.strip("'").startswith(("bot.wasm", "The upload could not be checked: its check "))


def plan(language: Any, entry: str, stage: Stage, folder: Path, level: Level) -> SandboxPlan:
    """The sandbox of a bot in a language that node runs, with its copy of the bot's files."""
    made = SandboxPlan(Program(folder, language, entry), BotLimits(), level, stage)
    return replace(made, copy=made.games / "copy")


def test_a_module_is_contained_as_javascript_is(level: Level, stage: Stage, tmp_path: Path) -> None:
    """Who breaks out of a module is where every bot in JavaScript is; it can read the runner besides.

    It has less address space, since it has only one memory.
    """
    script = plan("javascript", "bot.js", stage, tmp_path, level)
    module = plan("wasm", "bot.wasm", stage, tmp_path, level)
    runner = f"{module.player}/sandbox/wasm/run.cjs"
    assert module.files == [*script.files[:-1], (runner, False), script.files[-1]]
    assert module.argv == [
        *script.argv[:-1],
        "--wasm-max-mem-pages=7168",
        runner,
        f"{module.inside}/bot.wasm",
    ]
    less, more = ({number: soft for number, soft, _ in each.rlimits} for each in (module, script))
    assert {number for number in less if less[number] < more[number]} == {resource.RLIMIT_AS}
    assert {**less, resource.RLIMIT_AS: more[resource.RLIMIT_AS]} == more
    different = {"files", "argv", "rlimits"}
    of_script, of_module = (
        {key: value for key, value in each.job().items() if key not in different} for each in (script, module)
    )
    assert of_module == of_script
    assert of_module["filter"] == stage.filter("javascript.bpf")
    assert module.binds == script.binds


MEMORIES = b"""
require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const made = [];
  try {
    while (made.length < 9) made.push(new WebAssembly.Memory({ initial: 1, maximum: 256 }));
  } catch {}
  console.log(`bounded ${made.length}`);
});
"""


def test_a_javascript_bot_has_room_for_two_memories(level: Level, stage: Stage) -> None:
    directory = store(stage, {"bot.js": MEMORIES}, "bot.js")
    where: dict[str, Any] = {"directory": str(directory), "language": "javascript", "entry": "bot.js"}
    assert drive(stage, level=level.value, **where)["heard"] == ["bounded 2"]


def outcome(text: str, stage: Stage, level: Level, feed: bytes = b"") -> Any:
    folder = store(stage, {"bot.wasm": assemble(f"(module {text})")}, "bot.wasm")
    return run(Errand(Program(folder, "wasm", "bot.wasm"), (feed,), seconds=20), level, stage)


def exiting(code: int) -> str:
    return f"""
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory (export "memory") 1) (func (export "_start") (call $exit (i32.const {code})))"""


def test_a_program_ends_with_its_own_status_and_its_author_reads_where_it_stopped(
    stage: Stage, level: Level
) -> None:
    for code in (0, 7):
        ended = outcome(exiting(code), stage, level)
        assert (ended.code, ended.stderr, ended.output) == (code, "", b"")
    ended = outcome(
        '(memory (export "memory") 1) (func $fail (unreachable)) (func (export "_start") (call $fail))',
        *(stage, level),
    )
    assert ended.words == "exited with status 1"
    first, *lines = ended.stderr.splitlines()
    assert (first, len(lines)) == ("RuntimeError: unreachable", 2)
    assert all("wasm-function[" in line for line in lines)


def test_an_author_reads_that_an_exception_was_not_caught(stage: Stage, level: Level) -> None:
    parts = {
        **{1: [b"\x60\0\0"], 3: [b"\0"], 5: [b"\0\1"]},
        13: [b"\0\0"],  # a tag, which is thrown
        **{7: [b"\x06_start\0\0", b"\x06memory\x02\0"], 10: [sized(b"\0\x08\0\x0b")]},
    }
    data = HEADER + b"".join(section(number, items) for number, items in parts.items())
    folder = store(stage, {"bot.wasm": data}, "bot.wasm")
    ended = run(Errand(Program(folder, "wasm", "bot.wasm"), seconds=20), level, stage)
    assert ended.words == "exited with status 1"
    assert ended.stderr == "Uncaught exception: the module threw it and nothing caught it.\n"


def test_memory_beyond_the_limit_is_named(stage: Stage, level: Level) -> None:
    pages = 600 * MEBIBYTE >> 16
    ended = outcome(f'(memory (export "memory") {pages}) (func (export "_start"))', stage, level)
    assert (ended.cause, ended.words) == ("memory", "wanted more than its 512 MB of memory")


def test_a_module_that_acts_before_it_is_started_does_nothing(stage: Stage, level: Level) -> None:
    text = """
        (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
        (memory (export "memory") 1) (start $early) (func $early (drop (call $yield)))
        (func (export "_start"))"""
    ended = outcome(text, stage, level)
    assert ended.words == "exited with status 1"
    assert "wasi.start() has not been called" in ended.stderr


MAPS_PRIVATE, MAPS_SHARED, NO_RESERVE = 0x22, 0x21, 0x4022
READ, READ_WRITE = 1, 3
GIB = 1 << 30


def play_native(binary: bytes, level: Level, stage: Stage, **job: Any) -> dict[str, Any]:
    directory = store(stage, {"bot": binary}, "bot")
    return drive(stage, level=level.value, directory=str(directory), language="native", entry="bot", **job)


NATIVE_REFUSED = {
    "fork": program(57),
    "vfork": program(58),
    "clone": program(56, (17,)),  # as fork does
    "clone-namespace": program(56, (0x10010000,)),  # of a thread with a user namespace
    "clone3": program(435, (0, 88)),
    "socket": program(41, (2, 1, 0)),
    "vsock": program(41, (40, 1, 0)),
    "shared-memory": program(9, (0, 4096, READ_WRITE, MAPS_SHARED, -1, 0)),
    "kill": program(62, (-1, 0)),  # everybody
    "tkill": program(200, (1, 0)),
    "prlimit": program(302, (1, 7, 0, 0)),  # of another
    "memfd": program(319, (0x410000, 0)),
    "io_uring": program(425, (8, 0x410100)),
    "flock": program(73, (0, 2)),
    "unknown": program(999),
}


@pytest.mark.parametrize(
    ("name", "level"),
    [
        (name, level)
        for name in NATIVE_REFUSED
        for level in (list(Level) if THOROUGH else [at_one_level(name)])
    ],
)
def test_a_native_bot_is_refused(name: str, level: Level, stage: Stage) -> None:
    seen = play_native(NATIVE_REFUSED[name], level, stage)
    assert seen["heard"] == ["denied by the kernel"], seen
    assert_nobody_is_harmed(seen)


def test_a_native_bot_that_attacks_the_kernel_is_ended(level: Level, stage: Stage) -> None:
    seen = play_native(program(101, (16, 1)), level, stage)
    assert (seen["fault"], seen["cause"]) == ("BotExited", "forbidden"), seen
    assert_nobody_is_harmed(seen)


def test_a_native_bot_has_its_memory_and_no_more(level: Level, stage: Stage) -> None:
    """512 MB that it may write: eight times 64 MB are too much, four are not.

    4 GB of address space beyond it, whose page tables take 9 MB at most. And it may raise no limit: prlimit64
    of itself, RLIMIT_NPROC, to whatever lies at an address full of zeros and letters.
    """
    chunk, some = (0, 64 << 20, READ_WRITE, MAPS_PRIVATE, -1, 0), (0, GIB, READ, NO_RESERVE, -1, 0)
    for binary, heard in (
        (program(9, chunk, times=4, enough=4), "escaped from its box"),
        (program(9, chunk, times=64, enough=8), "denied by the kernel"),
        (program(9, some, times=4, enough=4), "escaped from its box"),
        (program(9, some, times=200, enough=5), "denied by the kernel"),
        (program(302, (0, 6, 0x410000, 0)), "denied by the kernel"),
    ):
        assert play_native(binary, level, stage)["heard"] == [heard]


@pytest.mark.parametrize(
    ("without", "binary"),
    [
        ("seccomp", program(41, (2, 1, 0))),
        ("seccomp", program(9, (0, 4096, READ_WRITE, MAPS_SHARED, -1, 0))),
        ("rlimits", program(9, (0, 64 << 20, READ_WRITE, MAPS_PRIVATE, -1, 0), times=64, enough=8)),
        ("rlimits", program(9, (0, GIB, READ, NO_RESERVE, -1, 0), times=200, enough=64)),
        ("seccomp signals landlock", program(62, (1, 0))),
    ],
    ids=["socket", "shared-memory", "memory", "address-space", "kill"],
)
def test_without_its_layer_a_native_attack_succeeds(without: str, binary: bytes, stage: Stage) -> None:
    assert INSPECTOR["inspect"]("bot", binary, uploads.limits(len(binary)))[:2] == ("native", "bot")
    seen = play_native(binary, Level.FULL, stage, without=without.split())
    assert seen["heard"] == ["escaped from its box"], seen
