"""What may be uploaded, and what hostile archives and sources get for an answer."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile
from typing import TYPE_CHECKING

import pytest

from sandbox import Level, uploads
from sandbox.uploads import UploadError, digest, inspect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sandbox import Stage

BOT = b"print(1)\n"
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


def linked(name: str, mode: int, content: str) -> bytes:
    """A zip with one entry of a special kind beside a bot."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bot.py", BOT)
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (mode | 0o644) << 16
        archive.writestr(entry, content)
    return out.getvalue()


def patched(data: bytes, old: bytes, new: bytes) -> bytes:
    """The same with bytes replaced everywhere."""
    assert old in data
    assert len(old) == len(new)
    return data.replace(old, new)


@pytest.mark.parametrize(
    ("name", "data", "language", "entry", "files"),
    [
        ("greedy.py", BOT, "python", "bot.py", ["bot.py"]),
        ("with-bom.py", b"\xef\xbb\xbf" + BOT, "python", "bot.py", ["bot.py"]),
        ("greedy.js", b"console.log(1);\n", "javascript", "bot.js", ["bot.js"]),
        ("greedy.mjs", b"import fs from 'fs';\nexport {};\n", "javascript", "bot.mjs", ["bot.mjs"]),
        ("greedy", bytes(ELF), "native", "bot", ["bot"]),
        ("greedy.exe", bytes(ELF), "native", "bot", ["bot"]),
        (
            "a.zip",
            packed({"bot.py": BOT, "data/w.bin": b"\0\xff"}),
            "python",
            "bot.py",
            ["bot.py", "data/w.bin"],
        ),
        ("a.zip", packed({"mine/bot.py": BOT, "mine/x.txt": b"x"}), "python", "bot.py", ["bot.py", "x.txt"]),
        ("a.zip", packed({"bot.js": b"1;", "lib.js": b"2;"}), "javascript", "bot.js", ["bot.js", "lib.js"]),
        ("a.zip", packed({"bot": bytes(ELF)}), "native", "bot", ["bot"]),
        (
            "a.zip",
            packed(
                {"bot.py": BOT, "__MACOSX/._bot.py": b"x", ".DS_Store": b"x", "__pycache__/bot.pyc": b"x"}
            ),
            "python",
            "bot.py",
            ["bot.py"],
        ),
        ("no-suffix", packed({"bot.py": BOT}), "python", "bot.py", ["bot.py"]),
    ],
)
def test_a_bot_is_accepted(
    name: str, data: bytes, language: str, entry: str, files: list[str], stage: Stage, level: Level
) -> None:
    """As one file or in a zip, in each language."""
    upload = inspect(name, data, level=level, stage=stage)
    assert (upload.language, upload.entry, sorted(upload.files)) == (language, entry, files)
    assert upload.sha256 == digest(upload.files)


