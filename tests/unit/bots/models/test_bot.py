"""What house bots say of themselves can be translated."""

from bots.house import HOUSE_BOTS
from bots.models.bot import DESCRIPTIONS


def test_every_house_bots_description_is_marked_for_translation() -> None:
    assert {bot.description for bot in HOUSE_BOTS.values()} == set(DESCRIPTIONS)
