"""What the public ledger counts from the rows, and how many games were played when."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories.results import lease, play_all
from tests.factories.tournaments import rivals, running
from tournaments.games.attempts import release
from tournaments.models import Attempt, Game, Pair, Pairing, Rating, Record, Result, Tournament
from tournaments.operation.ledger import ledger
from tournaments.pairing.pairs import void_pair
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Tournament:
    """A tournament with a failed attempt and a voided pair, played to its end."""
    tournament = running(None, rivals(), pairs=2)
    release(lease(), Attempt.Cause.PLAYER_DIED, "killed")
    Game.objects.update(not_before=None)
    play_all(tournament)
    pair = Pair.objects.filter(status="accepted")[0]
    void_pair(pair, "the host ran out of memory")
    play_all(tournament)
    assert tournament.status == "finished"
    return tournament


def page(client: Client) -> str:
    cache.clear()
    answer = client.get("/audit/")
    assert answer.status_code == 200
    return answer.content.decode()


def counts(client: Client) -> tuple[int, int]:
    """What the page says was lost, and was counted twice."""
    text = page(client)
    lost, twice = (int(re.findall(rf"data-{name}>([^<]*)<", text)[0]) for name in ("lost", "twice"))
    assert ('data-clean="yes"' in text) is not (lost or twice)
    return lost, twice


@pytest.mark.any_database
def test_a_changed_rating_is_shown_as_a_difference(client: Client, cup: Tournament) -> None:
    compute_ratings("crapaud")
    audit_all()
    assert counts(client) == (0, 0)
    found = ledger()
    assert (found.games, found.results, found.accepted_pairs, found.voided_pairs) == (12, 14, 6, 1)
    rating = Rating.objects.all()[0]
    Rating.objects.filter(pk=rating.pk).update(elo=rating.elo + 1)
    audit_all()
    assert f"The elo of version {rating.version_id} is stored as {rating.elo + 1}" in page(client)
    assert not ledger().clean


def test_what_is_lost_or_counted_twice_is_told(client: Client, cup: Tournament) -> None:
    one, other, third = Game.objects.filter(status="finished")[:3]
    Record.objects.filter(pk__in=(one.pk, other.pk)).delete()
    Result.objects.filter(pk=other.pk).delete()
    Game.objects.filter(pk=third.pk).update(status="queued")
    assert counts(client) == (3, 0)
    assert "Something does not add up" in page(client)
    attempt = Attempt.objects.filter(cause="delivered")[0]
    attempt.pk, attempt.token, attempt.worker = None, attempt.token + 1, "forged"
    attempt.save()
    pairing = Pairing.objects.all()[0]
    Pairing.objects.filter(pk=pairing.pk).update(pairs_done=pairing.pairs_done + 1)
    assert counts(client)[1] == 2
