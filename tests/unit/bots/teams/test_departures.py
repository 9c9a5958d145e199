"""Owners who leave."""

import pytest

from bots import bots, files, tokens
from bots.models import Archive, Bot, CheckReport, Token, Version
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def entered(version: Version) -> Tournament:
    """A tournament of the version's owner that it was in, and that is over."""
    tournament = Tournament.objects.create(
        slug="cup",
        name="Cup",
        owner=version.bot.owner,
        variant="crapaud",
        seed="0" * 64,
        seed_commitment="",
        status=Tournament.Status.FINISHED,
    )
    Entry.objects.create(tournament=tournament, version=version, number=1)
    return tournament


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


def test_a_bot_that_has_played_stays_without_name_files_or_words() -> None:
    owner = author()
    version = accepted_bot(owner, "Ada Lovelace")
    bots.edit_bot(version.bot, bots.BotDetails("Ada Lovelace", description="By Ada.", open_to_all=True))
    tournament = entered(version)
    delete_account(owner)
    bot = Bot.objects.get()
    assert (bot.name, bot.slug) == (f"Departed bot {bot.pk}", f"departed-bot-{bot.pk}")
    assert (bot.description, bot.owner, bot.open_to_all) == ("", None, False)
    assert bot.is_withdrawn
    kept = Version.objects.get()
    assert (kept.sha256, kept.archive, kept.filename) == (version.sha256, None, "")
    assert not Archive.objects.exists()
    assert not CheckReport.objects.exists()
    tournament.refresh_from_db()
    assert tournament.owner is None
    assert not Bot.objects.all().enterable_by(author("bob")).exists()


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
