"""The audit of an event finds no difference just because pairs are accepted while it reads."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from analysis.formats.outcomes import PairOutcome
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tournaments.models import Pair, Pairing, Result, Tournament
from tournaments.pairing.pairs import outcome_of
from tournaments.ratings import audit

pytestmark = pytest.mark.django_db(transaction=True)


def test_pairs_that_are_accepted_while_the_audit_reads_are_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entrants = rivals(2)
    play_all(running(None, entrants, pairs=1, name="First"))
    second = running(None, entrants, pairs=2, name="Second")
    played: list[Pair] = []

    def another_plays(cup: Tournament) -> None:
        try:
            play_all(cup)
        finally:
            connection.close()

    def meanwhile(pair: Pair, legs: Sequence[Result]) -> PairOutcome:
        if not played:
            played.append(pair)
            with ThreadPoolExecutor(1) as thread:
                thread.submit(another_plays, second).result()
        return outcome_of(pair, legs)

    monkeypatch.setattr(audit, "outcome_of", meanwhile)
    assert audit.audit(second.variant) == []
    assert Pairing.objects.get(tournament=second).pairs_done == 2, "they were played while it read"
