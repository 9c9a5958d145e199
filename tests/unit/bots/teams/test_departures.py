"""Owners who leave."""

import pytest

from bots import bots, files, tokens
from bots.models import Archive, Bot, Token
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot

pytestmark = pytest.mark.django_db


def test_bots_that_never_played_leave_with_their_owner() -> None:
    owner = author()
    accepted_bot(owner, "one")
    new_bot(owner, "two")
    tokens.create_token(owner, "laptop")
    kept = new_bot(author("bob"), "Bob's")
    delete_account(owner)
    assert [bot.name for bot in Bot.objects.all()] == ["Bob's"]
    assert [archive.sha256 for archive in Archive.objects.all()] == [kept.sha256]
    assert not Token.objects.exists()
    assert not type(owner).objects.filter(pk=owner.pk).exists()


def test_files_that_somebody_else_uploaded_too_stay() -> None:
    owner, other = author(), author("bob")
    first = new_bot(owner, "same")
    bots.withdraw_bot(first.bot)
    bots.edit_bot(first.bot, bots.BotDetails("another", description="", open_to_all=True))
    Bot.objects.update(slug="another")
    twin = new_bot(other, "same")
    assert twin.sha256 == first.sha256
    delete_account(owner)
    assert files.read_archive(twin)
