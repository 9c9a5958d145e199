"""Sets aside a host on which bots lose on time more often than elsewhere, and has its games played again.

A host may be slow in a way that its benchmark does not show: too little memory, a neighbour that takes its
cores, a clock that jumps. A bot must not lose by that. Each version's games on the host are compared with its
games elsewhere in the same period (`analysis.verdicts.stratified_test`), since the ladder may have given this
host the slow ones. A host is looked at whenever its games have doubled, so that looking often finds nothing
by chance.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Final

from django.db.models import Count, Exists, F, OuterRef, Q

from analysis.errors import WrongStatus
from analysis.verdicts.stratified_test import Excess, Stratum, excess
from arena.web.database import database_clock
from arena.web.models import Host
from arena.web.processes.alarms import clear_alarm, raise_alarm
from referee.endings import Termination
from tournaments.events.withdrawals import NO_LONGER_PLAYS
from tournaments.models import Alarm, Game, Pair, Seat, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.pairs import void_pair

if TYPE_CHECKING:
    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

SIGNIFICANT: Final = 0.001
FIRST_LOOK: Final = 40
"""Games of a spell before a host is looked at."""
LEAST_LOST: Final = 5
AT_ONCE: Final = 200
"""Pairs that are begun again at a time; the next look goes on with the rest."""


def look_at_hosts() -> list[str]:
    """Look at every host whose games have doubled, and return the names of those now set aside."""
    found = []
    hosts = list(Host.objects.all())
    for host in hosts:
        if host.set_aside_at is not None:
            replay_spell(host)
        elif len(hosts) > 1 and _look_at(host):
            found.append(host.name)
    return found


@seeing_hidden()
def _look_at(host: Host) -> bool:
    """Whether this host had to be set aside."""
    games = _spell(host).count()
    if games < max(FIRST_LOOK, 2 * host.looked_at_games):
        return False
    Host.objects.filter(pk=host.pk).update(looked_at_games=games)
    more = late_here(host)
    if more.found < LEAST_LOST or more.found <= more.expected or more.p >= SIGNIFICANT:
        return False
    reason = (
        f"Bots lost on time {more.found} times in {games} games on this host; elsewhere they would have"
        f" {more.expected:.1f} times (χ² = {more.chi_squared:.1f}, p = {more.p:.1g})."
    )
    return set_aside(host, reason)


@seeing_hidden()
def late_here(host: Host) -> Excess:
    """How often bots lost on time in this host's spell, compared with the same versions elsewhere."""
    seats = Seat.objects.filter(
        game__status=Game.Status.FINISHED, game__result__attempt__started_at__gte=host.spell_from
    ).exclude(game__result__attempt__host="")
    late = Q(game__result__termination=Termination.TIMEOUT, game__result__culprit=F("seat"))
    here = Q(game__result__attempt__host=host.name)
    rows = seats.values("version").annotate(
        here=Count("pk", filter=here & late),
        of_here=Count("pk", filter=here),
        all=Count("pk", filter=late),
        of_all=Count("pk"),
    )
    return excess(
        Stratum(row["here"], row["of_here"], row["all"] - row["here"], row["of_all"] - row["of_here"])
        for row in rows.order_by()
    )


def set_aside(host: Host, reason: str) -> bool:
    """Set the host aside and play its games since it joined again; False if it was set aside already."""
    now = database_clock.now()
    if not Host.objects.filter(pk=host.pk, set_aside_at=None).update(set_aside_at=now, reason=reason[:300]):
        return False
    logger.error("the host %s was set aside: %s", host.name, reason)
    raise_alarm(Alarm.Kind.HOST, host.name, f"{host.name}: {reason}")
    replay_spell(host)
    return True


def let_play(host: Host) -> bool:
    """Give the host games again, as a new spell; False if it was not set aside."""
    back = Host.objects.filter(pk=host.pk, set_aside_at__isnull=False).update(
        set_aside_at=None, reason="", spell_from=database_clock.now(), looked_at_games=0
    )
    if back:
        clear_alarm(Alarm.Kind.HOST, host.name)
    return bool(back)


@seeing_hidden()
def replay_spell(host: Host) -> int:
    """Begin pairs of the host's spell again, `AT_ONCE` at most, and return how many."""
    pairs = (
        Pair.objects.filter(
            host=host.name,
            status__in=(Pair.Status.ACCEPTED, Pair.Status.RUNNING),
            games__started_at__gte=host.spell_from,
        )
        .exclude(pairing__tournament__status=Tournament.Status.CANCELLED)
        # They cannot be played again: better a slow host's result than a forfeit.
        .exclude(Exists(Seat.objects.filter(NO_LONGER_PLAYS, game__pair=OuterRef("pk"))))
        .distinct()
        .order_by("pk")
    )
    count = 0
    for pair in pairs[:AT_ONCE]:
        with contextlib.suppress(WrongStatus):
            void_pair(pair, "Bots lost on time too often on the host that played it.")
            count += 1
    return count


def _spell(host: Host) -> QuerySet[Game]:
    """The games that the host has finished since its spell began."""
    return Game.objects.filter(
        status=Game.Status.FINISHED,
        result__attempt__host=host.name,
        result__attempt__started_at__gte=host.spell_from,
    )
