"""What people are shown of puzzles: which one comes next, and how somebody has done so far."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from friendlies.puzzles.models import Attempt, Puzzle, Solver

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from arena.accounts.models import User

NEAREST: Final = 12
"""Puzzles about as hard as a solver is strong, of which one is drawn."""


def attempt_of(puzzle: Puzzle, user: User | AnonymousUser) -> Attempt | None:
    """A person's first try at a puzzle, if there was one."""
    if not user.is_authenticated:
        return None
    return Attempt.objects.filter(puzzle=puzzle, solver=user.pk).first()


def solver_of(user: User | AnonymousUser) -> Solver | None:
    """A person as a solver, once they have tried a puzzle."""
    return Solver.objects.filter(pk=user.pk).first() if user.is_authenticated else None


def next_for(user: User | AnonymousUser, after: Puzzle | None = None) -> Puzzle | None:
    """A puzzle that a person has not tried, about as hard as they are strong; None if there is none.

    Whoever is not signed in gets the one that comes `after` another, round and round.
    """
    if not user.is_authenticated:
        rest = Puzzle.objects.order_by("key")
        return (rest.filter(key__gt=after.key).first() if after else _any(rest.count())) or rest.first()
    rating = (solver_of(user) or Solver()).rating
    rest = Puzzle.objects.exclude(attempts__solver=user.pk)
    if after is not None:
        rest = rest.exclude(pk=after.pk)
    harder = rest.filter(rating__gte=rating).order_by("rating", "pk")[:NEAREST]
    easier = rest.filter(rating__lt=rating).order_by("-rating", "pk")[:NEAREST]
    near = sorted((*harder, *easier), key=lambda one: abs(one.rating - rating))[:NEAREST]
    return secrets.choice(near) if near else None


def _any(count: int) -> Puzzle | None:
    return Puzzle.objects.order_by("key")[secrets.randbelow(count) :].first() if count else None


def latest(solver: Solver, most: int) -> list[Attempt]:
    """A solver's last first tries, newest first."""
    return list(solver.attempts.select_related("puzzle")[:most])
