"""The greedy bot in the core, for every number of seats, against its rule written out."""

import pytest

from engine import TurnGame
from engine.policies.greedy import EMPTIES_HOUSE, NEVER, greedy, playout, ranks
from engine.turns.core import NOBODY, Core


def by_rule(core: Core) -> int:
    """The legal move of the least rank, of equal ones the lowest number."""
    table, houses = ranks(core.players, core.turn), 8 if core.players == 2 else 16

    def rank(move: int) -> int:
        source, target = divmod(move, houses)
        empties = move < houses**2 and core.size(source) == 1 and core.top_of(target) != NOBODY
        return EMPTIES_HOUSE if table[move] == NEVER and empties else table[move]

    return min(map(int, core.legal()), key=lambda move: (rank(move), move))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_core_makes_the_greedy_move_with_any_number_of_seats(players: int) -> None:
    looked_at = emptied = 0
    for deal in range(12):
        core = TurnGame.deal("crapette", f"{deal:064x}", players).core.clone()
        while not core.over:
            move = greedy(core)
            assert move == by_rule(core)
            emptied += ranks(players, core.turn)[move] == NEVER
            looked_at += 1
            core.push(move)
    assert looked_at > 1000
    assert emptied > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_playout_is_greedy_play_to_the_end(players: int) -> None:
    core = TurnGame.deal("crapette", "0c" * 32, players).core
    before, expected = core.hash(), core.clone()
    while not expected.over:
        expected.push(by_rule(expected))
    ended = playout(core)
    assert (ended.hash(), ended.tally()) == (expected.hash(), expected.tally())
    assert core.hash() == before
