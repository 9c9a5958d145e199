"""Sequential tests, and where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from analysis.sequential_standing import ELO, RISK
from analysis.sequential_standing import MOST_PAIRS as USUAL_TEST_PAIRS
from analysis.verdicts.sequential import MARGINS, RESULTS, WINS
from arena.api.schemas.common import Schema, Variant
from tournaments.api.tournaments_schemas import Entrant, EntryOut, TournamentOut
from tournaments.events.creation import MOST_TEST_PAIRS

if TYPE_CHECKING:
    from analysis.sequential_standing import SequentialStanding

    # As many words as there are: mypy reads no tuples of them.
    Measure = str
else:
    Measure = Literal[(WINS, RESULTS, MARGINS)]


class TestWish(Schema):
    """A sequential test of one version against another."""

    tested: Entrant
    against: Entrant
    variant: Variant = "crapaud"
    elo0: float = Field(0, ge=ELO[0], le=ELO[1])
    elo1: float = Field(20, ge=ELO[0], le=ELO[1])
    normalised: bool = Field(False, description="Whether the bounds are in normalised Elo.")
    risk: float = Field(0.05, ge=RISK[0], le=RISK[1], description="Of a wrong decision, either way.")
    pairs: int = Field(USUAL_TEST_PAIRS, ge=1, le=MOST_TEST_PAIRS)
    stop_by: Measure = WINS
    promote: bool = Field(False, description="Activate the tested version of your bot if it is accepted.")


class MeasureOut(Schema):
    """Where a test stands by one measure."""

    pairs: int
    llr: float = Field(description="The log-likelihood ratio of the upper to the lower bound.")
    lower: float = Field(description="At this ratio the lower bound is accepted.")
    upper: float
    decision: Literal["", "H0", "H1"]
    early: bool = Field(
        description="Whether the ratio is past a bound, but too few pairs, or too few uneven ones, are over."
    )


class EloOut(Schema):
    """The difference by wins, with its 95 % interval; an end is null where the pairs leave it open."""

    elo: float
    low: float | None
    high: float | None
    superiority: float = Field(description="The likelihood that the tested version is stronger.")


class TestOut(Schema):
    """A sequential test and where it stands."""

    test: TournamentOut
    tested: EntryOut
    against: EntryOut
    elo0: float
    elo1: float
    alpha: float
    beta: float
    normalised: bool
    promote: bool
    stop_by: Measure
    pairs: int = Field(description="That count.")
    decision: Literal["", "H0", "H1"]
    wins: MeasureOut
    results: MeasureOut
    margins: MeasureOut
    elo: EloOut | None


def measures_out(found: SequentialStanding) -> dict[str, Any]:
    """Where a test stands by each measure."""
    by = {
        name: {
            "pairs": one.pairs,
            "llr": one.llr,
            "lower": one.lower,
            "upper": one.upper,
            "decision": one.decision,
            "early": one.early,
        }
        for name, one in (("wins", found.wins), ("results", found.results), ("margins", found.margins))
    }
    return {**by, "elo": found.wins.difference.as_dict() if found.wins.pairs else None}
