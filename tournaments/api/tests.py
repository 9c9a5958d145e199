"""Sequential tests of one version against another."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Body, Path, Router, Status

from analysis.errors import InvalidTournament
from analysis.verdicts.sprt import Hypotheses
from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Limit, page
from arena.api.schemas.common import Slug
from bots.models import Scope, Version
from tournaments.api.tests_schemas import TestOut, TestWish, measures_out
from tournaments.api.tournaments import NEWEST, describe, find, versions_of
from tournaments.api.tournaments_schemas import TournamentPage, entry_out
from tournaments.events import creation
from tournaments.models import Tournament
from tournaments.pairing import progress
from tournaments.pairing.sequential import create_test
from tournaments.pairing.sequential_rows import hypotheses, standing

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
