"""Legal moves, section by section of RULES, as plain lists of texts.

`legal(state)` is what `engine legal` prints for the position: sorted texts, "!" behind an irregular one.
"""

from tests.oracle.position import IDLE_LIMIT, State

HOUSES = [f"t{number}" for number in range(1, 17)]  # as many as four seats have

FOUNDATION, RESERVE, DISCARD, HOUSE = 1, 2, 3, 4  # RULES 6: the order of precedence, named by its targets
_PRECEDENCE = {"f": FOUNDATION, "r": RESERVE, "d": DISCARD, "t": HOUSE}


def precedence(move: str) -> int:
    """RULES 6: 1 foundation, 2 opponent's reserve, 3 opponent's discard, 4 house, of `source-target`."""
    return _PRECEDENCE[move.split("-")[1][0]]


def legal(state: State) -> list[str]:
    """The mover's legal moves, sorted, irregular ones marked; none when the game is over."""
    if state.result is not None:
        return []
    return sorted(_FAMILIES[state.rules.family](state))


# What cards can do at all (RULES 1 and 3), before a variant forbids some of it


def room(state: State) -> bool:
    """RULES 1: at least one house is empty (before the move)."""
    return "" in state.houses


def sources(state: State) -> list[tuple[str, str]]:
    """Which cards can move, as (source, card): with a card drawn only that one (RULES 3), else all tops."""
    if state.drawn:
        return [("h", state.drawn)]
    found = [(name, house[-2:]) for name, house in zip(HOUSES, state.houses, strict=False) if house]
    if state.reserves[state.turn]:
        found.append(("r", state.reserves[state.turn][-2:]))
    if state.discards[state.turn]:
        found.append(("d", state.discards[state.turn][-2:]))
    return found


def to_foundations(state: State, movable: list[tuple[str, str]]) -> list[str]:
    """RULES 1: where some foundation of the card's suit is built up to just below the card."""
    value, built = state.rules.value, state.foundations
    return [f"{source}-f" for source, card in movable if value[card] - 1 in built[card[1]]]


def may_use_empty_house(state: State) -> bool:
    """RULES 6, laying: only while more than `2k + q` houses are empty. Elsewhere always."""
    if state.laying is None:
        return True
    k, q = state.laying
    return state.houses.count("") > 2 * k + q


def all_placings(state: State) -> list[str]:
    """All that RULES 1 and 3 let cards do: go to foundations, loads and houses; not to the own discard."""
    loads, builds = state.rules.loads, state.rules.builds
    movable = sources(state)
    found = to_foundations(state, movable)
    tops = [
        (f"{name}{seat}", loads[pile[-2:]])
        for name, piles in (("r", state.reserves), ("d", state.discards))
        for seat, pile in enumerate(piles)
        if pile and seat != state.turn  # an empty pile cannot be loaded
    ]
    found += laid(movable, tops)
    if state.idle >= IDLE_LIMIT:  # RULES 3, idle: no longer from house to house
        movable = [(source, card) for source, card in movable if source[0] != "t"]
    houses = list(zip(HOUSES, state.houses, strict=False))
    found += laid(movable, [(name, builds[house[-2:]]) for name, house in houses if house])
    if "" in state.houses and may_use_empty_house(state):
        empty = [name for name, house in houses if not house]
        found += [f"{source}-{name}" for source, _ in movable for name in empty]
    return found


def laid(movable: list[tuple[str, str]], tops: list[tuple[str, frozenset[str]]]) -> list[str]:
    """The moves of (source, card) to (name of a pile, cards that may lie on its top)."""
    loose = {card for _, card in movable}
    found = []
    for name, takes in tops:
        if not loose.isdisjoint(takes):  # most tops take none of them
            found += [f"{source}-{name}" for source, card in movable if card in takes]
    return found


def may_pass(state: State) -> bool:
    """RULES 3: in play only with hand and discard both empty and no card drawn."""
    return not (state.hands[state.turn] or state.discards[state.turn] or state.drawn)


