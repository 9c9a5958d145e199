"""What a position that could be read may still be wrong in (RULES 1, last paragraph, and 3, 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import UNKNOWN
from engine.errors import NotationError
from engine.notation import check_packs
from engine.turns.position_parts import is_over, seats_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cards import Card
    from engine.turns.position_parts import Fields, SeatPiles, Tally
    from engine.variants import Variant


def check(rules: Variant, found: Fields) -> None:
    """Raise for what no position of the variant can be.

    Raises:
        NotationError: says what was expected and what was found.
    """
    _check_tops(found.houses, found.seats)
    own = [pile for seat in found.seats for pile in seat.piles]
    drawn = [found.drawn] if found.drawn else []
    check_packs(len(found.seats), rules.ranks, [*found.houses, *own, drawn], found.foundations)
    _check_reserves(rules, found.seats, found.tally)
    _check_seats(found)
    _check_counters(found)
    _check_laying(found)


def _check_tops(houses: Sequence[Sequence[Card]], seats: Sequence[SeatPiles]) -> None:
    """``??`` may stand only in hands and below tops."""
    for number, house in enumerate(houses, start=1):
        if house and house[-1] == UNKNOWN:
            raise NotationError(f"expected a known card on top of house t{number}, got '??'")
    for seat, piles in enumerate(seats):
        for name, pile in (("reserve", piles.reserve), ("discard", piles.discard)):
            if pile and pile[-1] == UNKNOWN:
                raise NotationError(f"expected a known card on top of the {name} of seat {seat}, got '??'")


def _check_reserves(rules: Variant, seats: Sequence[SeatPiles], tally: Tally) -> None:
    """`emptied` names exactly the seats whose reserve is empty: once empty it cannot be loaded again."""
    if not rules.has_reserve:
        for seat, piles in enumerate(seats):
            if piles.reserve:
                raise NotationError(
                    f"expected no reserve of seat {seat} in {rules.name}, got {piles.reserve[-1]!r}"
                )
        if tally.emptied:
            raise NotationError(f"expected . for emptied in {rules.name}, got {seats_text(tally.emptied)!r}")
        return
    empty = tuple(seat for seat, piles in enumerate(seats) if not piles.reserve)
    if tuple(sorted(tally.emptied)) != empty:
        raise NotationError(
            f"expected emptied to name the seats with an empty reserve, {seats_text(empty)}, "
            f"got {seats_text(tally.emptied)!r}"
        )


def _check_seats(found: Fields) -> None:
    """A seat is in `out` if and only if it has no card; the turn is never there while the game goes on."""
    out, turn, players = found.tally.out, found.turn, len(found.seats)
    for seat, piles in enumerate(found.seats):
        cards = piles.left + (1 if found.drawn and seat == turn else 0)
        if cards and seat in out:
            raise NotationError(f"expected no card left to seat {seat}, which is out, got {cards}")
        if not cards and seat not in out:
            raise NotationError(f"expected seat {seat}, which has no card, in out, got {seats_text(out)!r}")
    if len(out) == players:
        raise NotationError(f"expected a seat that is not out, got {seats_text(out)!r}")
    if len(out) == players - 1:
        if turn != out[-1]:
            raise NotationError(
                f"expected the turn to stay with seat {out[-1]}, the last to go out, got {turn}"
            )
    elif turn in out and not is_over(found.counters, found.tally, players):
        raise NotationError(f"expected the turn at a seat that is not out, got {turn}")


def _check_counters(found: Fields) -> None:
    """With a card drawn what a draw resets is 0; in a game that is over nothing is in the air or to stop."""
    counters, drawn = found.counters, found.drawn
    still_in = len(found.seats) - len(found.tally.out)
    if counters.passes > still_in:
        raise NotationError(
            f"expected passes from 0 to {still_in}, the seats still in, got {counters.passes}"
        )
    if found.phase != "play" and counters.passes:
        raise NotationError(f"expected passes 0 in the laying phase, got {counters.passes}")
    if drawn and (counters.idle or counters.passes):
        raise NotationError(
            f"expected idle and passes 0 with a card drawn, got {counters.idle} and {counters.passes}"
        )
    if is_over(counters, found.tally, len(found.seats)):
        if drawn:
            raise NotationError(f"expected no drawn card in a game that is over, got {drawn!r}")
        if counters.last != ".":
            raise NotationError(
                f"expected . for the last action in a game that is over, got {counters.last!r}"
            )


def _check_laying(found: Fields) -> None:
    """At least ``2k + q`` houses are empty, and one more with a card drawn (RULES 6)."""
    if found.phase == "play":
        return
    needed = 2 * int(found.phase[3]) + int(found.phase[5]) + (1 if found.drawn else 0)
    empty = sum(not house for house in found.houses)
    if empty < needed:
        raise NotationError(f"expected at least {needed} empty houses in {found.phase}, got {empty}")
