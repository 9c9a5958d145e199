"""Where a sequential test stands: by wins, and by results and margins with the luck taken out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis import sequential_standing as judged
from analysis.verdicts import sprt
from analysis.verdicts.sequential import WINS
from analysis.verdicts.sprt import Hypotheses, Verdict
from tournaments.models import Pair
from tournaments.ratings.verdicts import count_pairs

if TYPE_CHECKING:
    from analysis.sequential_standing import SequentialStanding
    from tournaments.models import Tournament


def hypotheses(tournament: Tournament) -> Hypotheses:
    """What a test was created to decide."""
    return Hypotheses.from_options(tournament.options)


def stop_by(tournament: Tournament) -> str:
    """The measure that may end a test."""
    return str(tournament.options.get("stop_by", WINS))


def counted_pairs(tournament: Tournament) -> list[Pair]:
    """The pairs that count: from the first on, up to the first that is not accepted yet.

    A quick game must not stop a test before slow ones that were begun earlier have had their say.
    """
    found: list[Pair] = []
    live = Pair.objects.filter(pairing__tournament=tournament).exclude(status=Pair.Status.VOID)
    for number, pair in enumerate(live.order_by("number"), start=1):
        if pair.number != number or pair.status != Pair.Status.ACCEPTED or pair.score is None:
            break
        found.append(pair)
    return found


def counted_scores(tournament: Tournament) -> list[int]:
    """The half points of the pairs that count."""
    return [pair.score or 0 for pair in counted_pairs(tournament)]


def current_verdict(tournament: Tournament) -> Verdict:
    """Where a test stands by wins: the ratio, the estimate and the decision, if there is one."""
    return sprt.judge(counted_scores(tournament), hypotheses(tournament))


def standing(tournament: Tournament) -> SequentialStanding:
    """Where a test stands by all three measures."""
    pairs = counted_pairs(tournament)
    seen = count_pairs(pairs, [True] * len(pairs))
    found = judged.standing(seen, hypotheses(tournament), stop_by(tournament))
    kept = tournament.options.get("verdict")
    if kept is None:
        return found
    ended = (kept.get("ended", kept["decision"]), kept.get("after", kept["pairs"]))
    return replace(found, ended=ended, rule=kept.get("rule", 1))
