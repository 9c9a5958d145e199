"""What a move and a stop call do (RULES 3 and 6)."""

from tests.oracle.moves import legal
from tests.oracle.position import HIDDEN, LAYING_TURNS, State, cards


class BadMove(ValueError):
    """The move is not legal here, or would turn up a card that the position does not know."""


def apply(state: State, move: str) -> None:
    """Carry out a legal move, or raise BadMove and leave the state as it was."""
    moves = legal(state)
    if move in moves:
        irregular = False
    elif move + "!" in moves and not move.endswith("!"):
        irregular = True
    else:
        raise BadMove(f"{move!r} is none of {' '.join(moves)}")
    if not all(known(state, move)):
        raise BadMove(f"{move!r} would turn up an unknown card")
    carry_out(state, move, irregular=irregular)


def known(state: State, move: str) -> list[bool]:
    """Whether each card that this legal move turns up is known (RULES 1: else it is bad input)."""
    source, _, _ = move.partition("-")
    if source == "draw":
        hand, discard = state.hands[state.turn], state.discards[state.turn]
        return [(hand[-2:] or discard[:2]) != HIDDEN]
    if source == "r":
        return [state.reserves[state.turn][-4:-2] != HIDDEN]
    if source == "d":
        return [state.discards[state.turn][-4:-2] != HIDDEN]
    if source[0] == "t":
        return [state.houses[int(source[1:]) - 1][-4:-2] != HIDDEN]
    return []


def carry_out(state: State, move: str, *, irregular: bool) -> None:
    """Carry out a move that is known to be legal, and known to be irregular or not."""
    seat = state.turn
    in_play = state.laying is None
    source, _, target = move.partition("-")
    # RULES 3: idle counts house-to-house moves since the turn began or since the mover's last other move
    state.idle = state.idle + 1 if source[0] == "t" and target[0] == "t" else 0
    # RULES 3: pass moves in play since any other move
    state.passes = state.passes + 1 if move == "pass" and in_play else 0
    if move == "draw":
        _draw(state)
    elif move != "pass":
        _put(state, target, _take(state, source))
    if source == "r" and not state.reserves[seat]:
        state.emptied += str(seat)  # RULES 1: the order in which they first emptied their reserve
    went_out = not (state.reserves[seat] or state.hands[seat] or state.discards[seat] or state.drawn)
    if went_out:  # RULES 3: at once
        state.out += str(seat)
    if state.result == "win":  # RULES 3: the turn stays with the one who went out last
        state.last = "."
    elif move in ("h-d", "pass") or went_out:  # RULES 3: when a turn ends
        end_turn(state)
    elif state.rules.stop_calls:
        state.last = "!" if irregular else "+"


def _draw(state: State) -> None:
    seat = state.turn
    if not state.hands[seat]:  # RULES 3: the discard is turned over, its bottom card becomes the hand's top
        state.hands[seat] = "".join(reversed(cards(state.discards[seat])))
        state.discards[seat] = ""
    state.drawn = state.hands[seat][-2:]
    state.hands[seat] = state.hands[seat][:-2]
    if state.laying:  # RULES 6: each draw lowers q while it is above 0
        k, q = state.laying
        state.laying = (k, max(q - 1, 0))


def _take(state: State, source: str) -> str:
    """Remove and return the card that moves."""
    seat = state.turn
    if source == "h":
        card, state.drawn = state.drawn, ""
        return card
    if source == "r":
        piles, index = state.reserves, seat
    elif source == "d":
        piles, index = state.discards, seat
    else:
        piles, index = state.houses, int(source[1:]) - 1
    pile = piles[index]
    piles[index] = pile[:-2]
    return pile[-2:]


def _put(state: State, target: str, card: str) -> None:
    if target == "f":
        heights = state.foundations[card[1]]
        # RULES 1: to the first foundation of its suit that is due it
        index = heights.index(state.rules.value[card] - 1)
        heights[index] += 1
        if heights[index] == 13 and state.completed is not None:
            state.completed[state.turn] += 1
        state.stall = 0  # RULES 3: turns since a card last went to a foundation
    elif target == "d":
        state.discards[state.turn] += card
    elif target[0] == "d":
        state.discards[int(target[1:])] += card
    elif target[0] == "r":
        state.reserves[int(target[1:])] += card
    else:
        state.houses[int(target[1:]) - 1] += card


def end_turn(state: State) -> None:
    """RULES 3 and 6: count the turn that ended and pass the turn to the next seat that is in."""
    state.stall += 1
    state.idle = 0
    state.last = "."
    if state.laying:  # RULES 6: k falls by one and q is 2 again; after lay0 play begins
        k = state.laying[0]
        state.laying = (k - 1, 2) if k > 0 else None
    while True:
        state.turn = (state.turn + 1) % state.players
        if str(state.turn) not in state.out:
            return


def can_stop(state: State) -> bool:
    """RULES 6: the opponent may call after an action that did not end the turn, unless it is mute."""
    return state.result is None and state.last in "+!" and str(1 - state.turn) not in state.mute


def stop(state: State) -> None:
    """The opponent of the mover calls stop (RULES 6)."""
    if not can_stop(state):
        raise BadMove(f"nothing to stop: last {state.last!r}, mute {state.mute!r}")
    if state.last == "!":  # the turn passes to the caller at once, a drawn card to the mover's discard
        state.discards[state.turn] += state.drawn
        state.drawn = ""
        end_turn(state)
    else:  # play goes on, and the caller has lost the right to call
        state.mute = "".join(sorted(state.mute + str(1 - state.turn)))
        state.last = "."


__all__ = ["LAYING_TURNS", "BadMove", "apply", "can_stop", "carry_out", "end_turn", "known", "stop"]
