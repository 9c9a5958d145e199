"""The ranking of a ladder's closed season in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.web.i18n.phrases import person_link
from tournaments.pages.ratings.rows import interval_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tournaments.series.models import LadderPlace


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A version's place with its rating and 95 % interval in words."""

    row: LadderPlace
    bot: str
    url: str
    owner: str
    interval: str
    before: int | None = None
    """The bot's best place in the season before."""

    @property
    def risen(self) -> int:
        """How many places it rose since then; negative if it fell."""
        return self.before - self.row.place if self.before else 0


def rank_lines(places: Iterable[LadderPlace], before: Mapping[int, int] | None = None) -> list[LadderLine]:
    """The lines of a ranking; `before` has the bots' places in the season before."""
    return [
        LadderLine(
            one,
            one.version.bot.name,
            one.version.bot.get_absolute_url(),
            person_link(one.version.bot.owner) if one.version.bot.owner else "",
            interval_words(one.low, one.high),
            (before or {}).get(one.version.bot_id),
        )
        for one in places
    ]
