"""What an event hides: decided, found and shown again (`tournaments.models.embargo`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction
from django.db.models import BigAutoField, Count
from django.utils.translation import gettext, ngettext

from analysis.errors import InvalidTournament
from analysis.formats.plans import size
from arena.web.database import database_clock
from arena.web.database.prepared_sql import some, values_of
from arena.web.i18n.readers import moment_words
from tournaments import live_updates as events
from tournaments.events.standings import tournament_standings
from tournaments.game_messages import bench_on_commit
from tournaments.models import Game, HiddenResults, Pair, Pairing, Result, Tournament
from tournaments.models.embargo import EVERY_ROUND, as_shown, prepare_query, seeing_hidden
from tournaments.models.game import GIVEN_UP
from tournaments.pairing.row_locks import lock_together
from tournaments.questions.requests import want_luck
from tournaments.ratings.ratings import request_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet


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


Ending = HiddenResults.Ending
Format = Tournament.Format

MOST_ROUNDS: Final = 100
AT_ONCE: Final = 500
"""Games in one query."""


@dataclass(frozen=True, slots=True)
class Hiding:
    """What an organiser wishes to hide, and until when. `last_rounds` or `since` says what."""

    last_rounds: int = 0
    since: datetime | None = None
    ending: str = Ending.HAND
    reveal_at: datetime | None = None
    organiser_sees: bool = False


def check_hiding(hiding: Hiding, kind: str) -> None:
    """Raise InvalidTournament with one sentence if an event of this format cannot hide that."""
    now = database_clock.now()
    if kind in (Format.SPRT, Format.LADDER):
        raise InvalidTournament(gettext("Tests and ladders have no rounds to hide."), "hide")
    if not hiding.last_rounds and hiding.since is None:
        raise InvalidTournament(gettext("Choose which results are hidden."), "hide")
    if hiding.since is not None and hiding.since <= now:
        raise InvalidTournament(gettext("Choose a time in the future."), "hide_from")
    if (hiding.ending == Ending.TIME) != (hiding.reveal_at is not None):
        raise InvalidTournament(gettext("Choose when the results are revealed."), "reveal_at")
    if hiding.reveal_at is not None and hiding.reveal_at <= (hiding.since or now):
        raise InvalidTournament(
            gettext("The results must be revealed in the future, and after they are hidden."), "reveal_at"
        )


def hiding_again(tournament: Tournament) -> Hiding | None:
    """What a copy of an event hides: the same rounds. Dates do not come again."""
    kept = HiddenResults.objects.filter(tournament=tournament, last_rounds__gt=0).first()
    if kept is None:
        return None
    ending = Ending.HAND if kept.ending == Ending.TIME else kept.ending
    return Hiding(kept.last_rounds, ending=ending, organiser_sees=kept.organiser_sees)


def hide(tournament: Tournament, hiding: Hiding) -> None:
    """Store what a new event hides."""
    HiddenResults.objects.create(
        tournament=tournament,
        last_rounds=hiding.last_rounds,
        since=hiding.since,
        ending=hiding.ending,
        reveal_at=hiding.reveal_at,
        organiser_sees=hiding.organiser_sees,
    )


def hide_planned(tournament: Tournament, after: int) -> None:
    """Hide the pairings just made, of rounds behind `after`, that are to be hidden; no game of them exists.

    Who meets whom follows from hidden results, so the pairings are hidden with them.
    """
    hiding = _kept(tournament)
    if hiding is None:
        return
    new = Pairing.objects.filter(tournament=tournament, round__gt=after)
    if hiding.since is not None and hiding.since <= database_clock.now():
        new.update(hidden=True)
    elif hiding.last_rounds:
        new.filter(round__gt=_rounds(tournament) - hiding.last_rounds).update(hidden=True)


def hide_if_due(game: Game) -> None:
    """Hide the meeting of a game that is about to be claimed, if no game of it was begun by the time from
    which its event hides. Call in the transaction that claims it, with the game's row locked."""
    hiding = game.tournament.hiding
    if game.hidden or hiding is None or hiding.since is None or hiding.revealed_at is not None:
        return
    # Claims of one meeting go one after the other: the second sees what the first began, or hid.
    meeting = Pairing.objects.select_for_update(no_key=True).get(pk=game.pair.pairing_id)
    games = Game.objects.filter(pair__pairing=meeting.pk)
    begun = games.filter(started_at__isnull=False).exists()
    if not meeting.hidden and (hiding.since > database_clock.now() or begun):
        return
    if not HiddenResults.objects.filter(pk=hiding.pk, revealed_at=None).exists():
        return  # it was revealed while this waited for the lock
    Pairing.objects.filter(pk=meeting.pk).update(hidden=True)
    _hide_games(games)
    game.hidden = True


