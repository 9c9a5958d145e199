"""``python -m engine``: one line for a line, and one clear line for bad input (RULES 8)."""

import subprocess

import pytest

from tests.property.command_line import COMMAND, Answer, run_inside, run_outside
from tests.site import ROOT

SEED = "0" * 64
LINE = b"crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD KD/QD8CTH/. 0,198,0,.,. 1,1/0/."
OVER = b"crapette 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././. KD/QD8CTH/. 0,198,0,.,. 1,2/0/0"
TICKS = b"vitesse 48 11,4/1,0/1,0/11,1 ./-,QH,-,6C/KS/2D ./TD,KH,TH,-/./. 0 1,2/."
DEAL, PERFT = (f"{command} --seed {SEED} --variant" for command in ("deal", "perft"))


def test_every_command_answers_one_line_for_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(words: str, text: bytes = b"") -> str:
        answer = run_inside(monkeypatch, words.split(), text)
        assert (answer.status, answer.error) == (0, "")
        return answer.out

    moves = "d-t1 d-t2 d-t3 d-t5 d-t6 d-t7 d-t8 draw t4-t1 t4-t2 t4-t3 t4-t5 t4-t6 t4-t7 t4-t8\n"
    assert (
        engine("legal", LINE + b"\n" + TICKS + b"\n" + OVER) == f"{moves}d-f stop turn wait | stop wait\n\n"
    )
    after = "crapaud 1 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././TDAD KD/QD8CTH/. 0,199,0,.,. 1,1/0/.\n"
    assert engine("apply", LINE + b"\tdraw h-d\n") == after
    assert engine("apply", TICKS + b"\tturn,stop\n").split(" ")[-1] == "1,2/1\n"
    assert engine("score", OVER) == '{"result": "win", "ranking": [[0], [1]], "points": [15, 6]}\n'
    assert engine(f"{PERFT} crapaud --depth 2") == "24\n"
    assert engine(f"{DEAL} vitesse").startswith("vitesse 0 0,0/0,0/0,0/0,0 ")
    assert engine("legal") == ""


def test_as_a_user_sees_it_lines_before_the_bad_one_are_answered_and_the_last_may_lack_its_end() -> None:
    answer = run_outside(["score"], OVER + b"\n" + LINE + b"\n" + OVER)
    assert (answer.status, answer.out.count("\n"), answer.error.split(":")[0]) == (2, 1, "line 2")
    assert run_outside(["score"], OVER) == Answer(0, answer.out, "")


def test_a_reader_who_leaves_is_left_quietly() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "legal"], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stdout and process.stderr  # noqa: PT018
        process.stdin.write(LINE + b"\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"d-t1 "), "answered before the input ends"
        process.stdout.close()
        process.stdin.write(LINE + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1
