"""Plays bots against each other in this process, without sandbox or clock, for debugging, tuning and
training.

    from crapette.local import load, play

    bot = load("mybot/bot.py")
    ranking, points = play("crapaud", "any seed", [bot, bot])

A seat takes a bot, or a function that chooses a move. Here a bot may print, and you can step through it in a
debugger. Errors are raised where they happen. To test a bot under real conditions, use ``crapette play`` and
``crapette check-bot``, which use the arena's sandbox.
"""

from __future__ import annotations

import hashlib
import os
import runpy
import sys
from typing import TYPE_CHECKING, Any

import engine

from . import Answer, Poll, Story, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Choose = Callable[[Turn], str | Sequence[str] | Answer]
    Stop = Callable[[Poll], bool]


class LocalBot:
    """What a bot gave to ``run``: its functions, as the attributes ``choose``, ``tick``, ``stop`` and
    ``start`` (None where it gave none), and ``plays``, the games it names."""

    def __init__(
        self,
        choose: Choose = lambda turn: turn.legal[0],
        *,
        tick: Choose | None = None,
        stop: Stop | None = None,
        start: Callable[[dict[str, Any]], object] | None = None,
        plays: Sequence[str] | None = None,
        race: Choose | None = None,
        **_: object,
    ) -> None:
        self.choose, self.tick, self.stop, self.start = choose, tick or race, stop, start
        self.plays = plays

    def takes_part(self, board: str) -> bool:
        """Whether the bot plays a game, such as ``"crapaud"`` or ``"crapette/3"``, in the arena."""
        if self.plays is not None:
            return board in self.plays
        return self.tick is not None or not engine.variant(board.partition("/")[0]).in_ticks

    def chooser(self, variant: str) -> Choose:
        """The function that plays a variant. Raises ValueError if the bot has none."""
        if not engine.variant(variant).in_ticks:
            return self.choose
        if self.tick is None:
            raise ValueError(f"expected a bot that plays {variant!r}, got one without tick")
        return self.tick


def load(path: str | os.PathLike[str]) -> LocalBot:
    """Run the file of a bot without starting its game, and return what it gives to ``run``.

    What lies beside the file can be imported, as in the arena. Raises ValueError if it never calls ``run``,
    and whatever the file raises.
    """
    import crapette  # type: ignore[import-not-found]  # noqa: PLC0415 (what bots import `run` from)

    given: list[LocalBot] = []
    run, folder = crapette.run, os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    if folder not in sys.path:
        sys.path.insert(0, folder)
    crapette.run = lambda *words, **named: given.append(LocalBot(*words, **named))
    try:
        runpy.run_path(os.fspath(path), run_name="__main__")
    finally:
        crapette.run = run
    if not given:
        raise ValueError(f"expected a bot that calls run(), got {os.fspath(path)!r}, which does not")
    return given[-1]


def play(
    variant: str,
    seed: str,
    bots: Sequence[Choose | LocalBot],
    stoppers: Sequence[Stop | None] = (),
    clock_ms: int = 60_000,
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Play one game; return the ranking, best first, and the points by seat.

    ``seed`` is 64 hex digits or any text. Each of ``bots`` is one that `load` returned, or its function: in
    `vitesse` the one you give to ``run`` as ``tick``.
    No clock runs: every question says that each seat has ``clock_ms`` left.
    Raises engine.IllegalMove if a bot makes one.
    """
    _, ranking, points = run_game(variant, seed, bots, stoppers, clock_ms)
    return ranking, points


def run_game(
    variant: str,
    seed: str,
    bots: Sequence[Choose | LocalBot],
    stoppers: Sequence[Stop | None] = (),
    clock_ms: int = 60_000,
) -> tuple[Any, tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Play one game as `play` does; return the game itself as well, before ranking and points."""
    if len(seed) != 64:
        seed = hashlib.sha256(seed.encode()).hexdigest()
    hellos = [_hello(variant, len(bots), seat) for seat in range(len(bots))]
    for bot, hello in zip(bots, hellos, strict=True):
        if isinstance(bot, LocalBot) and bot.start is not None:
            bot.start(hello)
    if not stoppers:
        found = [bot.stop if isinstance(bot, LocalBot) else None for bot in bots]
        stoppers = found if any(found) else ()
    choosers = [bot.chooser(variant) if isinstance(bot, LocalBot) else bot for bot in bots]
    if engine.variant(variant).in_ticks:
        return _ticked(engine.TickGame.deal(variant, seed), choosers, hellos, clock_ms)
    game = engine.TurnGame.deal(variant, seed, len(choosers))
    told = [0] * len(choosers)
    stories = [Story() for _ in choosers]

    def news(seat: int) -> list[dict[str, Any]]:
        events = [event.as_dict() for event in game.history[told[seat] :]]
        told[seat] = len(game.history)
        return events

    while not game.finished:
        seat = game.turn
        message = {
            "legal": list(game.legal_moves()),
            "position": str(game.position.public()),
            "events": news(seat),
            "ply": game.ply,
            "clocks": [clock_ms] * len(choosers),
            "start": str(game.start.public()),
        }
        stories[seat].hear(message)
        chosen = choosers[seat](Turn(b"", hellos[seat], message, stories[seat]))
        if isinstance(chosen, Answer):
            if chosen.resign:
                others = tuple(other for other in range(len(choosers)) if other != seat)
                return game, (others, (seat,)), (0,) * len(choosers)
            chosen = chosen.moves
        for move in (chosen,) if isinstance(chosen, str) else chosen:
            before = str(game.position.public()) if stoppers else ""
            event = game.push(move)
            if game.turn != seat or game.finished or move == "draw" or event.reveal is not None:
                break
            caller = stoppers[1 - seat] if stoppers else None
            if caller is not None and game.can_stop():
                poll = {"before": before, "move": move, "events": news(1 - seat), "ply": game.ply}
                poll |= {"clocks": [clock_ms] * len(choosers), "start": str(game.start.public())}
                stories[1 - seat].hear(poll)
                if caller(Poll(poll, hellos[1 - seat])):
                    game.stop()
                    break
    outcome = game.outcome()
    assert outcome is not None  # noqa: S101
    return game, outcome.ranking, outcome.points


def _ticked(
    game: engine.TickGame, choosers: Sequence[Choose], hellos: Sequence[dict[str, Any]], clock_ms: int
) -> tuple[Any, tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Play a game of `vitesse`: both choose before anything happens."""
    while not game.finished:
        actions: list[str] = []
        for seat, choose in enumerate(choosers):
            message = {
                "legal": list(game.legal(seat)),
                "position": str(game.position.public()),
                "events": [tick.as_dict() for tick in game.history[-1:]],
                "tick": game.tick,
                "clocks": [clock_ms] * len(choosers),
            }
            chosen = choose(Turn(b"", hellos[seat], message))
            if isinstance(chosen, Answer):
                if chosen.resign:
                    return game, ((1 - seat,), (seat,)), (0, 0)
                chosen = chosen.moves
            actions.append(str(chosen))
        game.push(actions[0], actions[1])
    outcome = game.outcome()
    assert outcome is not None  # noqa: S101
    return game, outcome.ranking, outcome.points


def _hello(variant: str, players: int, seat: int) -> dict[str, Any]:
    """The first message to a bot."""
    return {
        "type": "hello",
        "variant": variant,
        "players": players,
        "seat": seat,
        "rules": engine.RULES_VERSION,
    }
