"""What the public audit page says: nothing lost, nothing counted twice, what was voided and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Max, Q
from django.db.models.functions import Coalesce

from tournaments.models import Alarm, Attempt, Game, Pair, RatingState, Result, Tournament

if TYPE_CHECKING:
    from datetime import datetime

VOIDED_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Ledger:
    """Counts over everything ever played; each should be what its name hopes for."""

    games: int
    results: int
    lost: int
    counted_twice: int
    accepted_pairs: int
    voided_pairs: int
    attempts: dict[str, int]
    alarms: list[Alarm]

    @property
    def clean(self) -> bool:
        """Whether nothing is lost, nothing counted twice and no alarm open."""
        return not (self.lost or self.counted_twice or self.alarms)


@dataclass(frozen=True, slots=True)
class VariantAudit:
    """The last recomputation of a variant: when, and what differed."""

    variant: str
    pairs_counted: int
    computed_at: datetime | None
    audited_at: datetime | None
    differences: list[str]
    behind: int


def ledger() -> Ledger:
    """The whole ledger, in a constant number of queries."""
    finished = Game.objects.filter(status=Game.Status.FINISHED)
    causes = Attempt.objects.exclude(ended_at=None).values_list("cause").annotate(count=Count("pk"))
    return Ledger(
        games=finished.count(),
        results=Result.objects.count(),
        lost=finished.filter(Q(result=None) | Q(record=None)).count(),
        counted_twice=_counted_twice(),
        accepted_pairs=Pair.objects.filter(status=Pair.Status.ACCEPTED).count(),
        voided_pairs=Pair.objects.filter(status=Pair.Status.VOID).count(),
        attempts={
            str(Attempt.Cause(cause).label): count for cause, count in causes.order_by("cause") if cause
        },
        alarms=list(Alarm.objects.filter(cleared_at=None)),
    )


def _counted_twice() -> int:
    """Deals of a pairing that count more than once. The database forbids it; here it is looked at."""
    return (
        Pair.objects.filter(status=Pair.Status.ACCEPTED)
        .values("pairing", "number")
        .annotate(count=Count("pk"))
        .filter(count__gt=1)
        .count()
    )


def variant_audits() -> list[VariantAudit]:
    """Each variant's last recomputation."""
    return [
        VariantAudit(
            variant=state.variant,
            pairs_counted=state.computed,
            computed_at=state.computed_at,
            audited_at=state.audited_at,
            differences=list(state.audit.get("differences", [])),
            behind=state.requested - state.computed,
        )
        for state in RatingState.objects.order_by("variant")
    ]


def voided_pairs(limit: int = VOIDED_SHOWN) -> list[Pair]:
    """The pairs voided last, with their reasons and tournaments."""
    return list(
        Pair.objects.filter(status=Pair.Status.VOID)
        .exclude(pairing__tournament__status=Tournament.Status.CANCELLED)
        .select_related("pairing__tournament")
        .annotate(last=Coalesce(Max("games__finished_at"), F("created_at")))
        .order_by("-last")[:limit]
    )


def failed_attempts(limit: int = VOIDED_SHOWN) -> list[Any]:
    """The attempts that the infrastructure spoiled, the latest first."""
    spoiled = Attempt.objects.exclude(cause__in=("", Attempt.Cause.DELIVERED, Attempt.Cause.CANCELLED))
    return list(spoiled.select_related("game__tournament").order_by("-started_at")[:limit])
