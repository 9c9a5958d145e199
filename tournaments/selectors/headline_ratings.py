"""The one rating that speaks for a bot wherever there is room for one, the same on all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.models import ActiveVersion, Bot
from tournaments.models import Rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def bot_ratings(bots: Iterable[Bot]) -> dict[int, list[Rating]]:
    """The ratings that speak for bots, by key, one a board, the headline first and the most played next.

    On each board the version that plays there speaks, or where that has no rating the newest that has one.
    The headline is on the board that the owner chose, as long as the bot plays and is rated there, else on
    the one that it played most. Two queries, however many there are.
    """
    chosen = {bot.pk: bot.headline_board for bot in bots}
    plays = set(ActiveVersion.objects.filter(bot__in=chosen).values_list("version", "board"))
    spoken: dict[int, dict[str, Rating]] = {}
    rated = Rating.objects.filter(version__bot__in=chosen, games__gt=0).select_related("version")
    for rating in rated.order_by("variant", "-version__number"):
        boards = spoken.setdefault(rating.version.bot_id, {})
        if (rating.version_id, rating.variant) in plays:
            boards[rating.variant] = rating
        else:
            boards.setdefault(rating.variant, rating)
    found = {}
    for key, boards in spoken.items():
        here = [(one.version_id, one.variant) in plays for one in boards.values()]
        ranked = [
            (not active, one.variant != chosen[key] or not active, -one.games, one.variant, one)
            for active, one in zip(here, boards.values(), strict=True)
        ]
        found[key] = [one for *_, one in sorted(ranked, key=lambda entry: entry[:4])]
    return found


def headline_ratings(bots: Sequence[Bot]) -> dict[int, Rating]:
    """The headline rating of each bot that has any, by the bot's key."""
    return {key: ratings[0] for key, ratings in bot_ratings(bots).items()}
