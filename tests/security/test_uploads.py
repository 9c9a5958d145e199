"""What may be uploaded, and what hostile archives and sources get for an answer."""

from __future__ import annotations

import io
import json
import runpy
import stat
import struct
import zipfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from sandbox import Level, uploads
from sandbox.errand import ErrandOutcome
from sandbox.staging import wheels
from sandbox.uploads import UploadError, digest, inspect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sandbox import Stage

BOT = b"print(1)\n"
ASKING = "numpy>=1\nonnxruntime\n"
NOISE = Random(1).randbytes(5 << 20)
INSPECTOR = runpy.run_path(str(Path(uploads.__file__).with_name("inspector") / "inspect_upload.py"))
"""What runs in the sandbox."""
ELF = bytearray(64 + 56)
ELF[:20] = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 2, 62)
struct.pack_into("<Q", ELF, 32, 64)
struct.pack_into("<HH", ELF, 54, 56, 1)
struct.pack_into("<I", ELF, 64, 1)


def packed(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def beside(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> tuple[str, bytes]:
    """A zip of a bot and these files."""
    return "x.zip", packed({"bot.py": BOT, **files}, method)


def linked(name: str, mode: int, content: str) -> tuple[str, bytes]:
    """A zip with one entry of a special kind beside a bot."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bot.py", BOT)
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (mode | 0o644) << 16
        archive.writestr(entry, content)
    return "x.zip", out.getvalue()


def patched(data: bytes, old: bytes, new: bytes) -> bytes:
    """The same with bytes replaced everywhere."""
    assert old in data
    assert len(old) == len(new)
    return data.replace(old, new)


@pytest.mark.parametrize(
    ("name", "data", "language", "entry", "more"),
    [
        ("greedy.py", BOT, "python", "bot.py", []),
        ("with-bom.py", b"\xef\xbb\xbf" + BOT, "python", "bot.py", []),
        (
            *beside({"requirements.txt": ASKING, "net.onnx": NOISE}, zipfile.ZIP_STORED),
            *("python-onnx", "bot.py", ["net.onnx", "requirements.txt"]),
        ),
        ("greedy.js", b"console.log(1);\n", "javascript", "bot.js", []),
        ("greedy.mjs", b"import fs from 'fs';\nexport {};\n", "javascript", "bot.mjs", []),
        ("greedy", bytes(ELF), "native", "bot", []),
        ("greedy.exe", bytes(ELF), "native", "bot", []),
        (*beside({"data/w.bin": b"\0\xff"}), "python", "bot.py", ["data/w.bin"]),
        ("a.zip", packed({"mine/bot.py": BOT, "mine/x.txt": b"x"}), "python", "bot.py", ["x.txt"]),
        ("a.zip", packed({"bot.js": b"1;", "lib.js": b"2;"}), "javascript", "bot.js", ["lib.js"]),
        ("a.zip", packed({"bot": bytes(ELF)}), "native", "bot", []),
        (
            *beside({"__MACOSX/._bot.py": b"x", ".DS_Store": b"x", "__pycache__/bot.pyc": b"x"}),
            *("python", "bot.py", []),
        ),
        ("no-suffix", packed({"bot.py": BOT}), "python", "bot.py", []),
    ],
)
def test_a_bot_is_accepted(name: str, data: bytes, language: str, entry: str, more: list[str]) -> None:
    found, first, files = INSPECTOR["inspect"](name, data, uploads.limits(len(data)))
    assert (found, first, sorted(files)) == (language, entry, sorted((entry, *more)))


@pytest.mark.parametrize("name", ["a.py", "a.mjs", "a"])
def test_uploads_are_looked_at_at_both_levels(name: str, level: Level, stage: Stage) -> None:
    """Each language has programs of its own in the sandbox that looks."""
    data = {"a.py": BOT, "a.mjs": b"import fs from 'fs';\nexport {};\n", "a": bytes(ELF)}[name]
    upload = inspect(name, data, level=level, stage=stage)
    assert upload.sha256 == digest(upload.files)
    assert [*upload.files.values()] == [data]


NATIVE = (
    "'{}' is native code, which a JavaScript bot cannot load. "
    "Upload a static executable called bot instead, or use only JavaScript and WebAssembly."
)
TOO_LARGE = (
    "This file has 5.1 MB. A bot can have at most 4 MB, "
    "or 64 MB if it asks for NumPy and ONNX Runtime in requirements.txt."
)
UTF_8 = "'bot.py' is not valid UTF-8: see line 1, byte {}. Save it as UTF-8."
UNPRINTABLE = "The file name {!r} has characters that cannot be printed."
LONG = "The path '{}' is too long. A path can have at most 120 characters and 8 parts."
SIMILAR = "The names '{}' and '{}' are too similar. Rename one."
SPECIAL = "'{}' is a special file. A bot can have only plain files."
ONLY_THESE = "Line {} of requirements.txt asks for {!r}. Bots can have only numpy and onnxruntime."
UNPACKS = "The zip unpacks to {} bytes. A bot can have at most {}."
DEEP = "a/a/a/a/a/a/a/a/x"
MB_64 = struct.pack("<I", 64 << 20)
BOMB = packed({"bot.py": BOT, "zeros": bytes(64 << 20)})
SMALL_BOMB = (17 << 20) + len(BOT) + len(ASKING)
REFUSED: dict[str, tuple[str, bytes, str]] = {
    "unknown": (
        *("x.tar.gz", b"\x1f\x8b"),
        "'x.tar.gz' is not a bot. "
        "Upload a .py, .js or .wasm file, a static Linux executable, or a zip with one of them.",
    ),
    "no zip": ("x.zip", b"PK\x03\x04 and no more", "The zip cannot be read: File is not a zip file."),
    "syntax beside": (*beside({"lib.py": b"x = ="}), "'lib.py' does not compile: line 1: invalid syntax."),
    "nul": ("x.py", b"x = 1\0\n", "'bot.py' does not compile: source code string cannot contain null bytes."),
    "print": (
        *("x.py", b"print 1\n"),
        "'bot.py' does not compile: line 1: Missing parentheses in call to 'print'. Did you mean print(...)?",
    ),
    "latin": ("x.py", b"# caf\xe9\n", UTF_8.format(5)),
    "utf-16": ("x.py", "x = 1\n".encode("utf-16"), UTF_8.format(0)),
    "js latin": ("x.js", b"// caf\xe9\n", "'bot.js' is not valid UTF-8: see byte 6."),
    "addon": ("x.zip", packed({"bot.js": "1;", "addon.node": "x"}), NATIVE.format("addon.node")),
    "addon, renamed": ("x.zip", packed({"bot.js": "1;", "a/w.bin": bytes(ELF)}), NATIVE.format("a/w.bin")),
    "no entry": (
        *("x.zip", packed({"main.py": BOT, "README": "x"})),
        "There is no bot.py, bot.js, bot.wasm or bot at the top of the zip, only 'README', 'main.py'.",
    ),
    "two entries": (
        *beside({"bot.js": "1;"}),
        "The zip has bot.py and bot.js. Keep only the one that starts the bot.",
    ),
    "nothing": (
        "x.zip",
        packed({}),
        "The zip has no files in it. It needs a bot.py, bot.js, bot.wasm or bot.",
    ),
    "empty entry": ("x.zip", packed({"bot.py": b""}), "'bot.py' is empty."),
    **{
        name: (*beside({name: "x"}), f"{name.replace(chr(92), '/')!r} is not a plain path inside the zip.")
        for name in ("../x", "/etc/x", "a/./x", "..\\x", "C:x")
    },
    "control": (*beside({"a\tb": "x"}), UNPRINTABLE.format("a\tb")),
    "override": (*beside({"a\u202eb": "x"}), UNPRINTABLE.format("a\u202eb")),
    "long name": (*beside({"n" * 121: "x"}), LONG.format("n" * 80 + "…")),
    "deep": (*beside({DEEP: "x"}), LONG.format(DEEP)),
    "many": (
        *beside({f"f{number}": "x" for number in range(300)}),
        "The zip has 301 files. A bot can have at most 200.",
    ),
    "very many": (
        *("x.zip", packed({f"f{number}": "" for number in range(2000)})),
        "The zip has 2000 entries. A bot can have at most 200 files.",
    ),
    "case": (*beside({"Bot.py": BOT}), SIMILAR.format("bot.py", "Bot.py")),
    "accents": (*beside({"\u00e9": "x", "e\u0301": "y"}), SIMILAR.format("\u00e9", "e\u0301")),
    "symbolic link": (
        *linked("passwd", stat.S_IFLNK, "/etc/passwd"),
        "'passwd' is a link. A bot can have only plain files.",
    ),
    "device": (*linked("zero", stat.S_IFCHR, ""), SPECIAL.format("zero")),
    "pipe": (*linked("pipe", stat.S_IFIFO, ""), SPECIAL.format("pipe")),
    "bomb": ("x.zip", BOMB, UNPACKS.format((64 << 20) + len(BOT), 16777216)),
    "lying bomb": (
        *("x.zip", patched(BOMB, MB_64, struct.pack("<I", 9))),
        "'zeros' in the zip cannot be read: Bad CRC-32 for file 'zeros'.",
    ),
    "too large without requirements": (*beside({"net.bin": NOISE}, zipfile.ZIP_STORED), TOO_LARGE),
    "too large, as its requirements are empty": (
        *beside({"noise": NOISE, "zeros": bytes(17 << 20), "requirements.txt": "# nothing\n"}),
        TOO_LARGE,
    ),
    "bomb with requirements": (
        *beside({"noise": NOISE, "zeros": bytes(129 << 20), "requirements.txt": ASKING}),
        UNPACKS.format((129 << 20) + len(BOT + NOISE) + len(ASKING), 134217728),
    ),
    "small bomb with requirements": (
        *beside({"zeros": bytes(17 << 20), "requirements.txt": ASKING}),
        f"{UNPACKS.format(SMALL_BOMB, 16777216)} "
        "If the net is larger, store it in the zip without compression.",
    ),
    "another package": (
        *beside({"requirements.txt": "numpy  # arrays\n\ntorch==2.0\n"}),
        ONLY_THESE.format(3, "torch==2.0"),
    ),
    "options of pip": (*beside({"requirements.txt": "-r other.txt\n"}), ONLY_THESE.format(1, "-r other.txt")),
    "another version": (
        *beside({"requirements.txt": "numpy==1.0\n"}),
        f"Line 1 of requirements.txt asks for numpy 1.0, but bots have {wheels.version('numpy')} here. "
        "Ask for numpy without a version.",
    ),
    "a model without requirements": (
        *beside({"nets/first.onnx": b"x"}),
        "'nets/first.onnx' is a model, which takes ONNX Runtime to run. Add a file requirements.txt with the "
        "lines numpy and onnxruntime.",
    ),
    "strange method": (
        *beside({}, zipfile.ZIP_LZMA),
        "'bot.py' is compressed with method 14. Make an ordinary zip, with files stored or deflated.",
    ),
    "not static": (
        *("x", bytes(ELF).replace(struct.pack("<I", 1) + bytes(52), struct.pack("<I", 3) + bytes(52))),
        "'bot' is not linked statically: it needs a loader. Link it with -static.",
    ),
    "arm": ("x", bytes(ELF[:18]) + b"\xb7\0" + bytes(ELF[20:]), "'bot' is not for 64-bit x86-64."),
    "object": (
        *("x", bytes(ELF[:16]) + b"\1\0" + bytes(ELF[18:])),
        "'bot' is not an executable but an ELF file of type 1.",
    ),
    "headers outside": (
        *("x", bytes(ELF[:32]) + struct.pack("<Q", 1 << 60) + bytes(ELF[40:])),
        "'bot' is damaged: it has no program headers where it says.",
    ),
    "script": ("x.zip", packed({"bot": "#!/bin/sh\n"}), "'bot' is not a Linux executable (ELF)."),
}
SYNTAX = "'bot.js' does not compile: line {}: SyntaxError: Unexpected token ';'."
REFUSED_OUTSIDE = [
    ("x.py", b"", "This file is empty."),
    ("x.py", b"#" * (5 << 20), "This file has 5.0 MB. A bot can have at most 4 MB."),
    ("x.py", b"def (:\n", "'bot.py' does not compile: line 1: invalid syntax."),
    (
        *("x.py", b"x = " + b"not " * 100_000 + b"1\n"),
        "'bot.py' does not compile: it is nested too deeply, or needs too much memory.",
    ),
    ("x.js", b"let x = ;\n", SYNTAX.format(1)),
    ("x.js", b"\nthrow new Error(;\n", SYNTAX.format(2)),
    ("x.zip", BOMB, UNPACKS.format((64 << 20) + len(BOT), 16777216)),
]


@pytest.mark.parametrize("case", REFUSED)
def test_an_upload_that_is_not_a_bot_is_refused_in_one_sentence(case: str) -> None:
    """For its author, with what was expected and what came."""
    name, data, sentence = REFUSED[case]
    with pytest.raises(INSPECTOR["Refused"]) as refusal:
        INSPECTOR["inspect"](name, data, uploads.limits(len(data)))
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(("name", "data", "sentence"), REFUSED_OUTSIDE, ids=lambda what: str(what)[:20])
def test_a_refusal_comes_out_of_the_sandbox(name: str, data: bytes, sentence: str, stage: Stage) -> None:
    with pytest.raises(UploadError) as refusal:
        inspect(name, data, level=Level.FULL, stage=stage)
    assert str(refusal.value) == sentence


def test_an_arena_without_the_packages_says_so(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(wheels.SETTING, "off")
    with pytest.raises(UploadError) as refusal:
        inspect("x.zip", packed({"bot.py": BOT, "requirements.txt": ASKING}), level=Level.FULL, stage=stage)
    assert str(refusal.value) == (
        "This arena does not offer NumPy and ONNX Runtime. "
        "Write the bot without them, and leave out requirements.txt."
    )


HOSTILE_SOURCES = {
    "nesting": b"x = " + b"(" * 100_000 + b")" * 100_000,
    "braces": b"[" * 200_000,
    "power": b"x = " + b"-" * 400_000 + b"1",
    "additions": b"x = " + b"+".join([b"1"] * 400_000),
    "attributes": b"x" + b".x" * 400_000,
    "constant folding": b"x = 'x' * (1 << 40)\ny = 7 ** 7 ** 7 ** 7\nz = 1 << (1 << 50)\n",
    "huge number": b"x = " + b"9" * 3_000_000,
}


@pytest.mark.parametrize("case", HOSTILE_SOURCES)
def test_a_source_made_to_break_the_compiler_breaks_nothing_of_ours(case: str, stage: Stage) -> None:
    """It compiles, is refused, or takes its sandbox down: all three are answers."""
    try:
        upload = inspect("x.py", HOSTILE_SOURCES[case], level=Level.FULL, stage=stage)
    except UploadError as refusal:
        sentence = str(refusal)
        assert sentence.startswith(
            ("'bot.py' does not compile: ", "The upload could not be checked: its check ")
        )
        assert not sentence.endswith((": .", "check ."))
        assert len(sentence) <= uploads.SENTENCE_CHARS
    else:
        assert upload.files == {"bot.py": HOSTILE_SOURCES[case]}


def test_whatever_goes_wrong_there_is_a_reason() -> None:
    """Also where an error of Python says nothing."""
    silent = [MemoryError(), EOFError(), ValueError(), RecursionError(), OverflowError(" "), SyntaxError()]
    for error in (*silent, SyntaxError(""), OSError(), zipfile.BadZipFile(), KeyError("x"), ValueError("a.")):
        words = INSPECTOR["reason"](error)
        assert words[:-1].strip(), error
        assert words.endswith((".", "?")), error
        assert not words.endswith(".."), error


PLACE = "/bot/bot.js:3\nError;\n^\n\n"


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        ("", "'bot.js' does not compile: exited with status 9."),
        ("Error", "'bot.js' does not compile: exited with status 9."),
        (
            "/bot/bot.js:3\nError;\n^\n\nSyntaxError: \n",
            "'bot.js' does not compile: line 3: exited with status 9.",
        ),
        (
            "/bot/bot.js:3\nError;\n^\n\nSyntaxError: no\n",
            "'bot.js' does not compile: line 3: SyntaxError: no.",
        ),
    ],
)
def test_a_script_that_node_refuses_is_refused_with_a_reason(stderr: str, expected: str) -> None:
    outcome = ErrandOutcome(b"", "", 9, "exit", "exited with status 9", stderr, 1.0, 1, {})
    assert uploads._of_script("bot.js", outcome) == expected


def said(head: object, body: bytes = b"") -> bytes:
    """What a check that was taken over might say."""
    return json.dumps(head).encode() + b"\n" + body


def bot_of(files: list[list[object]], entry: str = "bot.py") -> dict[str, object]:
    """A head as the inspector writes it."""
    return {"language": uploads.ENTRIES.get(entry, "python"), "entry": entry, "files": files}


NO_ANSWER = "The upload could not be checked: its check gave no answer."
ODD_PARTS = "The upload could not be checked: its parts do not add up."
NO_ENTRY = "The upload could not be checked: its check named no file to start."
NATIVE_CODE = "The upload could not be checked: its check let native code pass."


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (b"", NO_ANSWER),
        (b"[" * 100_000, NO_ANSWER),
        (said([]), NO_ANSWER),
        (b'{"files":[["bot.py",Infinity]],"entry":"bot.py"}\n', NO_ANSWER),
        (said({"files": 7}), NO_ANSWER),
        (said({"error": "a\nb\x1b[31m" + "c" * 900}), "a b [31m" + "c" * 391 + "…"),
        (said(bot_of([])), "The upload has 0 files. A bot has 1 to 200."),
        (said(bot_of([["../x", 1]]), b"x"), "'../x' is not a plain path inside the upload."),
        (said(bot_of([["/x", 1]]), b"x"), "'/x' is not a plain path inside the upload."),
        (said(bot_of([["a//x", 1]]), b"x"), "'a//x' is not a plain path inside the upload."),
        (said(bot_of([["a\0", 1]]), b"x"), "'a\\x00' is not a plain path inside the upload."),
        (said(bot_of([["bot.py", 9]]), b"x"), ODD_PARTS),
        (said(bot_of([["bot.py", -1], ["x", 2]]), b"x"), ODD_PARTS),
        (
            said(bot_of([["bot.py", 1], ["BOT.py", 0]]), b"x"),
            "Two file names differ only in case or accents.",
        ),
        (said(bot_of([["bot.py", 1], ["bot.py/x", 0]]), b"x"), "'bot.py' is both a file and a folder."),
        (said(bot_of([["x.py", 1]], "x.py"), b"x"), NO_ENTRY),
        (said(bot_of([["bot.js", 1], ["x", 4]], "bot.js"), b";\x7fELF"), NATIVE_CODE),
        (said(bot_of([["bot.wasm", 1], ["x", 4]], "bot.wasm"), b"\0\x7fELF"), NATIVE_CODE),
        (said({**bot_of([["bot.py", 1]]), "language": "python-onnx"}, b"x"), NO_ENTRY),
        (
            said(bot_of([["bot.py", (16 << 20) + 1]]), bytes((16 << 20) + 1)),
            "The upload could not be checked: its check let too many bytes pass.",
        ),
        (said(bot_of([["é" * 130, 1]]), b"x"), f"The path {'é' * 120!r} is too long."),
    ],
)
def test_a_check_that_was_taken_over_is_not_believed(output: bytes, sentence: str) -> None:
    """Everything it says is looked at again."""
    with pytest.raises(UploadError) as refusal:
        uploads._validated(output)
    assert str(refusal.value) == sentence


def test_the_same_files_are_the_same_bot_however_they_are_packed(stage: Stage) -> None:
    """The hash is of names and contents."""
    files = {"bot.py": BOT, "data/a.txt": b"a"}
    # As they are, in a folder, in a folder of a folder, from a tool of Windows, and below "./".
    for prefix, between in (("", "/"), ("folder/", "/"), ("a/b/", "/"), ("folder\\", "\\"), ("./", "/")):
        again = {prefix + name.replace("/", between): content for name, content in reversed(files.items())}
        kind = zipfile.ZIP_STORED if prefix else zipfile.ZIP_DEFLATED
        upload = inspect("one.zip", packed(again, kind), level=Level.FULL, stage=stage)
        assert (upload.sha256, dict(upload.files)) == (digest(files), files), prefix
    assert digest({"a": b"bc"}) != digest({"ab": b"c"})
