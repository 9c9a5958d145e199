"""Reads what a command is given: files, folders and addresses, compressed or not, with records of games."""

from __future__ import annotations

import gzip
import http.client
import io
import json
import urllib.error
import urllib.parse
import urllib.request
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from kit.console.command import CommandError, TryAgain
from kit.site.client import describe_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LINE: Final = 64 << 20
"""Bytes; a record has about 100 KB."""
BLOCK: Final = 1 << 16
SECONDS: Final = 60
ZSTD: Final = b"\x28\xb5\x2f\xfd"
GZIP: Final = b"\x1f\x8b"


class Unreadable(CommandError):
    """A source cannot be read at all; the text is one sentence."""


class SourceUnreachable(Unreadable, TryAgain):
    """A site did not answer, or its answer broke off: try again."""


@dataclass(frozen=True, slots=True)
class Download:
    """The file that belongs to a page: its address, and a name for it."""

    url: str
    name: str


def download_of(url: str) -> Download | None:
    """Return what an arena offers to download for a page, or the file if that is the address of one.

    None for pages of anything but a game, a tournament or a leaderboard.

    >>> download_of("https://arena.example/leaderboard/crapette/3/").url
    'https://arena.example/leaderboard/crapette/bundle.jsonl?players=3'
    """
    parts = urllib.parse.urlsplit(url)
    query = ""
    match [part for part in parts.path.split("/") if part]:
        case [*_, file] if "." in file:
            return Download(url, file)
        case ["api", "v1", "games", game, *_] | ["games", game, *_]:
            path, name = f"/games/{game}/record.json", f"{game}.json"
        case ["tournaments", slug, *_]:
            path, name = f"/tournaments/{slug}/bundle.jsonl", f"{slug}.jsonl"
        case ["leaderboard", *pool, variant, seats] if seats.isdecimal() and pool in ([], ["open"]):
            path, query = f"/{'/'.join(['leaderboard', *pool, variant])}/bundle.jsonl", f"players={seats}"
            name = f"{'-'.join(['leaderboard', *pool, variant, seats])}.jsonl"
        case ["leaderboard", "open", variant]:
            path = f"/leaderboard/open/{variant}/bundle.jsonl"
            name = f"leaderboard-open-{variant}.jsonl"
        case ["leaderboard", variant, *_]:
            path, name = f"/leaderboard/{variant}/bundle.jsonl", f"leaderboard-{variant}.jsonl"
        case _:
            return None
    return Download(urllib.parse.urlunsplit(parts._replace(path=path, query=query, fragment="")), name)


@contextmanager
def open_source(source: str) -> Iterator[IO[bytes]]:
    """Open a file, or what belongs to an http(s) address, decompressed.

    Whatever goes wrong in the block while the source is read becomes Unreadable too.
    """
    with _fetched(source) as file:
        yield _unpacked(file, source)


def blocks(source: str) -> Iterator[bytes]:
    """Yield the bytes of a file, or of what belongs to an http(s) address, as they are. Raises Unreadable."""
    with _fetched(source) as file:
        while block := file.read(BLOCK):
            yield block


@contextmanager
def _fetched(source: str) -> Iterator[IO[bytes]]:
    """Open a file, or what belongs to an http(s) address, as it is."""
    try:
        with _answer(source) if "://" in source else Path(source).open("rb") as file:
            yield file
    except urllib.error.HTTPError as error:
        failed = SourceUnreachable if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR else Unreadable
        with error:
            words, _ = describe_refusal(error, source)
        raise failed(f"Cannot read {source}: {words}") from error
    except http.client.IncompleteRead as error:
        raise SourceUnreachable(f"The download of {source} was interrupted. Try again.") from error
    except http.client.HTTPException as error:
        raise SourceUnreachable(f"Cannot read the answer of {source}: {error!r}.") from error
    except (EOFError, zlib.error) as error:
        raise Unreadable(f"Cannot read {source}: {str(error).rstrip('.')}.") from error
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or error
        failed = SourceUnreachable if "://" in source else Unreadable
        raise failed(f"Cannot read {source or repr(source)}: {reason}.") from error


def _answer(source: str) -> IO[bytes]:
    """Open an http(s) address."""
    try:
        if urllib.parse.urlsplit(source).scheme in ("http", "https"):
            offered = download_of(source)
            address = source if offered is None else offered.url
            answer: IO[bytes] = urllib.request.urlopen(address, timeout=SECONDS)  # noqa: S310 (http only)
            return answer
    except (ValueError, http.client.InvalidURL) as error:
        raise Unreadable(f"Expected an http(s) address, got {source!r}: {error}.") from error
    raise Unreadable(f"Expected a file or an http(s) address, got {source!r}.")


def _unpacked(file: IO[bytes], source: str) -> IO[bytes]:
    """The file itself, or what is packed in it."""
    begun = io.BufferedReader(file)  # type: ignore[type-var]
    head = begun.peek(4)[:4]
    if head.startswith(GZIP):
        return gzip.GzipFile(fileobj=begun)  # type: ignore[return-value]
    if head == ZSTD:
        try:
            import zstandard  # noqa: PLC0415 (only archives are packed like this)
        except ImportError as error:
            raise Unreadable(f"To read {source}, install zstandard: pip install zstandard.") from error
        return io.BufferedReader(_Zstd(zstandard.ZstdDecompressor().stream_reader(begun)))
    return begun


class _Zstd(io.RawIOBase):
    """A stream of zstandard whose damage is an OSError, as gzip's is."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; return how many bytes it got."""
        try:
            return int(self._stream.readinto(buffer))
        except Exception as error:  # zstandard.ZstdError, which is known only once that is imported
            raise OSError(str(error)) from error


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines with their line ends. Raises Unreadable if a line is too long.

    What editors and other systems add is taken away: carriage returns before line ends, and blank lines at
    the end of the file.
    """
    blank: list[bytes] = []
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise Unreadable(f"Expected lines of at most {LONGEST_LINE >> 20} MiB, got a longer one.")
        if line.endswith(b"\r\n"):
            line = line[:-2] + b"\n"
        if not line.strip():
            blank.append(line)
            continue
        yield from blank
        blank.clear()
        yield line


def records(source: str) -> Iterator[dict[str, Any]]:
    """Yield every record of a game at an address, in a file, or in the files of a folder, finished or not.

    A file is one JSON object, or has one on each line; other objects, such as the rest of a bundle, are
    passed over. Raises Unreadable.
    """
    if "://" not in source and Path(source).is_dir():
        for file in sorted(Path(source).glob("*.json*")):
            yield from records(str(file))
        return
    with open_source(source) as found:
        yield from (one for one in _objects(found, source) if "events" in one)


def _objects(file: IO[bytes], source: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a file."""
    rest = lines(file)
    for number, line in enumerate(rest, start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number > 1 or line.strip() not in (b"{", b"["):
                raise Unreadable(f"Expected JSON in line {number} of {source}: {error}.") from error
            found = _whole(line + file.read(LONGEST_LINE), source)  # laid out over many lines
        if isinstance(found, dict):
            yield found


def _whole(content: bytes, source: str) -> object:
    """The one JSON value of a whole file."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"Expected JSON in {source}: {error}.") from error