def _hide_games(games: QuerySet[Game]) -> None:
    """Hide the games of a hidden meeting.

    A game that somebody else is just claiming is passed over: waiting for it would be a deadlock. Its own
    claim hides it.
    """
    if connection.features.has_select_for_update_skip_locked:
        games = Game.objects.filter(
            pk__in=list(
                games.select_for_update(skip_locked=True, of=("self",), no_key=True).values_list(
                    "pk", flat=True
                )
            )
        )
    games.filter(hidden=False).update(hidden=True)


@seeing_hidden()
def hide_left_over() -> None:
    """Hide the games that were made, or given back, while their meeting was being hidden."""
    due = HiddenResults.objects.filter(revealed_at=None, since__lte=database_clock.now())
    for key in due.values_list("tournament", flat=True):
        left = Game.objects.filter(tournament=key, hidden=False, pair__pairing__hidden=True)
        with transaction.atomic():
            _hide_games(left.filter(status=Game.Status.QUEUED))


def holds_back(tournament: Tournament) -> bool:
    """Whether results stay hidden now that the last game is over; keeps the table that everybody saw.

    If they do not, they are shown. Call with the tournament's row locked.
    """
    hiding = _kept(tournament)
    if hiding is None:
        return False
    due = hiding.reveal_at is not None and hiding.reveal_at <= database_clock.now()
    if hiding.ending == Ending.END or due or not tournament.pairings.filter(hidden=True).exists():
        show_all(tournament)
        return False
    if hiding.played_at is None:
        with as_shown():
            table = {
                str(one.entry.pk): [one.row.place, one.row.points] for one in tournament_standings(tournament)
            }
        HiddenResults.objects.filter(pk=hiding.pk).update(played_at=database_clock.now(), before=table)
    return True


@seeing_hidden()
def show_all(tournament: Tournament) -> bool:
    """Show everything that was hidden; False if it was shown already. From now on the event hides nothing.

    Ratings, luck and the bench count these games from now on.
    """
    with transaction.atomic():
        kept = HiddenResults.objects.filter(tournament=tournament, revealed_at=None)
        if not kept.update(revealed_at=database_clock.now()):
            return False
        _show(tournament)
        events.changed_on_commit(tournament.slug)
    return True


@seeing_hidden()
def mend_revealed(tournament: Tournament) -> None:
    """Show what was made from a hidden meeting in the moment it was revealed: a pair begun again, say."""
    with transaction.atomic():
        if _show(tournament):
            events.changed_on_commit(tournament.slug)


def _show(tournament: Tournament) -> bool:
    """Show what is hidden, and count it; whether anything was."""
    hidden = Game.objects.filter(tournament=tournament, hidden=True)
    # Locked before the results are read: a result that is just being accepted is waited for, and a later one
    # finds its game shown. Games before pairings, as whoever accepts a result.
    [keys] = lock_together(hidden)
    hidden.update(hidden=False)
    shown = Pairing.objects.filter(tournament=tournament, hidden=True).update(hidden=False)
    if keys:
        request_ratings(tournament)
        _count(tournament, keys)
    return bool(shown or keys)


def _count(tournament: Tournament, games: Sequence[UUID]) -> None:
    """Let luck and the bench count the results of games that are shown from now on."""
    for start in range(0, len(games), AT_ONCE):
        part = games[start : start + AT_ONCE]
        results = list(Result.objects.filter(game__in=part).select_related("game"))
        want_luck(tournament, {one.game.pair_id for one in results})
        for one in results:
            if one.termination in GIVEN_UP and one.culprit is not None:
                bench_on_commit(one.game.seats.values_list("version", flat=True).get(seat=one.culprit))


def _kept(tournament: Tournament) -> HiddenResults | None:
    """What the event still hides."""
    return HiddenResults.objects.filter(tournament=tournament, revealed_at=None).first()


def _rounds(tournament: Tournament) -> int:
    """How many rounds an event has if no second final is needed."""
    planned = size(
        tournament.format,
        tournament.entries.count(),
        players=tournament.players,
        cycles=tournament.cycles,
        rounds=tournament.rounds,
        pairs=tournament.pairs_per_pairing,
        groups=tournament.group_rule,
    ).rounds
    return planned - 1 if tournament.format == Format.DOUBLE_ELIMINATION else planned
