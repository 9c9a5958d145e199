"""The differences that a verification finds."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.errors import CompetitionError

if TYPE_CHECKING:
    from collections.abc import Iterator

TOLERANCE: Final = 1e-3
"""Allowed difference between computed and published floating point numbers, absolute or relative."""

LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference: the place ("game 12ab…, event 17"), the field, and what was expected."""

    where: str
    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.field}: {self.what}" if self.field else f"{self.where}: {self.what}"


class Findings:
    """Collects differences, one per place and field."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Finding] = {}

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found.values())

    def add(self, where: str, field: str, what: str) -> None:
        """Note a difference, unless there is one for this field already."""
        self._found.setdefault((where, field), Finding(where, field, what))

    def same(self, where: str, field: str, expected: object, got: object) -> bool:
        """Return whether the two are equal (numbers nearly); note a difference if not."""
        if alike(expected, got):
            return True
        self.add(where, field, f"expected {shorten(expected)}, got {shorten(got)}")
        return False

    @contextmanager
    def reading(self, where: str, field: str = "") -> Iterator[None]:
        """Note what makes a check impossible: a field that is missing or makes no sense."""
        try:
            yield
        except KeyError as error:
            if isinstance(error.args[0], str):
                self.add(where, field or error.args[0], "is missing")
            else:
                self.add(where, field, f"refers to {error.args[0]!r}, which does not exist")
        except (
            CompetitionError,
            ValueError,
            TypeError,
            IndexError,
            AttributeError,
            ArithmeticError,
        ) as error:
            self.add(where, field, f"cannot be checked: {error}")


def alike(expected: object, got: object) -> bool:
    """Whether two JSON values are equal, floating point numbers up to the tolerance."""
    if isinstance(expected, tuple):
        expected = list(expected)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(alike, expected, got))
    if isinstance(expected, float) and isinstance(got, int | float) and not isinstance(got, bool):
        return abs(expected - got) <= TOLERANCE * max(1.0, abs(expected))
    return type(expected) is type(got) and expected == got


def shorten(value: object) -> str:
    """The quoted value, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
