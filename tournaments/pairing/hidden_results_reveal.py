"""The reveal of hidden results: all at once, place by place from the bottom, or when it is time."""

from __future__ import annotations

import logging
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import OperationalError, transaction
from django.db.models import F, Q
from django.utils.translation import gettext

from analysis.errors import WrongStatus
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from tournaments import live_updates as events
from tournaments.events.standings import entrants, points_text, tournament_standings
from tournaments.models import AuditEntry, HiddenResults, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import HiddenNote, hidden_words, hide_left_over, mend_revealed, show_all
from tournaments.pairing.finish import finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from arena.accounts.models import User
    from tournaments.events.standings import Standing
    from tournaments.models import Entry


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the final table; without a name while it is not revealed."""

    number: int
    shown_number: int
    name: str = ""
    url: str = ""
    points: str = ""
    rose: int = 0
    fresh: bool = False
    """Whether it is the last one that was revealed."""

    @property
    def fell(self) -> int:
        """How many places it lost by the hidden results."""
        return -self.rose


@dataclass(frozen=True, slots=True)
class Contender:
    """An entrant whose place is not revealed, with the place and points that everybody saw."""

    place: int
    name: str
    url: str
    points: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """The page: places from the top, those without a name still to come, and who is left for them."""

    places: list[Place]
    contenders: list[Contender]
    revealed: int
    played: bool
    over: bool
    note: HiddenNote
    own: list[Place]
    """The whole table for an organiser who asked to see it; otherwise empty."""


def reveal_page_of(tournament: Tournament, *, organiser: bool) -> Reveal | None:
    """The reveal of an event, None if it hides nothing.

    Only revealed places are worked out into what is returned, and for an `organiser` who asked to see it the
    whole table.
    """
    hiding = tournament.hiding
    if hiding is None:
        return None
    over = hiding.revealed_at is not None
    count = len(entrants(tournament.pk))
    revealed = count if over and tournament.is_over else 0 if over else hiding.places
    final = _final(tournament) if revealed or organiser else []
    seen = organiser and hiding.organiser_sees and not over
    before = hiding.before
    first = count - revealed
    places = [Place(number, number) for number in range(1, first + 1)]
    for index in range(first, count):
        fresh = index == first and not over
        places.append(_place(final[index], index + 1, before, fresh=fresh))
    known = {one.entry.pk for one in final[first:]} if revealed else set()
    return Reveal(
        places,
        _contenders(before, entrants(tournament.pk), known) if hiding.played_at else [],
        revealed,
        hiding.played_at is not None,
        over,
        hidden_words(hiding),
        [_place(one, index, before) for index, one in enumerate(final, start=1)] if seen else [],
    )


@seeing_hidden()
def _final(tournament: Tournament) -> Sequence[Standing]:
    """The table with all that is played, a knock-out's as if it were over."""
    ended = copy(tournament)
    ended.status = Tournament.Status.FINISHED
    return tournament_standings(ended)


def _place(one: Standing, number: int, before: dict[str, tuple[int, float]], *, fresh: bool = False) -> Place:
    bot = one.entry.version.bot
    was = before.get(str(one.entry.pk))
    return Place(
        number,
        one.row.place,
        bot.name,
        bot.get_absolute_url(),
        points_text(one.row.points),
        was[0] - one.row.place if was else 0,
        fresh,
    )


def _contenders(
    before: dict[str, tuple[int, float]], entries: dict[int, Entry], known: set[int]
) -> list[Contender]:
    found = [
        Contender(
            before[str(key)][0],
            entry.version.bot.name,
            entry.version.bot.get_absolute_url(),
            points_text(before[str(key)][1]),
        )
        for key, entry in entries.items()
        if key not in known and str(key) in before
    ]
    return sorted(found, key=lambda one: (one.place, one.name))


log = logging.getLogger(__name__)

LONGEST: Final = timedelta(days=30)
"""How long results stay hidden after the last game if nobody reveals them."""
MENDED_FOR: Final = timedelta(hours=1)


def reveal(tournament: Tournament, *, by: User | None = None) -> None:
    """Show everything; if all games are played, the event is over now. Raises WrongStatus.

    `by` is the organiser who asks; nobody does when it is time.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        hiding = _hiding(locked).first()
        if hiding is None or not show_all(locked):
            raise WrongStatus(gettext("This event hides no results."))
        add_audit_entry(locked.audit_log, by, AuditEntry.What.REVEALED)
        if hiding.played_at is not None:
            finish(locked)


def reveal_next(tournament: Tournament, after: int, *, by: User | None = None) -> None:
    """Reveal the next place from the bottom if `after` places are revealed; the last one reveals everything.

    Who presses twice reveals one place. Raises WrongStatus while games are still to be played.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        hiding = _hiding(locked).first()
        if hiding is None:
            raise WrongStatus(gettext("This event hides no results."))
        if hiding.played_at is None:
            raise WrongStatus(gettext("Places can be revealed one by one once all games are played."))
        if hiding.places != after:
            return
        if after + 1 >= locked.entries.count():
            reveal(locked, by=by)
            return
        _hiding(locked).update(places=F("places") + 1)
        events.changed_on_commit(locked.slug)


def reveal_due() -> None:
    """Reveal what is to be revealed by now; hide, and show, what slipped through in such a moment."""
    hide_left_over()
    now = database_clock.now()
    due = Q(reveal_at__lte=now) | Q(played_at__lte=now - LONGEST)
    for one in HiddenResults.objects.filter(due, revealed_at=None).select_related("tournament"):
        try:
            reveal(one.tournament)
        except WrongStatus:
            continue  # the organiser was first
        except OperationalError as error:
            log.warning("%s could not be revealed now: %s", one.tournament, error)
    lately = HiddenResults.objects.filter(revealed_at__gt=now - MENDED_FOR).select_related("tournament")
    for one in lately:
        try:
            mend_revealed(one.tournament)
        except OperationalError as error:
            log.warning("%s could not be revealed as a whole now: %s", one.tournament, error)


def _hiding(tournament: Tournament) -> QuerySet[HiddenResults]:
    return HiddenResults.objects.filter(tournament=tournament, revealed_at=None)
