"""What part of the luck that is seen is taken away, and in how many ways games are played on to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

WAYS: Final = (32, 48, 64, 96, 128)
"""To choose from. With fewer the noise hides: shares become small, and little is taken away."""
NOISE: Final = 0.2
"""The most that chance in the ways may make of the variance of adjusted results: one in five of the games
that it takes to be sure of something."""


class SharesFit(NamedTuple):
    """The fewest ways that are quiet enough; for result and margin the shares, (parts, 2), what they leave of
    the raw variance, (2,), and what part of the raw variance is noise, (2,)."""

    ways: int
    shares: Floats
    left: Floats
    noise: Floats

    def as_dict(self) -> dict[str, object]:
        """What the published files say of it besides the shares."""
        return {"ways": self.ways, "left": self.left.round(3).tolist(), "noise": self.noise.round(3).tolist()}


def quiet(
    raw: Floats, see: Callable[[int, int], Floats], ways: tuple[int, ...] = WAYS, most: float = NOISE
) -> SharesFit:
    """Fit the shares with the fewest ways whose noise is at most `most` of what is left, else with all.

    Args:
        raw: the result and margin of each game, (games, 2).
        see: answers the luck of both that is seen in each game, by part, (games, parts, 2), given a number of
            ways and their seed.
    """
    for number in ways:
        one, two = see(number, 0), see(number, 1)
        shares, left = fit_shares(raw, one)
        noise = ((one - two) * shares).sum(axis=1).var(axis=0) / 2 / raw.var(axis=0)
        if (noise <= most * left).all():
            break
    return SharesFit(number, shares, left, noise)


def fit_shares(raw: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Shares by least squares, between 0 and 1, (parts, 2), and what of the variance they leave, (2,).

    Args:
        raw: the result and margin of each game, (games, 2).
        seen: the luck of both that was seen in it, by part, (games, parts, 2).
    """
    best = [np.linalg.lstsq(seen[:, :, kind], raw[:, kind], rcond=None)[0] for kind in range(2)]
    shares = np.clip(np.asarray(best).T, 0.0, 1.0).round(2)
    left = (raw - (seen * shares).sum(axis=1)).var(axis=0) / raw.var(axis=0)
    return shares, left
