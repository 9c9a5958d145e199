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
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def beside(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> tuple[str, bytes]:
    return "x.zip", packed({"bot.py": BOT, **files}, method)


NET = beside({"requirements.txt": ASKING, "net.onnx": NOISE}, zipfile.ZIP_STORED)


def linked(name: str, mode: int, content: str) -> tuple[str, bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bot.py", BOT)
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (mode | 0o644) << 16
        archive.writestr(entry, content)
    return "x.zip", out.getvalue()


def patched(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    assert len(old) == len(new)
    return data.replace(old, new)


ACCEPTED: list[tuple[str, bytes, str, str, list[str]]] = [
    ("with-bom.py", b"\xef\xbb\xbf" + BOT, "python", "bot.py", []),
    (*NET, "python-onnx", "bot.py", ["net.onnx", "requirements.txt"]),
    ("greedy.js", b"console.log(1);\n", "javascript", "bot.js", []),
    ("greedy.mjs", b"import fs from 'fs';\nexport {};\n", "javascript", "bot.mjs", []),
    ("greedy.exe", bytes(ELF), "native", "bot", []),
    ("a.zip", packed({"mine/bot.py": BOT, "mine/x.txt": b"x"}), "python", "bot.py", ["x.txt"]),
    ("a.zip", packed({"bot.js": b"1;", "lib.js": b"2;"}), "javascript", "bot.js", ["lib.js"]),
    ("no-suffix", packed({"bot": bytes(ELF)}), "native", "bot", []),
    (*beside({"__MACOSX/._bot.py": b"x", ".DS_Store": b"x"}), "python", "bot.py", []),
]


@pytest.mark.parametrize(("name", "data", "language", "entry", "more"), ACCEPTED)
def test_a_bot_is_accepted(name: str, data: bytes, language: str, entry: str, more: list[str]) -> None:
    found, first, files = INSPECTOR["inspect"](name, data, uploads.limits(len(data)))
    assert (found, first, sorted(files)) == (language, entry, sorted((entry, *more)))


@pytest.mark.parametrize("name", ["a.py", "a.mjs", "a"])
def test_uploads_are_looked_at_at_both_levels(name: str, level: Level, stage: Stage) -> None:
    data = {"a.py": BOT, "a.mjs": b"import fs from 'fs';\nexport {};\n", "a": bytes(ELF)}[name]
    upload = inspect(name, data, level=level, stage=stage)
    assert upload.sha256 == digest(upload.files)
    assert [*upload.files.values()] == [data]


UTF_8 = "'bot.py' is not valid UTF-8: see line 1, byte {}. Save it as UTF-8."
UNPACKS = "The zip unpacks to {} bytes. A bot can have at most {}."
DEEP = "a/a/a/a/a/a/a/a/x"
MB_64 = struct.pack("<I", 64 << 20)
BOMB = packed({"bot.py": BOT, "zeros": bytes(64 << 20)})
LARGER: dict[str, bytes | str] = {"noise": NOISE, "zeros": bytes(129 << 20), "requirements.txt": ASKING}
SMALL: dict[str, bytes | str] = {"zeros": bytes(17 << 20), "requirements.txt": ASKING}
LOADED = bytes(ELF).replace(struct.pack("<I", 1) + bytes(52), struct.pack("<I", 3) + bytes(52))
REFUSED: dict[str, tuple[str, bytes, str]] = {
    "unknown": ("x.tar.gz", b"\x1f\x8b", "'x.tar.gz' is not a bot."),
    "no zip": ("x.zip", b"PK\x03\x04 and no more", "The zip cannot be read: File is not a zip file."),
    "syntax beside": (*beside({"lib.py": b"x = ="}), "'lib.py' does not compile: line 1: invalid syntax."),
    "nul": ("x.py", b"x = 1\0\n", "'bot.py' does not compile: source code string cannot contain null"),
    "latin": ("x.py", b"# caf\xe9\n", UTF_8.format(5)),
    "utf-16": ("x.py", "x = 1\n".encode("utf-16"), UTF_8.format(0)),
    "js latin": ("x.js", b"// caf\xe9\n", "'bot.js' is not valid UTF-8: see byte 6."),
    "addon": ("x.zip", packed({"bot.js": "1;", "addon.node": "x"}), "'addon.node' is native code"),
    "renamed": ("x.zip", packed({"bot.js": "1;", "a/w.bin": bytes(ELF)}), "'a/w.bin' is native code"),
    "no entry": ("x.zip", packed({"main.py": BOT}), "There is no bot.py, bot.js, bot.wasm or bot at the top"),
    "two entries": (*beside({"bot.js": "1;"}), "The zip has bot.py and bot.js. Keep only the one"),
    "nothing": ("x.zip", packed({}), "The zip has no files in it."),
    "empty entry": ("x.zip", packed({"bot.py": b""}), "'bot.py' is empty."),
    **{
        name: (*beside({name: "x"}), f"{name.replace(chr(92), '/')!r} is not a plain path inside the zip.")
        for name in ("../x", "/etc/x", "a/./x", "..\\x", "C:x")
    },
    "control": (*beside({"a\tb": "x"}), "The file name 'a\\tb' has characters that cannot be"),
    "override": (*beside({"a\u202eb": "x"}), "The file name 'a\\u202eb' has characters that cannot be"),
    "long name": (*beside({"n" * 121: "x"}), f"The path '{'n' * 80}…' is too long."),
    "deep": (*beside({DEEP: "x"}), f"The path '{DEEP}' is too long."),
    "many": (*beside({f"f{number}": "x" for number in range(300)}), "The zip has 301 files."),
    "very many": ("x.zip", packed({f"f{number}": "" for number in range(2000)}), "The zip has 2000 entries."),
    "case": (*beside({"Bot.py": BOT}), "The names 'bot.py' and 'Bot.py' are too similar."),
    "accents": (
        *beside({"\u00e9": "x", "e\u0301": "y"}),
        "The names '\u00e9' and 'e\u0301' are too similar.",
    ),
    "symbolic link": (*linked("passwd", stat.S_IFLNK, "/etc/passwd"), "'passwd' is a link."),
    "device": (*linked("zero", stat.S_IFCHR, ""), "'zero' is a special file."),
    "pipe": (*linked("pipe", stat.S_IFIFO, ""), "'pipe' is a special file."),
    "bomb": ("x.zip", BOMB, UNPACKS.format((64 << 20) + len(BOT), 16777216)),
    "lying bomb": (
        *("x.zip", patched(BOMB, MB_64, struct.pack("<I", 9))),
        "'zeros' in the zip cannot be read: Bad CRC-32 for file 'zeros'.",
    ),
    "too large": (*beside({"net.bin": NOISE}, zipfile.ZIP_STORED), "This file has 5.1 MB."),
    "empty requirements": (
        *beside({**SMALL, "noise": NOISE, "requirements.txt": "# none\n"}),
        "This file has 5.1 MB.",
    ),
    "bomb with requirements": (
        *beside(LARGER),
        UNPACKS.format((129 << 20) + len(BOT + NOISE) + len(ASKING), 134217728),
    ),
    "small bomb": (*beside(SMALL), UNPACKS.format((17 << 20) + len(BOT) + len(ASKING), 16777216)),
    "torch": (*beside({"requirements.txt": "numpy  # arrays\n\ntorch==2.0\n"}), "Line 3 of requirements.txt"),
    "options": (*beside({"requirements.txt": "-r other.txt\n"}), "Line 1 of requirements.txt asks for '-r"),
    "version": (
        *beside({"requirements.txt": "numpy==1.0\n"}),
        "Line 1 of requirements.txt asks for numpy 1.0",
    ),
    "bare model": (*beside({"nets/first.onnx": b"x"}), "'nets/first.onnx' is a model, which takes ONNX"),
    "method": (*beside({}, zipfile.ZIP_LZMA), "'bot.py' is compressed with method 14."),
    "not static": ("x", LOADED, "'bot' is not linked statically: it needs a loader."),
    "arm": ("x", bytes(ELF[:18]) + b"\xb7\0" + bytes(ELF[20:]), "'bot' is not for 64-bit x86-64."),
    "object": ("x", bytes(ELF[:16]) + b"\1\0" + bytes(ELF[18:]), "'bot' is not an executable but an ELF"),
    "outside": (
        "x",
        bytes(ELF[:32]) + struct.pack("<Q", 1 << 60) + bytes(ELF[40:]),
        "'bot' is damaged: it has",
    ),
    "script": ("x.zip", packed({"bot": "#!/bin/sh\n"}), "'bot' is not a Linux executable (ELF)."),
}
SYNTAX = "'bot.js' does not compile: line {}: SyntaxError: Unexpected token ';'."
REFUSED_OUTSIDE = [
    ("x.py", b"", "This file is empty."),
    ("x.py", b"#" * (5 << 20), "This file has 5.0 MB. A bot can have at most 4 MB."),
    (
        "x.py",
        b"x = " + b"not " * 100_000 + b"1\n",
        "'bot.py' does not compile: it is nested too deeply, or needs",
    ),
    ("x.js", b"\nthrow new Error(;\n", SYNTAX.format(2)),
    ("x.zip", BOMB, UNPACKS.format((64 << 20) + len(BOT), 16777216)),
]


@pytest.mark.parametrize("case", REFUSED)
def test_an_upload_that_is_not_a_bot_is_refused_in_one_sentence(case: str) -> None:
    name, data, sentence = REFUSED[case]
    with pytest.raises(INSPECTOR["Refused"]) as refusal:
        INSPECTOR["inspect"](name, data, uploads.limits(len(data)))
    said = str(refusal.value)
    assert said.startswith(sentence)
    assert said.endswith((".", "?"))


@pytest.mark.parametrize(("name", "data", "sentence"), REFUSED_OUTSIDE, ids=lambda what: str(what)[:20])
def test_a_refusal_comes_out_of_the_sandbox(name: str, data: bytes, sentence: str, stage: Stage) -> None:
    with pytest.raises(UploadError) as refusal:
        inspect(name, data, level=Level.FULL, stage=stage)
    assert str(refusal.value).startswith(sentence)


def test_an_arena_without_the_packages_says_so(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(wheels.SETTING, "off")
    with pytest.raises(UploadError) as refusal:
        inspect("x.zip", packed({"bot.py": BOT, "requirements.txt": ASKING}), level=Level.FULL, stage=stage)
    assert str(refusal.value).startswith("This arena does not offer NumPy and ONNX Runtime.")


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
    silent = [MemoryError(), EOFError(), ValueError(), RecursionError(), OverflowError(" "), SyntaxError()]
    for error in (*silent, SyntaxError(""), OSError(), zipfile.BadZipFile(), KeyError("x"), ValueError("a.")):
        words = INSPECTOR["reason"](error)
        assert words[:-1].strip(), error
        assert words.endswith((".", "?")), error
        assert not words.endswith(".."), error


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        ("Error", "'bot.js' does not compile: exited with status 9."),
        (
            "/bot/bot.js:3\nError;\n^\n\nSyntaxError: \n",
            "'bot.js' does not compile: line 3: exited with status 9.",
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
    return {"language": uploads.ENTRIES.get(entry, "python"), "entry": entry, "files": files}


UNSURE = "The upload could not be checked: its check"
NO_ANSWER, NO_ENTRY = f"{UNSURE} gave no answer.", f"{UNSURE} named no file to start."
ODD_PARTS = "The upload could not be checked: its parts do not add up."
NATIVE_CODE = f"{UNSURE} let native code pass."


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
            f"{UNSURE} let too many bytes pass.",
        ),
        (said(bot_of([["é" * 130, 1]]), b"x"), f"The path {'é' * 120!r} is too long."),
    ],
)
def test_a_check_that_was_taken_over_is_not_believed(output: bytes, sentence: str) -> None:
    with pytest.raises(UploadError) as refusal:
        uploads._validated(output)
    assert str(refusal.value) == sentence


def test_the_same_files_are_the_same_bot_however_they_are_packed(stage: Stage) -> None:
    files = {"bot.py": BOT, "data/a.txt": b"a"}
    # As they are, in a folder, in a folder of a folder, from a tool of Windows, and below "./".
    for prefix, between in (("", "/"), ("folder/", "/"), ("a/b/", "/"), ("folder\\", "\\"), ("./", "/")):
        again = {prefix + name.replace("/", between): content for name, content in reversed(files.items())}
        kind = zipfile.ZIP_STORED if prefix else zipfile.ZIP_DEFLATED
        upload = inspect("one.zip", packed(again, kind), level=Level.FULL, stage=stage)
        assert (upload.sha256, dict(upload.files)) == (digest(files), files), prefix
    assert digest({"a": b"bc"}) != digest({"ab": b"c"})
