"""Runs inside the sandbox: unpacks an upload and says what it is, or in one sentence why it is not a bot.

Standard input: one JSON line {"name", "limits"}, then the bytes of the upload. Standard output: either
{"error": sentence}, or {"language", "entry", "files": [[name, size], …]} and then the contents, one after the
other. Whoever reads that must not trust it: the archive may have taken over this process.
"""

from __future__ import annotations

import io
import json
import re
import stat
import sys
import unicodedata
import warnings
import zipfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENTRIES = {
    "bot.py": "python",
    "bot.js": "javascript",
    "bot.mjs": "javascript",
    "bot.wasm": "wasm",
    "bot": "native",
}
NODES = {
    "javascript": ("JavaScript", "use only JavaScript and WebAssembly"),
    "wasm": ("WebAssembly", "leave this file out"),
}
"""What node runs: how pages call it, and what its author can do about native code."""
LITTER = frozenset({"__MACOSX", "__pycache__", ".DS_Store", "Thumbs.db", ".git", ".idea", ".vscode"})
ELF_MAGIC = b"\x7fELF"
WASM_MAGIC = b"\0asm"
WASM_MODULE, WASM_COMPONENT = b"\0\0", b"\1\0"
MACHINE_X86_64 = 62
REQUIREMENTS = "requirements.txt"
REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:==\s*([0-9][0-9A-Za-z.]*)|[<>=!~].*)?$")
MODEL = ".onnx"
EXECUTABLE, SHARED = 2, 3
LOAD, INTERPRETER = 1, 3
PROGRAM_HEADER_BYTES = 56
MEBIBYTE = 1 << 20
METHODS = {zipfile.ZIP_STORED: "stored", zipfile.ZIP_DEFLATED: "deflated"}
QUOTED = 80


class Refused(Exception):
    """The upload is not a bot; the message is a sentence for its author."""


def reason(error: Exception) -> str:
    """Why, as the end of a sentence. Some errors of Python say nothing: these get words of ours."""
    line, said = "", str(error)
    if isinstance(error, SyntaxError):
        line, said = f"line {error.lineno}: " if error.lineno else "", str(error.msg or "invalid syntax")
    elif isinstance(error, MemoryError):
        said = "it is nested too deeply, or needs too much memory"
    elif isinstance(error, EOFError):
        said = "it ends too early"
    said = said.strip() or type(error).__name__
    return f"{line}{said}{'' if said.endswith(('.', '?', '!')) else '.'}"


def quote(name: str) -> str:
    """A name from the archive, short enough for a sentence."""
    return repr(name if len(name) <= QUOTED else name[:QUOTED] + "…")


