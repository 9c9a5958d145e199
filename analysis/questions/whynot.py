"""Explains to people at a table, in one sentence, why a move is illegal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import is_red, value
from engine.turns.position_parts import IDLE_LIMIT
from engine.variants import Build, Draw, Order

if TYPE_CHECKING:
    from engine import TickPosition, TurnPosition

SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def why_not(position: TurnPosition, move: str) -> str:
    """Return why a move is illegal here, in general words if no single rule forbids it."""
    if move in ("draw", "pass"):
        return _turning(position, move)
    source, _, target = move.partition("-")
    card, sentence = _card(position, source)
    if card is None:
        return sentence
    if target == "f":
        return _foundation(position, card)
    if target[:1] == "t" and target[1:].isdigit():
        return _house(position, source, card, int(target[1:]))
    if target[:1] in ("r", "d"):
        return _pile(position, source, card, target)
    return f"There is no place {target!r} to move a card to."


def why_not_in_ticks(position: TickPosition, seat: int, action: str) -> str:
    """Return why an action of a seat is illegal in the game with ticks (RULES 7)."""
    own = position.seats[seat]
    if action == "stop":
        return "You can call stop once your reserve is empty."
    if action == "turn":
        if own.hand or own.discard:
            return "A card of your reserve or slots can go to a foundation. You can turn only when none can."
        return "Your hand and discard are empty. There is nothing to turn."
    piles = {"r-f": own.reserve[-1:], "d-f": own.discard[-1:]}
    for number, card in enumerate(own.slots, start=1):
        piles[f"s{number}-f"] = (card,) if card else ()
    cards = piles.get(action)
    if cards is None:
        return f"Expected one of {', '.join(sorted(piles))}, stop, turn or wait, got {action[:20]!r}."
    if not cards:
        return "There is no card to play there."
    return f"{name(cards[0])} does not fit on a foundation now."


def name(card: str) -> str:
    """``TH`` as 10♥."""
    return ("10" if card[0] == "T" else card[0]) + SUIT_SIGNS[card[1]]


def _card(position: TurnPosition, source: str) -> tuple[str | None, str]:
    """Return the card that would move, or None and the reason why no card can move from there."""
    seat = position.seats[position.turn]
    if source == "h":
        return position.drawn, "No card is drawn. Draw one first."
    if position.drawn is not None:
        return None, f"You have drawn {name(position.drawn)}. Only that card can move."
    if source[:1] == "t" and source[1:].isdigit() and 1 <= int(source[1:]) <= len(position.houses):
        pile = position.houses[int(source[1:]) - 1]
        where = f"House {source[1:]}"
    elif source in ("r", "d"):
        pile = seat.reserve if source == "r" else seat.discard
        where = "The reserve" if source == "r" else "The discard"
        if source == "d" and not position.rules.own_discard:
            return None, "In this game you never play from your own discard."
    else:
        return None, "You can play only from your own piles, the houses and the drawn card."
    return (pile[-1], "") if pile else (None, f"{where} is empty.")


def _foundation(position: TurnPosition, card: str) -> str:
    ranks = position.rules.ranks
    heights = position.foundations["SHDC".index(card[1])]
    due = [ranks[height] + card[1] for height in heights if height < len(ranks)]
    if card in due:
        return _order(position)
    suit = SUIT_WORDS[card[1]].capitalize()
    words = " or ".join(dict.fromkeys(map(name, due)))
    return f"{suit} foundations need {words} next, not {name(card)}." if due else f"{suit} is complete."


def _house(position: TurnPosition, source: str, card: str, number: int) -> str:  # noqa: PLR0911 - reasons in their order
    if not 1 <= number <= len(position.houses):
        return f"There is no house {number}."
    rules = position.rules
    house = position.houses[number - 1]
    room = any(not pile for pile in position.houses)
    if source == f"t{number}":
        return "The card is already in that house."
    if house:
        under = house[-1]
        step = value(under, rules.ranks) - value(card, rules.ranks) == 1
        if rules.build is Build.SUIT:
            fits, how = step and under[1] == card[1], "down in the same suit"
        else:
            fits, how = step and is_red(under) != is_red(card), "down in alternating colours"
        if not fits:
            return f"Houses build {how}, so {name(card)} does not go on {name(under)}."
        if rules.build is Build.COLOURS_TO_TWO and card[0] == "A":
            return "In this game an ace is never built on another card."
    elif position.laying is not None:
        return "The empty houses are needed for the cards still to be laid."
    if source == "r" and rules.needs_room and not room:
        return "Your reserve can go to a house only while a house is empty."
    if source[:1] == "t" and position.counters.idle >= IDLE_LIMIT:
        return f"You made {IDLE_LIMIT} moves from house to house in a row. Make another kind of move first."
    return _order(position)


def _pile(position: TurnPosition, source: str, card: str, target: str) -> str:  # noqa: PLR0911 - reasons in their order
    rules = position.rules
    if target == "d":
        if source != "h":
            return "Only a drawn card can go to your discard."
        if position.laying is not None:
            return "While the houses are being laid, you can’t discard a drawn card."
        return "The drawn card can be played, so you must play it." if rules.must_place else _order(position)
    kind, _, digits = target[:1], "", target[1:]
    if not digits.isdigit() or not 0 <= int(digits) < position.players:
        return f"There is no seat for {target!r}."
    owner = int(digits)
    if owner == position.turn:
        return "You can load only an opponent’s piles, not your own."
    seat = position.seats[owner]
    pile = seat.reserve if kind == "r" else seat.discard
    if not pile:
        return "You can’t load an empty pile."
    top = pile[-1]
    step = abs(value(top, rules.ranks) - value(card, rules.ranks))
    if top[1] != card[1] or step != 1:
        return f"{name(top)} takes a card of its suit exactly one higher or lower, not {name(card)}."
    if rules.needs_room and not any(not house for house in position.houses):
        what = "You can’t load a reserve" if kind == "r" else "This card can’t go there"
        return f"{what} without an empty house."
    return _order(position)


def _turning(position: TurnPosition, move: str) -> str:  # noqa: PLR0911 - reasons in their order
    """Return why drawing or passing is illegal."""
    rules, seat = position.rules, position.seats[position.turn]
    if position.drawn is not None:
        return f"{name(position.drawn)} is drawn. Play it first."
    room = any(not pile for pile in position.houses)
    if move == "pass":
        if position.laying is None and (seat.hand or seat.discard):
            return "You can pass only when your hand and discard are both empty."
        return _order(position)
    if not seat.hand and not seat.discard:
        return "Your hand and discard are empty. There is nothing to draw."
    if position.laying is not None:
        return "You have laid enough cards this turn."
    if rules.draw is Draw.FLIP_WITHOUT_ROOM and not seat.hand and room:
        return "You can turn over your discard only when no house is empty."
    if rules.draw is Draw.FILL_FROM_DISCARD and room and seat.discard:
        return "Fill the empty houses from your discard before you draw."
    if rules.draw is Draw.FILL_FROM_RESERVE and room and seat.reserve:
        return "You can’t draw while a house is empty and you still have a reserve."
    return _order(position)


def _order(position: TurnPosition) -> str:
    """Return the reason if the cards themselves would fit."""
    if position.rules.order is Order.FOUNDATION:
        return "A card can go to a foundation, and that comes first."
    if position.rules.order is Order.STRICT:
        return "Another move comes first in the order of precedence."
    return "The rules of this game do not allow this here."
