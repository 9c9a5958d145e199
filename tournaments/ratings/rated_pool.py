"""What is rated: ladders, and events of the house or of staff at the pool's one clock. Nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_noop

from bots.checks import LADDER_CLOCK
from tournaments.models import Tournament

if TYPE_CHECKING:
    from arena.accounts.models import User

STANDARD_CLOCK: Final = LADDER_CLOCK
"""Milliseconds in the bank and added after each turn, on every board."""

BY_ITS_OWNER: Final = gettext_noop("Only ladders and house events are rated.")
A_TEST: Final = gettext_noop("Sequential tests are never rated.")
A_CHALLENGE: Final = gettext_noop("Challenges are never rated.")
AN_OPEN_EVENT: Final = gettext_noop("Open events, which admit remote bots, are never rated.")
OTHER_CLOCK: Final = gettext_noop(
    "Only games with the standard time limits are rated: 60 s, plus 0.5 s per turn."
)
KEPT_OUT: Final = gettext_noop("Its owner kept it out of the ratings.")


def why_unrated(
    owner: User | None,
    format_name: str,
    clock: tuple[int, int],
    *,
    kept_out: bool = False,
    agreed: bool = False,
    admits_remote: bool = False,
) -> str:
    """Why an event counts for nothing, in a sentence; empty if it is rated.

    Whoever chooses the opponents, the clock or the moment to stop chooses a rating: so nobody does but the
    house, and staff for it. A challenge is what owners `agreed` to play.
    """
    if format_name == Tournament.Format.SPRT:
        return A_TEST
    if agreed:
        return A_CHALLENGE
    if admits_remote:
        return AN_OPEN_EVENT
    if owner is not None and not owner.is_staff:
        return BY_ITS_OWNER
    if clock != STANDARD_CLOCK:
        return OTHER_CLOCK
    return KEPT_OUT if kept_out else ""