def unpack(data: bytes, limits: dict[str, Any]) -> dict[str, bytes]:
    """Return the files of a zip, without clutter and without a single folder around them."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, UnicodeDecodeError) as error:
        raise Refused(f"The zip cannot be read: {reason(error)}") from None
    if len(members) > 4 * limits["files"]:
        raise Refused(f"The zip has {len(members)} entries. A bot can have at most {limits['files']} files.")
    for member in members:
        # As some tools write them: folders with Windows' separator, and everything below "./".
        member.filename = member.filename.replace("\\", "/").removeprefix("./")
    wanted = [member for member in members if member.filename and not litter(member.filename)]
    limits = limits_for(wanted, limits)
    check_packed(len(data), limits)
    check_members(wanted, limits)
    files: dict[str, bytes] = {}
    total = 0
    for member in wanted:
        if member.is_dir():
            continue
        content = read_member(archive, member, limits["unpacked"] - total)
        total += len(content)
        files[member.filename] = content
    if not files:
        raise Refused("The zip has no files in it. It needs a bot.py, bot.js, bot.wasm or bot.")
    return without_top_folder(files)


def limits_for(members: list[zipfile.ZipInfo], limits: dict[str, Any]) -> dict[str, Any]:
    """Return the limits that hold for a zip: larger ones with requirements at its top."""
    large = any(member.filename.rpartition("/")[2] == REQUIREMENTS for member in members)
    return {**limits, **limits["large"]} if large else limits


def check_packed(size: int, limits: dict[str, Any]) -> None:
    """Refuse what is larger as sent than its language allows."""
    if size > limits["packed"]:
        got = -(-size * 10 // MEBIBYTE) / 10
        raise Refused(
            f"This file has {got:.1f} MB. A bot can have at most {limits['packed'] // MEBIBYTE} MB, "
            f"or {limits['large']['packed'] // MEBIBYTE} MB if it asks for NumPy and ONNX Runtime in "
            f"{REQUIREMENTS}."
        )


def litter(name: str) -> bool:
    """Whether an entry is something that file managers and editors leave behind."""
    return not LITTER.isdisjoint(name.split("/")) or name.endswith(".pyc")


def check_members(members: list[zipfile.ZipInfo], limits: dict[str, Any]) -> None:
    """Check the directory of the zip before unpacking anything."""
    seen: dict[str, str] = {}
    for member in members:
        name = member.filename
        check_name(name.rstrip("/") if member.is_dir() else name, limits)
        same = unicodedata.normalize("NFC", name).casefold().rstrip("/")
        if same in seen:
            raise Refused(f"The names {quote(seen[same])} and {quote(name)} are too similar. Rename one.")
        seen[same] = name
        if member.flag_bits & 1:
            raise Refused(f"{quote(name)} is encrypted. Zip the files without a password.")
        if member.compress_type not in METHODS:
            raise Refused(
                f"{quote(name)} is compressed with method {member.compress_type}. "
                "Make an ordinary zip, with files stored or deflated."
            )
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = "a link" if kind == stat.S_IFLNK else "a special file"
            raise Refused(f"{quote(name)} is {what}. A bot can have only plain files.")
    count = sum(not member.is_dir() for member in members)
    if count > limits["files"]:
        raise Refused(f"The zip has {count} files. A bot can have at most {limits['files']}.")
    total = sum(member.file_size for member in members)
    if total > limits["unpacked"]:
        raise Refused(
            f"The zip unpacks to {total} bytes. A bot can have at most {limits['unpacked']}."
            f"{limits.get('advice', '')}"
        )


def check_name(name: str, limits: dict[str, Any]) -> None:
    """Refuse a path that leaves the bot's folder or that some systems interpret differently."""
    if name.startswith("/") or (len(name) > 1 and name[1] == ":"):
        raise Refused(f"{quote(name)} is not a plain path inside the zip.")
    if not all(part not in ("", ".", "..") for part in name.split("/")):
        raise Refused(f"{quote(name)} is not a plain path inside the zip.")
    if not name.isprintable():
        raise Refused(f"The file name {quote(name)} has characters that cannot be printed.")
    if len(name) > limits["name"] or name.count("/") >= limits["depth"]:
        raise Refused(
            f"The path {quote(name)} is too long. A path can have at most {limits['name']} characters and "
            f"{limits['depth']} parts."
        )


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int) -> bytes:
    """Return one file's content, at most `room` bytes whatever the directory says."""
    try:
        with archive.open(member) as file:
            content = file.read(room + 1)
    except Exception as error:
        raise Refused(f"{quote(member.filename)} in the zip cannot be read: {reason(error)}") from None
    if len(content) > room or len(content) != member.file_size:
        raise Refused(f"{quote(member.filename)} does not unpack to the size the zip says.")
    return content


