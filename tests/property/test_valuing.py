"""A valuer: what its net sees, the lines that it finds, and games played on by it."""

from array import array
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.boards import BOARDS, parse_board
from engine.policies.greedy import EMPTIES_HOUSE, TARGETS, rank_table
from engine.policies.valued import likely, valuer, weights_of
from engine.turns.core import DISCARD, DRAWN, HAND, RESERVE, Core, Valuer, self_play
from engine.turns.knowledge.sampling import cores
from engine.turns.knowledge.tracker import Tracker
from engine.turns.moves import texts
from tests.property.command_line import COMPILED
from tests.property.playing import EXAMPLES, play_on

OF_TURNS = [board for board in BOARDS if not engine.variant(parse_board(board)[0]).in_ticks]
NODES = 40 if COMPILED else 3
"""Few where the same source runs uncompiled, a hundred times slower."""
WEIGHTS = 122 * 48 + 2 * 48 + 1

boards = st.sampled_from(OF_TURNS)
numbers = st.integers(min_value=0, max_value=2**32)


def begun(board: str, number: int) -> tuple[engine.TurnGame, Tracker]:
    """A game after some moves, and what everybody who watched it knows."""
    rng, (variant, players) = Random(number), parse_board(board)
    game = play_on(engine.TurnGame.deal(variant, rng.randbytes(32).hex(), players), rng, rng.randrange(250))
    return game, Tracker.of(game.observation(0))


def net(core: Core, board: str, nodes: int = NODES) -> Valuer:
    return valuer(core, engine.variant(parse_board(board)[0]), nodes)


@EXAMPLES
@given(boards, numbers)
def test_no_hidden_card_changes_what_a_line_is_worth(board: str, number: int) -> None:
    game, tracker = begun(board, number)
    if game.finished:
        return
    found = [net(world, board).lines(world, 50) for world in islice(cores(tracker, Random(number)), 3)]
    for other in found[1:]:
        assert [moves for _, moves in other] == [moves for _, moves in found[0]]
        assert [worth for worth, _ in other] == pytest.approx([worth for worth, _ in found[0]])


@EXAMPLES
@given(boards, numbers)
def test_a_line_goes_up_to_the_next_card_turned_up(board: str, number: int) -> None:
    game, _ = begun(board, number)
    core = game.core
    before = core.hash()
    lines = net(core, board).lines(core, 30)
    assert core.hash() == before
    names = texts(core.players, core.turn)
    for worth, moves in lines:
        here = core
        for move in moves[:-1]:
            reached = after(here, (move,))
            assert not reached.over
            assert not reached.tally()[2]
            assert names[move] not in {"draw", "pass"}
            assert not turned_up(here, reached)
            here = reached
        assert worth > 900 or not after(here, moves[-1:]).tally()[2]
    assert [worth for worth, _ in lines] == sorted((worth for worth, _ in lines), reverse=True)
    assert net(core, board).planned(core) == (lines[0][1] if lines else ())


@EXAMPLES
@given(numbers)
def test_lines_hold_every_regular_end_and_no_irregular_move(number: int) -> None:
    game, _ = begun("crapette-it", number)
    core = game.core
    found = {
        (after(core, moves[:-1]).table_hash(), moves[-1])
        for _, moves in net(core, "crapette-it").lines(core, 4096)
    }
    expected = set()
    waiting, known = [core.clone()], {core.table_hash()}
    for node in waiting:
        if node.over:
            continue
        for move in node.legal():
            if node.irregular(move):
                continue
            reached = after(node, (move,))
            if texts(2, node.turn)[move] in {"draw", "pass"} or turned_up(node, reached) or reached.over:
                expected.add((node.table_hash(), move))
            elif len(waiting) < NODES and reached.table_hash() not in known:
                known.add(reached.table_hash())
                waiting.append(reached)
    assert found == expected


def after(core: Core, moves: Sequence[int]) -> Core:
    reached = core.clone()
    for move in moves:
        reached.push(move)
    return reached


def turned_up(before: Core, reached: Core) -> bool:
    piles = [RESERVE + before.turn, DISCARD + before.turn]
    left = [(before.size(pile), reached.size(pile)) for pile in piles]
    return before.turn != reached.turn or any(now < size and now for size, now in left)


