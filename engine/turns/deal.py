"""The deal: a position from a variant, a number of players and a seed of 32 bytes (RULES 2)."""

from __future__ import annotations

from engine.cards import PACK, Card, value
from engine.seeds import RESERVE_SIZE, seed_of_text, shuffle
from engine.turns.position import TurnPosition
from engine.turns.position_parts import Counters, SeatPiles, Tally
from engine.variants import Start, Variant

BRIDGE_ORDER = "CDHS"  # clubs lowest


def deal(rules: Variant, seed: str | bytes, players: int = 2) -> TurnPosition:
    """Return the position at the start of a game; `engine.deal` checks the number of players.

    Raises:
        NotationError: not such a seed.

    >>> from engine.variants import VARIANTS
    >>> deal(VARIANTS["crapaud"], "00" * 32).houses[:3]
    (('4H',), ('QD',), ('7C',))
    """
    raw = seed_of_text(seed)
    if rules.one_pack:
        pack = shuffle(list(PACK) * 2, raw, "pack")
        packs = [pack[:52], pack[52:]]
    else:
        packs = [shuffle(list(PACK), raw, f"pack{seat}") for seat in range(players)]
    seats: list[SeatPiles] = []
    houses: list[tuple[Card, ...]] = []
    for cards in packs:
        taken = RESERVE_SIZE if rules.has_reserve else 0
        reserve, rest = cards[:taken], cards[taken:]
        laid = 0 if rules.laying else 4
        houses += [(card,) for card in rest[:laid]] or [()] * 4
        seats.append(SeatPiles(tuple(reserve), tuple(reversed(rest[laid:]))))
    return TurnPosition(
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
