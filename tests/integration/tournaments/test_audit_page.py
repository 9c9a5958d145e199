"""The public ledger shows what is counted from the rows, not what is hoped for."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from arena.web.processes.alarms import raise_alarm
from tests.conftest import ForAllTests
from tests.factories.results import lease, play_all
from tests.factories.tournaments import rivals, running
from tournaments.games.claims import release
from tournaments.models import Alarm, Attempt, Game, Pair, Pairing, Rating, Record, Result, Tournament
from tournaments.operation.ledger import ledger
from tournaments.pairing.pairs import void_pair
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db


def played_with_troubles() -> Tournament:
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


@pytest.fixture(scope="module", autouse=True)
def cup(for_all_tests: ForAllTests[Tournament]) -> Tournament:
    return for_all_tests(played_with_troubles)


def page(client: Client) -> str:
    cache.clear()
    answer = client.get("/audit/")
    assert answer.status_code == 200
    return answer.content.decode()


def count(text: str, name: str) -> str:
    found = re.search(rf"data-{name}>([^<]*)<", text)
    assert found is not None
    return found[1]


@pytest.mark.any_database
def test_a_clean_ledger_says_what_was_voided_and_why(client: Client) -> None:
    compute_ratings("crapaud")
    audit_all()
    text = page(client)
    assert (count(text, "lost"), count(text, "twice")) == ("0", "0")
    assert 'data-clean="yes"' in text
    assert "Everything adds up" in text
    assert "the host ran out of memory" in text
    assert "Playing process died" in text
    assert "no differences" in text


def test_a_lost_record_a_lost_result_and_a_forgotten_game_are_counted(
    client: Client, cup: Tournament
) -> None:
    one, other, third = Game.objects.filter(status="finished")[:3]
    Record.objects.filter(pk=one.pk).delete()
    Record.objects.filter(pk=other.pk).delete()
    Result.objects.filter(pk=other.pk).delete()
    Game.objects.filter(pk=third.pk).update(status="queued")
    text = page(client)
    assert count(text, "lost") == "3"
    assert 'data-clean="no"' in text
    assert "Something does not add up" in text


def test_a_game_delivered_twice_and_a_pair_counted_twice_are_counted(client: Client) -> None:
    attempt = Attempt.objects.filter(cause="delivered")[0]
    Attempt.objects.create(
        game=attempt.game,
        token=attempt.token + 1,
        worker="forged",
        lease_until=attempt.lease_until,
        heartbeat_at=attempt.heartbeat_at,
        cause="delivered",
    )
    pairing = Pairing.objects.all()[0]
    Pairing.objects.filter(pk=pairing.pk).update(pairs_done=pairing.pairs_done + 1)
    assert count(page(client), "twice") == "2"


@pytest.mark.any_database
def test_a_changed_rating_is_shown_as_a_difference(client: Client) -> None:
    compute_ratings("crapaud")
    rating = Rating.objects.all()[0]
    Rating.objects.filter(pk=rating.pk).update(elo=rating.elo + 1)
    audit_all()
    text = page(client)
    assert f"The elo of version {rating.version_id} is stored as {rating.elo + 1}" in text
    assert not ledger().clean


@pytest.mark.any_database
def test_everybody_reads_what_is_wrong_and_operators_alone_where(client: Client) -> None:
    secret = "db-host-7: FileNotFoundError: '/srv/arena/var/bots'"
    raise_alarm(Alarm.Kind.SANDBOX, "", secret)
    raise_alarm(Alarm.Kind.HOST, "db-host-7", secret)
    told = page(client)
    assert "The sandbox is unavailable." in told
    answer = client.get("/api/v1/audit/")
    assert answer.json()["alarms"] == ["A host was set aside", "The sandbox is unavailable"]
    for text in (told, answer.content.decode()):
        assert "db-host" not in text
        assert "/srv" not in text
