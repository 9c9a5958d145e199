"""First tries at puzzles: each is rated once, whatever is tried afterwards or in another tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from friendlies.puzzles.models import Attempt, Puzzle, Solver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.accounts.models import User


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
