"""Tells remote bots that are online what they are rated at on open boards, once that was computed."""

from __future__ import annotations

from arena.web.variants import OPEN
from bots.models import Version
from bots.remote.bridge import bridge
from tournaments.models import Rating
from tournaments.ratings.ratings import boards


def tell_ratings(pool: str) -> int:
    """Send each remote bot that is online its ratings in an open pool; how many were sent."""
    if not pool.startswith(OPEN):
        return 0
    rows = Rating.every.filter(
        variant__in=boards(pool), games__gt=0, version__in=Version.objects.online().values("pk")
    )
    told = list(rows.values_list("version__bot", "variant", "elo", "error", "games"))
    for bot, board, elo, error, games in told:
        frame = {"type": "rating", "board": board.removeprefix(OPEN), "elo": round(elo)}
        bridge().say(bot, {**frame, "error": round(error), "games": games})
    return len(told)
