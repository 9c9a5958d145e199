"""Several owners of a bot, and two of them at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError, connections

from bots import services
from bots.errors import BotsError
from bots.models import Bot, CoOwner
from bots.services.co_owners import accept, invite, leave, offer, remove, take_over
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot, shared, upload

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)
MOST = "bots.services.co_owners.MOST"


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Do all of these at the same moment; what each of them was refused, empty if it was done."""
    start = threading.Barrier(len(acts))
    said = ["" for _ in acts]

    def act(number: int) -> None:
        start.wait()
        try:
            for _ in range(100):
                try:
                    acts[number]()
                except OperationalError:  # SQLite lets one write at a time
                    continue
                return
        except BotsError as error:
            said[number] = str(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


def test_two_who_accept_at_once_take_no_more_places_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob, carol = author(), author("bob"), author("carol")
    bot = new_bot(ada).bot
    for name in ("bob", "carol"):
        invite(bot, ada, name)
    CoOwner.objects.update(status=CoOwner.Status.DECLINED)
    monkeypatch.setattr(MOST, 1)
    said = at_once(lambda: accept(bot, bob), lambda: accept(bot, carol))
    assert sorted(map(bool, said)) == [False, True]
    assert CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED).count() == 1


def test_a_second_click_joins_once() -> None:
    ada, bob = author(), author("bob")
    bot = new_bot(ada).bot
    invite(bot, ada, "bob")
    said = at_once(lambda: accept(bot, bob), lambda: accept(bot, bob))
    assert sorted(map(bool, said)) == [False, True]
    assert Bot.objects.get().owner_names == "ada and bob"


def test_who_leaves_while_taking_a_bot_over_is_its_owner_or_gone_and_somebody_owns_it() -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    offer(bot, ada, bob)
    said = at_once(lambda: take_over(bot, bob), lambda: leave(bot, bob))
    assert sorted(map(bool, said)) == [False, True]
    now = Bot.objects.get()
    assert now.owner_names == ("bob and ada" if said[0] == "" else "ada")
    assert not CoOwner.objects.filter(offered_at__isnull=False).exists()


def test_a_bot_survives_when_its_owner_leaves_the_site_while_the_co_owner_takes_it_over() -> None:
    ada, bob = author(), author("bob")
    bot = shared(accepted_bot(ada).bot, bob)
    offer(bot, ada, bob)
    at_once(lambda: take_over(bot, bob), lambda: services.delete_account(ada))
    assert Bot.objects.get().owner_names == "bob"


def test_two_owners_who_delete_their_accounts_at_once_leave_nothing_half_done() -> None:
    ada, bob, carol = author(), author("bob"), author("carol")
    bot = shared(accepted_bot(ada).bot, bob, carol)
    assert at_once(lambda: services.delete_account(ada), lambda: services.delete_account(bob)) == ["", ""]
    assert Bot.objects.get(pk=bot.pk).owner_names == "carol"


def test_two_uploads_of_two_owners_get_two_numbers_and_none_comes_after_a_removal() -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    one, two, three = upload("one"), upload("two"), upload("three")
    said = at_once(
        lambda: services.upload_version(bot, one, filename="bot.py", by=ada),
        lambda: services.upload_version(bot, two, filename="bot.py", by=bob),
    )
    assert said == ["", ""]
    assert sorted(bot.versions.values_list("number", flat=True)) == [1, 2, 3]
    said = at_once(
        lambda: services.upload_version(bot, three, filename="bot.py", by=bob),
        lambda: remove(bot, ada, bob),
    )
    assert said[1] == ""
    assert bot.versions.count() == (4 if said[0] == "" else 3)
