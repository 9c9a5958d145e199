"""Sequential tests of one version against another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from django.http import HttpRequest
from ninja import Body, Path, Router, Status
from pydantic import Field

from analysis.errors import InvalidTournament
from analysis.sequential_standing import ELO, RISK
from analysis.sequential_standing import MOST_PAIRS as USUAL_TEST_PAIRS
from analysis.verdicts.sequential import MARGINS, RESULTS, WINS
from analysis.verdicts.sprt import Hypotheses
from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Limit, page
from arena.api.schemas.common import Schema, Slug, Variant
from bots.models import Scope, Version
from tournaments.api.tournaments import NEWEST, describe, find, versions_of
from tournaments.api.tournaments_schemas import Entrant, EntryOut, TournamentOut, TournamentPage, entry_out
from tournaments.events import creation
from tournaments.events.creation import MOST_TEST_PAIRS
from tournaments.models import Tournament
from tournaments.pairing import progress
from tournaments.pairing.sequential_tests import create_test, hypotheses, standing

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


router = Router()
SPRT = Tournament.Format.SPRT


def _out(test: Tournament) -> dict[str, Any]:
    found, asked = standing(test), hypotheses(test)
    entries = {one.number: one for one in test.entries.select_related("version__bot")}
    return {
        "test": describe([test])[0],
        "tested": entry_out(entries[1]),
        "against": entry_out(entries[2]),
        "elo0": asked.elo0,
        "elo1": asked.elo1,
        "alpha": asked.alpha,
        "beta": asked.beta,
        "normalised": asked.normalised,
        "promote": bool(test.options.get("promote")),
        "stop_by": found.stop_by,
        "pairs": found.pairs,
        "decision": found.decision,
        **measures_out(found),
    }


@route(router, "GET", "tests/", TournamentPage)
def list_tests(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """Sequential tests, newest first.

    They are tournaments of two, so `tournaments/` has them as well.
    """
    tests = Tournament.objects.filter(format=SPRT).select_related("owner")
    rows, following = page(tests, NEWEST, cursor, limit)
    return {"items": describe(rows), "next": following}


@route(router, "POST", "tests/", TestOut, needs=Scope.COMPETE, status=201)
def create_sequential_test(request: HttpRequest, wish: Body[TestWish]) -> Status[Any]:
    """Test one version against another, on swapped pairs, until the evidence is strong enough."""
    user = user_of(request)
    keys = (
        *versions_of([wish.tested], user, "tested", wish.variant),
        *versions_of([wish.against], user, "against", wish.variant),
    )
    tested, against = (Version.objects.select_related("bot").get(pk=key) for key in keys)
    try:
        test = create_test(
            user,
            (keys[0], keys[1]),
            Hypotheses(wish.elo0, wish.elo1, wish.risk, wish.risk, wish.normalised),
            variant=wish.variant,
            pairs=wish.pairs,
            promote=wish.promote,
            ended_by=wish.stop_by,
            name=f"{tested} against {against}"[: creation.NAME_LENGTH],
        )
    except InvalidTournament as error:
        # The risk is one number here, and two in the service.
        error.field = "risk" if error.field in ("alpha", "beta") else error.field
        raise
    progress.start_in_a_worker(test)
    return Status(201, _out(find(test.slug)))


@route(router, "GET", "tests/{slug}/", TestOut)
def get_test(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """A sequential test, and where it stands by each measure."""
    return _out(find(slug, format=SPRT))
