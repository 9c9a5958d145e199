"""Versions that play alike, and which of an owner's near-twins is rated."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Min, Q

from analysis.ratings.pools import HOUSE
from arena.web.cache.values import shared_rows
from arena.web.database import database_clock
from bots.models import Version
from bots.versions import active_on
from tournaments.models import NearTwin, ProbeAnswers
from tournaments.ratings.linked_owners import linked_accounts, owners_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from bots.models import Bot

SHOWN = 10
COMPARED_WITHIN = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class TwinRow:
    """A near-twin of a bot's version, as the bot's page shows it."""

    version: Version
    twin: Version
    percent: int
    common: int
    stands: bool
    """Whether the twin is rated in place of the bot's version, on one of its boards at least."""


@shared_rows
def shadowed_versions(board: str) -> frozenset[int]:
    """The versions that are not rated on a board because a near-twin of the same owner is.

    Those that play there before those that do not, then the earlier upload first: each version stands unless
    it is a near-twin of one that stands, or continues the same record. House bots are examples of one another
    and never in each other's way.
    """
    twins = _own_twins()
    playing = Version.objects.filter(active_on__board=board, pk__in=twins, benched_at=None)
    here = set(playing.values_list("pk", flat=True))
    standing: set[int] = set()
    hidden: set[int] = set()
    for key in sorted(twins, key=lambda key: (key not in here, key)):
        (hidden if twins[key] & standing else standing).add(key)
    return frozenset(hidden)


@shared_rows
def _own_twins() -> dict[int, set[int]]:
    """For each version of a bot in play, if any, its owner's near-twins and those of its record."""
    couples = list(NearTwin.objects.filter(one__bot__withdrawn_at=None, other__bot__withdrawn_at=None))
    continued = records()
    sharing = list(Version.objects.filter(pk__in=continued, bot__withdrawn_at=None))
    owners = owners_of(key for couple in couples for key in (couple.one_id, couple.other_id))
    twins: dict[int, set[int]] = {}
    # Near-twins of the same upload, which need not be near-twins of each other.
    together: dict[int, set[int]] = {}
    for each in sharing:
        together.setdefault(continued[each.pk], set()).add(each.pk)
    for group in together.values():
        for key in group:
            twins.setdefault(key, set()).update(group - {key})
    for couple in couples:
        if owners[couple.one_id] == owners[couple.other_id] != HOUSE:
            twins.setdefault(couple.one_id, set()).add(couple.other_id)
            twins.setdefault(couple.other_id, set()).add(couple.one_id)
    return twins


def records() -> dict[int, int]:
    """For each version that continues the record of a near-twin, that near-twin: the owner's first upload.

    Otherwise authors could upload copies until one is lucky, and keep that. Withdrawn bots count, so that
    nobody starts afresh by withdrawing. Whoever is not a near-twin of the first one itself has a record of
    its own, so that many small changes add up to a new bot.
    """
    couples = list(NearTwin.objects.order_by("other", "one").values_list("one", "other"))
    owners = owners_of(key for couple in couples for key in couple)
    found: dict[int, int] = {}
    for first, later in couples:
        if owners[first] == owners[later] != HOUSE and first not in found:
            found.setdefault(later, first)
    return found


def to_compare(versions: Collection[int]) -> set[int]:
    """The new ones among these versions that may turn out to be near-twins of their owners' earlier uploads.

    After `COMPARED_WITHIN`, nobody waits for the comparison any more.
    """
    new = Version.objects.filter(
        pk__in=versions, created_at__gt=database_clock.now() - COMPARED_WITHIN, bot__owner__isnull=False
    ).exclude(probe_answers__done=True)
    waiting = dict(new.values_list("pk", "bot__owner"))
    if not waiting:
        return set()
    linked = linked_accounts()
    authors = {key: linked.get(owner, owner) for key, owner in waiting.items() if owner is not None}
    wanted = set(authors.values())
    accounts = wanted | {account for account, least in linked.items() if least in wanted}
    compared = ProbeAnswers.objects.filter(done=True, version__bot__owner__in=accounts).order_by()
    first: dict[int, int] = {}
    for owner, version in (
        compared.values("version__bot__owner")
        .annotate(first=Min("version"))
        .values_list("version__bot__owner", "first")
    ):
        author = linked.get(owner, owner)
        first[author] = min(version, first.get(author, version))
    return {key for key, author in authors.items() if first.get(author, key) < key}


def twins_of(bot: Bot) -> list[TwinRow]:
    """The near-twins of a bot's active versions, the most alike first."""
    hidden: dict[int, list[frozenset[int]]] = {}
    for board, active in active_on(bot).items():
        hidden.setdefault(active.pk, []).append(shadowed_versions(board))
    rows = NearTwin.objects.filter(Q(one__in=hidden) | Q(other__in=hidden))
    couples = [
        (row, version, twin)
        for row in rows.select_related("one__bot", "other__bot")
        for version, twin in ((row.one, row.other), (row.other, row.one))
        if version.pk in hidden
    ]
    owners = owners_of(key for _, version, twin in couples for key in (version.pk, twin.pk))
    found = []
    for row, version, twin in couples:
        if twin.bot.is_withdrawn:
            continue
        mine = HOUSE != owners[version.pk] == owners[twin.pk]
        stands = mine and any(version.pk in each and twin.pk not in each for each in hidden[version.pk])
        found.append(TwinRow(version, twin, round(100 * row.same / row.common), row.common, stands))
    return sorted(found, key=lambda one: (-one.percent, one.twin.pk))[:SHOWN]
