"""Hidden results: an event goes on by them, games begin and end meanwhile, and a reveal tells them all."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from analysis.errors import WrongStatus
from arena.web import worker_messages
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.results import accept_result, delivery, lease, play_all, play_one
from tests.factories.tournaments import draft, rivals, running
from tournaments import live_updates as events
from tournaments.events.edits import EventDetails, edit_event
from tournaments.events.registration import clone_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games.records import snapshot
from tournaments.models import (
    Game,
    HiddenResults,
    Pair,
    Pairing,
    Rating,
    RatingState,
    Result,
    Tournament,
)
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.pairing.embargo import Hiding, hide_if_due
from tournaments.pairing.hidden_results_reveal import LONGEST, reveal, reveal_due, reveal_next
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db

ALL, LAST = Hiding(EVERY_ROUND), Hiding(last_rounds=1)


def cup(
    hiding: Hiding = ALL, bots: int = 3, *, among: list[Version] | None = None, **wish: Any
) -> Tournament:
    """A house event with hidden results that has been started; it is rated."""
    return running(None, among or rivals(bots), hiding=hiding, **{"pairs": 1, **wish})


def places(tournament: Tournament) -> list[tuple[int, float, int]]:
    """The table as this reader sees it: entry, points, games."""
    return [(one.entry.pk, one.row.points, one.row.games) for one in tournament_standings(tournament)]


def requested() -> int:
    return sum(RatingState.objects.values_list("requested", flat=True))


def begins_now() -> None:
    HiddenResults.objects.update(since=timezone.now())


def soon() -> datetime:
    return timezone.now() + timedelta(hours=1)


def test_an_event_is_paired_and_played_by_its_hidden_results() -> None:
    tournament = cup(Hiding(last_rounds=2), 4, format="swiss", rounds=3)
    play_all(tournament)
    assert set(tournament.pairings.values_list("round", flat=True)) == {1}
    with seeing_hidden():
        assert set(tournament.pairings.values_list("round", flat=True)) == {1, 2, 3}
        final = places(tournament)
    assert tournament.status == Tournament.Status.RUNNING, "its end would name a winner"
    assert {games for *_, games in places(tournament)} == {2}
    reveal(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.FINISHED
    assert places(tournament) == final
    with pytest.raises(WrongStatus):
        reveal(tournament)


def test_the_final_of_a_knock_out_can_be_hidden() -> None:
    tournament = cup(LAST, 4, format="double-elimination")
    play_all(tournament)
    assert tournament.status == Tournament.Status.RUNNING
    shown = set(tournament.pairings.values_list("round", flat=True))
    assert shown == {1, 2, 3}
    with seeing_hidden():
        assert set(tournament.pairings.values_list("round", flat=True)) > shown


def test_hidden_games_count_for_ratings_once_they_are_revealed() -> None:
    tournament = cup(LAST, 4)
    play_all(tournament)
    assert compute_ratings("crapaud")
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 8
    before = requested()
    with seeing_hidden():
        assert not compute_ratings("crapaud"), "whoever asks, ratings are of what is shown"
    reveal(tournament)
    assert requested() == before + 1
    assert compute_ratings("crapaud")
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 12

    # A pair that was begun again in the moment of the reveal slipped through: it is counted once shown.
    with seeing_hidden():
        Game.objects.update(hidden=True)
    reveal_due()
    assert (Result.objects.count(), requested()) == (12, before + 2)
    reveal_due()
    assert requested() == before + 2, "there is nothing left to show"


def test_results_are_revealed_when_it_is_time_or_all_is_over() -> None:
    versions = rivals(3)
    at_the_end = cup(Hiding(EVERY_ROUND, ending="end"), among=versions)
    play_all(at_the_end)
    assert at_the_end.status == Tournament.Status.FINISHED

    timed = cup(Hiding(EVERY_ROUND, ending="time", reveal_at=soon()), among=versions)
    play_one()
    reveal_due()
    assert not timed.pairings.exists()
    HiddenResults.objects.filter(tournament=timed).update(reveal_at=timezone.now())
    reveal_due()
    assert timed.pairings.count() == 3

    forgotten = cup(among=versions)
    play_all(forgotten)
    reveal_due()
    assert forgotten.status == Tournament.Status.RUNNING
    long_ago = timezone.now() - LONGEST - timedelta(minutes=1)
    HiddenResults.objects.filter(tournament=forgotten).update(played_at=long_ago)
    reveal_due()
    forgotten.refresh_from_db()
    assert forgotten.status == Tournament.Status.FINISHED


def test_from_a_set_time_on_new_meetings_and_rounds_are_hidden_and_what_was_begun_plays_on() -> None:
    tournament = cup(Hiding(since=soon()))
    first = play_one()
    begins_now()
    play_all(tournament)
    begun = Game.objects.get(pk=first.game).pair.pairing_id
    assert set(Game.objects.values_list("pair__pairing", flat=True)) == {begun}
    with seeing_hidden():
        assert Game.objects.filter(status=Game.Status.FINISHED).count() == 6
        versions = [one.version for one in tournament.entries.all()]

    swiss = cup(Hiding(since=soon()), among=versions, format="swiss", rounds=3)
    play_one()
    play_one()
    with_bye = places(swiss)
    begins_now()
    play_all(swiss)
    assert places(swiss) == with_bye
    assert [(one.round, one.second is None) for one in swiss.pairings.all()] == [(1, False), (1, True)]


def test_a_game_that_was_made_while_its_meeting_was_being_hidden_is_hidden_as_well() -> None:
    cup(Hiding(since=soon()))
    Pairing.objects.update(hidden=True)  # by a claim that saw none of these games
    begins_now()
    claimed = lease()
    with seeing_hidden():
        assert Game.objects.get(pk=claimed.game).hidden
        assert not Game.objects.filter(hidden=False).exclude(status=Game.Status.QUEUED).exists()
    reveal_due()
    assert not Game.objects.exists()


def test_a_claim_that_waited_for_a_reveal_hides_nothing() -> None:
    tournament = cup(Hiding(since=soon()))
    begins_now()
    game = Game.objects.select_related("pair", "tournament__hidden_results").filter(leg=0)[0]
    reveal(tournament)
    hide_if_due(game)
    assert not game.hidden
    with seeing_hidden():
        assert not Pairing.objects.filter(hidden=True).exists()


def test_news_of_a_hidden_game_reaches_nobody_and_one_that_is_revealed_meanwhile_ends_in_public(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    told: list[object] = []
    sent: list[str] = []
    for name in ("publish_changed", "publish_finished", "publish_begun"):
        monkeypatch.setattr(events, name, lambda *what: told.extend(what))
    monkeypatch.setattr(worker_messages._Carrier, "carrier", lambda task, *_: sent.append(task))
    tournament = cup()
    with django_capture_on_commit_callbacks(execute=True):
        play_one()
    assert told == []
    claimed = lease()
    with seeing_hidden():
        assert claimed.game_row().hidden
        assert snapshot(str(claimed.game), -1, -1) is not None
    assert snapshot(str(claimed.game), -1, -1) is None, "nor do sockets know of it"
    reveal(tournament)
    told.clear()
    crashed = delivery(claimed.game, seat=1, termination="crash")
    crashed.result.update(seat=0)  # type: ignore[attr-defined]
    with django_capture_on_commit_callbacks(execute=True):
        accept_result(claimed, crashed)
    assert claimed.game in told
    assert "tournaments.bench" in sent


def test_a_voided_pair_takes_revealed_places_back_and_the_event_goes_on() -> None:
    tournament = cup()
    play_all(tournament)
    reveal_next(tournament, 0)
    with seeing_hidden():
        void_pair(Pair.objects.select_related("pairing")[0], "the host failed")
    kept = HiddenResults.objects.get()
    assert (kept.places, kept.played_at) == (0, None)
    reveal(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.RUNNING, "a pair is still to be played"
    play_all(tournament)
    assert tournament.status == Tournament.Status.FINISHED


def test_cancelling_reveals_what_was_played_and_a_copy_hides_the_same_rounds() -> None:
    tournament = cup(Hiding(EVERY_ROUND, organiser_sees=True))
    copied = HiddenResults.objects.get(tournament=clone_tournament(tournament, None))
    assert (copied.last_rounds, copied.organiser_sees) == (EVERY_ROUND, True)
    play_one()
    cancel_tournament(tournament, "Rain.")
    assert Result.objects.count() == 1


def test_an_event_edited_down_to_its_hidden_rounds_shows_byes_alone() -> None:
    ada, hiding = author("ada"), Hiding(last_rounds=2)
    event = draft(ada, rivals(5), format="swiss", rounds=3, pairs_per_pairing=1, hiding=hiding)
    edit_event(event, replace(EventDetails.of(event), rounds=2), by=ada)
    event.refresh_from_db()
    start_tournament(event)
    play_all(event)
    assert {one.row.points for one in tournament_standings(event)} <= {0, 1}
