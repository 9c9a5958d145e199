"""The ratings at the end of a tournament's download: an analysis process works them out meanwhile."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from analysis.ratings.elo import Estimate
from tournaments.models import Analysis
from tournaments.questions import question_types
from tournaments.questions.requests import Asker, Busy, ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from analysis.ratings.inputs import FitInputs
    from tournaments.games.bundles import Rate

MOST_SECONDS: Final = 90.0
"""How long a download waits for its last lines. The analysis gives up on a question earlier."""
PAUSE_SECONDS: Final = 0.1


class NotRated(Exception):
    """There are no ratings. The download ends before its last line, so nobody takes it for a whole one."""


def asked_by(who: Asker) -> Rate:
    """Return what has results rated for `who`, and waits for the ratings only when they are needed.

    Only a thread that nobody else needs may wait there.
    """

    def rate(inputs: FitInputs) -> Callable[[], Mapping[int, Estimate]]:
        question = question_types.ratings(inputs)
        with suppress(Busy):  # asked again at the end
            ask(question, who)
        return lambda: _answer(question, who)

    return rate


def _answer(question: question_types.Question, who: Asker) -> dict[int, Estimate]:
    """Wait for the ratings. Raises NotRated."""
    deadline = monotonic() + MOST_SECONDS
    why = "no analysis process answered"
    while monotonic() < deadline:
        try:
            row = ask(question, who)
        except Busy as busy:
            why = str(busy)
        else:
            if row.status == Analysis.Status.DONE:
                rows = json.loads(zlib.decompress(bytes(row.answer or b"")))
                return {player: Estimate(elo, error, anchored) for player, elo, error, anchored in rows}
            if row.status == Analysis.Status.FAILED:
                raise NotRated(row.error)
        sleep(PAUSE_SECONDS)
    raise NotRated(why)