def without_top_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Strip the folder that contains all files, and another in it, as far as there are such."""
    while all("/" in name for name in files) and len({name.partition("/")[0] for name in files}) == 1:
        files = {name.partition("/")[2]: content for name, content in files.items()}
    return files


def choose_entry(files: dict[str, bytes]) -> str:
    """Return the name of the file to start."""
    found = [name for name in ENTRIES if name in files]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(f"The zip has {' and '.join(found)}. Keep only the one that starts the bot.")
    some = ", ".join(quote(name) for name in sorted(files)[:5])
    raise Refused(f"There is no bot.py, bot.js, bot.wasm or bot at the top of the zip, only {some}.")


def asks_for_packages(files: dict[str, bytes], offered: dict[str, str]) -> bool:
    """Whether a Python bot names packages in requirements.txt. `offered` is the version of each here."""
    if REQUIREMENTS not in files:
        model = next((name for name in files if name.endswith(MODEL)), None)
        if model is not None:
            raise Refused(
                f"{quote(model)} is a model, which takes ONNX Runtime to run. Add a file {REQUIREMENTS} "
                "with the lines numpy and onnxruntime."
            )
        return False
    asked = False
    for number, line in enumerate(files[REQUIREMENTS].decode("utf-8", "replace").splitlines(), 1):
        text = line.partition("#")[0].strip()
        if text:
            check_requirement(text, number, offered)
            asked = True
    return asked


def check_requirement(text: str, number: int, offered: dict[str, str]) -> None:
    """Refuse a line of requirements.txt that asks for something that is not here."""
    found = REQUIREMENT.match(text)
    name = found[1].lower().replace("_", "-") if found else ""
    if not found or name not in offered:
        raise Refused(
            f"Line {number} of {REQUIREMENTS} asks for {quote(text)}. Bots can have only "
            f"{' and '.join(offered)}."
        )
    if found[2] and offered[name] and found[2] != offered[name]:
        raise Refused(
            f"Line {number} of {REQUIREMENTS} asks for {name} {found[2][:QUOTED]}, but bots have "
            f"{offered[name]} here. Ask for {name} without a version."
        )


def check_python(files: dict[str, bytes]) -> None:
    """Every Python file must be UTF-8 and compile."""
    warnings.simplefilter("ignore")
    for name, content in files.items():
        if not name.endswith(".py"):
            continue
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise Refused(
                f"{quote(name)} is not valid UTF-8: see line {line}, byte {error.start}. Save it as UTF-8."
            ) from None
        try:
            compile(text, name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            raise Refused(f"{quote(name)} does not compile: {reason(error)}") from None


def check_no_native(language: str, files: dict[str, bytes]) -> None:
    """Refuse machine code beside a program that node runs: nothing honest could load it."""
    called, instead = NODES[language]
    for name, content in files.items():
        if name.lower().endswith(".node") or content[:4] == ELF_MAGIC:
            raise Refused(
                f"{quote(name)} is native code, which a {called} bot cannot load. "
                f"Upload a static executable called bot instead, or {instead}."
            )


def check_javascript(entry: str, files: dict[str, bytes]) -> None:
    """Check for UTF-8. Node checks the syntax in a sandbox of its own."""
    try:
        files[entry].decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{quote(entry)} is not valid UTF-8: see byte {error.start}.") from None


def check_wasm(name: str, content: bytes) -> None:
    """Check for a WebAssembly module by its first bytes. Node checks the rest in a sandbox of its own."""
    if content[:4] != WASM_MAGIC or len(content) < 8:
        raise Refused(f"{quote(name)} is not a WebAssembly module.")
    if content[6:8] == WASM_COMPONENT:
        raise Refused(
            f"{quote(name)} is a WebAssembly component. Bots are plain modules: build it for WASI preview 1 "
            "(wasm32-wasip1)."
        )
    if content[6:8] != WASM_MODULE:
        raise Refused(f"{quote(name)} is WebAssembly of a kind that is not known here.")


def check_native(name: str, content: bytes) -> None:
    """Check for a static x86-64 executable, since the sandbox has no loader and no libraries for it."""
    if content[:4] != ELF_MAGIC or len(content) < 64:
        raise Refused(f"{quote(name)} is not a Linux executable (ELF).")
    machine, kind = int.from_bytes(content[18:20], "little"), int.from_bytes(content[16:18], "little")
    if content[4:6] != b"\x02\x01" or machine != MACHINE_X86_64:
        raise Refused(f"{quote(name)} is not for 64-bit x86-64.")
    if kind not in (EXECUTABLE, SHARED):
        raise Refused(f"{quote(name)} is not an executable but an ELF file of type {kind}.")
    start, size = int.from_bytes(content[32:40], "little"), int.from_bytes(content[54:56], "little")
    count = int.from_bytes(content[56:58], "little")
    if size != PROGRAM_HEADER_BYTES or not count or start + size * count > len(content):
        raise Refused(f"{quote(name)} is damaged: it has no program headers where it says.")
    headers = [
        int.from_bytes(content[start + size * i : start + size * i + 4], "little") for i in range(count)
    ]
    if INTERPRETER in headers:
        raise Refused(f"{quote(name)} is not linked statically: it needs a loader. Link it with -static.")
    if LOAD not in headers:
        raise Refused(f"{quote(name)} is damaged: it has nothing to load.")


def language_of(entry: str, files: dict[str, bytes], offered: dict[str, str]) -> str:
    """The language of the file to start."""
    language = ENTRIES[entry]
    return "python-onnx" if language == "python" and asks_for_packages(files, offered) else language


def inspect(name: str, data: bytes, limits: dict[str, Any]) -> tuple[str, str, dict[str, bytes]]:
    """Return (language, entry, files) of an upload called `name`."""
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06") or suffix == "zip":
        files = unpack(data, limits)
    elif data[:4] == ELF_MAGIC:
        files = {"bot": data}
    elif data[:4] == WASM_MAGIC:
        files = {"bot.wasm": data}
    elif suffix in ("py", "js", "mjs", "wasm"):
        files = {f"bot.{suffix}": data}
    else:
        raise Refused(
            f"{quote(name)} is not a bot. Upload a .py, .js or .wasm file, a static Linux executable, "
            "or a zip with one of them."
        )
    entry = choose_entry(files)
    if not files[entry]:
        raise Refused(f"{quote(entry)} is empty.")
    language = language_of(entry, files, limits["offered"])
    if language != "python-onnx":
        check_packed(len(data), limits)  # what passes has unpacked to no more than such a bot may have
    if language == "native":
        check_native(entry, files[entry])
    if language in NODES:
        check_no_native(language, files)
    if language == "javascript":
        check_javascript(entry, files)
    if language == "wasm":
        check_wasm(entry, files[entry])
    check_python(files)
    return language, entry, files


def main() -> None:
    """Read the upload and write the verdict."""
    asked: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    try:
        language, entry, files = inspect(asked["name"], data, asked["limits"])
    except Refused as refusal:
        sys.stdout.buffer.write(json.dumps({"error": str(refusal)}).encode() + b"\n")
        return
    sizes = [[name, len(content)] for name, content in files.items()]
    head = {"language": language, "entry": entry, "files": sizes}
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n")
    for content in files.values():
        sys.stdout.buffer.write(content)


if __name__ == "__main__":
    main()
