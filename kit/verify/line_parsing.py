"""Parses the lines of what ``verify`` checks."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from analysis.event_log import canonical

DEEPEST: Final = 50
"""Most levels of nested lists and objects in a line; a record has six."""


TOO_DEEP: Final = f"contains lists nested more than {DEEPEST} deep"


class Damaged(ValueError):
    """A line is not a JSON object, or not what was published; the text says where in the line."""


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
