"""Getting at what is to be verified: a file or an address, line by line."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from tournaments.domain.records import canonical
from tournaments.verify.findings import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LINE: Final = 64 << 20
SECONDS: Final = 60
PAGES: Final = (
    (re.compile(r"/games/[0-9a-f-]{36}/$"), "record.json"),
    (re.compile(r"/tournaments/[\w-]+/$"), "bundle.jsonl"),
    (re.compile(r"/leaderboard/[\w-]+/$"), "bundle.jsonl"),
)
"""Pages, and the file below each."""


class Damaged(ValueError):
    """A line is no JSON object, or not written as it was published; the text says where in the line."""


@contextmanager
def opened(source: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, or of an http(s) address; Unreadable with one sentence."""
    scheme = urllib.parse.urlsplit(source).scheme if "://" in source else ""
    try:
        if not scheme:
            with Path(source).open("rb") as file:
                yield file
        elif scheme in ("http", "https"):
            with urllib.request.urlopen(download(source), timeout=SECONDS) as answer:  # noqa: S310 (http only)
                yield answer
        else:
            raise Unreadable(f"Expected a file or an http(s) address, got {source!r}.")
    except urllib.error.HTTPError as error:
        raise Unreadable(f"{source} answered {error.code} {error.reason}.") from error
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or error
        raise Unreadable(f"{source or repr(source)} cannot be read: {reason}.") from error


def download(url: str) -> str:
    """The address of the file for the address of a page; other addresses as they are."""
    parts = urllib.parse.urlsplit(url)
    for pattern, name in PAGES:
        if pattern.search(parts.path):
            return urllib.parse.urlunsplit(parts._replace(path=parts.path + name, query="", fragment=""))
    return url


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """Lines with their ends; Unreadable if one is endless."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise Unreadable(f"Expected lines of at most {LONGEST_LINE >> 20} MiB, got a longer one.")
        yield line


def parse(line: bytes) -> dict[str, Any]:
    """The object of a line, which must be written exactly as this arena writes it."""
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Damaged(f"is not UTF-8 at byte {error.start + 1}{_near(line, error.start)}") from error
    except json.JSONDecodeError as error:
        at = len(error.doc[: error.pos].encode())
        raise Damaged(f"is not JSON at byte {at + 1}{_near(line, at)}: {error.msg}") from error
    except RecursionError as error:
        raise Damaged("is not JSON: too deep") from error
    if not isinstance(found, dict):
        raise Damaged(f"expected an object, got {found!r:.40}")
    try:
        text = canonical(found)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"holds what JSON cannot: {error}") from error
    if text != line.rstrip(b"\n") or line.count(b"\n") != line.endswith(b"\n"):
        pairs = enumerate(zip(text, line, strict=False))
        at = next((index for index, (one, other) in pairs if one != other), min(len(text), len(line)))
        raise Damaged(f"is not as it was published from byte {at + 1} on{_near(line, at)}")
    return found


def _near(line: bytes, at: int) -> str:
    """Which event, or else which field, stands at a place of a line, as far as that can be told."""
    numbers = re.findall(rb'"n":(\d+)', line[:at])
    following = re.search(rb'"n":(\d+)', line[at:])
    if b'"events":[' in line[:at] and b'}],"' not in line[line.find(b'"events":[') : at]:
        # An event begins with its clocks or card, and its number comes in the middle.
        begun = line.rfind(b"{", 0, at) > line.rfind(b'"n":', 0, at)
        if begun and following:
            return f" (event {int(following[1])})"
        return f" (event {int(numbers[-1])})" if numbers else " (event 0)"
    names = re.findall(rb'"([a-z_]+)":', line[: at + 1])
    return f" (field {names[-1].decode()})" if names else ""
