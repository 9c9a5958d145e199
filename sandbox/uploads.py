"""Unpacks and checks uploads inside the sandbox, then checks the result again outside.

Only `sandbox/inspector`, which is contained like a bot, opens archives and compiles sources. It returns a
list of names and sizes, and the bytes. This module trusts none of it without checking.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sandbox import BotLimits, Level, Program, SandboxUnavailable, Stage, inspections
from sandbox.errand import Errand, ErrandOutcome, run
from sandbox.model import MEBIBYTE, NODES, Language
from sandbox.staging import interpreter, store, wheels

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_COMPRESSED_BYTES: Final = 4 * MEBIBYTE
MAX_UNPACKED_BYTES: Final = 16 * MEBIBYTE
MAX_COMPRESSED_WITH_MODEL: Final = 64 * MEBIBYTE
MAX_UNPACKED_WITH_MODEL: Final = 128 * MEBIBYTE
"""A bot that has NumPy and ONNX Runtime may bring a net."""
MAX_FILES: Final = 200
MAX_NAME: Final = 120
MAX_DEPTH: Final = 8
ENTRIES: Final[Mapping[str, Language]] = {
    "bot.py": "python",
    "bot.js": "javascript",
    "bot.mjs": "javascript",
    "bot.wasm": "wasm",
    "bot": "native",
}
INSPECT_SECONDS: Final = 10.0
SMALL_ZIP: Final = " If the net is larger, store it in the zip without compression."
INSPECT_LARGE_SECONDS: Final = 30.0
PATIENCE_SECONDS: Final = 60.0
ELF_MAGIC: Final = b"\x7fELF"
HEAD_BYTES: Final = 1 << 17
SENTENCE_CHARS: Final = 400
REQUIREMENTS: Final = "requirements.txt"
NOT_OFFERED: Final = (
    "This arena does not offer NumPy and ONNX Runtime. "
    f"Write the bot without them, and leave out {REQUIREMENTS}."
)
INSPECTOR: Final = Path("runner/sandbox/inspector")


class UploadError(ValueError):
    """The upload is not a bot; `str()` is one sentence for its author."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A bot's files (path to content), the file to start, and the hash of all files."""

    files: Mapping[str, bytes]
    language: Language
    entry: str
    sha256: str
    packed: bytes | None = None
    """The files as they are stored, if somebody packed them already: for a large bot that takes seconds."""


