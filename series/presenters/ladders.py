"""The ranking of a ladder's closed season in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.presenters.ratings import interval_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from series.models import LadderPlace


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A version's place with its rating and 95 % interval in words."""

    row: LadderPlace
    bot: str
    url: str
    owner: str
    interval: str


def ranked(places: Iterable[LadderPlace]) -> list[LadderLine]:
    """The lines of a ranking."""
    return [
        LadderLine(
            one,
            one.version.bot.name,
            one.version.bot.get_absolute_url(),
            one.version.bot.owner.get_username() if one.version.bot.owner else "",
            interval_words(one.low, one.high),
        )
        for one in places
    ]