@EXAMPLES
@given(boards, numbers, st.integers(1, 4))
def test_a_line_is_tried_by_lines_of_planner_the_net_and_a_greedy_game_after_them(
    board: str, number: int, ahead: int
) -> None:
    game, _ = begun(board, number)
    core = game.core
    before, players, seat = core.hash(), core.players, core.turn
    ranks = rank_table((TARGETS,) * players)
    found = net(core, board)
    for _, moves in found.lines(core, 3):
        chance, share, first = found.tried(core, moves, ahead, ranks, EMPTIES_HOUSE)
        end, played = after(core, moves), 1
        while not end.over and not end.tally()[2] and (played < ahead or end.turn != seat):
            end = after(end, end.planned(64))
            played += 1
        if not end.over and not end.tally()[2]:
            best = found.lines(end, 1)
            assert chance == pytest.approx(likely(best[0][0]) if best else 1 / players)
        end.play_ranked(ranks, EMPTIES_HOUSE)
        out = end.tally()[2]
        left = [sum(end.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in range(players)]
        own = left.pop(seat)
        result = 0 if not out else 1 if out[0] == seat else -1
        assert first == (out[0] if out else -1)
        assert share == pytest.approx(0.5 + (result + (sum(left) / len(left) - own) / 104) / 3)
        assert chance == found.chance(core, moves, ahead)
        assert 0 <= chance <= 1
        assert chance == 1 or not after(core, moves).tally()[2]
        assert core.hash() == before


@EXAMPLES
@given(boards, numbers, st.integers(0, 1), st.sampled_from([0, 2, 3]))
def test_the_net_sees_no_difference_between_suits_of_a_colour(
    board: str, number: int, seat: int, end: int
) -> None:
    game, _ = begun(board, number)
    swapped = str(game.position).translate(str.maketrans("SC", "CS"))
    fields = swapped.split()
    spades, hearts, diamonds, clubs = fields[5].split("/")
    fields[5] = "/".join((clubs, hearts, diamonds, spades))
    other = engine.TurnGame(engine.TurnPosition.parse(" ".join(fields))).core
    found = net(other, board)
    assert found.inputs(other, seat, end) == pytest.approx(found.inputs(game.core, seat, end))


@pytest.mark.parametrize("players", [3, 4])
def test_what_is_seen_of_a_seat_goes_with_it_when_another_looks(players: int) -> None:
    """The parts of the others, by how soon they play, are those that each sees of itself, as far as they
    tell of the seat alone."""
    core = engine.TurnGame.deal("crapette", "22" * 32, players).core
    core.playout(3, 40)
    found = net(core, f"crapette/{players}")
    sizes: dict[int, tuple[int, ...]] = {0: (0, 1, 2, 6, 8, 10, 12), 1: (3, 4, 5, 7, 9, 11, 13)}
    sizes |= {after: tuple(range(122 + 39 * (after - 2), 122 + 39 * (after - 2) + 7)) for after in (2, 3)}
    for seat in range(players):
        seen = found.inputs(core, seat, 2)
        for after in range(players):
            own = found.inputs(core, (seat + after) % players, 2)
            assert [seen[place] for place in sizes[after]] == [own[place] for place in sizes[0]]


@pytest.mark.parametrize("board", OF_TURNS if COMPILED else ["crapette", "crapette/3"])
def test_a_game_against_itself_is_written_down_line_by_line(board: str) -> None:
    variant, players = parse_board(board)
    core = engine.TurnGame.deal(variant, "00" * 32, players).core
    if not COMPILED:  # the end of a game
        while sum(core.size(HAND + seat) for seat in range(players)) > 12 and not core.tally()[2]:
            core.playout(5, 40)
    width = 1 + 122 + 39 * (players - 2)
    rows = array("d", [0.0]) * (width * 2000)
    found = net(core, board, 8 if COMPILED else 1)
    before = core.hash()
    first, count = self_play(found, None, core, rows)
    assert core.hash() == before
    assert first in range(-1, players)
    assert 0 < count <= 2000
    assert {rows[width * row] for row in range(count)} <= set(map(float, range(players)))
    ends = [sum(rows[width * row + 32 : width * row + 36]) for row in range(count)]
    assert ends == [1.0] * count  # one end a line
    assert not any(rows[width * count :])
    assert self_play(found, None, core, rows) == (first, count)


def test_an_error_changes_what_is_played_and_can_be_repeated() -> None:
    core = engine.TurnGame.deal("crapette", "11" * 32).core
    found, lines = net(core, "crapette"), []
    for error in ((0.0, 0), (2.0, 7), (2.0, 7), (0.0, 0)):
        found.err(*error)
        lines.append(found.lines(core, 4))
    assert lines[0] == lines[3] != lines[1] == lines[2]


def test_bad_arguments_and_boards_without_a_net_are_refused() -> None:
    core, wide = (engine.TurnGame.deal("crapette", "00" * 32, players).core for players in (2, 3))
    zeros = [0.0] * WEIGHTS
    for bad in ((wide, False, 8, zeros), (core, False, 0, zeros), (core, False, 8, [0.0])):
        with pytest.raises(ValueError, match="expected 1 to 512 nodes and"):
            Valuer(*bad)
    found = Valuer(core, False, 8, zeros)
    asked: list[tuple[str, Callable[[], object]]] = [
        ("expected a seat of 2", lambda: found.inputs(core, 2, 0)),
        ("at least one line", lambda: found.chance(core, (), 0)),
        ("expected one of", lambda: found.chance(core, (127,), 1)),
        ("can be written to", lambda: self_play(found, None, core, bytes(984))),
        ("expected 2 seats, got 3", lambda: self_play(found, None, wide, bytearray(984))),
        ("expected a board of turns, got vitesse", lambda: weights_of("vitesse", 2)),
    ]
    for message, call in asked:
        with pytest.raises(ValueError, match=message):
            call()
    assert core.size(DRAWN) == 0
