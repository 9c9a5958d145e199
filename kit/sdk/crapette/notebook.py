"""Games in a notebook: functions and house bots play in this process, and the table is drawn.

import crapette
game = crapette.play(lambda turn: turn.legal[0], "greedy")
game                       # the table at the end, and who won
game.at(12)                # the table after twelve moves
"""

from __future__ import annotations

import html
import secrets
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import engine
from engine.policies import bots as policies
from engine.ticks import ACTIONS
from engine.ticks.conversion import to_core
from engine.turns import texts

from .local import LocalBot, load, run_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from . import Turn
    from .local import Choose

NODES = 500
"""Positions that planner looks at for an answer, as on the site."""
HOUSE = ("random", "greedy", "planner")
RED, BLACK, BACK = "#b3261e", "#1c1b1f", "#6b7280"


class PlayedGame:
    """A game that was played: ``names`` and ``points`` by seat, ``ranking``, best first, and ``game`` itself.

    A notebook draws it.
    """

    def __init__(self, names: list[str], game: Any, ranking: Any, points: tuple[int, ...], seed: str) -> None:
        self.names, self.game, self.ranking, self.points, self.seed = names, game, ranking, points, seed

    @property
    def winner(self) -> str | None:
        """Who won; None if the first place is shared."""
        return self.names[self.ranking[0][0]] if len(self.ranking[0]) == 1 else None

    def __len__(self) -> int:
        """How many moves, or ticks, it has."""
        return len(self.game.history)

    def at(self, moves: int) -> DrawnTable:
        """The table after so many moves or ticks; a negative number counts from the end.

        Raises IndexError if the game has fewer.
        """
        if not -len(self) <= moves <= len(self):
            raise IndexError(f"expected at most {len(self)} moves, got {moves}")
        copy = self.game.clone()
        for _ in range(len(self) - (moves % (len(self) + 1) if moves < 0 else moves)):
            copy.pop()
        return DrawnTable(copy, self.names)

    def __str__(self) -> str:
        """Who played, who won, and how long it took."""
        end = f"{self.winner} won" if self.winner else "drawn"
        return f"{self.game.position.variant}: {' – '.join(self.names)}: {end} after {len(self)} moves"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(str(self))}</b></p>{self.at(len(self))._repr_html_()}"


class DrawnTable:
    """A position, drawn as text and as HTML."""

    def __init__(self, game: Any, names: list[str]) -> None:
        self.game, self.names = game, names

    def __str__(self) -> str:
        """The table as text."""
        ticks = isinstance(self.game, engine.TickGame)
        return str(self.game.position) if ticks else str(self.game)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        text = html.escape(str(self))
        for seat, name in enumerate(self.names):
            text = text.replace(f"seat {seat}", f"seat {seat} ({html.escape(name)})")
        red = "".join(f'<span style="color:{RED}">{part}</span>' if part in "♥♦" else part for part in text)
        return f'<pre style="line-height:1.3;color:{BLACK};background:#f6f5f2;padding:0.6em">{red}</pre>'


def play(*bots: str | Choose | LocalBot, variant: str = "crapaud", seed: str | None = None) -> PlayedGame:
    """Play a game in this process and return it. See `crapette.play`."""
    seed = secrets.token_hex(32) if seed is None else seed
    names: list[str] = []
    players: list[Choose | LocalBot] = []
    for number, bot in enumerate(bots):
        name, player = _named(bot, variant, Random(f"{seed}/{number}"))  # noqa: S311 (no secret)
        same = sum(other.partition(" #")[0] == name for other in names)
        names.append(f"{name} #{same + 1}" if same else name)
        players.append(player)
    game, ranking, points = run_game(variant, seed, players)
    return PlayedGame(names, game, ranking, points, seed)


def _named(bot: str | Choose | LocalBot, variant: str, rng: Random) -> tuple[str, Choose | LocalBot]:
    """A bot and its name. Raises ValueError for a name that is neither a house bot's nor a file's."""
    if not isinstance(bot, str):
        return getattr(bot, "__name__", type(bot).__name__), bot
    path = Path(bot)
    if path.is_dir():
        path /= "bot.py"
    if path.is_file():
        return (path.parent.resolve().name if path.name == "bot.py" else path.stem), load(path)
    if bot not in HOUSE:
        raise ValueError(f"expected a function, the file of a bot, or one of {', '.join(HOUSE)}, got {bot!r}")
    return bot, _house(bot, variant, rng)


def _house(name: str, variant: str, rng: Random) -> Callable[[Turn], Any]:
    """A house bot as a function."""
    rules = engine.variant(variant)
    if name == "random":
        return lambda turn: rng.choice(turn.legal)
    policy = getattr(policies(rules, NODES), name)
    if rules.in_ticks:
        return lambda turn: ACTIONS[policy(to_core(turn.table()), turn.seat)]

    def choose(turn: Turn) -> list[str]:
        game = turn.game()
        numbers = texts(game.players, turn.seat)
        return [numbers[move] for move in policy(game.core)]

    return choose
