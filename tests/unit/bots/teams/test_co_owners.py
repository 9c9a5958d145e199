"""Several owners of a bot: nobody against their will, one owner at any time, and limits that hold."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.notices.models import Notice
from bots import bots, limits, uploads
from bots.errors import LimitReached, OwnerGone, OwnersRefused
from bots.files import read_archive
from bots.models import Bot, BotAuditEntry, CoOwner, Version
from bots.teams.co_owners import accept, decline, invite, keep, leave, offer, refuse, remove, take_over
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot, shared, upload

pytestmark = pytest.mark.django_db


def fresh(bot: Bot) -> Bot:
    return Bot.objects.select_related("owner").get(pk=bot.pk)


def did(bot: Bot) -> list[tuple[str, str]]:
    found = BotAuditEntry.objects.filter(bot=bot).order_by("pk").select_related("actor")
    return [(one.actor.username if one.actor else "", one.what) for one in found]


def test_an_invitation_gives_no_right_until_it_is_accepted() -> None:
    ada, bob = author(), author("bob")
    bot = new_bot(ada).bot
    for answer in (accept, decline, refuse, take_over, leave):
        with pytest.raises(OwnersRefused):
            answer(bot, bob)
    assert not CoOwner.objects.exists()
    invite(bot, ada, " BOB ")
    assert not fresh(bot).is_owned_by(bob)
    assert not Bot.objects.of(bob).exists()
    told = Notice.objects.get(user=bob)
    assert (told.kind, told.text) == ("together", "ada asks you to be a co-owner of Ada's first.")
    assert told.url == "/bots/adas-first/owners/"
    accept(bot, bob)
    assert fresh(bot).is_owned_by(bob)
    assert list(Bot.objects.of(bob)) == list(Bot.objects.of(ada)) == [bot]
    assert fresh(bot).owner_names == "ada and bob"
    assert Notice.objects.get(user=ada).text == "bob is now a co-owner of Ada's first."
    assert did(bot) == [("ada", "created"), ("ada", "invited"), ("bob", "joined")]


def test_only_the_owner_invites_removes_and_offers() -> None:
    ada, bob, carol = author(), author("bob"), author("carol")
    bot = shared(new_bot(ada).bot, bob)
    for act in (
        lambda by: invite(bot, by, "carol"),
        lambda by: remove(bot, by, ada),
        lambda by: offer(bot, by, bob),
        lambda by: keep(bot, by),
    ):
        for by in (bob, carol):
            with pytest.raises(OwnersRefused, match="Only the owner"):
                act(by)
    assert did(bot) == [("ada", "created"), ("ada", "invited"), ("bob", "joined")]


def test_who_declined_is_not_asked_again_and_can_change_their_mind_until_it_is_closed() -> None:
    ada, bob = author(), author("bob")
    bot = new_bot(ada).bot
    invite(bot, ada, "bob")
    decline(bot, bob)
    with pytest.raises(OwnersRefused, match="declined"):
        invite(bot, ada, "bob")
    accept(bot, bob)
    leave(bot, bob)
    invite(bot, ada, "bob")
    decline(bot, bob)
    remove(bot, ada, bob)
    with pytest.raises(OwnersRefused):
        accept(bot, bob)
    assert Notice.objects.filter(user=bob).count() == 2, "asked once more after they had left"


def test_an_invitation_that_is_taken_back_is_none_and_those_of_a_day_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada, bob = author(), author("bob")
    bot = new_bot(ada).bot
    monkeypatch.setattr("bots.teams.invitations.MOST_A_DAY", 3)
    for _ in range(3):
        invite(bot, ada, "bob")
        remove(bot, ada, bob)
    with pytest.raises(OwnersRefused):
        accept(bot, bob)
    assert not CoOwner.objects.exists()
    assert Notice.objects.filter(user=bob).count() == 1, "nobody is asked again and again"
    with pytest.raises(LimitReached, match="24 hours"):
        invite(bot, ada, "bob")
    BotAuditEntry.objects.update(at=timezone.now() - timedelta(hours=25))
    invite(bot, ada, "bob")


def test_an_upload_counts_for_whoever_sends_it_and_its_files_for_the_owner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    version = uploads.upload_version(bot, uploads.Submission(upload("two"), "bot.py"), by=bob)
    assert version.uploaded_by == bob
    assert did(bot)[-1] == ("bob", "uploaded")
    monkeypatch.setattr(limits, "UPLOADS_PER_DAY", 1)
    with pytest.raises(LimitReached):
        uploads.upload_version(bot, uploads.Submission(upload("three"), "bot.py"), by=bob)
    monkeypatch.setattr(limits, "UPLOADS_PER_DAY", 2)
    uploads.upload_version(bot, uploads.Submission(upload("three"), "bot.py"), by=ada)
    monkeypatch.setattr("arena.web.limits.value", lambda name: 0)
    with pytest.raises(LimitReached, match="the bot’s owner"):
        uploads.upload_version(bot, uploads.Submission(upload("four"), "bot.py"), by=bob)


def test_a_co_owned_bot_counts_among_its_owners_bots_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    monkeypatch.setattr(limits, "BOTS_PER_USER", 1)
    new_bot(bob, "Bob's own")
    offer(bot, ada, bob)
    with pytest.raises(LimitReached):
        take_over(bot, bob)
    assert fresh(bot).owner == ada
    bots.withdraw_bot(bot, by=bob)
    new_bot(ada, "Another")
    with pytest.raises(LimitReached, match="owner already has"):
        bots.restore_bot(fresh(bot), by=bob)


def test_a_bot_is_handed_over_once_the_co_owner_accepts() -> None:
    ada, bob, carol = author(), author("bob"), author("carol")
    bot = shared(new_bot(ada).bot, bob, carol)
    offer(bot, ada, bob)
    with pytest.raises(OwnersRefused, match="already"):
        offer(bot, ada, carol)
    with pytest.raises(OwnersRefused, match="Hand it over"):
        leave(bot, ada)
    with pytest.raises(OwnersRefused):
        take_over(bot, carol)
    take_over(bot, bob)
    now = fresh(bot)
    assert now.owner_names == "bob, ada and carol"
    assert not CoOwner.objects.filter(offered_at__isnull=False).exists()
    with pytest.raises(OwnersRefused, match="Only the owner"):
        remove(bot, ada, bob)
    with pytest.raises(OwnersRefused):
        take_over(bot, bob)
    leave(bot, ada)
    assert fresh(bot).owner_names == "bob and carol"
    assert did(bot)[-2:] == [("bob", "took-over"), ("ada", "left")]


def test_an_offer_ends_when_it_is_declined_or_taken_back_or_the_co_owner_leaves() -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    for end, by in ((refuse, bob), (keep, ada), (leave, bob)):
        offer(bot, ada, bob)
        end(bot, by)
        with pytest.raises(OwnersRefused):
            take_over(bot, bob)
    assert fresh(bot).owner == ada


def test_nothing_is_stored_for_a_bot_whose_owner_is_suspended() -> None:
    ada, bob = author(), author("bob")
    bot = shared(new_bot(ada).bot, bob)
    offer(bot, ada, bob)
    bots.withdraw_bot(bot)
    type(ada).objects.filter(pk=ada.pk).update(is_active=False)
    with pytest.raises(OwnerGone, match="suspended"):
        bots.restore_bot(fresh(bot), by=bob)
    with pytest.raises(OwnerGone, match="suspended"):
        take_over(bot, bob)
    type(ada).objects.filter(pk=ada.pk).update(is_active=True)
    type(bob).objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(OwnerGone):
        bots.restore_bot(fresh(bot), by=bob)


def test_the_bot_of_a_deleted_account_goes_to_its_longest_serving_co_owner_and_to_nobody_suspended() -> None:
    ada, bob, carol, dora = author(), author("bob"), author("carol"), author("dora")
    bot = shared(accepted_bot(ada).bot, bob, carol, dora)
    own = accepted_bot(ada, "Hers alone").bot
    uploads.upload_version(bot, uploads.Submission(upload("two"), "bot.py"), by=ada)
    uploads.upload_version(bot, uploads.Submission(upload("three"), "bot.py"), by=bob)
    CoOwner.objects.filter(user__in=(bob, dora)).update(answered_at=timezone.now())
    delete_account(ada)
    now = fresh(bot)
    assert (now.name, now.owner_names, now.is_withdrawn) == ("Ada's first", "carol, bob and dora", False)
    assert all(read_archive(version) for version in now.versions.all())
    uploaded = now.versions.order_by("number").values_list("uploaded_by", flat=True)
    assert list(uploaded) == [None, None, bob.pk]
    assert not Bot.objects.filter(pk=own.pk).exists()
    assert Notice.objects.filter(user=carol, text__startswith="Ada's first is yours now").exists()
    assert did(bot)[-1] == ("carol", "inherited")
    # It stays when a co-owner goes.
    delete_account(bob)
    assert fresh(bot).owner_names == "carol and dora"
    assert bot.versions.count() == 3
    type(dora).objects.filter(pk=dora.pk).update(is_active=False)
    delete_account(carol)
    assert not Version.objects.exists()
