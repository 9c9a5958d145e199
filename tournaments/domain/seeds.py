"""Seeds: one secret a tournament, from which every deal follows, with a commitment that is published before.

A tournament's seed is 32 random bytes as 64 hex digits. Its commitment is the SHA-256 of those bytes. The
seed of a round is ``SHA-256(seed ‖ "/round/" ‖ round)``, of a deal ``SHA-256(round seed ‖ "/deal/" ‖
number)``, and the suits of a leg follow from the deal's seed: whoever is given the seed afterwards can
recompute every deal.
"""

import hashlib
from collections.abc import Sequence


def commitment(seed: str) -> str:
    """SHA-256 of the seed's bytes, as 64 hex digits."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def round_seed(seed: str, number: int) -> str:
    """The seed of round `number` of a tournament. Revealing it tells nothing about the other rounds."""
    return hashlib.sha256(bytes.fromhex(seed) + f"/round/{number}".encode("ascii")).hexdigest()


def deal_seed(seed: str, round_number: int, number: int) -> str:
    """The seed (RULES 2) of deal `number` of a round, the same for every pairing of the round."""
    parent = bytes.fromhex(round_seed(seed, round_number))
    return hashlib.sha256(parent + f"/deal/{number}".encode("ascii")).hexdigest()


def leg_suits(seed: str, leg: int, relabellings: Sequence[str]) -> str:
    """The relabelling of suits for a leg (from 0): the identity for leg 0, another for each further leg.

    `relabellings` lists the permutations that keep the colours apart, identity first; legs after the first
    take different ones in an order that the deal's seed decides, so that no player can tell one leg from
    another.
    """
    if leg == 0:
        return relabellings[0]
    start = hashlib.sha256(bytes.fromhex(seed) + b"/suits").digest()[0]
    others = relabellings[1:]
    return others[(start + 3 * (leg - 1)) % len(others)]
