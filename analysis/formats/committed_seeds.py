"""Seeds: each tournament has one secret from which every deal follows, and publishes a commitment to it
beforehand.

A tournament's seed is 32 random bytes as 64 hex digits. Its commitment is the SHA-256 of those bytes. Deals
come in batches: the deals of a round, or `BATCH` deals of a sequential test or ladder. The seed of a batch is
``SHA-256(seed ‖ "/round/" ‖ batch)``, of a deal ``SHA-256(batch seed ‖ "/deal/" ‖ number)``, and the suits of
a leg follow from the deal's seed. The commitments of all batches up to the next one are published. The seed
of a batch is revealed when its pairs are over, and the tournament's seed when the tournament is over. Anyone
who has a seed can recompute its deals.

Where remote bots are admitted, no two games share a deal: a program that remembers would know the cards. The
seed of a game's own deal is ``SHA-256(deal's seed ‖ "/table/" ‖ table ‖ "/run/" ‖ run ‖ "/game/" ‖ leg)``.
"""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final

BATCH: Final = 50
"""Deals per batch where there are no rounds."""


def new_seed() -> str:
    """A secret seed from the system's randomness, which nobody can foresee: 64 hex digits."""
    return secrets.token_hex(32)


def batch_of(number: int) -> int:
    """Return the batch (from 1) of deal `number` (from 1) of a sequential test or ladder."""
    return 1 + (number - 1) // BATCH


def commitment(seed: str) -> str:
    """Return the SHA-256 of the seed's bytes, as 64 hex digits."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def round_seed(seed: str, number: int) -> str:
    """Return the seed of batch (round) `number` of a tournament. It reveals nothing about other batches."""
    return hashlib.sha256(bytes.fromhex(seed) + f"/round/{number}".encode("ascii")).hexdigest()


def deal_seed(seed: str, round_number: int, number: int) -> str:
    """Return the seed (RULES 2) of deal `number` of a batch, the same for every pairing of a round."""
    return deal_of(round_seed(seed, round_number), number)


def deal_of(batch_seed: str, number: int) -> str:
    """Return the seed of deal `number` of the batch with this seed."""
    return hashlib.sha256(bytes.fromhex(batch_seed) + f"/deal/{number}".encode("ascii")).hexdigest()


def own_seed(deal: str, table: int, run: int, leg: int) -> str:
    """Return the seed of one game's own deal, from its pair's deal seed.

    `table` is that of its round, `run` counts how often the pair was begun, and `leg` is from 0.
    """
    words = f"/table/{table}/run/{run}/game/{leg}"
    return hashlib.sha256(bytes.fromhex(deal) + words.encode("ascii")).hexdigest()


def leg_suits(seed: str, leg: int, relabellings: Sequence[str]) -> str:
    """Return how suits are renamed in a leg (from 0): unchanged in leg 0, differently in each further leg.

    `relabellings` lists the permutations that keep the colours apart, identity first; legs after the first
    take different ones in an order that the deal's seed decides, so that no player can tell one leg from
    another.
    """
    if leg == 0:
        return relabellings[0]
    start = hashlib.sha256(bytes.fromhex(seed) + b"/suits").digest()[0]
    others = relabellings[1:]
    return others[(start + 3 * (leg - 1)) % len(others)]
