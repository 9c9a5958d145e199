"""What a position that could be read may still be wrong in (RULES 1, last paragraph, and 3, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.cards import RANKS, SUITS, UNKNOWN, Card
from engine.errors import NotationError
from engine.parts import Counters, SeatPiles, Tally, seats_text
from engine.variants import Variant

IDLE_LIMIT = 100  # house-to-house moves (RULES 3)
STALL_LIMIT = 200  # turns without a foundation (RULES 3)


def check(
    rules: Variant,
    turn: int,
    phase: str,
    drawn: Card | None,
    houses: Sequence[Sequence[Card]],
    foundations: Sequence[Sequence[int]],
    seats: Sequence[SeatPiles],
    counters: Counters,
    tally: Tally,
) -> None:
    """Raise for what no position of the variant can be.

    Raises:
        NotationError: says what was expected and what was found.
    """
    _check_tops(houses, seats)
    _check_packs(rules, drawn, houses, foundations, seats)
    _check_reserves(rules, seats, tally)
    _check_seats(turn, drawn, seats, tally)
    _check_counters(turn, drawn, phase, counters, tally, len(seats))
    _check_laying(phase, drawn, houses)


def _check_tops(houses: Sequence[Sequence[Card]], seats: Sequence[SeatPiles]) -> None:
    """``??`` may stand only in hands and below tops."""
    for number, house in enumerate(houses, start=1):
        if house and house[-1] == UNKNOWN:
            raise NotationError(f"expected a known card on top of house t{number}, got '??'")
    for seat, piles in enumerate(seats):
        for name, pile in (("reserve", piles.reserve), ("discard", piles.discard)):
            if pile and pile[-1] == UNKNOWN:
                raise NotationError(f"expected a known card on top of the {name} of seat {seat}, got '??'")


def _check_packs(
    rules: Variant,
    drawn: Card | None,
    houses: Sequence[Sequence[Card]],
    foundations: Sequence[Sequence[int]],
    seats: Sequence[SeatPiles],
) -> None:
    """No card more often than the packs have it; nor more cards than they have, hidden ones included."""
    packs = len(seats)
    found = Counter[Card]()
    if drawn:
        found[drawn] += 1
    for pile in (*houses, *(pile for seat in seats for pile in seat.piles)):
        found.update(pile)
    for suit, heights in zip(SUITS, foundations, strict=True):
        for height in heights:
            found.update(rank + suit for rank in rules.ranks[:height])
    total = sum(found.values())
    del found[UNKNOWN]
    for card, count in found.items():
        if count > packs:
            raise NotationError(f"expected {card} at most {packs} times, foundations included, got {count}")
    if total > len(RANKS) * len(SUITS) * packs:
        raise NotationError(f"expected at most {52 * packs} cards, got {total}")


def _check_reserves(rules: Variant, seats: Sequence[SeatPiles], tally: Tally) -> None:
    """`emptied` names exactly the seats whose reserve is empty: once empty it cannot be loaded again."""
    if not rules.has_reserve:
        for seat, piles in enumerate(seats):
            if piles.reserve:
                raise NotationError(f"expected no reserve of seat {seat} in {rules.name}, got {piles.reserve[-1]!r}")
        if tally.emptied:
            raise NotationError(f"expected . for emptied in {rules.name}, got {seats_text(tally.emptied)!r}")
        return
    empty = tuple(seat for seat, piles in enumerate(seats) if not piles.reserve)
    if tuple(sorted(tally.emptied)) != empty:
        raise NotationError(
            f"expected emptied to name the seats with an empty reserve, {seats_text(empty)}, "
            f"got {seats_text(tally.emptied)!r}"
        )


def _check_seats(turn: int, drawn: Card | None, seats: Sequence[SeatPiles], tally: Tally) -> None:
    """A seat is in `out` if and only if it has no card; the turn is never there while the game goes on."""
    for seat, piles in enumerate(seats):
        cards = piles.left + (1 if drawn and seat == turn else 0)
        if cards and seat in tally.out:
            raise NotationError(f"expected no card left to seat {seat}, which is out, got {cards}")
        if not cards and seat not in tally.out:
            raise NotationError(f"expected seat {seat}, which has no card, in out, got {seats_text(tally.out)!r}")
    if len(tally.out) == len(seats):
        raise NotationError(f"expected a seat that is not out, got {seats_text(tally.out)!r}")
    if len(tally.out) == len(seats) - 1:
        if turn != tally.out[-1]:
            raise NotationError(f"expected the turn to stay with seat {tally.out[-1]}, the last to go out, got {turn}")
    elif turn in tally.out:
        raise NotationError(f"expected the turn at a seat that is not out, got {turn}")


def _check_counters(
    turn: int, drawn: Card | None, phase: str, counters: Counters, tally: Tally, players: int
) -> None:
    """What a draw resets is 0 with a card drawn, and nothing is in the air or stoppable once the game is over."""
    still_in = players - len(tally.out)
    if counters.passes > still_in:
        raise NotationError(f"expected passes from 0 to {still_in}, the seats still in, got {counters.passes}")
    if phase != "play" and counters.passes:
        raise NotationError(f"expected passes 0 in the laying phase, got {counters.passes}")
    if drawn and (counters.idle or counters.passes):
        raise NotationError(
            f"expected idle and passes 0 with a card drawn, got {counters.idle} and {counters.passes}"
        )
    if is_over(counters, tally, players):
        if drawn:
            raise NotationError(f"expected no drawn card in a game that is over, got {drawn!r}")
        if counters.last != ".":
            raise NotationError(f"expected . for the last action in a game that is over, got {counters.last!r}")


def is_over(counters: Counters, tally: Tally, players: int) -> bool:
    """Whether the game has ended: by a win, a stall or passes (RULES 3)."""
    still_in = players - len(tally.out)
    return still_in == 1 or counters.stall == STALL_LIMIT or counters.passes == still_in


def _check_laying(phase: str, drawn: Card | None, houses: Sequence[Sequence[Card]]) -> None:
    """At least ``2k + q`` houses are empty, and one more with a card drawn (RULES 6)."""
    if phase == "play":
        return
    needed = 2 * int(phase[3]) + int(phase[5]) + (1 if drawn else 0)
    empty = sum(not house for house in houses)
    if empty < needed:
        raise NotationError(f"expected at least {needed} empty houses in {phase}, got {empty}")
