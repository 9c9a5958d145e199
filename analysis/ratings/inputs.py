"""Everything a leaderboard's ratings depend on, as one value that can be stored, published and recomputed."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from analysis.event_log import canonical
from analysis.lazy_numpy import np
from analysis.ratings import elo, group_pools, plackett_luce, pools, profile_intervals
from analysis.ratings.match_arrays import Match
from analysis.ratings.plackett_luce import Deal
from analysis.ratings.scheduling import FIRST_PAIRS
from analysis.serving_guard import thinks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.elo import Estimate, Fit
    from analysis.ratings.plackett_luce import GroupFit

Value = TypeVar("Value")
Rankings = tuple[tuple[Deal, int], ...]
"""The finishing orders of the games of one deal with several seats, and how many deals ended so."""


@dataclass(frozen=True, slots=True)
class FitInputs:
    """The results, the owners of the players, and the anchors.

    A board for two seats has no `rankings`, and one for several seats has no `matches`. In `owners`, 0 is the
    house, and linked accounts share a number. Without `owners`, every game counts fully, as for the
    performances in one tournament. `anchors` are players with a fixed Elo. In `records`, players who continue
    the record of another are given that one; results name only the other.
    """

    anchors: Mapping[int, float] = field(default_factory=dict)
    matches: tuple[Match, ...] = ()
    rankings: Rankings = ()
    owners: Mapping[int, int] = field(default_factory=dict)
    records: Mapping[int, int] = field(default_factory=dict)

    @thinks
    def rate(self) -> pools.Weighed:
        """The matches with their weights and the ratings, on a board of two seats."""
        if self.owners:
            return pools.rate(self.matches, self.owners, self.anchors)
        return pools.Weighed(self.matches, elo.fit(self.matches, self.anchors), ())

    def rate_groups(self) -> GroupFit:
        """The ratings on a board of several seats."""
        if self.owners:
            return group_pools.rate(self.rankings, self.owners, self.anchors)
        return plackett_luce.fit_weighted(dict(self.rankings), self.anchors)

    @thinks
    def estimates(self) -> dict[int, Estimate]:
        """Return the ratings of any board, by player; whoever continues a record has that one's."""
        if self.rankings:
            return self.with_sharers(self.rate_groups().by_player())
        fitted = self.rate().fit
        return self.with_sharers(dict(zip(fitted.players, fitted.estimates, strict=True)))

    def with_sharers(self, found: Mapping[int, Value]) -> dict[int, Value]:
        """Values by player, also for those who continue a player's record."""
        shared = {player: found[record] for player, record in self.records.items() if record in found}
        return {**found, **shared}

    def record_of(self, player: int) -> int:
        """The player whose record this one continues, or itself."""
        return self.records.get(player, player)


@thinks
def intervals(weighed: pools.Weighed) -> dict[int, tuple[float | None, float | None]]:
    """Return the 95 % interval of each player in Elo; an end is None if the games leave it open."""
    return {
        player: (low if np.isfinite(low) else None, high if np.isfinite(high) else None)
        for player, (low, high) in profile_intervals.ends(weighed.fit, weighed.matches).items()
    }


def count_orders(deals: Iterable[Sequence[Sequence[Sequence[int]]]]) -> Rankings:
    """Each deal's finishing orders once, with the number of deals that ended so."""
    found = Counter(plackett_luce.as_deal(deal) for deal in deals)
    return tuple(sorted(found.items()))


def pack(inputs: FitInputs) -> bytes:
    """Return the inputs as compressed JSON."""
    return zlib.compress(
        canonical(
            {
                "anchors": list(map(list, inputs.anchors.items())),
                "matches": [
                    [match.first, match.second, *match.penta, *(match.fair or ())] for match in inputs.matches
                ],
                "deals": [[deal, times] for deal, times in inputs.rankings],
                "owners": list(map(list, inputs.owners.items())),
                "records": list(map(list, inputs.records.items())),
            }
        )
    )


def unpack(data: bytes) -> FitInputs:
    """The inverse of `pack`."""
    found: dict[str, Any] = json.loads(zlib.decompress(data))
    if "anchors" not in found:  # written before there were several
        return FitInputs()
    return FitInputs(
        dict(found["anchors"]),
        tuple(
            Match(row[0], row[1], tuple(row[2:7]), fair=tuple(row[7:]) or None) for row in found["matches"]
        ),
        tuple((plackett_luce.as_deal(deal), times) for deal, times in _deals(found)),
        dict(found["owners"]),
        dict(found.get("records", ())),
    )


def _deals(found: Mapping[str, Any]) -> Iterable[tuple[Any, int]]:
    """The deals; before errors went by deals, games were kept one by one."""
    if "deals" in found:
        return list(found["deals"])
    return [([ranking], games) for ranking, games in found["rankings"]]


def pack_covariance(fitted: Fit | GroupFit, players: Iterable[int]) -> bytes:
    """Return the covariance of some players' ratings, packed in single precision."""
    wanted = set(players)
    kept = [index for index, player in enumerate(fitted.players) if player in wanted]
    keys = np.array([fitted.players[index] for index in kept], dtype="<i8")
    matrix = fitted.covariance[np.ix_(kept, kept)].astype("<f4")
    return zlib.compress(np.array([len(kept)], dtype="<i8").tobytes() + keys.tobytes() + matrix.tobytes(), 1)


def unpack_covariance(data: bytes) -> tuple[list[int], NDArray[np.float64]]:
    """Return the players and the matrix in Elo²; both empty if there is nothing."""
    if not data:
        return [], np.zeros((0, 0))
    raw = zlib.decompress(data)
    count = int(np.frombuffer(raw[:8], dtype="<i8")[0])
    keys = np.frombuffer(raw[8 : 8 + 8 * count], dtype="<i8")
    matrix = np.frombuffer(raw[8 + 8 * count :], dtype="<f4").astype(np.float64)
    return [int(key) for key in keys], matrix.reshape(count, count)


def played_before_comparison(
    pairs: Iterable[tuple[int, Iterable[int]]], records: Mapping[int, int]
) -> set[int]:
    """Return which pairs count for nothing: the first `FIRST_PAIRS` of each version that continues a record.

    `pairs` are keys with the versions that played, in the order in which the pairs were made, and `records`
    are those of `inputs.FitInputs`. A version plays these pairs before it is known to be a near-twin. If they
    counted, each upload of the same bot would move a settled rating a little, and its author could stop when
    it is high. As they do not, a settled record stays where it is.
    """
    played: Counter[int] = Counter()
    found = set()
    for key, versions in pairs:
        continuing = [version for version in versions if version in records]
        if any(played[version] < FIRST_PAIRS for version in continuing):
            found.add(key)
        played.update(continuing)
    return found
