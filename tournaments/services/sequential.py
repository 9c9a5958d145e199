"""Sequential tests: one version against another on swapped pairs, until one of two hypotheses is accepted."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING

from analysis.errors import InvalidTournament
from analysis.values import measured
from analysis.verdicts.sequential import MEASURES, RESULTS, WINS
from bots.errors import BotsError
from bots.models import Version
from bots.services import activate_version
from tournaments.models import Tournament
from tournaments.selectors.sequential import current_verdict, standing, stop_by
from tournaments.services.analyses.asking import luck_still_comes
from tournaments.services.creation import NewTournament, create_tournament
from tournaments.services.pairing.endings import finish, void_unfinished

if TYPE_CHECKING:
    from analysis.verdicts.sprt import Hypotheses
    from arena.accounts.models import User
    from tournaments.selectors.sequential import SequentialStanding

logger = logging.getLogger(__name__)

ELO = (-200.0, 200.0)
LEAST_WIDTH = 0.5
"""Between the bounds: a narrower test would decide nothing within the pairs it may play."""
RISK = (0.001, 0.3)
MOST_PAIRS = 2_000


def create_test(
    owner: User,
    versions: tuple[int, int],
    tested: Hypotheses,
    *,
    variant: str = "crapaud",
    pairs: int = MOST_PAIRS,
    promote: bool = False,
    ended_by: str = WINS,
    name: str = "Sequential test",
) -> Tournament:
    """A test of the first version against the second, as a tournament that is not started yet.

    `pairs` are the most that are played; with `promote` the first becomes its bot's active version once H1 is
    accepted, if the owner of the test owns the bot. `ended_by` is the measure that may end the test: one
    only, since who may choose among three afterwards is wrong up to three times as often. Raises
    InvalidTournament.
    """
    if ended_by not in MEASURES:
        raise InvalidTournament(f"Expected one of {', '.join(MEASURES)}, got {ended_by!r}.", "stop_by")
    if ended_by != WINS and not measured(variant):
        raise InvalidTournament(
            "Luck is not measured in this game, so only wins can end the test.", "stop_by"
        )
    if not ELO[0] <= tested.elo0 < tested.elo1 <= ELO[1]:
        raise InvalidTournament(
            f"This must be above the lower bound, and both from {ELO[0]:.0f} to {ELO[1]:.0f}.",
            "elo1",
        )
    if tested.elo1 - tested.elo0 < LEAST_WIDTH:
        raise InvalidTournament(f"The bounds must be at least {LEAST_WIDTH} apart.", "elo1")
    for field, risk in (("alpha", tested.alpha), ("beta", tested.beta)):
        if not RISK[0] <= risk <= RISK[1]:
            raise InvalidTournament(f"The risk must be from {RISK[0]} to {RISK[1]}.", field)
    if promote and not Version.objects.filter(pk=versions[0], bot__owner=owner).exists():
        raise InvalidTournament("You can activate only your own version.", "promote")
    return create_tournament(
        NewTournament(
            name=name,
            versions=versions,
            variant=variant,
            format=Tournament.Format.SPRT,
            pairs_per_pairing=pairs,
            options={**asdict(tested), "promote": promote, "stop_by": ended_by},
        ),
        owner,
    )


def decide(tournament: Tournament, *, last: bool = False) -> bool:
    """End a test that is decided, or has no more pairs (`last`); False if it goes on.

    Call with the tournament's row locked.
    """
    if stop_by(tournament) == WINS:
        wins = current_verdict(tournament)
        decision, after, words, waits = wins.decision, wins.pairs, wins.words, False
    else:
        found = standing(tournament)
        wins, decision, after, words = found.wins, found.decision, found.decided_after, _words(found)
        # Luck is measured a little later, unless that has failed for good.
        waits = found.measured < found.pairs and not (last and not luck_still_comes(tournament))
    if not decision and (waits or not last):
        return False
    void_unfinished(tournament, "the test was decided")
    kept = {**asdict(wins), "words": words, "ended": decision, "after": after}
    finish(tournament, options={**tournament.options, "verdict": kept}, note=words[:300])
    if decision == "H1" and tournament.options.get("promote"):
        _promote(tournament)
    return True


def _words(found: SequentialStanding) -> str:
    """The note of a test that a luck-adjusted measure ended, with what wins said by then."""
    ends = {"H0": "Rejected", "H1": "Accepted", "": "Undecided"}
    by = "wins" if found.stop_by == RESULTS else "margins"
    caution = "" if found.stop_by == RESULTS else " Margins are not wins."
    return (
        f"{ends[found.decision]} by luck-adjusted {by} after {found.decided_after:,} pairs.{caution} "
        f"By wins: {found.wins.words}"
    )


def _promote(tournament: Tournament) -> None:
    """Make the tested version its bot's active one; the test stands also if that is refused."""
    entry = tournament.entries.select_related("version__bot").get(number=1)
    try:
        activate_version(entry.version)
    except BotsError as error:
        logger.warning("%s was not promoted: %s", entry.version, error)
