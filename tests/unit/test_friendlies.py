"""Opponents in a process, reasons why a move is illegal, and every step of every tutorial."""

from dataclasses import replace
from typing import cast

import pytest

import engine
from analysis.questions import whynot
from arena.web.i18n.messages import _expression
from friendlies.opponent.process import BotQuestion, Opponent
from friendlies.tables.illegal import REASONS
from friendlies.tutorials.steps import steps_of
from friendlies.tutorials.steps.step import THEIRS, TICK, TutorialStep
from friendlies.tutorials.tables import LEARNER, Lesson, NotThisStep, TickLesson, TurnLesson, lesson
from referee.child import Lines
from referee.errors import Forfeit
from referee.job import Job, SeatJob
from referee.player import Player
from tests.unit.referee.scripted import Scripted, TickPlayer
from tests.variants import IN_TURNS

JOB = Job("crapaud", "-", (SeatJob("/a", "python", "bot.py"),))


VARIANTS = pytest.mark.parametrize("variant", ["crapaud", "vitesse"])


def opponent(bot: Scripted, job: Job, seat: int = 1) -> Opponent:
    return Opponent(job, seat, cast("Player", bot), Lines().idle)


def bot_of(variant: str) -> Scripted:
    return TickPlayer() if variant == "vitesse" else Scripted()


@VARIANTS
def test_a_bot_is_told_its_level_whenever_it_is_started(variant: str) -> None:
    for level, seat in ((None, 0), (2, 0), (2, 1)):
        bot = bot_of(variant)
        seats = (replace(JOB.seats[0], level=level),)
        opponent(bot, replace(JOB, variant=variant, seats=seats), seat).greet()
        assert (bot.heard[0]["seat"], bot.heard[0].get("level")) == (seat, level)


@pytest.mark.parametrize("method", ["send", "receive", "pause"])
@VARIANTS
def test_whatever_goes_wrong_with_its_process_is_the_bots_fault(variant: str, method: str) -> None:

    def fail(*_: object) -> None:
        raise ValueError("invalid literal for int() with base 10: b'x'")

    kind = "tick" if variant == "vitesse" else "move"
    question = BotQuestion(kind, 0, (1000, 1000), "", (), ("draw",))
    for greeted in (False, True):
        bot = bot_of(variant)
        asked = opponent(bot, replace(JOB, variant=variant))
        if greeted:
            asked.greet()
        setattr(bot, method, fail)
        with pytest.raises(Forfeit, match=r"^Seat 1 .*caused an error that the arena did not expect") as lost:
            asked.answer(question) if greeted else asked.greet()
        assert lost.value.seat == 1


SEED = "5eed" + "0" * 60
PILES = ("h", "r", "d", *(f"t{number}" for number in range(1, 9)))
TARGETS = ("f", "d", "r1", "d1", "r0", *(f"t{number}" for number in range(1, 9)))


@pytest.mark.parametrize("name", ["crapaud", "crapo", "crapette", "crapette-it", "russian-bank"])
def test_every_reason_that_a_page_can_meet_is_marked(name: str) -> None:
    game = engine.TurnGame.deal(name, SEED)
    said = set()
    for _ in range(20):
        legal = {str(move) for move in game.legal_moves()}
        tried = ["draw", "pass", *(f"{source}-{target}" for source in PILES for target in TARGETS)]
        said |= {whynot.why_not(game.position, move) for move in tried if move not in legal}
        if game.finished:
            break
        game.push(sorted(legal)[-1])
    assert len(said) > 8
    known = [_expression(one) for one in REASONS]
    assert [sentence for sentence in said if not any(one.fullmatch(sentence) for one in known)] == []


FEWEST, MOST = 9, 14


def after(variant: str, step: TutorialStep, moves: list[str]) -> Lesson:
    table = lesson(variant, step)
    table.replay(moves)
    return table


def asked(ply: str) -> list[str]:
    return [] if ply.startswith(THEIRS) else ply.partition(TICK)[0].split()


@pytest.mark.parametrize("variant", list(engine.VARIANTS))
def test_every_way_through_a_step_is_legal_and_comes_to_its_end(variant: str) -> None:
    for step in steps_of(variant):
        ways: list[list[str]] = [[]]
        played: set[tuple[int, str]] = set()
        plies = [asked(ply) for ply in step.plies if asked(ply)]
        while ways:
            moves = ways.pop()
            table = after(variant, step, moves)
            if table.is_done:
                assert len(moves) == len(plies), step.key
                continue
            assert table.right, f"{step.key}: nothing is right after {moves}"
            assert table.hint() is not None
            played |= {(len(moves), move) for move in table.right}
            ways += [[*moves, move] for move in table.right]

        assert played == {(number, move) for number, ply in enumerate(plies) for move in ply}, step.key


@pytest.mark.parametrize("variant", list(engine.VARIANTS))
def test_every_variant_brings_about_ten_steps_that_begin_rightly_and_end_with_the_end_of_a_game(
    variant: str,
) -> None:
    steps = steps_of(variant)
    assert FEWEST <= len(steps) <= MOST
    assert len({step.key for step in steps}) == len(steps)
    for step in steps:
        position = engine.Position.parse(step.start(variant))
        assert str(position) == step.start(variant)
        # It begins with the learner or with a move of the opponent.
        assert (LEARNER in position.acting) != step.plies[0].startswith(THEIRS), step.key
        table = lesson(variant, step)
        while not table.is_done:
            (move, *_) = table.right
            if isinstance(table, TurnLesson) and move in table.game.legal_moves():
                assert not table.game.irregular(move), step.key
            table.play(move)
    assert isinstance(table, TurnLesson | TickLesson)
    assert table.game.finished


@pytest.mark.parametrize("variant", IN_TURNS)
def test_a_move_that_is_legal_but_not_asked_for_changes_nothing(variant: str) -> None:
    for step in steps_of(variant):
        table = lesson(variant, step)
        if not isinstance(table, TurnLesson) or table.game.turn != LEARNER:
            continue
        others = sorted(set(table.game.legal_moves()) - set(table.right))
        for move in others[:2]:
            assert table.why_not({"do": "move", "move": move, "cards": 1})
            assert table.moves == []


def test_nothing_but_moves_is_done_in_a_step_and_what_was_not_played_in_it_is_refused() -> None:
    table = lesson("crapette", steps_of("crapette")[0])
    for action in ("resign", "undo", "offer", "go", "accept", ["x"], None):
        assert table.why_not({"do": action, "move": "t1-f"})
        assert table.moves == []
    for moves in (None, "t1-f", ["t2-f"], ["t1-f", "t1-f"], [["t1-f"]], ["t1-f"] * 30):
        with pytest.raises(NotThisStep):
            lesson("crapette", steps_of("crapette")[0]).replay(moves)
