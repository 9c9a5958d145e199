"""Sequential tests: one version against another on swapped pairs, until one of two hypotheses is accepted."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING

from analysis.errors import InvalidTournament
from bots.errors import BotsError
from bots.models import Version
from bots.services import activate_version
from tournaments.models import Tournament
from tournaments.selectors.sequential import current_verdict
from tournaments.services.creation import NewTournament, create_tournament
from tournaments.services.endings import finish, void_unfinished

if TYPE_CHECKING:
    from analysis.verdicts.sprt import Hypotheses
    from arena.accounts.models import User

logger = logging.getLogger(__name__)

ELO = (-200.0, 200.0)
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
    name: str = "Sequential test",
) -> Tournament:
    """A test of the first version against the second, as a tournament that is not started yet.

    `pairs` are the most that are played; with `promote` the first becomes its bot's active version once H1 is
    accepted, if the owner of the test owns the bot. Raises InvalidTournament.
    """
    if not ELO[0] <= tested.elo0 < tested.elo1 <= ELO[1]:
        raise InvalidTournament(
            f"This must be above the first Elo, and both from {ELO[0]:.0f} to {ELO[1]:.0f}.",
            "elo1",
        )
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
            options={**asdict(tested), "promote": promote},
        ),
        owner,
    )


def decide(tournament: Tournament, *, last: bool = False) -> bool:
    """End a test that is decided, or has no more pairs (`last`); False if it goes on.

    Call with the tournament's row locked.
    """
    verdict = current_verdict(tournament)
    if not verdict.decision and not last:
        return False
    void_unfinished(tournament, "the test was decided")
    kept = {**asdict(verdict), "words": verdict.words}
    finish(tournament, options={**tournament.options, "verdict": kept}, note=verdict.words[:300])
    if verdict.decision == "H1" and tournament.options.get("promote"):
        _promote(tournament)
    return True


def _promote(tournament: Tournament) -> None:
    """Make the tested version its bot's active one; the test stands also if that is refused."""
    entry = tournament.entries.select_related("version__bot").get(number=1)
    try:
        activate_version(entry.version)
    except BotsError as error:
        logger.warning("%s was not promoted: %s", entry.version, error)
