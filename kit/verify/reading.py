"""Reads the input of ``verify``, a file or an address, line by line."""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from analysis.records import canonical
from kit.verify.findings import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LINE: Final = 64 << 20
SECONDS: Final = 60
PAGES: Final = (
    (re.compile(r"/games/[0-9a-f-]{36}/$"), "record.json"),
    (re.compile(r"/tournaments/[\w-]+/$"), "bundle.jsonl"),
    (re.compile(r"/leaderboard/[\w-]+/$"), "bundle.jsonl"),
)
"""Patterns of page addresses, and the file to download for each."""
DEEPEST: Final = 50
"""Most levels of nested lists and objects in a line; a record has six."""


TOO_DEEP: Final = f"contains lists nested more than {DEEPEST} deep"


class Damaged(ValueError):
    """A line is not a JSON object, or not what was published; the text says where in the line."""


@contextmanager
def opened(source: str) -> Iterator[IO[bytes]]:
    """Open a file or an http(s) address. Raises Unreadable with one sentence."""
    try:
        with _answer(source) if "://" in source else Path(source).open("rb") as file:
            yield file
    except urllib.error.HTTPError as error:
        raise Unreadable(f"{source} answered {error.code} {error.reason}.") from error
    except http.client.IncompleteRead as error:
        raise Unreadable(f"The download of {source} was interrupted. Try again.") from error
    except http.client.HTTPException as error:
        raise Unreadable(f"Cannot read the answer of {source}: {error!r}.") from error
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or error
        raise Unreadable(f"Cannot read {source or repr(source)}: {reason}.") from error


def _answer(source: str) -> IO[bytes]:
    """Open an http(s) address."""
    try:
        if urllib.parse.urlsplit(source).scheme in ("http", "https"):
            answer: IO[bytes] = urllib.request.urlopen(download(source), timeout=SECONDS)  # noqa: S310 (http only)
            return answer
    except (ValueError, http.client.InvalidURL) as error:
        raise Unreadable(f"Expected an http(s) address, got {source!r}: {error}.") from error
    raise Unreadable(f"Expected a file or an http(s) address, got {source!r}.")


def download(url: str) -> str:
    """Return the address of the file that belongs to a page; any other address is returned as it is."""
    parts = urllib.parse.urlsplit(url)
    for pattern, name in PAGES:
        if pattern.search(parts.path):
            return urllib.parse.urlunsplit(parts._replace(path=parts.path + name, query="", fragment=""))
    return url


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines with their line ends. Raises Unreadable if a line is too long."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise Unreadable(f"Expected lines of at most {LONGEST_LINE >> 20} MiB, got a longer one.")
        yield line


def parse(line: bytes) -> dict[str, Any]:
    """Return the object in a line, which must be written exactly as the arena writes it."""
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Damaged(f"is not UTF-8 at byte {error.start + 1}{_near(line, error.start)}") from error
    except json.JSONDecodeError as error:
        at = len(error.doc[: error.pos].encode())
        raise Damaged(f"is not JSON at byte {at + 1}{_near(line, at)}: {error.msg}") from error
    except RecursionError as error:
        raise Damaged(TOO_DEEP) from error
    except ValueError as error:  # a number of thousands of digits
        raise Damaged("contains a number with thousands of digits") from error
    if not isinstance(found, dict):
        raise Damaged(f"expected an object, got {found!r:.40}")
    if _deep(found):
        raise Damaged(TOO_DEEP)
    try:
        text = canonical(found)
    except ValueError as error:
        raise Damaged(f"contains something JSON cannot express: {error}") from error
    if text != line.rstrip(b"\n") or line.count(b"\n") != line.endswith(b"\n"):
        pairs = enumerate(zip(text, line, strict=False))
        at = next((index for index, (one, other) in pairs if one != other), min(len(text), len(line)))
        raise Damaged(f"differs from what was published at byte {at + 1}{_near(line, at)}")
    return found


def _deep(found: dict[str, Any]) -> bool:
    """Whether lists and objects are nested deeper than anything published."""
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _near(line: bytes, at: int) -> str:
    """Name the event, or else the field, at a position in a line, as far as that is known."""
    numbers = re.findall(rb'"n":(\d+)', line[:at])
    following = re.search(rb'"n":(\d+)', line[at:])
    if b'"events":[' in line[:at] and b'}],"' not in line[line.find(b'"events":[') : at]:
        # An event begins with its clocks or card; its number comes in the middle.
        begun = line.rfind(b"{", 0, at) > line.rfind(b'"n":', 0, at)
        if begun and following:
            return f" (event {int(following[1])})"
        return f" (event {int(numbers[-1])})" if numbers else " (event 0)"
    names = re.findall(rb'"([a-z_]+)":', line[: at + 1])
    return f" (field {names[-1].decode()})" if names else ""
