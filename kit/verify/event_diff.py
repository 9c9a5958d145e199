"""Compares recorded events with those of the engine, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kit.verify.findings import Findings

Choice = TypeVar("Choice")
Said = dict[str, Any]
Fields = list[tuple[str, object]]
"""Fields that differ, each with the engine's value, or None if the field should not be there."""


class Told(Protocol):
    """An event of the engine's."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""


def differences(made: dict[str, object], said: dict[str, Any]) -> Fields:
    """Return the fields that differ, with the engine's values."""
    names = sorted(made.keys() | said.keys())
    return [
        (name, made.get(name))
        for name in names
        if (name in made) != (name in said) or _plain(made.get(name)) != said.get(name)
    ]


def nearest(
    choices: Iterable[Choice],
    carry_out: Callable[[Choice], Told],
    take_back: Callable[[], object],
    said: Said,
) -> tuple[Choice, Fields] | None:
    """Return the legal choice whose event differs least from the recorded one, and the differences.

    If nothing differs, the choice has been carried out. None if no choice is legal.
    """
    best: tuple[Choice, Fields] | None = None
    for choice in choices:
        try:
            made = carry_out(choice)
        except (engine.IllegalMove, engine.NotationError):
            continue
        fields = differences(made.as_dict(), said)
        if not fields:
            return choice, fields
        if best is None or len(fields) < len(best[1]):
            best = choice, fields
        take_back()
    return best


def report(fields: Fields, said: dict[str, Any], here: str, found: Findings) -> None:
    """Note every field that differs."""
    for name, expected in fields:
        got = f"got {said[name]!r}" if name in said else "it is missing"
        found.add(
            here, name, f"expected {expected!r}, {got}" if expected is not None else f"not expected, {got}"
        )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
