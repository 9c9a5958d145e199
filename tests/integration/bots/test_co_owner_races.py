"""Several owners of a bot, and two of them at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, connections, transaction

from arena.accounts.models import User
from arena.notices.models import Kind
from arena.notices.sending import tell
from bots import bots, uploads
from bots.errors import OwnerGone
from bots.models import Bot, CoOwner, Version
from bots.teams import departures
from bots.teams.co_owners import accept, decline, invite, keep, leave, offer, refuse, remove, take_over
from bots.versions import activate_version
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot, shared, upload
from tests.factories.tournaments import rivals, running
from tests.racing import at_once, waiting
from tournaments.challenges.requests import set_terms
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)
MOST = "bots.teams.co_owners.MOST"


def test_two_who_accept_at_once_take_no_more_places_than_there_are_and_a_second_click_joins_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada, bob, carol, dora = author(), author("bob"), author("carol"), author("dora")
    bot = new_bot(ada).bot
    invite(bot, ada, "dora")
    said = at_once(lambda: accept(bot, dora), lambda: accept(bot, dora))
    assert sorted(map(bool, said)) == [False, True]
    assert Bot.objects.get().owner_names == "ada and dora"
    leave(bot, dora)
    for name in ("bob", "carol"):
        invite(bot, ada, name)
    CoOwner.objects.filter(user__in=(bob, carol)).update(status=CoOwner.Status.DECLINED)
    monkeypatch.setattr(MOST, 1)
    said = at_once(lambda: accept(bot, bob), lambda: accept(bot, carol))
    assert sorted(map(bool, said)) == [False, True]
    assert CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED).count() == 1


def test_who_leaves_while_taking_a_bot_over_is_its_owner_or_gone_and_somebody_owns_it() -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    offer(bot, ada, bob)
    said = at_once(lambda: take_over(bot, bob), lambda: leave(bot, bob))
    assert sorted(map(bool, said)) == [False, True]
    now = Bot.objects.get()
    assert now.owner_names == ("bob and ada" if said[0] == "" else "ada")
    assert not CoOwner.objects.filter(offered_at__isnull=False).exists()


def test_a_bot_survives_when_two_of_its_owners_leave_the_site_or_one_while_another_takes_it_over() -> None:
    ada, bob, carol, dora = author(), author("bob"), author("carol"), author("dora")
    bot = shared(accepted_bot(ada).bot, bob, carol, dora)
    assert at_once(lambda: delete_account(ada), lambda: delete_account(bob)) == ["", ""]
    bot = Bot.objects.get(pk=bot.pk)
    assert bot.owner_names == "carol and dora"
    offer(bot, carol, dora)
    at_once(lambda: take_over(bot, dora), lambda: delete_account(carol))
    assert Bot.objects.get().owner_names == "dora"


def test_two_uploads_of_two_owners_get_two_numbers_and_none_comes_after_a_removal() -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    one, two, three = upload("one"), upload("two"), upload("three")
    said = at_once(
        lambda: uploads.upload_version(bot, uploads.Submission(one, "bot.py"), by=ada),
        lambda: uploads.upload_version(bot, uploads.Submission(two, "bot.py"), by=bob),
    )
    assert said == ["", ""]
    assert sorted(bot.versions.values_list("number", flat=True)) == [1, 2, 3]
    said = at_once(
        lambda: uploads.upload_version(bot, uploads.Submission(three, "bot.py"), by=bob),
        lambda: remove(bot, ada, bob),
    )
    assert said[1] == ""
    assert bot.versions.count() == (4 if said[0] == "" else 3)


DEEDS: dict[str, Callable[[Version, User, User], object]] = {
    "accept": lambda version, ada, bob: accept(version.bot, bob),
    "decline": lambda version, ada, bob: decline(version.bot, bob),
    "leave": lambda version, ada, bob: leave(version.bot, bob),
    "remove": lambda version, ada, bob: remove(version.bot, ada, bob),
    "offer": lambda version, ada, bob: offer(version.bot, ada, bob),
    "keep": lambda version, ada, bob: keep(version.bot, ada),
    "refuse": lambda version, ada, bob: refuse(version.bot, bob),
    "take over": lambda version, ada, bob: take_over(version.bot, bob),
    "edit": lambda version, ada, bob: bots.edit_bot(
        version.bot, bots.BotDetails("Ours", description="", open_to_all=True), by=bob
    ),
    "withdraw": lambda version, ada, bob: bots.withdraw_bot(version.bot, by=bob),
    "activate": lambda version, ada, bob: activate_version(version, by=bob),
    "terms": lambda version, ada, bob: set_terms(version.bot, "none", 1, by=bob),
}


@pytest.mark.on_postgresql
@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("whose", ["ada", "bob"])
def test_what_owners_do_waits_for_an_account_that_is_being_deleted_before_it_holds_the_bot(
    deed: str, whose: str
) -> None:
    ada, bob = author(), author("bob")
    version = accepted_bot(ada)
    if deed in ("accept", "decline"):
        invite(version.bot, ada, "bob")
    else:
        shared(version.bot, bob)
    if deed in ("keep", "refuse", "take over"):
        offer(version.bot, ada, bob)
    account = type(ada).objects.filter(username=whose)
    with waiting(lambda: DEEDS[deed](version, ada, bob), lambda: account.select_for_update().get()):
        list(Bot.objects.select_for_update(nowait=True, of=("self",)))
        list(CoOwner.objects.select_for_update(nowait=True, of=("self",)))


@pytest.mark.on_postgresql
def test_whoever_accepts_while_the_owner_leaves_the_site_is_locked_before_they_inherit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada, bob, carol = author(), author("bob"), author("carol")
    bot = shared(accepted_bot(ada).bot, carol)
    invite(bot, ada, "bob")
    locked: list[bool] = []
    before = departures.hand_over

    def looked(owner: User) -> set[int]:
        """Ask, as somebody else would, whether the heir could be locked now."""
        if connection.vendor == "postgresql":
            with ThreadPoolExecutor() as pool:
                locked.append(pool.submit(is_locked, bob).result())
        return before(owner)

    monkeypatch.setattr(departures, "hand_over", looked)

    def change() -> None:
        accept(bot, bob)
        leave(bot, carol)

    with waiting(lambda: departures.forget_owner(ada), change):
        pass
    assert all(locked)
    assert bool(locked) is (connection.vendor == "postgresql")
    assert Bot.objects.get(pk=bot.pk).owner == bob


def is_locked(user: User) -> bool:
    try:
        with transaction.atomic():
            list(type(user).objects.select_for_update(nowait=True).filter(pk=user.pk))
    except OperationalError:
        return True
    finally:
        connections.close_all()
    return False


def test_who_has_just_been_removed_changes_nothing() -> None:
    ada, bob = author(), author("bob")
    version = accepted_bot(ada)
    version.bot = shared(version.bot, bob)
    assert version.bot.is_owned_by(bob), "as the page was asked for"
    remove(version.bot, ada, bob)
    for deed in ("edit", "withdraw", "activate", "terms"):
        with pytest.raises(OwnerGone, match="no longer own"):
            DEEDS[deed](version, ada, bob)
    assert (Bot.objects.get().name, Bot.objects.get().is_withdrawn) == ("Ada's first", False)


@pytest.mark.on_postgresql
def test_a_deletion_gives_way_to_whoever_tells_the_organiser_something() -> None:
    """They hold the event and wait for the account, which the deletion holds."""
    bob, versions = author("bob"), rivals(2)
    event = running(bob, versions)
    with waiting(
        lambda: delete_account(bob), lambda: Tournament.objects.select_for_update().get(pk=event.pk)
    ):
        tell([bob.pk], Kind.OVER, "over", "It is over.", "/")
    assert not User.objects.filter(pk=bob.pk).exists()
