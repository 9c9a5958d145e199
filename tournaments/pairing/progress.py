"""The life of a tournament: started, filled with games, paused, resumed, cancelled, finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext, gettext_noop

from analysis.errors import WrongStatus
from analysis.formats.bracket import FINAL_EXTRA, FINAL_EXTRA_PAIRS
from analysis.formats.swiss import RULE
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from arena.web.i18n.phrases import either
from tournaments import live_updates as events
from tournaments.events.brackets import BRACKETED
from tournaments.events.creation import as_asked, with_usual_rounds
from tournaments.events.news import tell_over, tell_started
from tournaments.events.organiser_rights import organises
from tournaments.events.withdrawals import settle_left, stop_test
from tournaments.game_messages import advance_on_commit, play_on_commit
from tournaments.models import AuditEntry, Game, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import show_all
from tournaments.pairing.finish import finish, void_unfinished
from tournaments.pairing.matches import extend_matches
from tournaments.pairing.planning import fill_window, plan_rounds
from tournaments.pairing.sequential_tests import decide, lock_promoted
from tournaments.ratings.ladder import fill_ladder
from tournaments.ratings.linked_owners import has_bot_among
from tournaments.ratings.ratings import make_unrated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import Q

    from arena.accounts.models import User

Status = Tournament.Status


def start_tournament(tournament: Tournament, due: Q | None = None) -> None:
    """Let a draft run: its first pairings and games are made at once.

    A round-robin of 200 takes seconds. Processes that serve pages use `start_in_a_worker`. Raises as that,
    and WrongStatus if it is not `due` any more, because its organiser has put it off.
    """
    _begin(tournament, due=due)
    advance(tournament.pk)


def start_in_a_worker(tournament: Tournament, *, by: User | None = None) -> None:
    """Let a draft run; a worker makes its first pairings and games.

    `by` is who starts it and, as its owner, need not be told. Raises WrongStatus, or InvalidTournament if it
    cannot be held with the entrants it has. Versions that no longer play are none.
    """
    with transaction.atomic():
        _begin(tournament, by)
        advance_on_commit(tournament.pk)


def _begin(tournament: Tournament, by: User | None = None, due: Q | None = None) -> None:
    with transaction.atomic():
        locked = _locked(tournament)
        if locked.status == Status.DRAFT:
            settle_left(locked)
    with transaction.atomic():
        # Whoever enters or leaves at this moment comes before, or finds that it has started.
        tournament.refresh_from_db(from_queryset=Tournament.objects.select_for_update())
        if due is not None and not Tournament.objects.filter(due, pk=tournament.pk).exists():
            raise WrongStatus(gettext("The event starts at another time."))
        wish = with_usual_rounds(as_asked(tournament))
        wish.size()
        rule: dict[str, object] = {}
        if tournament.format == Tournament.Format.SWISS:
            rule = {"pairing_rule": RULE}
        elif tournament.format in BRACKETED:
            rule = {FINAL_EXTRA: FINAL_EXTRA_PAIRS}
        settled = {"rounds": wish.rounds, "options": {**wish.options, **rule}}
        _change(tournament, (Status.DRAFT,), Status.RUNNING, started_at=database_clock.now(), **settled)
        add_audit_entry(tournament.audit_log, by, AuditEntry.What.STARTED)
        tell_started(tournament, by.pk if by else None)


def _locked(tournament: Tournament) -> Tournament:
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def advance(tournament_id: int) -> None:
    """Make the games that come next, or finish when all pairs are accepted. May be called any time."""
    with transaction.atomic():
        lock_promoted(tournament_id)
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None or tournament.status != Status.RUNNING:
            return
        if tournament.format == Tournament.Format.LADDER:
            fill_ladder(tournament)
            return
        _advance(tournament)


@seeing_hidden()
def _advance(tournament: Tournament) -> None:
    """The same for an event whose row is locked."""
    if tournament.format == Tournament.Format.SPRT:
        if tournament.entries.filter(withdrawn=True).exists():
            stop_test(tournament)  # it left while the test was paused
            return
        if decide(tournament):
            return
    while True:
        extend_matches(tournament)
        if fill_window(tournament):
            return
        if tournament.pairings.filter(pairs_done__lt=F("pairs_planned")).exists():
            return
        if not plan_rounds(tournament):
            break  # or else it is planned on where nobody plays: byes, and matches whose bots have left
    if tournament.format == Tournament.Format.SPRT:
        decide(tournament, last=True)
    else:
        finish(tournament)


def pause_tournament(tournament: Tournament, *, by: User | None = None) -> None:
    """Stop starting games; those being played are finished. `by` is who asks."""
    with transaction.atomic():
        _change(tournament, (Status.RUNNING,), Status.PAUSED)
        add_audit_entry(tournament.audit_log, by, AuditEntry.What.PAUSED)


@seeing_hidden()
def resume_tournament(tournament: Tournament, *, by: User | None = None) -> None:
    """Go on where the tournament was paused. `by` is who asks."""
    with transaction.atomic():
        _change(tournament, (Status.PAUSED,), Status.RUNNING)
        add_audit_entry(tournament.audit_log, by, AuditEntry.What.RESUMED)
        play_on_commit(tournament.games.filter(status=Game.Status.QUEUED).count())
        advance_on_commit(tournament.pk)


def cancel_tournament(tournament: Tournament, reason: str = "", *, by: User | None = None) -> None:
    """Stop for good: games in progress are voided, accepted pairs stay.

    `by` is who asks. Whoever stops an event while ahead chooses a rating, so an event that an
    organiser stops, or somebody with a bot in it, is no longer rated at all; staff are no exception.
    """
    with transaction.atomic():
        if by is not None and _may_gain(tournament, by):
            make_unrated(tournament, gettext_noop("Its owner cancelled it."))
        _change(
            tournament,
            (Status.DRAFT, Status.RUNNING, Status.PAUSED),
            Status.CANCELLED,
            finished_at=database_clock.now(),
            note=reason[:300],
        )
        add_audit_entry(tournament.audit_log, by, AuditEntry.What.CANCELLED)
        void_unfinished(tournament, reason or "the tournament was cancelled")
        show_all(tournament)
        tell_over(tournament, reason)


def _may_gain(tournament: Tournament, by: User) -> bool:
    """Whether stopping this event now may be to somebody's advantage."""
    if not by.is_staff or organises(tournament, by):
        return True
    if tournament.format == Tournament.Format.LADDER:  # where nobody chose opponents, nor the end
        return False
    return has_bot_among(by, tournament.entries.values_list("version", flat=True))


def _change(tournament: Tournament, before: tuple[Status, ...], after: Status, **values: object) -> None:
    """Change the status by conditional update; WrongStatus names what it is instead."""
    with transaction.atomic():
        changed = Tournament.objects.filter(pk=tournament.pk, status__in=before).update(
            status=after, **values
        )
        tournament.refresh_from_db()
        if not changed:
            sentence = gettext("The tournament is %(found)s. This works only while it is %(expected)s.")
            expected = either([str(status.label).lower() for status in before])
            found = str(tournament.get_status_display()).lower()
            raise WrongStatus(sentence % {"found": found, "expected": expected})
        events.changed_on_commit(tournament.slug)


ACTIONS: Final[Mapping[str, Callable[..., object]]] = {
    "start": start_in_a_worker,
    "pause": pause_tournament,
    "resume": resume_tournament,
    "cancel": cancel_tournament,
}
"""What an organiser can do with an event, by the name that addresses have for it."""
