"""Games against a bot that plays below its strength, at the level a person chose."""

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.errors import InvalidFriendly
from analysis.event_log import pack, unpack
from arena.accounts.models import User
from bots.house import LEVELS
from bots.models import Bot, Version
from friendlies.models import Friendly
from friendlies.ratings import count_games
from friendlies.tables import new_games
from friendlies.tables.bot_turns import answer
from friendlies.tables.new_games import NewFriendly, start
from friendlies.tables.opponents import Engagements
from friendlies.tables.people import Person
from friendlies.tables.store import load_turns
from tests.factories.bots import accepted_bot
from tests.factories.friendlies import act, ended, rated_game, sit_down
from tests.factories.ratings import rating

pytestmark = pytest.mark.django_db

FULL = len(LEVELS)


@pytest.fixture
def oracle(house: None, db: None) -> Version:
    return Version.objects.get(bot__slug="oracle")


def chosen(client: Client, version: Version, **more: Any) -> Any:
    fields = {"variant": "crapaud", "version": version.pk, "seat": "0", "clock": "none", **more}
    return client.post(reverse("play:new"), fields)


def test_eight_faces_sit_opposite_and_the_next_to_beat_is_chosen(client: Client, oracle: Version) -> None:
    def faces() -> list[tuple[str, bool]]:
        page = client.get(reverse("play:new")).content.decode()
        found = re.findall(r'<input type="radio" name="level" value="(\d)"[^>]*?( checked)?>', page)
        return [(level, bool(checked)) for level, checked in found]

    assert faces() == [(str(level), level == 1) for level in range(1, FULL + 1)]
    # No bot is named: the face alone says who plays.
    client.post(reverse("play:new"), {"variant": "crapaud", "level": "2", "seat": "0"})
    game = Friendly.objects.get()
    assert (game.version, game.level) == (oracle, 2)
    ended(game, won=True)
    assert ("3", True) in faces()
    Bot.objects.filter(slug__in=new_games.LEVELED).update(withdrawn_at=timezone.now())
    assert faces() == []


def test_only_levels_of_a_bot_are_chosen(client: Client, oracle: Version, greedy: Version, ada: User) -> None:
    for version, level in ((oracle, ""), (oracle, str(FULL)), (greedy, "3")):
        game = sit_down(client, version, level=level)
        assert game.level is None, "full strength is none, and another bot's level is ignored"
    for level in ("9", "three"):
        assert chosen(client, oracle, level=level).status_code == 422
    own = accepted_bot(ada, "Oracle of mine")
    for version, number in ((greedy, 3), (own, 3), (oracle, 0), (oracle, FULL + 1)):
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


def test_a_restarted_bot_plays_at_its_level(client: Client, oracle: Version, opponents: Engagements) -> None:
    comments = {}
    for level in ("1", str(FULL)):
        game = sit_down(client, oracle, variant="crapette", level=level, seat=1)
        while len(own := comments_of(game)) < 4:
            game.refresh_from_db()
            if game.awaits == "person":
                act(client, game, do="move", move=str(load_turns(game).game.legal()[0]))
            else:
                assert answer(game.pk, opponents)
                opponents.dismiss()  # so the next question goes to a bot that is started anew
        comments[level] = own
        act(client, game, do="resign")
    # At full strength it says how many lines it has tried; below, it tries none.
    assert not any(comments["1"])
    assert any(comments[str(FULL)])


def test_a_bot_plays_ticks_at_its_level(client: Client, oracle: Version, opponents: Engagements) -> None:
    game = sit_down(client, oracle, variant="vitesse", pace="wait", level="1", seat=0)
    act(client, game, do="go")
    for tick in range(3):
        assert answer(game.pk, opponents)
        act(client, game, do="tick", tick=tick, action="wait")
        opponents.dismiss()
    game.refresh_from_db()
    assert (game.result, game.trouble) == (None, "")
    assert not any(event.get("comments") for event in unpack(bytes(game.events)))


def comments_of(game: Friendly) -> list[object]:
    events = unpack(bytes(Friendly.objects.get(pk=game.pk).events or pack([])))
    return [event.get("comment", "") for event in events if event.get("seat") == 1 - game.seat]
