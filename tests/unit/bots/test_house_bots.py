"""The house bots as rows."""

from io import StringIO

import pytest
from django.core.management import call_command

from bots import files
from bots.house import HOUSE_BOTS
from bots.house_bots import register_house_bots
from bots.models import Bot, Status, Version
from tests.factories.accounts import author
from tests.factories.bots import new_bot

pytestmark = pytest.mark.django_db


def test_house_bots_are_registered_active_and_open_to_everybody() -> None:
    registered = [one for one in register_house_bots() if one.version is not None]
    assert {"random", "greedy", "planner"} <= {one.name for one in registered}
    for bot in Bot.objects.filter(is_house=True):
        assert bot.active_version is not None
        assert bot.active_version.status == Status.ACCEPTED
        assert bot.owner is None
        assert bot.name == HOUSE_BOTS[bot.slug].title
        assert files.read_archive(bot.active_version).keys() >= {bot.active_version.entry}
    assert Bot.objects.all().enterable_by(author()).count() == len(registered)


def test_other_content_of_a_house_bot_is_a_new_version_and_plays() -> None:
    register_house_bots()
    Version.objects.filter(bot__slug="random").update(sha256="0" * 64)
    said = StringIO()
    call_command("register_house_bots", stdout=said)
    assert said.getvalue().startswith("new: random v2")
    bot = Bot.objects.get(slug="random")
    assert bot.active_version is not None
    assert bot.active_version.number == 2


@pytest.mark.any_database
def test_a_users_bot_keeps_the_name_that_a_house_bot_would_have() -> None:
    new_bot(author(), "Greedy")
    register_house_bots()
    register_house_bots()
    assert Bot.objects.get(slug="greedy").owner is not None
    house = Bot.objects.get(slug="house-greedy")
    assert (house.name, house.is_house, house.versions.count()) == ("Greedy of the house", True, 1)
