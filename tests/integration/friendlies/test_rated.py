"""Rated games: said so beforehand, one at a time, without help, at full strength, and counted in any case."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from analysis.errors import InvalidFriendly
from analysis.luck.measurement import Luck
from arena.accounts.models import User
from arena.run.analysis.worker import ANSWERS
from bots.house import LEVELS
from bots.models import Bot, Version
from friendlies import questions
from friendlies.models import Friendly, PersonRating
from friendlies.ratings import count_games, rate_person
from friendlies.tables import idle, new_games
from friendlies.tables.new_games import NewFriendly, adopt, start
from friendlies.tables.people import Person
from tests.factories.bots import accepted_bot
from tests.factories.friendlies import act, ended, rated_game, sit_down
from tests.factories.ratings import rating
from tournaments.models import Analysis, Rating, RatingState

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(greedy: Version) -> Version:
    rating(greedy, 1500, error=10)
    return greedy


def rated_start(user: User, version: Version) -> Friendly:
    return start(Person(user), NewFriendly("crapaud", version.pk, seat=0, rated=True))


def refused(user: User | None, version: Version) -> str:
    with pytest.raises(InvalidFriendly) as caught:
        start(Person(user, guest="" if user else "a"), NewFriendly("crapaud", version.pk, rated=True))
    assert caught.value.field == "rated"
    return str(caught.value)


def rated_now(user: User) -> PersonRating:
    found = rate_person(user.pk, "crapaud")
    assert found is not None
    return found


def test_only_games_that_can_count_begin_as_rated_one_at_a_time(rated: Version, ada: User) -> None:
    own = accepted_bot(ada, "Own")
    rating(own, 1700)
    assert "house bots" in refused(ada, own)
    assert "Sign in" in refused(None, rated)
    rated_start(ada, rated)
    assert "already" in refused(ada, rated)
    other = start(Person(ada), NewFriendly("crapaud", rated.pk))
    with pytest.raises(IntegrityError), transaction.atomic():
        Friendly.objects.filter(pk=other.pk).update(rated=True)
    Friendly.objects.all().delete()
    Rating.objects.all().delete()
    assert "no rating" in refused(ada, rated)
    assert not Friendly.objects.exists()


def test_there_is_no_help_in_a_rated_game(client: Client, rated: Version, ada: User) -> None:
    assert 'name="rated"' not in client.get("/play/").content.decode()
    guests = sit_down(client, rated, rated="on")
    assert not guests.rated
    adopt(Person(ada, guest=guests.guest))
    ended(guests, won=True)
    assert rate_person(ada.pk, "crapaud") is None
    client.force_login(ada)
    game = sit_down(client, rated, rated="on")
    assert game.rated
    page = client.get(reverse("play:table", args=[game.pk])).content.decode()
    assert not [deed for deed in ("hint", "undo") if f'data-do="{deed}"' in page]
    hint = client.post(reverse("play:hint", args=[game.pk]), {"step": 1}, content_type="application/json")
    assert (hint.status_code, hint.json()["error"]["code"]) == (409, "rated")
    assert "rated" in act(client, game, do="undo")["refused"]


def test_the_end_asks_for_the_rating_also_of_who_left(client: Client, rated: Version, ada: User) -> None:
    client.force_login(ada)
    game = sit_down(client, rated, rated="on", seat=0)
    act(client, game, do="resign")
    asked = Analysis.objects.get(kind="person rating")
    assert asked.arguments == {"user": ada.pk, "variant": "crapaud"}
    ANSWERS[asked.kind].answer(asked.arguments)  # as an analysis process does
    found = PersonRating.objects.get()
    assert (found.games, found.losses, found.latest[0][2]) == (1, 1, "lost")
    assert Friendly.objects.get().luck_version  # what can be measured of it was
    game = rated_start(ada, rated)
    left = timezone.now() - idle.OWNER_IDLE - timedelta(hours=1)
    Friendly.objects.filter(pk=game.pk).update(awaits="person", acted_at=left)
    idle.sweep()
    assert (rated_now(ada).games, rated_now(ada).losses) == (2, 2)


def test_what_counts(rated: Version, ada: User) -> None:
    for won in (True, False, None):
        rated_game(ada, rated, won=won)
    ended(start(Person(ada), NewFriendly("crapaud", rated.pk)), won=True)  # not rated
    rated_game(ada, rated, won=True, termination="crash", culprit=1)
    rated_game(ada, rated, won=True, variant="crapette")
    with CaptureQueriesContext(connection) as caught:
        found = rated_now(ada)
    assert not [one["sql"] for one in caught if '"events"' in one["sql"]], "their luck is known"
    assert (found.games, found.met, found.lucky) == (3, [[rated.pk, 1, 1, 1]], 3)
    assert found.elo == pytest.approx(1500, abs=10)
    assert not Friendly.objects.filter(rated=True, variant="crapaud", weighed_at=None).exists()
    key = ada.pk
    User.objects.filter(pk=key).delete()
    assert rate_person(key, "crapaud") is None
    assert not PersonRating.objects.exists()


def test_luck_is_kept_as_that_of_the_person_and_moves_the_rating(
    rated: Version, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = Luck(version=4, deal_result=0.3, deal_margin=0, cards_result=0.1, cards_margin=0, reveals=2)
    with monkeypatch.context() as patch:
        patch.setattr("friendlies.ratings.luck_of", lambda *asked: measured)
        for seat in (0, 1):
            ended(start(Person(ada), NewFriendly("crapaud", rated.pk, seat=seat, rated=True)), won=True)
        rate_person(ada.pk, "crapaud")
    assert [row.luck for row in Friendly.objects.order_by("seat")] == pytest.approx([0.4, -0.4])
    Friendly.objects.all().delete()
    rows = [rated_game(ada, rated, won=number % 2 == 0) for number in range(20)]
    blind = rated_now(ada)
    for number, row in enumerate(rows):  # the wins were all luck, the losses none
        Friendly.objects.filter(pk=row.pk).update(luck=0.0 if number % 2 else 0.9)
    assert rated_now(ada).elo < blind.elo - 30


def test_ratings_follow_the_bots_lost_messages_and_no_older_computation(rated: Version, ada: User) -> None:
    rated_game(ada, rated, won=True)
    assert questions.want_due_ratings() == 1  # not counted yet
    failed = {"status": Analysis.Status.FAILED, "finished_at": timezone.now() - timedelta(minutes=2)}
    Analysis.objects.update(**failed)
    questions.want_due_ratings()
    assert Analysis.objects.get().status == Analysis.Status.WAITING  # the next sweep asks again
    first = rated_now(ada)
    assert questions.want_due_ratings() == 0
    Rating.objects.update(elo=1800)
    RatingState.objects.create(variant="crapaud", computed_at=timezone.now())
    assert questions.want_due_ratings() == 0  # it rests for a while
    PersonRating.objects.update(computed_at=timezone.now() - questions.RATING_RESTS - timedelta(minutes=1))
    assert questions.want_due_ratings() == 1
    assert rated_now(ada).elo > first.elo + 100
    later = timezone.now() + timedelta(minutes=1)
    PersonRating.objects.update(computed_at=later, games=7)
    found = rated_now(ada)
    assert (found.computed_at, found.games) == (later, 7)


FULL = len(LEVELS)


@pytest.fixture
def oracle(house: None, db: None) -> Version:
    return Version.objects.get(bot__slug="oracle")


def chosen(client: Client, version: Version, **more: Any) -> Any:
    fields = {"variant": "crapaud", "version": version.pk, "seat": "0", "clock": "none", **more}
    return client.post(reverse("play:new"), fields)


def test_only_levels_of_a_bot_are_chosen(client: Client, oracle: Version, greedy: Version, ada: User) -> None:
    for version, level in ((oracle, ""), (oracle, str(FULL)), (greedy, "3")):
        game = sit_down(client, version, level=level)
        assert game.level is None, "full strength is none, and another bot's level is ignored"
    assert chosen(client, oracle, level="9").status_code == 422
    own = accepted_bot(ada, "Oracle of mine")
    for version, number in ((own, 3), (oracle, 0), (oracle, FULL + 1)):
        with pytest.raises(InvalidFriendly) as caught:
            start(Person(ada), NewFriendly("crapaud", version.pk, level=number))
        assert caught.value.field == "level"
    # The name of a house bot gives a person's bot no levels.
    Bot.objects.filter(slug="oracle").update(slug="elsewhere")
    Bot.objects.filter(pk=own.bot_id).update(slug="oracle")
    own.bot.refresh_from_db()
    assert new_games.levels(own) == ()


def test_only_games_at_full_strength_are_rated(client: Client, oracle: Version, ada: User) -> None:
    client.force_login(ada)
    rating(oracle, 1900, error=10)
    assert chosen(client, oracle, rated="on", level="7").status_code == 422
    assert not Friendly.objects.exists()
    assert sit_down(client, oracle, rated="on", level=str(FULL)).rated
    Friendly.objects.all().delete()
    counts = rated_game(ada, oracle, won=True)
    weak = ended(start(Person(ada), NewFriendly("crapaud", oracle.pk, level=1)), won=True)
    for row, change in ((counts, {"level": 1}), (weak, {"rated": True})):
        with pytest.raises(IntegrityError), transaction.atomic():
            Friendly.objects.filter(pk=row.pk).update(**change)
    assert [one.row for one in count_games([weak, counts], "crapaud")] == [counts]
