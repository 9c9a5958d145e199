"""Who else says who may enter an event: apps above this one, which tournaments do not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Tournament

    Guard = Callable[[Tournament, Any], str]

_guards: list[Guard] = []


def guard_with(guard: Guard) -> None:
    """Ask this guard from now on. It returns why a visitor may not enter an event, empty if they may.

    Apps call this from ``ready``. Organisers are never asked about.
    """
    _guards.append(guard)


def why_not(tournament: Tournament, user: Any) -> str:
    """Why a visitor, signed in or not, may not enter an event, in a sentence; empty if nothing speaks
    against it."""
    return next(filter(None, (guard(tournament, user) for guard in _guards)), "")
