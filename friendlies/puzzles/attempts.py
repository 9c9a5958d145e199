"""First tries at puzzles: each is rated once, whatever is tried afterwards or in another tab.

A guest's are kept in the session, and rated once it belongs to an account.

The puzzle of the day: each day (UTC) has one that no other day had.
"""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.db.models import F

from friendlies.puzzles.models import Attempt, Puzzle, Solver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import AnonymousUser
    from django.contrib.sessions.backends.base import SessionBase

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


TRIES: Final = "puzzle_tries"
"""Where a guest's session keeps the first tries: the moves and whether they won, by puzzle."""
MOST_KEPT: Final = 20
"""So many of them: the newest."""


def keep_try(session: SessionBase, puzzle: int, moves: Sequence[str], *, solved: bool) -> None:
    """Keep a guest's first try at a puzzle."""
    tries = session.get(TRIES, {})
    if str(puzzle) in tries:
        return
    session[TRIES] = dict([*tries.items(), (str(puzzle), [list(moves), solved])][-MOST_KEPT:])


def solved_as_guest(session: SessionBase, puzzle: int) -> bool | None:
    """Whether a guest's first try at a puzzle solved it; None if there was none."""
    kept = session.get(TRIES, {}).get(str(puzzle))
    return None if kept is None else bool(kept[1])


def adopt(user: User | AnonymousUser, session: SessionBase) -> None:
    """Rate what somebody tried as a guest, now that they have an account."""
    if not user.is_authenticated or TRIES not in session:
        return
    tries = session.pop(TRIES)
    for puzzle in Puzzle.objects.filter(pk__in=tries).values_list("pk", flat=True):
        moves, solved = tries[str(puzzle)]
        first_try(puzzle, user, moves, solved=solved)


@transaction.atomic
def first_try(puzzle: int, user: User, moves: Sequence[str], *, solved: bool) -> tuple[Attempt, bool]:
    """Rate a person's first try at a puzzle; return it, and whether this was it.

    Solver and puzzle meet as two players of Glicko-2 do in a period of one game: the solver wins by solving.
    """
    row = Puzzle.objects.select_for_update().get(pk=puzzle)
    Solver.objects.get_or_create(user=user)
    solver = Solver.objects.select_for_update().get(user=user)
    before = Attempt.objects.filter(puzzle=row, solver=solver).first()
    if before is not None:
        return before, False
    old, score = solver.glicko, 1.0 if solved else 0.0
    attempt = Attempt(
        puzzle=row, solver=solver, moves=list(moves), solved=solved, rating_before=solver.rating
    )
    solver.take(old.after([(row.glicko, score)]))
    row.take(row.glicko.after([(old, 1.0 - score)]))
    attempt.rating_after = solver.rating
    for rated in (row, solver):
        rated.tried, rated.solved = F("tried") + 1, F("solved") + int(solved)
        rated.save()
    attempt.save()
    return attempt, True


def day_now() -> date:
    """The day it is."""
    return datetime.now(UTC).date()


def today() -> Puzzle | None:
    """Return today's puzzle, chosen when it is first asked for; None if there is none left."""
    return of_day(day_now())


def of_day(day: date) -> Puzzle | None:
    """Return the puzzle of a day; one that few have tried, if it has none yet."""
    found = Puzzle.objects.filter(day=day).first()
    if found is not None:
        return found
    free = Puzzle.objects.filter(day=None).order_by("tried", "-pk").first()
    if free is None:
        return None
    try:
        with transaction.atomic():
            Puzzle.objects.filter(pk=free.pk, day=None).update(day=day)
    except IntegrityError:  # another was first
        pass
    return Puzzle.objects.filter(day=day).first()
