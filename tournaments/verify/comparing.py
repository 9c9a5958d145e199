"""What an event says against what the engine makes of it, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tournaments.verify.findings import Findings

Fields = list[tuple[str, object]]
"""Fields that differ, each with what the engine says; None if it should not be there."""


def differences(made: dict[str, object], said: dict[str, Any]) -> Fields:
    """Fields that differ, with what the engine says."""
    names = sorted(made.keys() | said.keys())
    return [
        (name, made.get(name))
        for name in names
        if (name in made) != (name in said) or _plain(made.get(name)) != said.get(name)
    ]


def report(fields: Fields, said: dict[str, Any], here: str, found: Findings) -> None:
    """Note every field that differs."""
    for name, expected in fields:
        got = f"got {said[name]!r}" if name in said else "it is missing"
        found.add(
            here, name, f"expected {expected!r}, {got}" if expected is not None else f"not expected, {got}"
        )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
