"""First tries at puzzles: each is rated once, whatever is tried afterwards or in another tab.

A guest's are kept in the session, and rated once it belongs to an account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F

from friendlies.puzzles.models import Attempt, Puzzle, Solver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import AnonymousUser
    from django.contrib.sessions.backends.base import SessionBase

    from arena.accounts.models import User

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