def may_draw(state: State) -> bool:
    """Something is left to draw (the discard turned over if need be) and no card is drawn (RULES 3)."""
    return bool(state.hands[state.turn] or state.discards[state.turn]) and not state.drawn


# RULES 4


def needs_room(move: str) -> bool:
    """The table of RULES 4: what the "only with room" in it says of a placing."""
    if move[0] == "r":  # own reserve top: foundation yes, all else only with room
        return precedence(move) != FOUNDATION
    # house top, own discard top, drawn card: all, the opponent's reserve only with room
    return precedence(move) == RESERVE


def crapaud_moves(state: State) -> list[str]:
    """The table of RULES 4 and the sentences under it."""
    has_room = room(state)
    found = all_placings(state)
    if not has_room:
        found = [move for move in found if not needs_room(move)]
    if state.drawn:  # "may always go to the own discard instead"
        found.append("h-d")
    # `draw` with cards in the hand, empty houses or not; turning the discard over only when no house is empty
    if may_draw(state) and (state.hands[state.turn] or not has_room):
        found.append("draw")
    if may_pass(state):
        found.append("pass")
    return found


# RULES 5


def crapo_moves(state: State) -> list[str]:
    """RULES 5, `crapo`. (That an ace is never built is in the ruleset's `builds`.)"""
    found = all_placings(state)
    if state.drawn:  # "may be trashed even if it could be placed"
        found.append("h-d")
    hand, discard = state.hands[state.turn], state.discards[state.turn]
    # with cards in the hand only if no house is empty or the own discard is; with an empty hand always
    if may_draw(state) and (not hand or not room(state) or not discard):
        found.append("draw")
    if may_pass(state):
        found.append("pass")
    return found


def crapette_moves(state: State) -> list[str]:
    """RULES 5, `crapette`: all moves freely; a drawn card is trashed only if it has no other legal move."""
    found = all_placings(state)
    if state.drawn and not found:
        found.append("h-d")
    if may_draw(state):
        found.append("draw")
    if may_pass(state):
        found.append("pass")
    return found


# RULES 6


def italian_moves(state: State) -> list[str]:
    """RULES 6, `crapette-it` with irregular moves marked, `crapette-it-strict` without them."""
    found = all_placings(state)
    best = min(map(precedence, found), default=HOUSE + 1)
    marks = {move: precedence(move) > best for move in found}  # a higher precedence was available
    if state.laying is None:
        if state.drawn:
            marks["h-d"] = bool(found)  # irregular if the drawn card could be placed anywhere
        if may_draw(state):
            marks["draw"] = best < HOUSE  # building may be left undone
        if may_pass(state):
            marks["pass"] = best < HOUSE
    else:
        _, q = state.laying
        hand = state.hands[state.turn]
        if hand and not state.drawn and (q > 0 or may_use_empty_house(state)):
            marks["draw"] = best < HOUSE
        if (q == 0 or not hand) and not state.drawn:
            marks["pass"] = best < HOUSE
    if state.rules.strict:  # irregular moves are simply illegal
        return [move for move, irregular in marks.items() if not irregular]
    return [move + "!" if irregular else move for move, irregular in marks.items()]


def russian_moves(state: State) -> list[str]:
    """RULES 6, `russian-bank`."""
    found = [
        move for move in all_placings(state) if not move.startswith("d-")
    ]  # own discard is never a source
    if "r-f" in found:
        return ["r-f"]
    to_foundation = [move for move in found if precedence(move) == FOUNDATION]
    if to_foundation:
        return to_foundation
    if state.drawn:
        found.append("h-d")
    if not (room(state) and state.reserves[state.turn]):  # else draw and pass are illegal
        if may_draw(state):
            found.append("draw")
        if may_pass(state):
            found.append("pass")
    return found


_FAMILIES = {
    "crapaud": crapaud_moves,
    "crapo": crapo_moves,
    "crapette": crapette_moves,
    "italian": italian_moves,
    "russian": russian_moves,
}
