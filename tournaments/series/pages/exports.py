"""The table of a season, and the ranking of a ladder's, for other programs (RFC 4180)."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

from tournaments.pages.events.exports import plain
from tournaments.series.pages.seasons import lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.series.models import LadderPlace
    from tournaments.series.points import Score
    from tournaments.series.results import SeasonTable

COLUMNS: Final = ("place", "bot", "owner", "points")
LADDER_COLUMNS: Final = ("place", "bot", "version", "owner", "elo", "error", "low", "high", "games")


def season_csv(table: SeasonTable) -> str:
    """The table of a season, a line a bot; points that are dropped are marked."""
    slugs = [plain(one.tournament.slug) for one in table.events]
    rows: list[tuple[Any, ...]] = [(*COLUMNS, *slugs)]
    for row, line in zip(table.rows, lines(table), strict=True):
        cells = [row.scores.get(one.tournament_id) for one in table.events]
        got = [_cell(one) for one in cells]
        rows.append((line.place, plain(line.bot), plain(line.owner), f"{row.points:g}", *got))
    return _written(rows)


def _cell(score: Score | None) -> str:
    if score is None:
        return ""
    return f"{score.points:g}" if score.counts else f"{score.points:g} (dropped)"


def ladder_csv(places: Iterable[LadderPlace]) -> str:
    """The ranking of a ladder's season, a line a version."""
    rows: list[tuple[Any, ...]] = [LADDER_COLUMNS]
    for one in places:
        bot = one.version.bot
        owner = "house" if bot.is_house else bot.owner.get_username() if bot.owner else ""
        ends = ["" if end is None else round(end, 1) for end in (one.low, one.high)]
        numbers = (round(one.elo, 1), round(one.error, 1), *ends, one.games)
        rows.append((one.place, plain(bot.name), one.version.number, plain(owner), *numbers))
    return _written(rows)


def _written(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()
