"""Bots as their owners handle them."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from bots import bots, limits, uploads
from bots.errors import LimitReached, NameRefused
from bots.models import Archive, Bot, Status, Version
from tests.factories.accounts import author
from tests.factories.bots import judge, new_bot, upload
from tests.queues import checks_sent

pytestmark = pytest.mark.django_db


def test_a_new_bot_has_its_first_version_and_its_check_is_sent_once_it_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        version = uploads.create_bot(
            author(),
            bots.BotDetails("  Ada's   first ", description=" Plays. "),
            uploads.Submission(upload(), "bot.py"),
        )
        assert checks_sent() == []
    assert checks_sent() == [[version.pk]]
    bot = version.bot
    assert (bot.name, bot.slug, bot.description) == ("Ada's first", "adas-first", "Plays.")
    assert (version.number, version.status, version.language) == (1, Status.UPLOADED, "python")
    assert bot.active_version is None
    assert bot.open_to_all


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 41, "A name has 1 to 40 characters. This one has 41."),
        ("a\u202eb", "A name must not contain invisible characters, such as U+202E here."),
        ("!?", "A name needs at least one letter or digit."),
        ("new", "The name new is taken."),
        ("House special", "The name House special is taken."),
        ("Departed b0t 7", "The name Departed b0t 7 looks too much like an existing one."),
        ("Adas First", "The name Adas First is taken."),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_a_sentence_and_nothing_is_stored(
    name: str, sentence: str
) -> None:
    owner = author()
    new_bot(owner)
    with pytest.raises(NameRefused) as refused:
        new_bot(owner, name)
    assert str(refused.value) == sentence
    assert refused.value.field == "name"
    assert (Bot.objects.count(), Version.objects.count(), Archive.objects.count()) == (1, 1, 1)


def test_a_bot_more_than_one_may_have_is_refused_until_one_is_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "BOTS_PER_USER", 2)
    owner = author()
    first, _second = new_bot(owner, "one").bot, new_bot(owner, "two").bot
    with pytest.raises(LimitReached) as refused:
        new_bot(owner, "three")
    assert str(refused.value) == (
        "You already have 2 bots, the most one account can have. Withdraw one of them first."
    )
    bots.withdraw_bot(first)
    new_bot(owner, "three")
    new_bot(author("bob"), "four")
    with pytest.raises(LimitReached):
        bots.restore_bot(first)
    assert first.is_withdrawn


def test_the_owner_decides_who_may_enter_a_bot_and_nobody_enters_a_withdrawn_one() -> None:
    owner, other = author(), author("bob")
    version = new_bot(owner, open_to_all=False)
    assert not Bot.objects.all().enterable_by(owner).exists(), "its version is not accepted yet"
    judge(version, True, "")
    assert Bot.objects.all().enterable_by(owner).exists()
    assert not Bot.objects.all().enterable_by(other).exists()
    bots.edit_bot(version.bot, bots.BotDetails("Ada's", description="", open_to_all=True))
    bots.withdraw_bot(version.bot)
    assert not Bot.objects.all().enterable_by(owner).exists()
    bots.restore_bot(version.bot)
    assert Bot.objects.all().enterable_by(other).get() == version.bot
