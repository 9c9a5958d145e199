"""The command line answers rightly or says in one line what is wrong, whatever it is given (RULES 8)."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.oracle import commands
from tests.oracle.moves import legal
from tests.oracle.play import BadMove, apply, can_stop, stop
from tests.oracle.position import BadPosition, Unruled, check_reachable, parse
from tests.oracle.problems import problem
from tests.oracle.rulesets import TABLES
from tests.property.command_line import COMMAND, COMPILED, Answer, assert_refused, run_inside, run_outside
from tests.property.mutations import spoiled, spoiled_moves
from tests.property.playing import dealt, play_on
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINES = 300 if COMPILED and THOROUGH else 60  # for each table
BYTES = 60
STARTED = 1.0
"""Seconds of processor time after which a command has long imported what it needs."""


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


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_the_last_line_may_lack_its_end(end: bytes) -> None:
    line = "crapaud 0 play - 2S/././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD TCTC/QD8CTH/. 0,198,0,.,. 1,1/0/."
    expected = commands.legal_line(line) + "\n"
    assert run_outside(["legal"], line.encode() + end) == Answer(0, expected, "")


def test_no_line_is_no_answer() -> None:
    assert run_outside(["legal"], b"") == Answer(0, "", "")


def test_the_line_that_is_wrong_is_named_and_the_lines_before_it_are_answered() -> None:
    lines = [commands.deal_line("crapo", f"{seed:064x}") for seed in range(3)]
    data = "\n".join([*lines, "crapo 0 play", lines[0]]) + "\n"
    answer = run_outside(["legal"], data.encode())
    assert answer.status == 2
    assert answer.out == "".join(commands.legal_line(line) + "\n" for line in lines)
    assert answer.error.startswith("line 4: expected ")
    assert answer.error.count("\n") == 1


@pytest.mark.parametrize("blank", [b"\n", b" \n", b"\t\n", b"\r\n", b" "])
@pytest.mark.parametrize("command", ["legal", "apply", "score"])
def test_a_blank_line_is_bad_input(command: str, blank: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(run_inside(monkeypatch, [command], blank), repr(blank))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["unknown"],
        ["legal", "more"],
        ["deal"],
        ["deal", "--variant", "crapaud"],
        ["deal", "--variant", "whist", "--seed", "0" * 64],
        ["deal", "--variant", "crapaud", "--seed", "0" * 63],
        ["deal", "--variant", "crapaud", "--seed", "0" * 65],
        ["deal", "--variant", "crapaud", "--seed", "g" * 64],
        ["deal", "--variant", "crapaud", "--seed", " " + "0" * 63],
        ["deal", "--variant", "crapaud", "--seed", "00 " * 21 + "0"],
        ["deal", "--variant", "crapaud", "--seed", "0" * 64, "--players", "3"],
        ["deal", "--variant", "crapette", "--seed", "0" * 64, "--players", "5"],
        ["deal", "--variant", "crapette", "--seed", "0" * 64, "--players", "1"],
        ["deal", "--variant", "crapette", "--seed", "0" * 64, "--players", "0"],
        ["deal", "--variant", "crapette", "--seed", "0" * 64, "--players", "two"],
        ["deal", "--variant", "crapette", "--seed", "0" * 64, "--players", "-2"],
        ["perft", "--variant", "crapaud", "--seed", "0" * 64],
        ["perft", "--variant", "crapaud", "--seed", "0" * 64, "--depth", "-1"],
        ["perft", "--variant", "crapaud", "--seed", "0" * 64, "--depth", "x"],
        ["perft", "--variant", "crapaud", "--seed", "0" * 64, "--depth", "1.5"],
        ["perft", "--variant", "", "--seed", "0" * 64, "--depth", "1"],
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_refused_at_once(run_inside(monkeypatch, arguments, b""))


def test_wrong_arguments_are_refused_in_one_line_as_a_user_sees_it() -> None:
    assert_refused_at_once(run_outside(["legal", "more"], b""))


def assert_refused_at_once(answer: Answer) -> None:
    """Exit 2, nothing on standard output, exactly one line on standard error."""
    assert (answer.status, answer.out) == (2, "")
    assert answer.error.count("\n") == 1
    assert answer.error.endswith("\n")
    assert "Traceback" not in answer.error


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_deals_and_perft_are_the_oracles(variant: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(f"deal/{variant}/{players}")
    for _ in range(20):
        seed = rng.randbytes(32).hex()
        flags = ["--variant", variant, "--seed", seed, "--players", str(players)]
        dealt_line = commands.deal_line(variant, seed, players)
        assert run_inside(monkeypatch, ["deal", *flags], b"") == Answer(0, dealt_line + "\n", "")
        depth = rng.randrange(4)
        expected = f"{commands.perft(variant, seed, depth, players)}\n"
        counted = run_inside(monkeypatch, ["perft", *flags, "--depth", str(depth)], b"")
        assert counted == Answer(0, expected, "")


@pytest.mark.parametrize("command", ["legal", "apply", "score"])
def test_a_reader_that_leaves_is_no_traceback(command: str, tmp_path: Path) -> None:
    line = commands.deal_line("crapo", "0" * 64) + ("\t" if command == "apply" else "")
    if command == "score":
        line = "crapo 0 play - ./././././././. 0,0/0,0/0,0/0,0 ././. ./3S/. 0,0,0,.,. 0,0/./0"
    given = tmp_path / "lines"
    given.write_text(f"{line}\n" * 2000)
    with (
        given.open("rb") as lines,
        subprocess.Popen(
            [*COMMAND, command], stdin=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1


def test_a_count_that_takes_too_long_can_be_interrupted() -> None:
    flags = ["--variant", "crapaud", "--seed", "0" * 64, "--depth", "60"]
    with subprocess.Popen([*COMMAND, "perft", *flags], stderr=subprocess.DEVNULL) as process:
        # While it still imports, Python may take the signal for a module that cannot be imported.
        while process.poll() is None and sum(psutil.Process(process.pid).cpu_times()[:2]) < STARTED:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=60)
        process.kill()
    assert process.returncode == -signal.SIGINT


def test_bad_input_has_its_exit_status_even_without_standard_error() -> None:
    done = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *COMMAND, "legal"], input=b"bad\n", check=False)
    assert done.returncode == 2


def test_a_score_is_json_as_the_rules_print_it(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "crapette 0 play - ./././././././. 13,0/0,0/0,0/0,0 ././. 2HKD/3C/4C5C 0,0,0,.,. 3,2/0/0"
    answer = run_inside(monkeypatch, ["score"], line.encode())
    assert answer == Answer(0, '{"result": "win", "ranking": [[0], [1]], "points": [21, 6]}\n', "")
    assert json.loads(answer.out) == json.loads(commands.score_line(line))
