"""Slices of work measured side by side: rates of contenders and the ratios between them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

Slice = Callable[[float], tuple[int, float]]
"""Works for about so many CPU seconds; answers how many steps were done, and in how many CPU seconds."""


def repeat(piece: Callable[[], int]) -> Slice:
    """A slice that does a piece of work, which answers its number of steps, again and again."""

    def run(seconds: float) -> tuple[int, float]:
        steps = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            steps += piece()
        return steps, used

    return run


@dataclass(frozen=True)
class Spread:
    """The median and the tenth and ninetieth percentile of a sample."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, sample: list[float]) -> Spread:
        """Of two values or more."""
        tenths = quantiles(sample, n=10, method="inclusive")
        return cls(median(sample), tenths[0], tenths[-1])


class Rounds:
    """Steps a second of every contender in every round.

    A round gives each contender one slice, in random order, so that whatever else the machine does falls on
    all alike; a ratio is taken within a round and only then is the median taken.
    """

    def __init__(self, contenders: Mapping[str, Slice], slice_seconds: float) -> None:
        self._contenders = dict(contenders)
        self._slice_seconds = slice_seconds
        self.rates: dict[str, list[float]] = {name: [] for name in contenders}

    def run(self, order: Random) -> None:
        """One more round."""
        names = list(self._contenders)
        order.shuffle(names)
        for name in names:
            gc.collect()
            gc.disable()
            try:
                steps, seconds = self._contenders[name](self._slice_seconds)
            finally:
                gc.enable()
            self.rates[name].append(steps / seconds)

    def rate(self, name: str) -> Spread:
        """Steps a second of one contender."""
        return Spread.of(self.rates[name])

    def ratio(self, ours: str, theirs: str) -> Spread:
        """The rate of one over that of another, round by round."""
        return Spread.of([a / b for a, b in zip(self.rates[ours], self.rates[theirs], strict=True)])
