"""What the public audit page says: nothing lost, nothing counted twice, what was voided and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.db.models import Count, Exists, F, Max, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from arena.web.database import database_clock
from arena.web.variants import variant_title
from tournaments.models import (
    Alarm,
    Attempt,
    Game,
    Pair,
    Pairing,
    RatingState,
    Result,
    Tournament,
    VoidRequest,
)
from tournaments.models.embargo import prepare_query

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

VOIDED_SHOWN = 50
KEPT_SECONDS = 60
"""How long counts over all games ever played are shown before they are counted again."""
BEFORE_THE_RULE = "Ratings now count ladders and house events only, so this earlier event no longer counts."
"""What a migration wrote on events that used to be rated."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Counts over everything ever played; each should be what its name hopes for.

    `lost` are finished games without result or record, games that nobody will play although their
    tournament is over, and games of accepted pairs without a result. `counted_twice` are deals of a pairing
    that count in more than one run, games delivered more than once, and pairs that a pairing counts beyond
    those accepted.
    """

    games: int
    results: int
    lost: int
    counted_twice: int
    accepted_pairs: int
    voided_pairs: int
    attempts: dict[str, int]
    alarms: list[str]
    """What kinds of alarms are open. What they say names hosts and quotes errors, for operators alone."""

    @property
    def ends(self) -> list[tuple[str, int]]:
        """Why attempts ended, in the language of the page, and how many did: the ledger is kept for all."""
        return [(str(Attempt.Cause(cause).label), count) for cause, count in self.attempts.items()]

    @property
    def clean(self) -> bool:
        """Whether nothing is lost, nothing counted twice and no alarm open."""
        return not (self.lost or self.counted_twice or self.alarms)


@dataclass(frozen=True, slots=True)
class Recomputation:
    """The last recomputation of a variant: when, and what differed."""

    variant: str
    pairs_counted: int
    computed_at: datetime | None
    audited_at: datetime | None
    differences: list[str]
    behind: int
    integrity: dict[str, Any]

    @property
    def title(self) -> str:
        """What people call the variant."""
        return variant_title(self.variant)

    @property
    def flags(self) -> int:
        """How much the last audit found odd."""
        return len(self.integrity.get("shifts", ())) + len(self.integrity.get("matches", ()))


def counted_ledger() -> tuple[Ledger, datetime]:
    """The ledger and when it was counted, at most `KEPT_SECONDS` ago."""
    counted = cache.get_or_set("ledger", lambda: (ledger(), database_clock.now()), KEPT_SECONDS)
    return counted if counted is not None else (ledger(), database_clock.now())


def ledger() -> Ledger:
    """The whole ledger, in a constant number of queries."""
    finished = Game.objects.filter(status=Game.Status.FINISHED)
    causes = Attempt.objects.exclude(ended_at=None).values_list("cause").annotate(count=Count("pk"))
    return Ledger(
        games=finished.count(),
        results=Result.objects.count(),
        lost=_lost(finished),
        counted_twice=_counted_twice(),
        accepted_pairs=Pair.objects.filter(status=Pair.Status.ACCEPTED).count(),
        voided_pairs=Pair.objects.filter(status=Pair.Status.VOID).count(),
        attempts={str(cause): count for cause, count in causes.order_by("cause") if cause},
        alarms=[
            Alarm.Kind(kind).label
            for kind in Alarm.objects.filter(cleared_at=None)
            .order_by("kind")
            .values_list("kind", flat=True)
            .distinct()
        ],
    )


def _lost(finished: QuerySet[Game]) -> int:
    """Games whose result is nowhere although it should be somewhere."""
    over = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)
    forgotten = Game.objects.filter(
        status__in=(Game.Status.QUEUED, Game.Status.RUNNING), tournament__status__in=over
    )
    accepted = Game.objects.filter(pair__status=Pair.Status.ACCEPTED)
    incomplete = accepted.filter(result=None).exclude(status=Game.Status.FINISHED)
    unrecorded = finished.filter(Q(result=None) | Q(record=None))
    return unrecorded.count() + forgotten.count() + incomplete.count()


def _counted_twice() -> int:
    """What counts more than once. The database forbids most of it; here it is looked at."""
    accepted = Pair.objects.filter(status=Pair.Status.ACCEPTED)
    twice = accepted.values("pairing", "number").annotate(count=Count("pk")).filter(count__gt=1)
    delivered = (
        Attempt.objects.filter(cause=Attempt.Cause.DELIVERED, token__gt=1)
        .filter(Exists(_delivered_before(OuterRef("game"), OuterRef("token"))))
        .count()
    )
    counted = Pairing.objects.aggregate(count=Sum("pairs_done"))["count"] or 0
    return twice.count() + delivered + max(0, counted - accepted.count())


def _delivered_before(game: OuterRef, token: OuterRef) -> QuerySet[Attempt]:
    return Attempt.objects.filter(game=game, token__lt=token, cause=Attempt.Cause.DELIVERED)


def variant_audits() -> list[Recomputation]:
    """Each variant's last recomputation."""
    return [
        Recomputation(
            variant=state.variant,
            pairs_counted=state.computed,
            computed_at=state.computed_at,
            audited_at=state.audited_at,
            differences=list(state.audit.get("differences", [])),
            behind=state.requested - state.computed,
            integrity=state.audit.get("integrity", {}),
        )
        for state in _states().rows()
    ]


@prepare_query
def _states() -> QuerySet[RatingState]:
    return RatingState.objects.order_by("variant")


def voided_pairs(limit: int = VOIDED_SHOWN) -> list[Pair]:
    """The pairs voided last, with their reasons and tournaments; `again` is the score when played again."""
    return _voided(limit).rows()


@prepare_query
def _voided(limit: int) -> QuerySet[Pair]:
    live = Pair.objects.filter(
        pairing=OuterRef("pairing"), number=OuterRef("number"), status=Pair.Status.ACCEPTED
    )
    return (
        Pair.objects.filter(status=Pair.Status.VOID)
        .exclude(pairing__tournament__status=Tournament.Status.CANCELLED)
        .select_related("pairing__tournament")
        .annotate(again=Subquery(live.values("score")[:1]))
        .annotate(last=Coalesce(Max("games__finished_at"), F("created_at")))
        .order_by("-last")[:limit]
    )


def migrated_events() -> int:
    """Events from before the rule about rated pools that no longer count."""
    return Tournament.objects.filter(unrated_because=BEFORE_THE_RULE).count()


def void_requests(limit: int = VOIDED_SHOWN) -> list[VoidRequest]:
    """What owners asked to have voided, the newest first; nothing of hidden pairs."""
    shown = VoidRequest.objects.filter(pair__pairing__hidden=False)
    found = shown.select_related("pair__pairing__tournament", "asked_by")
    return list(found.order_by("-created_at", "-id")[:limit])


def failed_attempts(limit: int = VOIDED_SHOWN) -> list[Any]:
    """The attempts that the infrastructure spoiled, the latest first."""
    return _spoiled(limit).rows()


@prepare_query
def _spoiled(limit: int) -> QuerySet[Attempt]:
    spoiled = Attempt.objects.exclude(cause__in=("", Attempt.Cause.DELIVERED, Attempt.Cause.CANCELLED))
    return spoiled.select_related("game__tournament").order_by("-started_at")[:limit]
