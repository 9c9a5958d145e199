"""The core as plain Python, as it runs where there is no C compiler, and compiled: one and the same."""

import subprocess
import sys

from tests.oracle.rulesets import TABLES


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


SHOW = """
import engine
from array import array
from engine.turns.core import Completions, Valuer, self_play, whole
from tests.oracle.rulesets import TABLES
from engine.policies.greedy import EMPTIES_HOUSE, rank_table
print(whole.__file__)
for variant, players in TABLES:
    for number in (1, 3):
        core = engine.TurnGame.deal(variant, f"{number:064x}", players).core.clone()
        plies = core.playout(number, 100 * number)
        print(variant, players, plies, core.hash(), core.canonical_hash(), core.state(), core.legal())
        ranked = core.clone()
        ranked.play_ranked(rank_table(("frdt",) * players), EMPTIES_HOUSE)
        print(ranked.hash(), ranked.tally())
        print("plans", core.plans(40, 5), core.planned(9))
        weights = [(7 * place % 13 - 6) / 40 for place in range(48 * (124 + 39 * (players - 2)) + 1)]
        valuer, last = Valuer(core, number == 3, 6, weights), core.legal()[-1:]
        valuer.err(0.5, number)
        print("valued", valuer.lines(core, 4), [valuer.inputs(core, seat, 1) for seat in range(players)])
        if core.tally()[2]:
            last = ()
        if last and (players == 2 or number == 3):
            print("chance", valuer.chance(core, last, 2))
            print("tried", valuer.tried(core, last, 1, rank_table(("frdt",) * players), EMPTIES_HOUSE))
        if players == 2:
            names = [*range(209)]  # the cards of the first hand the other way round
            for card, name in zip(core.pile(24), reversed(core.pile(24))):
                names[card] = name
            other = core.exchanged(bytes(names))
            turned = other.pile(24) == core.pile(24)[::-1]
            print(turned, other.play_ranked(bytes(range(256)), 9), other.worth())
            greedy, hands = (rank_table(), EMPTIES_HOUSE), [core.pile(24), core.pile(25)]
            print(core.planned(9), other.planned(200))
            print("other", valuer.planned(other))
            if number == 3:
                rows = array("d", [0.0] * 492)
                ended = core.clone()
                while not ended.over and ended.size(24) + ended.size(25) > 12:
                    ended.playout(5, 40)
                print("played", self_play(valuer, None, ended, rows), rows.tolist())
            ways = Completions(core, hands, 2, number, *greedy, 2, (0, 12))
            for seat in range(2):  # as if the tops of the hands were turned up
                ways.turned_up(core, core.top_of(24 + seat)) if core.size(24 + seat) else None
                print("luck", ways.brought())
"""


BATCHES = """
from array import array
from engine.turns.layout import layout
from kit.environments.batches import batch
for variant, players in TABLES:
    room = [array("h", [0] * 2), bytearray(2 * (448 if players > 2 else 128))]
    room += [array("Q", [0] * 2 * (7 if players > 2 else 2)), bytearray(2 * layout(players).size)]
    room += [bytearray(2 * players * layout(players).size), bytearray(2)]
    room += [array("f", [0] * 2 * players), array("f", [0] * 2 * players), bytearray(2), array("h", [0] * 2)]
    seats = (None, "planner", "greedy", "random")[:players]
    games = batch(
        *(variant, players, 2, room),
        **dict(prefix="both/", first=8, everything=False, again=True, opponents=seats, nodes=9),
    )
    games.reset()
    for _ in range(3):
        games.play(40, 5)
        print("batch", [bytes(each).hex() for each in room], games.core(1).hash())
"""


TICKS = """
from engine.ticks.core import TickCompletions
from engine.ticks.conversion import to_core, to_position
from engine import deal
for number in (1, 2, 4, 5):
    core = to_core(deal("vitesse", f"{number:064x}"))
    core.playout(number, 30 * number)
    names = [*range(54)] * 2  # the cards of the first hand the other way round
    for card, name in zip(core.pile(1, 0), reversed(core.pile(1, 0))):
        names[card] = name
    order = bytes([2, 3, 4, 5, 1, 0, 7, 8, 1, 5, 4, 3, 2, 0, 7, 8])
    other = core.exchanged(bytes(names))
    turned = other.pile(1, 0) == core.pile(1, 0)[::-1]
    ways = TickCompletions(core, [core.pile(1, 0), core.pile(1, 1)], 4, number, order, 1, 2, (0, 1))
    for seat in range(2):
        for kind in core.pile(1, seat)[-2:]:
            ways.turned_up(core, seat, kind)
    print(turned, ways.brought(), core.planned(0), core.planned(1))
    known = [*range(54)] * 2  # nobody has seen the hands
    for seat in range(2):
        for card in core.pile(1, seat):
            known[54 * seat + card] = 53
    view = core.exchanged(bytes(known))
    filled = view.filled(bytes(core.pile(1, 0)[::-1]), bytes(core.pile(1, 1)))
    print(filled.play_planned(view, 25), to_position(filled), to_position(view))
    print(other.play_greedily(order, number % 2, 40), to_position(other))
"""


SHOWN = SHOW + BATCHES + TICKS


def test_hashes_and_playouts_are_the_same_compiled_or_not() -> None:
    shown = [run(before + SHOWN) for before in ("", "import tests.uncompiled")]
    two = [table for table in TABLES if table[1] == 2]
    wide = len(TABLES) - len(two)
    lines = 2 * (4 * len(TABLES) + 7 * len(two)) + 2 * wide + len(two) + 3 * len(TABLES) + 13
    assert shown[0].count("\n") == lines
    assert shown[0].count("luck (0, 0)") < shown[0].count("luck (") / 2
    assert shown[0].count("\nTrue ") == 2 * len(two) + 4
    assert shown[0].count("batch ") == 3 * len(TABLES)
    assert shown[1].partition("\n")[0].endswith("core/whole.py")
    assert shown[1].partition("\n")[2] == shown[0].partition("\n")[2]
