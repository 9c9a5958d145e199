"""Results, rankings and points of finished games (RULES 3, 5 and 6)."""

from tests.oracle.position import State


def score(state: State) -> dict[str, object]:
    """What `engine score` prints; ValueError if the game is not over."""
    if state.result is None:
        raise ValueError("the game goes on")
    out = [int(digit) for digit in state.out]
    still_in = [seat for seat in range(state.players) if seat not in out]
    return {
        "result": state.result,
        "ranking": [[seat] for seat in out] + [still_in],  # RULES 3: the order of going out ranks the seats
        "points": _points(state, out, still_in),
    }


def left(state: State, seat: int) -> int:
    """How many cards the seat has in reserve, hand and discard."""
    return len(state.reserves[seat] + state.hands[seat] + state.discards[seat]) // 2


def _points(state: State, out: list[int], still_in: list[int]) -> list[int]:
    if state.rules.family == "crapette":
        return _crapette_pair(state) if state.players == 2 else _crapette_table(state, out, still_in)
    points = [0] * state.players
    if state.result == "win" and state.rules.family in ("italian", "russian"):
        winner, loser = out[0], still_in[0]
        reserve = len(state.reserves[loser]) // 2
        points[winner] = left(state, loser) + reserve  # hand and discard, and twice those in the reserve
        if state.rules.family == "russian":
            points[winner] += 30
    return points


def _crapette_pair(state: State) -> list[int]:
    """RULES 5, points, two players."""
    points = [3 * count for count in state.completed or []]
    if state.emptied:
        points[int(state.emptied[0])] += 10  # the first to empty the reserve
    if state.result == "win":
        winner = int(state.out[0])
        points[winner] += left(state, 1 - winner) // 2
    return points


def _crapette_table(state: State, out: list[int], still_in: list[int]) -> list[int]:
    """RULES 5, points, three or four players: a zero-sum table."""
    points = [0] * state.players
    completed = state.completed or []

    def pay(payer: int, to: int, amount: int) -> None:
        points[payer] -= amount
        points[to] += amount

    seats = range(state.players)
    if state.result == "win":
        loser = still_in[0]
        # the last to empty the reserve (the loser, if not emptied) pays 10 to each other seat
        last = loser if str(loser) not in state.emptied else int(state.emptied[-1])
        for other in seats:
            if other != last:
                pay(last, other, 10)
            if other != loser:
                pay(loser, other, left(state, loser) // 2 + 3 * completed[other])
    else:
        for seat in still_in:
            for other in out:
                never_emptied = 10 if str(seat) not in state.emptied else 0
                pay(seat, other, left(state, seat) // 2 + 3 * completed[other] + never_emptied)
    return points
