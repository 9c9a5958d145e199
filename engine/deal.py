"""The deal: a position from a variant, a number of players and a seed of 32 bytes (RULES 2)."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from engine.cards import PACK, Card, value
from engine.errors import NotationError, quoted
from engine.parts import Counters, SeatPiles, Tally
from engine.position import Position
from engine.variants import Start, Variant, variant

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
RESERVE_SIZE = 13
BRIDGE_ORDER = "CDHS"  # clubs lowest


def seed_bytes(seed: str | bytes) -> bytes:
    """The 32 raw bytes of a seed written as 64 hex digits, or given raw.

    Raises:
        NotationError: it is neither.

    >>> seed_bytes("0f" * 32) == bytes([15] * 32)
    True
    >>> seed_bytes("0f")
    Traceback (most recent call last):
    engine.errors.NotationError: expected a seed of 64 hex digits, got '0f'
    """
    if isinstance(seed, bytes):
        if len(seed) != 32:
            raise NotationError(f"expected a seed of 32 bytes, got {len(seed)}")
        return seed
    if not isinstance(seed, str) or not SEED.fullmatch(seed):
        raise NotationError(f"expected a seed of 64 hex digits, got {quoted(seed)}")
    return bytes.fromhex(seed)


def any_seed(seed: str | bytes) -> bytes:
    """The 32 bytes of a seed, or of any other text its SHA-256.

    Raises:
        NotationError: neither text nor 32 bytes.

    >>> any_seed("0f" * 32) == seed_bytes("0f" * 32), len(any_seed("my first deal"))
    (True, 32)
    """
    if isinstance(seed, str) and not SEED.fullmatch(seed):
        return hashlib.sha256(seed.encode()).digest()
    return seed_bytes(seed)


def words(seed: bytes, label: str) -> Iterator[int]:
    """The stream of a label as 32-bit words: SHA-256 of ``seed/label/i``, block after block."""
    block = 0
    while True:
        digest = hashlib.sha256(
            seed + b"/" + label.encode("ascii") + b"/" + block.to_bytes(8, "big")
        ).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffled(cards: list[Card], seed: bytes, label: str) -> list[Card]:
    """Fisher and Yates from the last index down, drawing without bias (RULES 2)."""
    stream = words(seed, label)

    def below(limit: int) -> int:
        fair = 2**32 - 2**32 % limit
        return next(word for word in stream if word < fair) % limit

    out = list(cards)
    for last in range(len(out) - 1, 0, -1):
        other = below(last + 1)
        out[last], out[other] = out[other], out[last]
    return out


def deal(name: str | Variant, seed: str | bytes, players: int = 2) -> Position:
    """The position at the start of a game.

    Args:
        name: a variant or its name.
        seed: 64 hex digits, or 32 bytes; any other text stands for its SHA-256.
        players: how many seats, as the variant allows.

    Raises:
        UnknownVariant: no such variant, or not for so many players.
        NotationError: not such a seed.

    >>> deal("crapaud", "00" * 32).houses[:3]
    (('4H',), ('QD',), ('7C',))
    """
    rules = variant(str(name))
    rules.check_players(players)
    raw = any_seed(seed)
    if rules.one_pack:
        pack = shuffled(list(PACK) * 2, raw, "pack")
        packs = [pack[:52], pack[52:]]
    else:
        packs = [shuffled(list(PACK), raw, f"pack{seat}") for seat in range(players)]
    seats: list[SeatPiles] = []
    houses: list[tuple[Card, ...]] = []
    for cards in packs:
        taken = RESERVE_SIZE if rules.has_reserve else 0
        reserve, rest = cards[:taken], cards[taken:]
        laid = 0 if rules.laying else 4
        houses += [(card,) for card in rest[:laid]] or [()] * 4
        seats.append(SeatPiles(tuple(reserve), tuple(reversed(rest[laid:]))))
    return Position(
        variant=rules.name,
        turn=starter(rules, seats, houses),
        phase="lay3.2" if rules.laying else "play",
        drawn=None,
        houses=tuple(houses),
        foundations=((0,) * players,) * 4,
        seats=tuple(seats),
        counters=Counters(),
        tally=Tally((0,) * players),
    )


def starter(rules: Variant, seats: list[SeatPiles], houses: list[tuple[Card, ...]]) -> int:
    """Who starts (RULES 2)."""

    def rank(card: Card) -> tuple[int, int]:
        return value(card, rules.ranks), BRIDGE_ORDER.index(card[1])

    if rules.start is Start.SEAT_0:
        return 0
    if rules.start is Start.LOWEST_VALUE:

        def values(seat: int) -> list[int]:
            own = houses[4 * seat : 4 * seat + 4]
            return [
                value(seats[seat].reserve[-1], rules.ranks),
                *(value(house[0], rules.ranks) for house in own),
            ]

        return min(range(len(seats)), key=values)
    first, second = ([rank(card) for card in (seat.reserve[-1], *seat.hand)] for seat in seats)
    if rules.start is Start.HIGHEST_CARD:
        first, second = second, first
    return 1 if second < first else 0
