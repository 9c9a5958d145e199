"""`vitesse`: engine and oracle play the same ticks, and the command line reads its lines (RULES 7)."""

from collections import Counter
from random import Random

import pytest

from engine import TickPosition
from engine.ticks import ACTIONS
from engine.ticks.conversion import to_core, to_position
from tests.oracle import commands, vitesse
from tests.oracle.play import BadMove
from tests.oracle.position import BadPosition, Unruled
from tests.oracle.rulesets import RANKS, SUITS
from tests.property.command_line import COMPILED, assert_refused, run_inside
from tests.property.mutations import spoiled, spoiled_moves
from tests.thorough import THOROUGH

CHUNKS = (16 if THOROUGH else 4) if COMPILED else 1
"""Fewer games uncompiled, where it is the same source and slower."""
GAMES = (125 if THOROUGH else 50) if COMPILED else (64 if THOROUGH else 20)
"""In each of the chunks, and as many problems."""
VALUES_EVERY = 4  # games; the others are played through the core alone, which is faster
SAME_EVERY = 16  # ticks
LINES = 500 if THOROUGH else 150
ORACLE = {"legal": commands.legal_line, "apply": commands.apply_line, "score": commands.score_line}


def problem(rng: Random) -> vitesse.Tick:
    """A random position that a game could reach: few cards, often near an end."""
    while True:
        heights = {
            suit: sorted((rng.choice((0, 1, 4, 9, 11, 12, 12, 13)) for _ in range(2)), reverse=True)
            for suit in SUITS
        }
        loose = [rank + suit for suit in SUITS for height in heights[suit] for rank in RANKS[height:]]
        rng.shuffle(loose)

        def pile(longest: int, loose: list[str] = loose) -> str:
            return "".join(loose.pop() for _ in range(min(rng.randint(0, longest), len(loose))))

        reserves = [pile(rng.choice((0, 0, 2, 4))) for _ in range(2)]
        slots = [
            [loose.pop() if loose and (reserves[seat] or rng.random() < 0.5) else "" for _ in range(4)]
            for seat in range(2)
        ]
        tick = vitesse.Tick(
            number=rng.randrange(60),
            foundations=heights,
            reserves=reserves,
            slots=slots,
            hands=[pile(5), pile(5)],
            discards=[pile(3), pile(3)],
            stall=rng.choice((0, 3, 197, 198, 199)),
            completed=(rng.randrange(3), rng.randrange(3)),
        )
        try:
            vitesse.check_reachable(vitesse.parse(str(tick)))
        except (BadPosition, Unruled):
            continue
        return tick


def chosen(legal: list[str], rng: Random) -> str:
    """An action of those a seat may choose: a card if one fits, mostly, and seldom stop or wait."""
    cards = [action for action in legal if action.endswith("-f")]
    if cards and rng.random() < 0.8:
        return rng.choice(cards)
    if "turn" in legal and rng.random() < 0.8:
        return "turn"
    return "wait" if "stop" in legal and rng.random() < 0.7 else rng.choice(legal)


def compare(tick: vitesse.Tick, start: TickPosition, rng: Random, *, with_values: bool) -> str:
    """Play to the end beside the core, and beside positions as values if wanted; answers the result."""
    core, position, step = to_core(start), start, None
    while True:
        legal = [vitesse.legal(tick, seat) for seat in (0, 1)]
        assert step in (None, (core.legal(0), core.legal(1)))
        assert [[ACTIONS[number] for number in core.legal(seat)] for seat in (0, 1)] == legal
        assert (core.tick, core.over) == (tick.number, tick.result is not None)
        if tick.number % SAME_EVERY == 0 or core.over:
            assert str(to_position(core)) == str(tick)
        if with_values:
            agree(tick, position, legal)
        if core.over:
            break
        actions = [chosen(each, rng) for each in legal]
        vitesse.apply(tick, ",".join(actions))
        step = core.step(*map(ACTIONS.index, actions))
        if with_values:
            position = position.play(*actions)
    outcome = to_position(core).outcome()
    assert outcome is not None
    assert outcome.points == (core.points(0), core.points(1))
    assert {
        "result": outcome.result,
        "ranking": [list(group) for group in outcome.ranking],
        "points": list(outcome.points),
    } == vitesse.score(tick)
    return outcome.result