def digest(files: Mapping[str, bytes]) -> str:
    """Return a hash over the names and contents of a bot's files, however they were packed."""
    total = hashlib.sha256()
    for name, content in sorted(files.items()):
        total.update(f"{len(name.encode())} {name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def check_size(size: int, name: str = "") -> None:
    """Raise UploadError if an upload has no bytes or too many. Call this before reading them.

    Only a zip can have requirements, and be as large as they allow.
    """
    most = MAX_COMPRESSED_WITH_MODEL if name.lower().endswith(".zip") else MAX_COMPRESSED_BYTES
    if size > most:
        got = -(-size * 10 // MEBIBYTE) / 10  # rounded up: a byte too many is not "4.0"
        raise UploadError(f"This file has {got:.1f} MB. A bot can have at most {most >> 20} MB.")
    if size == 0:
        raise UploadError("This file is empty.")


def is_large(size: int) -> bool:
    """Whether only a bot with a model may have so many bytes. Such uploads are inspected one by one."""
    return size > MAX_COMPRESSED_BYTES


def inspect(
    name: str,
    data: bytes,
    *,
    level: Level | None = None,
    stage: Stage | None = None,
    wait: float = PATIENCE_SECONDS,
) -> Upload:
    """Unpack and check an upload called `name`. It may be stored when this returns.

    However this ends, nothing of it is left on the disk. Raises `UploadError` with one sentence if it is not
    a bot, `SandboxUnavailable` if there is no sandbox to check it in (which is not the author's fault), and
    `InspectionsBusy` if this host is busy with other inspections for longer than `wait` seconds.
    """
    check_size(len(data), name)
    level = Level.of_operator() if level is None else level
    stage = Stage.ensure() if stage is None else stage
    with inspections.place(stage.root, wait, large=is_large(len(data))) as place:
        upload = _inspected(name, data, level, stage)
        if upload.language in NODES:
            _check_with_node(upload, place, level, stage)
    return upload


def _inspected(name: str, data: bytes, level: Level, stage: Stage) -> Upload:
    head = json.dumps({"name": name[:MAX_NAME], "limits": limits(len(data))}).encode()
    seconds = INSPECT_LARGE_SECONDS if is_large(len(data)) else INSPECT_SECONDS
    most = MAX_UNPACKED_WITH_MODEL if is_large(len(data)) else MAX_UNPACKED_BYTES
    errand = Errand(
        Program(stage.path / INSPECTOR, "python", "inspect_upload.py"),
        (head, b"\n", data),
        BotLimits(cpu_seconds=int(seconds)),
        seconds=2 * seconds,
        output_bytes=most + HEAD_BYTES,
    )
    outcome = run(errand, level, stage)
    if outcome.trouble or outcome.code != 0:
        what = _what_happened(outcome, errand.seconds)
        raise UploadError(f"The upload could not be checked: its check {what}.")
    upload = _validated(outcome.output)
    if upload.language == "python-onnx":
        _assert_offered(stage)
    if upload.language == "wasm" and interpreter.node() is not None and not interpreter.has_wasi():
        raise SandboxUnavailable(interpreter.OLD_NODE)
    return upload


def limits(size: int) -> dict[str, Any]:
    """What the inspector of an upload of `size` bytes is told of the limits.

    `large` holds for bots with NumPy and ONNX Runtime. Only what was sent as a large upload may unpack to
    one: it is inspected alone, and a small zip of zeros would have the memory of it without waiting its turn.
    """
    large: dict[str, Any] = {"packed": MAX_COMPRESSED_WITH_MODEL, "unpacked": MAX_UNPACKED_WITH_MODEL}
    if not is_large(size):
        large |= {"unpacked": MAX_UNPACKED_BYTES, "advice": SMALL_ZIP}
    return {
        **{"files": MAX_FILES, "name": MAX_NAME, "depth": MAX_DEPTH},
        **{"packed": MAX_COMPRESSED_BYTES, "unpacked": MAX_UNPACKED_BYTES, "large": large},
        "offered": {package: wheels.version(package) for package in wheels.PACKAGES},
    }


def _assert_offered(stage: Stage) -> None:
    """Raise `UploadError` if this arena does not offer the packages, or `SandboxUnavailable` for now."""
    if not wheels.is_offered(os.environ):
        raise UploadError(NOT_OFFERED)
    if stage.wheels is None and Stage.ensure().wheels is None:
        raise SandboxUnavailable("NumPy and ONNX Runtime are not installed", wheels.ADVICE)


def _what_happened(outcome: ErrandOutcome, seconds: float) -> str:
    if outcome.trouble == "silent":
        return f"took more than {seconds:g} seconds"
    if outcome.trouble == "flooded":
        return "gave too much output"
    return outcome.words


def _validated(output: bytes) -> Upload:
    """Check the inspector's report as if a stranger had written it."""
    start = output.find(b"\n") + 1
    head = output[: start - 1] if start else output
    try:
        said: Any = json.loads(head)
        if "error" in said:
            raise UploadError(_sentence(str(said["error"])))
        names = [(str(name), int(size)) for name, size in said["files"]]
        entry = str(said["entry"])
    except UploadError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        raise UploadError("The upload could not be checked: its check gave no answer.") from None
    _check_names([name for name, _ in names])
    if any(size < 0 for _, size in names) or sum(size for _, size in names) != len(output) - start:
        raise UploadError("The upload could not be checked: its parts do not add up.")
    files: dict[str, bytes] = {}
    for name, size in names:
        files[name] = output[start : start + size]
        start += size
    language = ENTRIES.get(entry)
    if said.get("language") == "python-onnx" and language == "python" and REQUIREMENTS in files:
        language = "python-onnx"
    if language is None or entry not in files or said.get("language") != language:
        raise UploadError("The upload could not be checked: its check named no file to start.")
    if language != "python-onnx" and sum(map(len, files.values())) > MAX_UNPACKED_BYTES:
        raise UploadError("The upload could not be checked: its check let too many bytes pass.")
    if language in NODES and any(content.startswith(ELF_MAGIC) for content in files.values()):
        raise UploadError("The upload could not be checked: its check let native code pass.")
    return Upload(files, language, entry, digest(files))


def _sentence(text: str) -> str:
    """Return a stranger's text in a form fit for a page: one printable line of limited length."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= SENTENCE_CHARS else plain[: SENTENCE_CHARS - 1] + "…"


def _check_names(names: list[str]) -> None:
    if not 1 <= len(names) <= MAX_FILES:
        raise UploadError(f"The upload has {len(names)} files. A bot has 1 to {MAX_FILES}.")
    folded = [unicodedata.normalize("NFC", name).casefold() for name in names]
    folders = {folder for name in folded for folder in _folders(name)}
    for name, same in zip(names, folded, strict=True):
        parts = name.split("/")
        if any(part in ("", ".", "..") for part in parts) or "\\" in name or not name.isprintable():
            raise UploadError(f"{name[:MAX_NAME]!r} is not a plain path inside the upload.")
        if len(name) > MAX_NAME or len(parts) > MAX_DEPTH or max(len(part.encode()) for part in parts) > 255:
            raise UploadError(f"The path {name[:MAX_NAME]!r} is too long.")
        if same in folders:
            raise UploadError(f"{name!r} is both a file and a folder.")
    if len(set(folded)) != len(folded):
        raise UploadError("Two file names differ only in case or accents.")


def _folders(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _check_with_node(upload: Upload, place: Path, level: Level, stage: Stage) -> None:
    building = place.with_name(f"{place.name}-building")  # the slot's too, so that a crash leaves nothing
    store.write_tree(place, upload.files, frozenset({upload.entry}), building)
    program = Program(place, upload.language, upload.entry, ("--check",))
    outcome = run(Errand(program, seconds=INSPECT_SECONDS), level, stage)
    if outcome.trouble:
        what = _what_happened(outcome, INSPECT_SECONDS)
        raise UploadError(f"The upload could not be checked: its check {what}.")
    if outcome.code != 0:
        raise UploadError(_sentence(_of_module(upload.entry, outcome) or _of_script(upload.entry, outcome)))


def _of_module(entry: str, outcome: ErrandOutcome) -> str:
    """Return what `sandbox/wasm/run.cjs` says of a WebAssembly module; empty if nothing."""
    said = outcome.output.decode("utf-8", "replace").strip()
    return f"{entry!r} {said}" if said else ""


def _of_script(entry: str, outcome: ErrandOutcome) -> str:
    """Return the line number and the message of node's report."""
    lines = outcome.stderr.splitlines()
    # Behind the place and the line itself, which may have the word in it.
    message = next((line for line in lines[2:] if re.match(r"\w*Error: \S", line)), outcome.words)
    _, _, number = (lines[0] if lines else "").rpartition(":")
    return f"{entry!r} does not compile: {f'line {number}: ' if number.isdigit() else ''}{message}."
