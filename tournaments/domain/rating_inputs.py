"""What a board's ratings are a function of, as one value that can be stored, published and computed again."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.domain import plackett_luce
from tournaments.domain.elo import Fit, Match, fit
from tournaments.domain.records import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.domain.elo import Estimate

Rankings = tuple[tuple[tuple[tuple[int, ...], ...], int], ...]
"""Finishing orders of games with several seats (groups of equals, best first), and how many ended so."""


@dataclass(frozen=True, slots=True)
class RatingInputs:
    """Who met whom with which results, and who stands at 1500. A board of two seats has no `rankings`, one of
    several seats no `matches`."""

    anchor: int | None
    matches: tuple[Match, ...] = ()
    rankings: Rankings = ()

    def fit(self) -> Fit:
        """The ratings on a board of two seats."""
        return fit(self.matches, self.anchor)

    def estimates(self) -> dict[int, Estimate]:
        """The ratings on any board, by player."""
        if self.rankings:
            games = [ranking for ranking, count in self.rankings for _ in range(count)]
            return plackett_luce.fit(games, self.anchor)
        fitted = self.fit()
        return dict(zip(fitted.players, fitted.estimates, strict=True))


def counted(rankings: Iterable[Sequence[Sequence[int]]]) -> Rankings:
    """Each finishing order once, with the number of games that ended so."""
    found = Counter(tuple(tuple(group) for group in ranking) for ranking in rankings)
    return tuple(sorted(found.items()))


def pack(inputs: RatingInputs) -> bytes:
    """The inputs as compressed JSON."""
    return zlib.compress(
        canonical(
            {
                "anchor": inputs.anchor,
                "matches": [[match.first, match.second, *match.penta] for match in inputs.matches],
                "rankings": [[ranking, games] for ranking, games in inputs.rankings],
            }
        )
    )


def unpack(data: bytes) -> RatingInputs:
    """The inverse of `pack`."""
    found = json.loads(zlib.decompress(data))
    return RatingInputs(
        found["anchor"],
        tuple(Match(row[0], row[1], tuple(row[2:])) for row in found["matches"]),
        tuple((tuple(tuple(group) for group in ranking), games) for ranking, games in found["rankings"]),
    )
