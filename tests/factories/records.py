"""Records of whole games, made with the engine, and what the table must show at each ply."""

import random
from dataclasses import dataclass
from typing import Any

import engine
from engine import TickGame

TARGETS = ("-f", "-r", "-d")


@dataclass(frozen=True)
class Recorded:
    """A game: its start, its events, and the position line after each, all as the recorder knows them."""

    start: str
    events: list[dict[str, Any]]
    lines: list[str]


def played(variant: str, players: int, seed: int, *, public: bool = False, plies: int = 700) -> Recorded:
    """A game of somewhat sensible random moves, with stop calls where the variant has them.

    A ``public`` one starts from what everybody sees, as a running game's record does.
    """
    chance = random.Random(f"{variant} {players} {seed}")
    game = engine.TurnGame.deal(variant, f"{seed:064x}", players)
    seen = (lambda position: str(position.public())) if public else str
    start = seen(game.position)
    events: list[dict[str, Any]] = []
    lines: list[str] = []
    while not game.finished and game.ply < plies:
        event = game.push(choice(game, chance)).as_dict()
        events.append({**event, "n": len(events), "ply": game.ply})
        lines.append(seen(game.position))
        if not game.finished and game.can_stop() and chance.random() < 0.05:
            events.append({**game.stop().as_dict(), "n": len(events), "ply": game.ply})
            lines.append(seen(game.position))
    return Recorded(start, events, lines)


def in_ticks(seed: int, *, public: bool = False, ticks: int = 500) -> Recorded:
    """A game in ticks of seats that mostly play what they can, with what a referee adds to each tick."""
    chance = random.Random(f"ticks {seed}")
    game = TickGame.deal("vitesse", f"{seed:064x}")
    seen = (lambda position: str(position.public())) if public else str
    start = seen(game.position)
    events: list[dict[str, Any]] = []
    lines: list[str] = []
    while not game.finished and game.ply < ticks:
        first, second = (
            chance.choice([action for action in game.legal(seat) if action != "wait"] or ["wait"])
            if chance.random() < 0.9
            else "wait"
            for seat in (0, 1)
        )
        tick = game.push(first, second).as_dict()
        late = [1] if second == "wait" and chance.random() < 0.3 else []
        more = {"n": len(events), "ply": game.ply, "ms": [3, 4], **({"late": late} if late else {})}
        events.append({**tick, **more})
        lines.append(seen(game.position))
    return Recorded(start, events, lines)


def choice(game: engine.TurnGame, chance: random.Random) -> str:
    """A legal move: towards foundations and opponents rather often, else any."""
    legal = game.legal_moves()
    forward = [move for move in legal if any(target in move for target in TARGETS) and move != "h-d"]
    if forward and chance.random() < 0.85:
        return chance.choice(forward)
    return chance.choice(legal)
