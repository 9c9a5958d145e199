"""Pairs: accepted when all their games are, voided and begun again as a whole, also when their owner asks.

Requests of owners to void a pair. Staff decide by what the machine did, without seeing who won.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import BigAutoField, Max
from django.utils.translation import gettext, gettext_noop

from analysis.errors import CompetitionError, WrongStatus
from analysis.scores import Leg, PairOutcome, pair_outcome, pair_points
from arena.accounts.confirmation import assert_confirmed
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock, prepared_sql
from arena.web.database.prepared_sql import Param, PreparedQuery
from arena.web.processes.alarms import clear_alarm
from bots.models import Bot
from tournaments import live_updates as events
from tournaments.events.organiser_rights import may_manage
from tournaments.events.withdrawals import first_out, forfeit_rest
from tournaments.game_messages import advance_on_commit
from tournaments.models import (
    Analysis,
    Attempt,
    AuditEntry,
    Game,
    HiddenResults,
    Pair,
    Pairing,
    Result,
    Seat,
    Tournament,
    VoidRequest,
)
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.matches import score_match
from tournaments.pairing.planning import make_games, needs_no_more, new_deal_seed
from tournaments.pairing.row_locks import lock_together
from tournaments.questions.question_types import performance
from tournaments.questions.requests import want_luck
from tournaments.ratings.linked_owners import has_bot_among
from tournaments.ratings.ratings import make_unrated, request_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from arena.accounts.models import User


@seeing_hidden()
def settle(pair: Pair, tournament: Tournament, results: Sequence[Result] | None = None) -> bool:
    """Accept the pair if all its games have their results. Call with the pair's row locked, or with the
    results of all its games, finished in this transaction."""
    if results is None:
        if pair.status == Pair.Status.ACCEPTED:
            return False
        results = _results.rows(pair=pair.pk)
    if len(results) < tournament.players:
        return False
    outcome = outcome_of(pair, results)
    points = points_of(results) if tournament.players == 2 else (None, None)
    accepted = {
        "status": Pair.Status.ACCEPTED,
        "score": outcome.score,
        "margin": outcome.margin,
        "points_first": points[0],
        "points_second": points[1],
        "accepted_at": database_clock.now(),
    }
    prepared_sql.update(Pair, {"pk": pair.pk}, accepted)
    _count(pair, outcome, 1)
    score_match(tournament, pair.pairing_id)
    if not results[0].game.hidden:  # otherwise once they are revealed (`hiding.show_all`)
        request_ratings(tournament)
        want_luck(tournament, [pair.pk])
    if not needs_no_more(tournament):
        advance_on_commit(tournament.pk)
    return True


@PreparedQuery
@seeing_hidden()
def _results() -> QuerySet[Result]:
    found = Result.objects.filter(game__pair=Param("pair", BigAutoField())).select_related("game")
    return found.only("ranking", "points", "left", "culprit", "game__leg", "game__hidden")


def outcome_of(pair: Pair, results: Iterable[Result]) -> PairOutcome:
    """What the games of a pair amount to for its first entrant, who had seat -leg in each (seats rotate)."""
    return pair_outcome(_legs(results))


def points_of(results: Iterable[Result]) -> tuple[int, int]:
    """The points that the two of a pair made in its games."""
    return pair_points(_legs(results))


def _legs(results: Iterable[Result]) -> list[Leg]:
    return [
        Leg(result.game.leg, result.ranking, result.points, result.left, result.culprit) for result in results
    ]


@seeing_hidden()
def void_pair(pair: Pair, reason: str, *, by: User | None = None) -> Pair | None:
    """Void a pair with all its games and begin it again on the same deal; return the new one.

    None if one of its bots no longer plays: then the pair is forfeited (`services.withdrawals`).
    What it counted for is taken back. `by` is who asks: an owner who is not staff knows the result, so the
    event is no longer rated at all. Raises WrongStatus if the pair is void already or its tournament
    cancelled.
    """
    with transaction.atomic():
        # Everybody locks the tournament first: who reveals now, and may end it, comes before or after.
        Tournament.objects.select_for_update().get(pk=pair.pairing.tournament_id)
        lock_together(Pair.objects.filter(pk=pair.pk).order_by(), Game.objects.filter(pair=pair).order_by())
        pair = Pair.objects.select_related("pairing__tournament").get(pk=pair.pk)
        tournament = pair.pairing.tournament
        if pair.status == Pair.Status.VOID:
            raise WrongStatus(gettext("This pair is already void."))
        if tournament.status == Tournament.Status.CANCELLED:
            raise WrongStatus(gettext("This tournament was cancelled."))
        _end_games(pair, reason)
        add_audit_entry(tournament.audit_log, by, AuditEntry.What.VOIDED)
        if by is not None and not by.is_staff:
            make_unrated(tournament, gettext_noop("Its owner voided a pair."))
        if pair.status == Pair.Status.ACCEPTED:
            _count(pair, outcome_of(pair, Result.objects.filter(game__pair=pair).select_related("game")), -1)
            request_ratings(tournament)
            # Of as many pairs once it is played again: nobody could tell that they are others.
            Analysis.objects.filter(pk=performance(tournament.pk).key).delete()
        Pair.objects.filter(pk=pair.pk).update(status=Pair.Status.VOID, void_reason=reason[:300])
        score_match(tournament, pair.pairing_id)
        clear_alarm("pair", f"pair {pair.pk}")
        out = first_out(pair.pairing)
        again = _begin_again(pair) if out is None else None
        if out is not None and tournament.format != Tournament.Format.LADDER:
            forfeit_rest(tournament, pair.pairing_id, out)
            advance_on_commit(tournament.pk)
        # The table changes again, so places that were revealed one by one are taken back.
        HiddenResults.objects.filter(tournament=tournament, revealed_at=None).update(played_at=None, places=0)
        if tournament.status == Tournament.Status.FINISHED:
            _go_on(tournament, replays=again is not None)
        events.changed_on_commit(tournament.slug)
    return again


def _begin_again(pair: Pair) -> Pair:
    """A new run of the pair's number with its games, on the same deal if no remote bot can know it."""
    runs = Pair.objects.filter(pairing=pair.pairing, number=pair.number).aggregate(last=Max("run"))
    again = Pair.objects.create(
        pairing=pair.pairing,
        number=pair.number,
        run=(runs["last"] or 0) + 1,
        batch=pair.batch,
        deal=pair.deal,
        deal_seed=new_deal_seed(pair.pairing.tournament, pair.batch, pair.deal),
    )
    make_games(pair.pairing.tournament, [again])
    return again


