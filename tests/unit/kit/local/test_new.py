"""The first bot: the same wherever it is shown, and better than chance in every game."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import engine
from engine.boards import parse_board
from engine.ticks import TickGame
from kit.local.new import TEMPLATES

ROOT = Path(__file__).parents[4]
BOT = TEMPLATES / "python" / "bot.py"
CLEARLY = 0.65
DEALS = {2: 5, 3: 2, 4: 1}


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], str]:
    """The bot's function."""
    module = SimpleNamespace(run=lambda choose, tick: None)
    monkeypatch.setitem(sys.modules, "crapette", cast("Any", module))
    names: dict[str, Any] = {}
    exec(compile(BOT.read_text(), "bot.py", "exec"), names)
    return cast("Callable[[Any], str]", names["choose"])


def test_the_first_chapter_shows_the_bot_that_new_makes() -> None:
    assert f"```python\n{BOT.read_text()}```" in (ROOT / "docs/author/first-bot.md").read_text()


@pytest.mark.parametrize("board", ["crapaud", "crapette-it", "crapette/4", "vitesse"])
def test_it_clearly_beats_random(choose: Callable[[Any], str], board: str) -> None:
    variant, players = parse_board(board)
    dice, scored, games = random.Random(board), 0.0, 0
    for deal in range(DEALS[players]):
        for seat in range(players):
            game = engine.Game.deal(variant, f"deal {deal}", players)
            (_play_ticks if isinstance(game, TickGame) else _play_turns)(
                cast("Any", game), choose, seat, dice
            )
            outcome = game.outcome()
            assert outcome is not None
            games += 1
            if len(outcome.ranking) == 1:
                scored += 0.5
            else:
                scored += seat in outcome.ranking[0]
    assert scored / games >= (CLEARLY if players == 2 else 0.5 + CLEARLY / 4)


def _turn(game: Any, legal: tuple[str, ...]) -> Any:
    return SimpleNamespace(legal=list(legal), position=str(game.position.public()))


def _play_turns(game: engine.TurnGame, choose: Callable[[Any], str], seat: int, dice: random.Random) -> None:
    while not game.finished:
        legal = game.legal_moves()
        game.push(choose(_turn(game, legal)) if game.turn == seat else dice.choice(legal))


def _play_ticks(game: TickGame, choose: Callable[[Any], str], seat: int, dice: random.Random) -> None:
    while not game.finished:
        words = [
            choose(_turn(game, game.legal(each))) if each == seat else dice.choice(game.legal(each))
            for each in (0, 1)
        ]
        game.push(*words)
