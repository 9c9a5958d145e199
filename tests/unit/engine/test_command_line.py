"""``python -m engine``: one line for a line, and one clear line for bad input (RULES 8)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SEED = "0" * 64
LINE = b"crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD KD/QD8CTH/. 0,198,0,.,. 1,1/0/."
OVER = b"crapette 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././. KD/QD8CTH/. 0,198,0,.,. 1,2/0/0"
TICKS = b"vitesse 48 11,4/1,0/1,0/11,1 ./-,QH,-,6C/KS/2D ./TD,KH,TH,-/./. 0 1,2/."


def engine(*arguments: str, text: bytes = b"") -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one run."""
    done = subprocess.run(
        [sys.executable, "-m", "engine", *arguments], input=text, capture_output=True, cwd=ROOT, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_every_command_answers_one_line_for_a_line() -> None:
    assert engine("legal", text=LINE + b"\n" + TICKS + b"\n" + OVER) == (
        0,
        "d-t1 d-t2 d-t3 d-t5 d-t6 d-t7 d-t8 draw t4-t1 t4-t2 t4-t3 t4-t5 t4-t6 t4-t7 t4-t8\n"
        "d-f stop turn wait | stop wait\n\n",
        "",
    )
    after = b"crapaud 1 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././TDAD KD/QD8CTH/. 0,199,0,.,. 1,1/0/.\n"
    assert engine("apply", text=LINE + b"\tdraw h-d\n") == (0, after.decode(), "")
    assert engine("apply", text=TICKS + b"\tturn,stop\n")[1].split(" ")[-1] == "1,2/1\n"
    assert engine("score", text=OVER) == (
        0,
        '{"result": "win", "ranking": [[0], [1]], "points": [15, 6]}\n',
        "",
    )
    assert engine("perft", "--variant", "crapaud", "--seed", SEED, "--depth", "2") == (0, "24\n", "")
    assert engine("deal", "--variant", "vitesse", "--seed", SEED)[1].startswith("vitesse 0 0,0/0,0/0,0/0,0 ")


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["legal"], LINE + b"\n\n", "line 2: expected a position, got ''"),
        (["legal"], b"\xff\xfe", r"line 1: expected ASCII text, got b'\xff\xfe'"),
        (
            ["legal"],
            LINE + b"\r\n",
            "line 1: expected the seats that went out as digits of 01, each at most once",
        ),
        (["apply"], LINE, "line 1: expected a position, a tab and moves, got"),
        (
            ["apply"],
            LINE + b"\tdraw  h-d",
            "line 1: move 2: expected one of h-d, h-f, h-t1, h-t2, h-t3,",
        ),
        (
            ["apply"],
            LINE + b"\tdraw stop",
            "line 1: move 2: expected a variant with stop calls, got stop in crapaud",
        ),
        (["apply"], TICKS + b"\tturn", "line 1: move 1: expected two actions joined by a comma, got 'turn'"),
        (
            ["apply"],
            TICKS + b"\tturn,turn",
            "line 1: move 1: expected one of stop, wait of seat 1, got 'turn'",
        ),
        (["score"], LINE, "line 1: expected a finished position, got one with seat 0 to act"),
        (["score"], TICKS, "line 1: expected a finished position, got one with seat 0 and 1 to act"),
        (["deal", "--variant", "x", "--seed", SEED], b"", "expected one of crapaud, crapaud-kjq, crapo,"),
        (["deal", "--variant", "crapo", "--seed", "0"], b"", "expected a seed of 64 hex digits, got '0'"),
        (
            ["deal", "--variant", "crapo", "--seed", SEED, "--players", "3"],
            b"",
            "expected 2 players for crapo, got 3",
        ),
        (
            ["perft", "--variant", "crapo", "--seed", SEED, "--depth", "-1"],
            b"",
            "argument --depth: expected a number from 0 to 99, got '-1'",
        ),
        (["perft", "--variant", "crapo"], b"", "the following arguments are required: --seed, --depth"),
        ([], b"", "the following arguments are required: deal|legal|apply|score|perft"),
        (["legal", "x\ny"], b"", "unrecognized arguments: x y"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(arguments: list[str], text: bytes, message: str) -> None:
    status, _, error = engine(*arguments, text=text)
    assert status == 2
    assert error.startswith(message)
    assert error.count("\n") == 1


def test_lines_before_the_bad_one_are_answered() -> None:
    status, output, error = engine("score", text=OVER + b"\n" + LINE + b"\n" + OVER)
    assert (status, output.count("\n"), error.split(":")[0]) == (2, 1, "line 2")


def test_a_reader_who_leaves_is_left_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "engine", "legal"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(LINE + b"\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"d-t1 ")  # answered before the input ends
    process.stdout.close()
    process.stdin.write(LINE + b"\n")
    process.stdin.close()
    assert process.stderr.read() == b""
    assert process.wait() == 1
    process.stderr.close()


def test_closed_and_full_outputs_make_no_traceback() -> None:
    command = f"exec {sys.executable} -m engine deal --variant crapo --seed {SEED}"
    for redirection, message in ((">/dev/full", "expected to read and write, got [Errno 28]"), (">&-", "")):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{command} {redirection}"], capture_output=True, cwd=ROOT, check=False
        )
        assert done.stderr.decode().startswith(message)
        assert done.stderr.count(b"\n") == (1 if message else 0)