NATIVE = (
    "'{}' is native code, which a JavaScript bot cannot load. "
    "Upload a static executable called bot instead, or use JavaScript or WebAssembly alone."
)
REFUSED = {
    "empty": ("x.py", b"", "Expected a program, the file is empty."),
    "large": ("x.py", b"#" * (5 << 20), "Expected at most 4 MB, got 5.0 MB."),
    "unknown": (
        "x.tar.gz",
        b"\x1f\x8b",
        "Expected a .py or .js file, a static Linux executable, or a zip with one of them, got 'x.tar.gz'.",
    ),
    "no zip": ("x.zip", b"PK\x03\x04 and no more", "The zip cannot be read: File is not a zip file."),
    "syntax": ("x.py", b"def (:\n", "'bot.py' does not compile: line 1: invalid syntax."),
    "syntax beside": (
        "x.zip",
        packed({"bot.py": BOT, "lib.py": b"x = ="}),
        "'lib.py' does not compile: line 1: invalid syntax.",
    ),
    "nul": ("x.py", b"x = 1\0\n", "'bot.py' does not compile: source code string cannot contain null bytes."),
    "latin": ("x.py", b"# caf\xe9\n", "Expected 'bot.py' in UTF-8, byte 5 is not."),
    "utf-16": ("x.py", "x = 1\n".encode("utf-16"), "Expected 'bot.py' in UTF-8, byte 0 is not."),
    "js syntax": (
        "x.js",
        b"let x = ;\n",
        "'bot.js' does not compile: line 1: SyntaxError: Unexpected token ';'.",
    ),
    "js latin": ("x.js", b"// caf\xe9\n", "Expected 'bot.js' in UTF-8, byte 6 is not."),
    "addon": ("x.zip", packed({"bot.js": "1;", "addon.node": "x"}), NATIVE.format("addon.node")),
    "addon, renamed": (
        "x.zip",
        packed({"bot.js": "1;", "data/weights.bin": bytes(ELF)}),
        NATIVE.format("data/weights.bin"),
    ),
    "no entry": (
        "x.zip",
        packed({"main.py": BOT, "README": "x"}),
        "Expected a bot.py, bot.js or bot at the top of the zip, got 'README', 'main.py'.",
    ),
    "two entries": (
        "x.zip",
        packed({"bot.py": BOT, "bot.js": "1;"}),
        "Expected one file to start, got bot.py and bot.js.",
    ),
    "nothing": (
        "x.zip",
        packed({}),
        "Expected a zip with a bot.py, bot.js or bot in it, got one without files.",
    ),
    "empty entry": ("x.zip", packed({"bot.py": b""}), "Expected a program in 'bot.py', it is empty."),
    "parent": ("x.zip", packed({"bot.py": BOT, "../x": "x"}), "Expected paths inside the zip, got '../x'."),
    "absolute": (
        "x.zip",
        packed({"bot.py": BOT, "/etc/x": "x"}),
        "Expected paths inside the zip, got '/etc/x'.",
    ),
    "dots": ("x.zip", packed({"bot.py": BOT, "a/./x": "x"}), "Expected paths inside the zip, got 'a/./x'."),
    "backslash": (
        "x.zip",
        packed({"bot.py": BOT, "..\\x": "x"}),
        "Expected paths inside the zip, got '..\\\\x'.",
    ),
    "drive": ("x.zip", packed({"bot.py": BOT, "C:x": "x"}), "Expected paths inside the zip, got 'C:x'."),
    "control": ("x.zip", packed({"bot.py": BOT, "a\tb": "x"}), "Expected printable file names, got 'a\\tb'."),
    "override": (
        "x.zip",
        packed({"bot.py": BOT, "a\u202eb": "x"}),
        "Expected printable file names, got 'a\\u202eb'.",
    ),
    "long name": (
        "x.zip",
        packed({"bot.py": BOT, "n" * 121: "x"}),
        f"Expected paths of at most 120 characters and 8 parts, got '{'n' * 80}…'.",
    ),
    "deep": (
        "x.zip",
        packed({"bot.py": BOT, "a/a/a/a/a/a/a/a/x": "x"}),
        "Expected paths of at most 120 characters and 8 parts, got 'a/a/a/a/a/a/a/a/x'.",
    ),
    "many": (
        "x.zip",
        packed({"bot.py": BOT} | {f"f{number}": "x" for number in range(300)}),
        "Expected at most 200 files, got 301.",
    ),
    "very many": (
        "x.zip",
        packed({f"f{number}": "" for number in range(2000)}),
        "Expected at most 200 files, the zip has 2000 entries.",
    ),
    "case": (
        "x.zip",
        packed({"bot.py": BOT, "Bot.py": BOT}),
        "Expected different names, got 'bot.py' and 'Bot.py'.",
    ),
    "accents": (
        "x.zip",
        packed({"bot.py": BOT, "\u00e9": "x", "e\u0301": "y"}),
        "Expected different names, got '\u00e9' and 'e\u0301'.",
    ),
    "symbolic link": (
        "x.zip",
        linked("passwd", stat.S_IFLNK, "/etc/passwd"),
        "Expected plain files, 'passwd' is a link.",
    ),
    "device": ("x.zip", linked("zero", stat.S_IFCHR, ""), "Expected plain files, 'zero' is a special file."),
    "pipe": ("x.zip", linked("pipe", stat.S_IFIFO, ""), "Expected plain files, 'pipe' is a special file."),
    "bomb": (
        "x.zip",
        packed({"bot.py": BOT, "zeros": bytes(64 << 20)}),
        f"Expected at most 16777216 bytes unpacked, the zip says {(64 << 20) + len(BOT)}.",
    ),
    "lying bomb": (
        "x.zip",
        patched(
            packed({"bot.py": BOT, "zeros": bytes(64 << 20)}),
            struct.pack("<I", 64 << 20),
            struct.pack("<I", 9),
        ),
        "'zeros' in the zip cannot be read: Bad CRC-32 for file 'zeros'.",
    ),
    "strange method": (
        "x.zip",
        packed({"bot.py": BOT}, zipfile.ZIP_LZMA),
        "Expected stored or deflated files, 'bot.py' is packed by method 14.",
    ),
    "not static": (
        "x",
        bytes(ELF).replace(struct.pack("<I", 1) + bytes(52), struct.pack("<I", 3) + bytes(52)),
        "Expected 'bot' to be linked statically, it wants a loader (link with -static).",
    ),
    "arm": (
        "x",
        bytes(ELF[:18]) + struct.pack("<H", 183) + bytes(ELF[20:]),
        "Expected 'bot' to be for 64-bit x86-64, it is for another machine.",
    ),
    "object": (
        "x",
        bytes(ELF[:16]) + struct.pack("<H", 1) + bytes(ELF[18:]),
        "Expected 'bot' to be an executable, it is an object of kind 1.",
    ),
    "headers outside": (
        "x",
        bytes(ELF[:32]) + struct.pack("<Q", 1 << 60) + bytes(ELF[40:]),
        "'bot' has no program headers where it says.",
    ),
    "script": (
        "x.zip",
        packed({"bot": "#!/bin/sh\n"}),
        "Expected 'bot' to be a Linux executable (ELF), it is not.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_upload_that_is_not_a_bot_is_refused_in_one_sentence(case: str, stage: Stage) -> None:
    """For its author, with what was expected and what came."""
    name, data, sentence = REFUSED[case]
    with pytest.raises(UploadError) as refusal:
        inspect(name, data, level=Level.FULL, stage=stage)
    assert str(refusal.value) == sentence


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
        assert len(sentence) <= uploads.SENTENCE_CHARS
    else:
        assert upload.files == {"bot.py": HOSTILE_SOURCES[case]}


def said(head: object, body: bytes = b"") -> bytes:
    """What a check that was taken over might say."""
    return json.dumps(head).encode() + b"\n" + body


def bot_of(files: list[list[object]], entry: str = "bot.py") -> dict[str, object]:
    """A head as the inspector writes it."""
    return {"language": uploads.ENTRIES.get(entry, "python"), "entry": entry, "files": files}


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (b"", "The upload could not be checked: its check gave no answer."),
        (b"[" * 100_000, "The upload could not be checked: its check gave no answer."),
        (said([]), "The upload could not be checked: its check gave no answer."),
        (said({"files": 7}), "The upload could not be checked: its check gave no answer."),
        (said({"error": "a\nb\x1b[31m" + "c" * 900}), "a b [31m" + "c" * 391 + "…"),
        (said(bot_of([])), "Expected 1 to 200 files, got 0."),
        (said(bot_of([["../x", 1]]), b"x"), "Expected paths inside the upload, got '../x'."),
        (said(bot_of([["/x", 1]]), b"x"), "Expected paths inside the upload, got '/x'."),
        (said(bot_of([["a//x", 1]]), b"x"), "Expected paths inside the upload, got 'a//x'."),
        (said(bot_of([["a\0", 1]]), b"x"), "Expected paths inside the upload, got 'a\\x00'."),
        (said(bot_of([["bot.py", 9]]), b"x"), "The upload could not be checked: its parts do not add up."),
        (
            said(bot_of([["bot.py", -1], ["x", 2]]), b"x"),
            "The upload could not be checked: its parts do not add up.",
        ),
        (
            said(bot_of([["bot.py", 1], ["BOT.py", 0]]), b"x"),
            "Expected different names, two of them differ in case or accents only.",
        ),
        (
            said(bot_of([["bot.py", 1], ["bot.py/x", 0]]), b"x"),
            "Expected 'bot.py' to be a file or a folder, it is both.",
        ),
        (
            said(bot_of([["x.py", 1]], "x.py"), b"x"),
            "The upload could not be checked: its check named no file to start.",
        ),
        (
            said(bot_of([["bot.js", 1], ["x", 4]], "bot.js"), b";\x7fELF"),
            "The upload could not be checked: its check let native code pass.",
        ),
        (said(bot_of([["é" * 130, 1]]), b"x"), f"Expected shorter paths, got {'é' * 120!r}."),
    ],
)
def test_a_check_that_was_taken_over_is_not_believed(output: bytes, sentence: str) -> None:
    """Everything it says is looked at again."""
    with pytest.raises(UploadError) as refusal:
        uploads._validated(output)
    assert str(refusal.value) == sentence


def test_the_same_files_are_the_same_bot_however_they_are_packed(stage: Stage) -> None:
    """The hash is of names and contents."""
    files = {"bot.py": BOT, "a.txt": b"a"}
    again = {f"folder/{name}": content for name, content in reversed(files.items())}
    one = inspect("one.zip", packed(files), level=Level.FULL, stage=stage)
    other = inspect("two.zip", packed(again, zipfile.ZIP_STORED), level=Level.FULL, stage=stage)
    assert one.sha256 == other.sha256 == digest(files)
    assert digest({"a": b"bc"}) != digest({"ab": b"c"})
