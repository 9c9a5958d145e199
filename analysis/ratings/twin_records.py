"""Which pairs of near-twins count for the record they share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from analysis.ratings.scheduling import FIRST_PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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
