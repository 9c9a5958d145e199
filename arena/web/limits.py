"""Limits that an operator changes while the site runs: a row in the administration overrides the default.

Every process sees a change within `SECONDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.web.cache.values import kept_for
from arena.web.models import Limit

SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class AdjustableLimit:
    """A limit: its value unless a row says otherwise, and what a row may say."""

    default: int
    least: int
    most: int
    words: str


DECLARED: Final = {
    "keep_evidence_days": AdjustableLimit(90, 1, 36_500, "days to keep what bots wrote and how they ended"),
    "keep_attempts_days": AdjustableLimit(90, 2, 36_500, "days to keep attempts without a result"),
    "keep_events_days": AdjustableLimit(7, 1, 36_500, "days to keep events of games that were broken off"),
    "keep_alarms_days": AdjustableLimit(365, 2, 36_500, "days to keep cleared alarms"),
    "keep_incidents_days": AdjustableLimit(30, 2, 36_500, "days to keep process events"),
    "keep_sent_requests_days": AdjustableLimit(
        1, 1, 365, "days to keep what requests changed, so that none is carried out twice"
    ),
    "keep_likeness_days": AdjustableLimit(730, 30, 36_500, "days to keep tallies of whom a seat played like"),
    "keep_later_luck_days": AdjustableLimit(730, 1, 36_500, "days to keep later measurements of luck"),
    "keep_rating_points_days": AdjustableLimit(
        30, 1, 36_500, "days to keep every point of the curves of ratings; then one a day stays"
    ),
    "keep_daily_rating_points_days": AdjustableLimit(
        365, 7, 36_500, "days to keep one point a day of the curves of ratings; then one a week stays"
    ),
    "archive_records_days": AdjustableLimit(
        0, 0, 36_500, "days after which a game's record moves to the archive; 0 keeps all in the database"
    ),
    "sign_ups_per_hour": AdjustableLimit(
        1_000, 0, 1_000_000, "the most new accounts in an hour, from everywhere; 0 closes sign-up"
    ),
    "hold_new_accounts": AdjustableLimit(
        0, 0, 1, "1 lets new accounts sign in only after staff let them in, under Users"
    ),
    "captcha": AdjustableLimit(
        1, 0, 1, "0 lets people sign up and in without the captcha that the settings name, if they name one"
    ),
    "confirm_grace_days": AdjustableLimit(
        14, 0, 3_650, "days that accounts without a confirmed address get once the site has a mail server"
    ),
    "stored_mb_per_user": AdjustableLimit(
        1_024, 1, 1_000_000, "the most megabytes that the unpacked versions of one account may take"
    ),
    "remote_connections": AdjustableLimit(
        500, 0, 100_000, "the most remote bots online at a time; 0 lets none connect"
    ),
    "remote_connections_per_user": AdjustableLimit(5, 0, 1_000, "the most remote bots of one account online"),
    "remote_connects_per_minute": AdjustableLimit(
        60, 1, 100_000, "how often one address may connect remote bots in a minute"
    ),
    "remote_games": AdjustableLimit(50, 0, 10_000, "the most games with remote bots at a time; 0 pauses all"),
    "remote_games_per_user": AdjustableLimit(
        8, 0, 1_000, "the most games at a time with remote bots of one account"
    ),
    "remote_kb_per_minute": AdjustableLimit(
        1_024, 1, 1_000_000, "the most kilobytes a minute that one remote bot may send"
    ),
    "games_at_once_per_host": AdjustableLimit(
        256, 0, 256, "the most games one host plays at a time; 0 pauses all"
    ),
}


def value(name: str) -> int:
    """The present value of a limit. Raises KeyError if there is none of this name."""
    declared = DECLARED[name]
    return min(declared.most, max(declared.least, _rows().get(name, declared.default)))


@kept_for(SECONDS)
def _rows() -> dict[str, int]:
    return dict(Limit.objects.values_list("name", "value"))
