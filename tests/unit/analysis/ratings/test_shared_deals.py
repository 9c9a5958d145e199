"""Errors of ratings where pairs share deals."""

from collections import Counter

import numpy as np

from analysis.ratings import profile
from analysis.ratings.elo import fit
from analysis.ratings.match_arrays import Match
from analysis.ratings.shared_deals import DealtPair, with_errors_by_deal

CHALLENGER = 0


def gauntlet(seed: int, deals: int, suits: float) -> list[DealtPair]:
    """A challenger against seven of its strength on shared deals, of which each may suit it or the others."""
    dice, pairs = np.random.default_rng(seed), []
    for deal in range(deals):
        chance = 1 / (1 + np.exp(-dice.normal(0, suits)))
        scores = 2 * dice.binomial(2, chance, 7)
        pairs += [DealtPair(deal, CHALLENGER, rival, int(score)) for rival, score in enumerate(scores, 1)]
    return pairs


def matches_of(pairs: list[DealtPair]) -> list[Match]:
    found: dict[tuple[int, int], Counter[int]] = {}
    for pair in pairs:
        found.setdefault((pair.first, pair.second), Counter())[pair.half_points] += 1
    return [Match(*couple, tuple(counts[one] for one in range(5))) for couple, counts in found.items()]  # type: ignore[arg-type]


def test_pairs_on_shared_deals_tell_less_than_independent_ones() -> None:
    held, naive = list[bool](), list[bool]()
    for seed in range(50):
        pairs = gauntlet(seed, 30, 1.5)
        matches = matches_of(pairs)
        plain = fit(matches)
        clustered = with_errors_by_deal(plain, matches, pairs)
        assert clustered.estimate(CHALLENGER).elo == plain.estimate(CHALLENGER).elo
        for found, fitted in ((naive, plain), (held, clustered)):
            low, high = profile.ends(fitted, matches)[CHALLENGER]
            found.append(low <= 1500 <= high)
    assert np.mean(naive) < 0.88
    assert np.mean(naive) + 0.04 < np.mean(held) <= 0.99
