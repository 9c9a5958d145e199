"""Games begin and end while their event hides results or reveals them: none is lost, and none is told."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from arena.web import worker_messages
from tests.factories.results import delivery, lease, play_all, play_one
from tests.factories.tournaments import rivals, running
from tournaments import live_updates as events
from tournaments.games.results import accept_result
from tournaments.models import Game, HiddenResults, Pair, Pairing, RatingState, Result, Tournament
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.pairing.embargo import Hiding, hide_if_due
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.reveal import reveal, reveal_due, reveal_next

pytestmark = pytest.mark.django_db

ALL = Hiding(EVERY_ROUND)


def cup(hiding: Hiding = ALL, bots: int = 3, **wish: Any) -> Tournament:
    """A house event with hidden results that has been started; it is rated."""
    return running(None, rivals(bots), hiding=hiding, **{"pairs": 1, **wish})


def requested() -> int:
    return sum(RatingState.objects.values_list("requested", flat=True))


def test_a_game_that_is_played_while_its_event_is_revealed_ends_in_public(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    tournament = cup()
    claimed = lease()
    assert claimed.game_row().hidden
    reveal(tournament)
    told: list[object] = []
    monkeypatch.setattr(events, "publish_finished", told.append)
    sent: list[str] = []
    monkeypatch.setattr(worker_messages._Carrier, "carrier", lambda task, *_: sent.append(task))
    crashed = delivery(claimed.game, seat=1, termination="crash")
    crashed.result.update(seat=0)  # type: ignore[attr-defined]
    with django_capture_on_commit_callbacks(execute=True):
        accept_result(claimed, crashed)
    assert told == [claimed.game]
    assert "tournaments.bench" in sent


def test_hidden_pairs_ask_for_no_ratings_before_they_are_revealed() -> None:
    tournament = cup()
    play_all(tournament)
    assert requested() == 0
    reveal(tournament)
    assert requested() == 1


def test_news_of_a_hidden_game_reaches_nobody(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    cup()
    told: list[object] = []
    for name in ("publish_changed", "publish_finished", "publish_begun"):
        monkeypatch.setattr(events, name, lambda *what: told.append(what))
    with django_capture_on_commit_callbacks(execute=True):
        play_one()
    assert told == []


def test_what_slipped_through_a_reveal_is_counted_when_it_is_shown() -> None:
    tournament = cup()
    play_one()
    play_one()
    reveal(tournament)
    before = requested()
    with seeing_hidden():
        Game.objects.update(hidden=True)  # as of a pair that was begun again in the moment of the reveal
    reveal_due()
    assert Result.objects.count() == 2
    assert requested() == before + 1
    reveal_due()
    assert requested() == before + 1, "there is nothing left to show"


def test_a_voided_pair_takes_revealed_places_back_and_the_event_goes_on() -> None:
    tournament = cup()
    play_all(tournament)
    reveal_next(tournament, 0)
    with seeing_hidden():
        pair = Pair.objects.select_related("pairing")[0]
        void_pair(pair, "the host failed")
    kept = HiddenResults.objects.get()
    assert (kept.places, kept.played_at) == (0, None)
    reveal(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.RUNNING, "a pair is still to be played"
    play_all(tournament)
    assert tournament.status == Tournament.Status.FINISHED


def test_a_game_that_was_made_while_its_meeting_was_being_hidden_is_hidden_as_well() -> None:
    cup(Hiding(since=timezone.now() + timedelta(hours=1)))
    Pairing.objects.update(hidden=True)  # by a claim that saw none of these games
    HiddenResults.objects.update(since=timezone.now())
    claimed = lease()
    with seeing_hidden():
        assert Game.objects.get(pk=claimed.game).hidden
        left = Game.objects.filter(hidden=False).exclude(status=Game.Status.QUEUED)
        assert not left.exists()
    reveal_due()
    assert not Game.objects.exists()


def test_a_claim_that_waited_for_a_reveal_hides_nothing() -> None:
    tournament = cup(Hiding(since=timezone.now() + timedelta(hours=1)))
    HiddenResults.objects.update(since=timezone.now())
    game = Game.objects.select_related("pair", "tournament__hidden_results").filter(leg=0)[0]
    reveal(tournament)
    hide_if_due(game)
    assert not game.hidden
    with seeing_hidden():
        assert not Pairing.objects.filter(hidden=True).exists()
