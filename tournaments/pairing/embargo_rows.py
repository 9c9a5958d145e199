"""What may be told of hidden games: that there are some, and to operators how many wait.

Never which, nor whose, nor how they went.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import BigAutoField, Count
from django.utils.translation import gettext, ngettext

from arena.web.database.prepared_sql import some, values_of
from arena.web.i18n.readers import moment_words
from tournaments.models import Game, HiddenResults, Pair, Pairing
from tournaments.models.embargo import EVERY_ROUND, prepare_query, seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from tournaments.models import Tournament


@seeing_hidden()
def has_hidden_meetings(tournament: Tournament) -> bool:
    """Whether meetings of an event are hidden by now."""
    return tournament.hides_results and Pairing.objects.filter(tournament=tournament, hidden=True).exists()


@seeing_hidden()
def with_hidden_games(tournaments: Iterable[Tournament]) -> frozenset[int]:
    """The keys of those of these tournaments in which a hidden game waits or is played."""
    keys = [one.pk for one in tournaments]
    return frozenset(_hiding(len(keys)).rows(**values_of(keys)) if keys else ())


@prepare_query
def _hiding(count: int) -> QuerySet[Game, int]:
    """Those of so many tournaments that have a hidden game to play."""
    waiting = (Game.Status.QUEUED, Game.Status.RUNNING)
    here = Game.objects.filter(tournament__pk__in=some(count, BigAutoField()))
    hidden = here.filter(hidden=True, status__in=waiting)
    return hidden.order_by().values_list("tournament", flat=True).distinct()


@seeing_hidden()
def waiting_hidden() -> int:
    """How many hidden games of the site wait or are played, for operators."""
    waiting = (Game.Status.QUEUED, Game.Status.RUNNING)
    return Game.objects.filter(hidden=True, status__in=waiting).count()


@seeing_hidden()
def stuck_pairs(tournaments: Iterable[Tournament]) -> dict[int, int]:
    """How many pairs of each tournament, by key, could not be played and wait for an operator.

    Hidden ones are counted: their games failed by our fault, which tells nothing of who is ahead.
    """
    stuck = Pair.objects.filter(
        pairing__tournament__in=[one.pk for one in tournaments], status=Pair.Status.STUCK
    )
    return dict(stuck.order_by().values_list("pairing__tournament").annotate(Count("pk")))


@dataclass(frozen=True, slots=True)
class HiddenNote:
    """What an event hides or hid, in words; whether it was revealed, and whether all games are `played`."""

    words: str
    over: bool
    played: bool = False


def hidden_words(hiding: HiddenResults) -> HiddenNote:
    """What an event hides or hid."""
    if hiding.revealed_at is not None:
        return HiddenNote(gettext("Hidden results of this event were revealed."), over=True)
    sentences = [_what_is_hidden(hiding), _until_when(hiding)]
    if hiding.played_at is not None:
        sentences.append(gettext("All games are played."))
    if hiding.organiser_sees:
        sentences.append(gettext("The organiser can see the hidden table."))
    return HiddenNote(" ".join(sentences), over=False, played=hiding.played_at is not None)


def _what_is_hidden(hiding: HiddenResults) -> str:
    if hiding.since is not None:
        moment = moment_words(hiding.since)
        return gettext("Games between bots that first meet after %(time)s are hidden.") % {"time": moment}
    if hiding.last_rounds >= EVERY_ROUND:
        return gettext("All results are hidden.")
    return ngettext(
        "The results of the last round are hidden.",
        "The results of the last %(count)s rounds are hidden.",
        hiding.last_rounds,
    ) % {"count": hiding.last_rounds}


def _until_when(hiding: HiddenResults) -> str:
    if hiding.ending == HiddenResults.Ending.END:
        return gettext("They are revealed as soon as the last game is over.")
    if hiding.reveal_at is not None:
        return gettext("They are revealed on %(time)s.") % {"time": moment_words(hiding.reveal_at)}
    return gettext("The organiser reveals them.")