def _go_on(tournament: Tournament, *, replays: bool) -> None:
    """Let an event go on that was over. A test has no verdict then, and if it `replays`, it plays the pairs
    for which its verdict did not wait: none after them would count."""
    options = {name: value for name, value in tournament.options.items() if name != "verdict"}
    Tournament.objects.filter(pk=tournament.pk).update(
        status=Tournament.Status.RUNNING, finished_at=None, note="", options=options
    )
    if replays and tournament.format == Tournament.Format.SPRT:
        pairs = Pair.objects.filter(pairing__tournament=tournament).order_by("number", "run")
        last = {pair.number: pair for pair in pairs}  # of each number the last run
        for pair in last.values():
            if pair.status == Pair.Status.VOID:
                _begin_again(pair)


def _end_games(pair: Pair, reason: str) -> None:
    """Void all games of a pair; those being played notice at their next heartbeat."""
    games = Game.objects.filter(pair=pair)
    for key in games.filter(status=Game.Status.RUNNING, hidden=False).values_list("pk", flat=True):
        transaction.on_commit(partial(events.publish_finished, key))
    games.update(status=Game.Status.VOID)
    Attempt.objects.filter(game__pair=pair, ended_at=None).update(
        ended_at=database_clock.now(), cause=Attempt.Cause.CANCELLED, detail=reason[:500]
    )


