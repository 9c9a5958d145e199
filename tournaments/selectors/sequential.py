"""Where a sequential test stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.verdicts.sprt import Hypotheses, Verdict, judge
from tournaments.models import Pair

if TYPE_CHECKING:
    from tournaments.models import Tournament


def hypotheses(tournament: Tournament) -> Hypotheses:
    """What a test was created to decide."""
    return Hypotheses(**{name: tournament.options[name] for name in ("elo0", "elo1", "alpha", "beta")})


def counted_scores(tournament: Tournament) -> list[int]:
    """The half points of the pairs that count: from the first on, up to the first that is not accepted yet.

    A quick game must not stop a test before slow ones that were begun earlier have had their say.
    """
    scores: list[int] = []
    live = Pair.objects.filter(pairing__tournament=tournament).exclude(status=Pair.Status.VOID)
    for number, (made, status, score) in enumerate(
        live.order_by("number").values_list("number", "status", "score"), start=1
    ):
        if made != number or status != Pair.Status.ACCEPTED or score is None:
            break
        scores.append(score)
    return scores


def current_verdict(tournament: Tournament) -> Verdict:
    """The log-likelihood ratio, the estimate and the decision, if there is one."""
    return judge(counted_scores(tournament), hypotheses(tournament))
