"""What becomes of bots with several owners when an account is deleted, and that nobody gains by it."""

from datetime import datetime

import pytest

from arena.accounts.models import User
from arena.notices.models import Notice
from bots import limits
from bots.bots import restore_bot
from bots.errors import LimitReached, OwnersRefused
from bots.models import Bot, SharedPast
from bots.teams.co_owners import accept, decline, invite, leave
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot, shared
from tests.factories.tournaments import running

pytestmark = pytest.mark.django_db


def remembers(*couples: tuple[Bot, Bot]) -> bool:
    """Whether these, and no other two bots, had an owner in common whose account is gone."""
    wanted = {tuple(sorted((one.pk, other.pk))) for one, other in couples}
    return wanted == set(SharedPast.objects.values_list("one", "other"))


def test_bots_of_a_deleted_account_that_somebody_once_owned_with_it_stay_one_authors(
    ada: User, bob: User
) -> None:
    played = [accepted_bot(ada, name) for name in ("one", "two", "three")]
    shared(played[0].bot, bob)
    leave(played[0].bot, bob)
    carol = author("carol")
    others = [accepted_bot(carol, name) for name in ("four", "five")]
    invite(others[0].bot, carol, "bob")
    decline(others[0].bot, bob)
    running(None, [*played, *others])
    delete_account(ada)
    delete_account(carol)
    one, two, three = (version.bot for version in played)
    assert all(bot.is_departed for bot in Bot.objects.all())
    assert remembers((one, two), (one, three))


def test_a_bot_that_is_deleted_later_takes_no_others_apart(ada: User, bob: User) -> None:
    carol, dora = author("carol"), author("dora")
    first = shared(accepted_bot(bob, "first").bot, ada)
    middle = shared(new_bot(carol, "middle").bot, ada)
    last = shared(accepted_bot(dora, "last").bot, ada)
    delete_account(ada)
    assert remembers((first, middle), (first, last), (middle, last))
    delete_account(carol)
    assert not Bot.objects.filter(pk=middle.pk).exists()
    assert remembers((first, last))


def test_an_heir_gets_the_bots_for_which_there_is_room_and_the_rest_withdrawn(
    ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [shared(accepted_bot(ada, name).bot, bob) for name in ("one", "two", "three")]
    new_bot(bob, "his own")
    monkeypatch.setattr(limits, "BOTS_PER_USER", 2)
    delete_account(ada)
    found = [Bot.objects.get(pk=bot.pk) for bot in bots]
    assert [bot.owner for bot in found] == [bob] * 3
    assert [bot.is_withdrawn for bot in found] == [False, True, True]
    told = dict(Notice.objects.filter(user=bob, key__endswith="inherited").values_list("key", "text"))
    assert ["withdrawn" in told[f"bot {bot.pk} inherited"] for bot in bots] == [False, True, True]
    with pytest.raises(LimitReached):
        restore_bot(found[1], by=bob)


def test_nobody_joins_a_bot_whose_words_are_being_deleted(
    ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = shared(new_bot(ada).bot, bob)
    leave(bot, bob)
    invite(bot, ada, "bob")
    refused: list[str] = []

    def forget(key: int, since: datetime | None = None) -> None:
        with pytest.raises(OwnersRefused):
            accept(bot, bob)
        refused.append("accept")

    monkeypatch.setattr("people.deletion.forget_evidence", forget)
    delete_account(ada)
    assert refused
    assert not Bot.objects.exists()