def _count(pair: Pair, outcome: PairOutcome, sign: int) -> None:
    """Add the pair to its pairing's counters, or take it back (sign -1)."""
    more = {
        "pairs_done": sign,
        "wins": sign * outcome.wins,
        "draws": sign * outcome.draws,
        "losses": sign * outcome.losses,
        "margin_sum": sign * outcome.margin,
        "margin_squares": sign * outcome.margin**2,
    }
    if outcome.score <= 4 and outcome.games == 2:
        more[f"penta_{outcome.score}"] = sign
    prepared_sql.update(Pairing, {"pk": pair.pairing_id}, {}, plus=more)


LONGEST_REASON = 200
MOST_OPEN = 5
"""Requests of one person that may wait at a time."""


def ask_to_void(pair: Pair, by: User, evidence: str) -> VoidRequest:
    """Store an owner's request. Raises WrongStatus if it cannot be made."""
    if pair.status == Pair.Status.VOID:
        raise WrongStatus(gettext("This pair is already void."))
    if not by.is_staff and not _sat_in(pair, by):
        raise WrongStatus(gettext("Only the owner of a bot in this pair can ask for that."))
    if VoidRequest.objects.filter(asked_by=by, granted=None).count() >= MOST_OPEN:
        raise WrongStatus(
            gettext("You already have %(most)s open requests. Staff will look at those first.")
            % {"most": MOST_OPEN}
        )
    try:
        with transaction.atomic():
            return VoidRequest.objects.create(pair=pair, asked_by=by, evidence=evidence)
    except IntegrityError as error:
        raise WrongStatus(gettext("Staff have already been asked about this pair.")) from error


def _sat_in(pair: Pair, user: User) -> bool:
    return Seat.objects.filter(game__pair=pair, version__bot__in=Bot.objects.of(user)).exists()


def ask_or_void(pair: Pair, by: User, reason: str) -> str:
    """Void a pair, or ask staff to, whichever `by` may do; what was done, in a sentence.

    Where a pair counts, nobody who sees its result voids it, not even staff: they ask like the owner of a
    bot, and it is decided where no result is shown. Elsewhere staff void, and the event's organisers. Raises
    AddressNotConfirmed, PermissionDenied and CompetitionError.
    """
    assert_confirmed(by)
    tournament = pair.pairing.tournament
    asks = tournament.rated
    if not (asks or may_manage(tournament, by)):
        raise PermissionDenied
    reason = " ".join(reason.split())
    if not 3 <= len(reason) <= LONGEST_REASON:
        raise CompetitionError(
            gettext("Give a public reason of 3 to %(most)s characters.") % {"most": LONGEST_REASON}
        )
    if asks:
        ask_to_void(pair, by, reason)
        return gettext("Staff will look into the machine fault without seeing the result.")
    words = gettext("Pair %(number)s is void and will be replayed on the same deal.")
    if void_pair(pair, reason, by=by) is None:
        words = gettext(
            "Pair %(number)s is void. It cannot be replayed, because a bot has left: its opponent wins it."
        )
    return words % {"number": pair.number}


def decide(request: VoidRequest, answer: str, *, granted: bool, by: User) -> None:
    """Answer a request once, with a public reason; a granted one voids the pair.

    Raises WrongStatus, also if `by` has a bot in the pair.
    """
    must_not_gain(by, request.pair)
    with transaction.atomic():
        open_still = VoidRequest.objects.filter(pk=request.pk, granted=None).update(
            granted=granted, answer=answer[:300], decided_at=database_clock.now()
        )
        if not open_still:
            raise WrongStatus(gettext("This request has already been answered."))
        if granted:
            void_pair(request.pair, answer)


def must_not_gain(by: User, pair: Pair) -> None:
    """Raise WrongStatus if the pair is rated and one of its bots is of this account or of a linked one."""
    with seeing_hidden():
        seated = list(Seat.objects.filter(game__pair=pair).values_list("version", flat=True))
    if pair.pairing.tournament.rated and has_bot_among(by, seated):
        raise WrongStatus(gettext("Your bot plays in this pair. Another member of staff must decide."))
