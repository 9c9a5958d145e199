"""How many solved endings versions of bots have held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Q

from tournaments.models import Game, SolvedEnding


@dataclass(frozen=True, slots=True)
class HeldEndings:
    """Endings of finished games that the solver saw a bot win, and how many of these it won."""

    solved: int
    held: int

    @property
    def percent(self) -> int:
        """The share that was held."""
        return round(100 * self.held / self.solved)


NONE_SOLVED: Final = HeldEndings(0, 0)


def count_held(**narrowed: Any) -> dict[tuple[int, str], HeldEndings]:
    """The solved endings of every version that had one, by version and variant, in one query.

    Games that were voided later do not count: their pairs are played again.
    """
    rows = (
        SolvedEnding.objects.filter(game__status=Game.Status.FINISHED, **narrowed)
        .values_list("version", "variant")
        .annotate(solved=Count("pk"), held=Count("pk", filter=Q(held=True)))
        .order_by()
    )
    return {(version, variant): HeldEndings(solved, kept) for version, variant, solved, kept in rows}
