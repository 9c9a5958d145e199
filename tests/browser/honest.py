"""What the pages on honesty show, put into a site's database for the browser tests by ``manage.py shell``.

The bots are benched, so that no ladder of the site plays them while its other pages are tested.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from bots.models import Version
from bots.services import TrialReport, record_check
from engine.boards import BOARDS
from tests.factories.accounts import author
from tests.factories.bots import new_bot
from tournaments.models import NearTwin, Pair, RatingState, VoidRequest

OWNER: Final = "sisyphus-of-the-long-names"
BOT: Final = "Stone roller with a very long name"
TWIN: Final = "Stone roller II, its nearest relative"
LOG: Final = (
    "A game against itself ended by crash after 12 plies.\n"
    "Its process: exit status 1.\nThe end of its standard error:\n"
    "ModuleNotFoundError: No module named 'a_library_that_the_sandbox_does_not_have_and_never_will_have'"
)
BENCHED: Final = "It crashed in 5 games in a row, last in a game of Crapaud against Greedy v1."


@transaction.atomic
def put_in() -> None:
    """Two near-twins of one author, trials of all kinds, a bench, flags and a request to void a pair."""
    owner = author(OWNER)
    versions = [new_bot(owner, name) for name in (BOT, TWIN)]
    for version in versions:
        reports = [
            TrialReport(board, ("passed", "failed", "left-out")[min(number // 3, 2)], LOG)
            for number, board in enumerate(BOARDS)
        ]
        record_check(version, reports, LOG)
        Version.objects.filter(pk=version.pk).update(benched_at=timezone.now(), benched_because=BENCHED)
    NearTwin.objects.create(one=versions[0], other=versions[1], same=66, common=70)
    shifts = [{"bot": f"{TWIN} v1", "owner": OWNER, "elo": 231.4, "errors": 9.3}]
    matches = [
        {"first": f"{BOT} v12", "second": f"{TWIN} v1", "pairs": 1240, "residual": 11.2, "weight": 0.012}
    ]
    RatingState.objects.update_or_create(
        variant="crapette-it-strict",
        defaults={
            "audited_at": timezone.now(),
            "audit": {"differences": [], "count": 0, "integrity": {"shifts": shifts, "matches": matches}},
        },
    )
    pair = Pair.objects.order_by("pk").first()
    assert pair is not None
    evidence = "The kernel ended the process of seat 1: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)"
    VoidRequest.objects.create(pair=pair, asked_by=owner, evidence=evidence)
