"""The command line answers rightly or says in one line what is wrong, whatever it is given (RULES 8)."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tests.oracle import commands
from tests.oracle.moves import legal
from tests.oracle.play import BadMove, apply, can_stop, stop
from tests.oracle.position import BadPosition, Unruled, check_reachable, parse
from tests.oracle.problems import problem
from tests.oracle.rulesets import TABLES
from tests.property.command_line import COMPILED, Answer, assert_refused, run_inside
from tests.property.mutations import spoiled, spoiled_moves
from tests.property.playing import dealt, play_on
from tests.thorough import THOROUGH

LINES = 300 if COMPILED and THOROUGH else 60  # for each table
BYTES = 60


def assert_right(answer: Answer, line: str, oracle: Callable[[str], str], position: str) -> str:
    """The oracle's answer, or a refusal where it refuses, too; says which."""
    try:
        expected = oracle(line)
    except (BadPosition, BadMove):
        assert_refused(answer, line)
        return "refused"
    try:
        check_reachable(parse(position))
    except Unruled:  # either is right, but not another answer
        if answer.status == 2:
            assert_refused(answer, line)
            return "unruled"
    assert answer.status == 0, (line, answer.error)
    assert answer.error == "", line
    assert answer.out == expected + "\n", line
    return "answered"


def some_line(rng: Random, variant: str, players: int) -> str:
    """A good position line: of a problem, or on the way of a game; sometimes as the public sees it."""
    if rng.random() < 0.7:
        return str(problem(rng, variant, players))
    game = play_on(dealt((variant, players), rng.randrange(1000)), rng, rng.randrange(120))
    return str(game.position.public() if rng.random() < 0.5 else game.position)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_spoiled_positions_get_the_right_legal_moves_or_one_clear_error(
    variant: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"legal/{variant}/{players}")
    kinds: Counter[str] = Counter()
    for _ in range(LINES):
        line = spoiled(some_line(rng, variant, players), rng)
        answer = run_inside(monkeypatch, ["legal"], line.encode() + b"\n")
        kinds[assert_right(answer, line, commands.legal_line, line)] += 1
    assert kinds["refused"] > LINES / 2
    assert kinds["answered"] > LINES / 40


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_spoiled_positions_get_the_right_score_or_one_clear_error(
    variant: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"score/{variant}/{players}")
    kinds: Counter[str] = Counter()
    ends = [str(play_on(dealt((variant, players), seed), Random(seed), 5000).position) for seed in range(6)]
    for line in [*ends, *(spoiled(rng.choice(ends), rng) for _ in range(LINES // 4))]:
        answer = run_inside(monkeypatch, ["score"], line.encode() + b"\n")
        kinds[assert_right(answer, line, commands.score_line, line)] += 1
    assert kinds["refused"] > LINES / 16
    assert kinds["answered"] >= 6


def _moves(line: str, rng: Random) -> list[str]:
    """Some good moves from a position, stop calls among them, played by the oracle."""
    state = parse(line)
    words: list[str] = []
    while len(words) < 8:
        possible = [move.removesuffix("!") for move in legal(state)]
        if can_stop(state) and state.rules.stop_calls and rng.random() < 0.3:
            possible = ["stop"]
        if not possible:
            break
        word = rng.choice(possible)
        try:
            if word == "stop":
                stop(state)
            else:
                apply(state, word)
        except BadMove:  # would turn up an unknown card
            break
        words.append(word)
    return words


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_spoiled_moves_lead_to_the_right_position_or_one_clear_error(
    variant: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"apply/{variant}/{players}")
    kinds: Counter[str] = Counter()
    for _ in range(LINES):
        position = some_line(rng, variant, players)
        words = _moves(position, rng)
        moves = spoiled_moves(words, rng) if rng.random() < 0.8 else " ".join(words)
        line = f"{position}\t{moves}"
        answer = run_inside(monkeypatch, ["apply"], line.encode() + b"\n")
        kinds[assert_right(answer, line, commands.apply_line, position)] += 1
    assert kinds["refused"] > LINES / 3
    assert kinds["answered"] > LINES / 8


@pytest.mark.parametrize("command", ["legal", "apply", "score"])
def test_garbage_bytes_are_refused_in_one_line(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(command)
    good = str(problem(rng, "crapaud")).encode()
    for _ in range(BYTES):
        data = bytearray(rng.randbytes(rng.choice((1, 7, 80, 3000))) if rng.random() < 0.5 else good)
        for _ in range(rng.randrange(1, 6)):
            data.insert(rng.randrange(len(data) + 1), rng.randrange(128, 256))
        data = data.replace(b"\n", b"\xff")
        assert_refused(run_inside(monkeypatch, [command], bytes(data)), repr(bytes(data)))


@pytest.mark.parametrize("blank", [b"\n", b" \n", b"\t\n", b"\r\n", b" "])
@pytest.mark.parametrize("command", ["legal", "apply", "score"])
def test_a_blank_line_is_bad_input(command: str, blank: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(run_inside(monkeypatch, [command], blank), repr(blank))


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_deals_and_perft_are_the_oracles(variant: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(f"deal/{variant}/{players}")
    for _ in range(12):
        seed = rng.randbytes(32).hex()
        flags = ["--variant", variant, "--seed", seed, "--players", str(players)]
        dealt_line = commands.deal_line(variant, seed, players)
        assert run_inside(monkeypatch, ["deal", *flags], b"") == Answer(0, dealt_line + "\n", "")
        depth = rng.randrange(4)
        expected = f"{commands.perft(variant, seed, depth, players)}\n"
        counted = run_inside(monkeypatch, ["perft", *flags, "--depth", str(depth)], b"")
        assert counted == Answer(0, expected, "")