def agree(tick: vitesse.Tick, position: TickPosition, legal: list[list[str]]) -> None:
    assert str(position) == str(tick)
    assert [list(position.legal(seat)) for seat in (0, 1)] == legal
    assert position.finished == (tick.result is not None)
    if tick.number % SAME_EVERY == 0 or position.finished:
        assert TickPosition.parse(str(tick)) == position


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_agree_at_every_tick(chunk: int) -> None:
    results: Counter[str] = Counter()
    for number in range(GAMES):
        rng = Random(f"vitesse/{chunk}/{number}")
        seed = rng.randbytes(32).hex()
        with_values = number % VALUES_EVERY == 0
        strange = problem(rng)
        for tick, start in (
            (vitesse.deal(seed), TickPosition.deal("vitesse", seed)),
            (strange, TickPosition.parse(str(strange))),
        ):
            results[compare(tick, start, rng, with_values=with_values)] += 1
    assert results["stop"] > GAMES
    assert results["stall"] > 0


def _lines(rng: Random, most: int) -> tuple[str, list[str]]:
    """A good line and some good moves from it; or the line after them, which may be the end."""
    tick = problem(rng) if rng.random() < 0.7 else vitesse.deal(rng.randbytes(32).hex())
    line, moves = str(tick), []
    for _ in range(rng.randrange(most)):
        if tick.result is not None:
            break
        moves.append(",".join(chosen(vitesse.legal(tick, seat), rng) for seat in (0, 1)))
        vitesse.apply(tick, moves[-1])
    return (str(tick), []) if rng.random() < 0.5 else (line, moves)


@pytest.mark.parametrize("command", ["legal", "apply", "score"])
def test_spoiled_lines_are_answered_rightly_or_refused_in_one_line(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"vitesse/{command}")
    oracle = ORACLE[command]
    kinds: Counter[str] = Counter()
    for _ in range(LINES):
        position, moves = _lines(rng, 60 if command == "score" else 6)
        line = f"{position}\t{spoiled_moves(moves, rng)}"
        if command != "apply":
            line = position = spoiled(position, rng) if rng.random() < 0.8 else position
        answer = run_inside(monkeypatch, [command], line.encode() + b"\n")
        try:
            expected = oracle(line)
        except (BadPosition, BadMove):
            assert_refused(answer, line)
            kinds["refused"] += 1
            continue
        try:
            vitesse.check_reachable(vitesse.parse(position))
        except Unruled:  # either is right, but not another answer
            if answer.status == 2:
                assert_refused(answer, line)
                continue
        assert (answer.status, answer.out, answer.error) == (0, expected + "\n", ""), line
        kinds["answered"] += 1
    assert min(kinds["refused"], kinds["answered"]) > LINES / 20


def test_deals_and_perft_are_the_oracles(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        seed = f"{number:064x}"
        flags = ["--variant", "vitesse", "--seed", seed]
        dealt = run_inside(monkeypatch, ["deal", *flags], b"")
        assert (dealt.status, dealt.out) == (0, commands.deal_line("vitesse", seed) + "\n")
        counted = run_inside(monkeypatch, ["perft", *flags, "--depth", "3"], b"")
        assert (counted.status, counted.out) == (0, f"{commands.perft('vitesse', seed, 3)}\n")
        core = to_core(TickPosition.deal("vitesse", seed))
        assert core.perft(3) == int(counted.out)
        assert core.clone().playout(number, limit=50) == 50


def test_cards_that_are_hidden_can_be_turned_in_the_core_and_fit_nowhere() -> None:
    for number in range(20):
        public = TickPosition.deal("vitesse", f"{number:064x}").public()
        core = to_core(public)
        assert to_position(core) == public
        core.playout(number)
        seen = sum(card != "??" for seat in public.seats for card in (*seat.reserve, *seat.slots))
        played = 104 - sum(seat.left for seat in to_position(core).seats)
        assert core.over
        assert played <= seen
    with pytest.raises(ValueError, match=r"^expected one of \(3, 8\) of seat 0, got 2$"):
        to_core(TickPosition.deal("vitesse", "00" * 32)).push(2, ACTIONS.index("wait"))
