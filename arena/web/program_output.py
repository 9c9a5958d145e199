"""What a program wrote, line by line, with what matters in it: where it broke, and with which error."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ERROR: Final = re.compile(
    r"(Uncaught )?([\w.]+\.)?\w*(Error|Exception|Interrupt|Exit)\b(:|$)"  # Python and JavaScript
    r"|thread '.*' panicked|fatal error|panic: |error(\[\w+\])?: |Segmentation fault|Assertion .* failed"
)
"""How languages begin the line that names an error."""
PLACE: Final = re.compile(r'\s*File ".*", line \d+|\s+at .*:\d+(:\d+)?\)?$|\s*[\w./-]+:\d+:\d+')
"""How they say where."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line, and what it is: an error, a place in a program, or nothing special."""

    text: str
    kind: str = ""


def log_lines(text: str) -> Iterator[LogLine]:
    """The lines of a text; the last one needs no line end."""
    for line in text.rstrip("\n").split("\n"):
        yield LogLine(line, "error" if ERROR.match(line) else "place" if PLACE.match(line) else "")
