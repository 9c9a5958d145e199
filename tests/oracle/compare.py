"""Plays the engine and the oracle side by side; they must agree at every ply.

Each game is fixed by its variant, players and number, so that a disagreement can be played again.
"""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import engine
from engine.turns.conversion import to_position
from engine.turns.core import DISCARD, DRAWN, HAND, HOUSE, RESERVE, Core
from engine.turns.moves import numbers, texts
from tests.oracle import moves, play
from tests.oracle.dealing import deal
from tests.oracle.position import State
from tests.oracle.problems import problem
from tests.oracle.rulesets import SUITS, Ruleset
from tests.oracle.scoring import score

PROBLEM_PLIES = 30
PILES_EVERY = 16  # plies; a pile that differs differs still then, and mostly shows in the legal moves before
FULL_EVERY = 64  # plies
GAME_EVERY = 8  # games; the others are played through the core alone, which is faster


class Disagreement(AssertionError):
    """Engine and oracle differ; the message says where and how."""


class ThroughGame:
    """The engine driven as most of its users do it: `engine.TurnGame`, moves as text."""

    def __init__(self, game: engine.TurnGame) -> None:
        self._game = game
        self.core = game.core

    def legal(self) -> list[str]:
        """The legal moves, marked, as the oracle lists them."""
        found = list(self._game.legal_moves())
        if self._game.variant.stop_calls:
            return [move + "!" if self._game.irregular(move) else move for move in found]
        return found

    def push(self, move: str) -> None:
        """Carry a move out."""
        self._game.push(move)

    def stop(self) -> None:
        """Call stop."""
        self._game.stop()

    def position(self) -> engine.TurnPosition:
        """The position as a value."""
        return self._game.position

    def outcome(self) -> engine.Outcome | None:
        """Who won."""
        return self._game.outcome()


class ThroughCore:
    """The engine driven as a search does it: the core alone, moves as numbers."""

    def __init__(self, game: engine.TurnGame) -> None:
        self._rules = game.variant
        self.core = game.core.clone()
        self._moves = self.core.legal()

    def legal(self) -> list[str]:
        """The legal moves, marked, as the oracle lists them."""
        names = texts(self.core.players, self.core.turn)
        if self._rules.stop_calls:
            irregular = self.core.irregular
            return sorted(
                [f"{names[move]}!" if irregular(move) else str(names[move]) for move in self._moves]
            )
        return sorted([str(names[move]) for move in self._moves])

    def push(self, move: str) -> None:
        """Carry a move out by `step`, which answers the next legal moves."""
        self._moves = self.core.step(numbers(self.core.players, self.core.turn)[move])

    def stop(self) -> None:
        """Call stop."""
        self.core.stop()
        self._moves = self.core.legal()

    def position(self) -> engine.TurnPosition:
        """The position as a value."""
        return to_position(self._rules, self.core, frozenset())

    def outcome(self) -> engine.Outcome | None:
        """Who won."""
        return engine.outcome(self.position()) if self.core.over else None


Side = ThroughGame | ThroughCore


def compare(variant: str, players: int, games: Sequence[int]) -> int:
    """Compare the games of these numbers, and a random problem position for each; how many plies.

    Raises Disagreement.
    """
    plies = 0
    for number in games:
        rng = Random(f"{variant}/{players}/{number}")
        seed = rng.randbytes(32).hex()
        game = engine.TurnGame.deal(variant, seed, players)
        side = ThroughCore(game) if number % GAME_EVERY else ThroughGame(game)
        plies += _play(side, deal(variant, seed, players), rng, None, f"game {number}")
        strange = problem(rng, variant, players)
        game = engine.TurnGame(engine.TurnPosition.parse(str(strange)))
        plies += _play(ThroughGame(game), strange, rng, PROBLEM_PLIES, f"problem {number}")
    return plies


def _play(side: Side, state: State, rng: Random, limit: int | None, name: str) -> int:
    """Play one game to its end (or `limit` plies), comparing before every move; the number of plies."""
    chooser = _greedy if rng.random() < 0.95 else _at_random
    calls_wrongly = rng.random() < 0.1
    plies = 0
    while True:
        legal = moves.legal(state)
        _agree(side, state, legal, name)
        if plies % PILES_EVERY == 0 or not legal:
            _same_piles(side, state, name)
        if plies % FULL_EVERY == 0 or not legal:
            _agree_on_the_rest(side, state, name)
        if not legal or plies == limit:
            return plies
        if state.rules.stop_calls and _calls(state, rng, wrongly=calls_wrongly):
            play.stop(state)
            side.stop()
            continue
        text = chooser(legal, rng)
        move = text.removesuffix("!")
        play.carry_out(state, move, irregular=text != move)
        side.push(move)
        plies += 1


def _agree(side: Side, state: State, legal: list[str], name: str) -> None:
    _same("legal moves", legal, side.legal(), name, state)
    if state.rules.stop_calls:
        _same("can_stop", play.can_stop(state), side.core.can_stop(), name, state)


def _same_piles(side: Side, state: State, name: str) -> None:
    held = core_state(side.core, state.rules)
    if held != state:
        _same("position", str(state), str(held), name, state)


def core_state(core: Core, rules: Ruleset) -> State:
    """What the core holds, read pile by pile: all that a position line says, without writing one."""
    names = _card_names(rules.order)
    seats = range(core.players)

    def pile(number: int) -> str:
        return "".join([names[card] for card in core.pile(number)])

    turn, lay, quota, idle, stall, passes, mute, last, _ = core.state()
    completed, emptied, out = core.tally()
    return State(
        rules=rules,
        turn=turn,
        laying=(lay - 1, quota) if lay else None,
        drawn=pile(DRAWN),
        houses=[pile(HOUSE + number) for number in range(4 * core.players)],
        foundations=dict(zip(SUITS, core.heights_of(), strict=True)),
        reserves=[pile(RESERVE + seat) for seat in seats],
        hands=[pile(HAND + seat) for seat in seats],
        discards=[pile(DISCARD + seat) for seat in seats],
        idle=idle,
        stall=stall,
        passes=passes,
        mute="".join(str(seat) for seat in seats if mute >> seat & 1),
        last=".+!?"[last],
        completed=completed,
        emptied="".join(map(str, emptied)),
        out="".join(map(str, out)),
    )


@cache
def _card_names(order: str) -> list[str]:
    """The card of each of the core's ids, four ids a card."""
    return [rank + suit for suit in SUITS for rank in order for _ in range(4)]


def _agree_on_the_rest(side: Side, state: State, name: str) -> None:
    """What is slow to ask of the engine, or seldom changes."""
    _same("written position", str(state), str(side.position()), name, state)
    _same("turn", state.turn, side.core.turn, name, state)
    _same("finished", state.result is not None, bool(side.core.over), name, state)
    outcome = side.outcome()
    if state.result is None:
        _same("outcome", None, outcome, name, state)
        return
    got = outcome and {
        "result": outcome.result,
        "ranking": [list(group) for group in outcome.ranking],
        "points": list(outcome.points),
    }
    _same("score", score(state), got, name, state)


def _same(what: str, expected: object, got: object, name: str, state: State) -> None:
    if expected != got:
        raise Disagreement(f"{what} in {name}\n  position {state}\n  oracle   {expected}\n  engine   {got}")


def _calls(state: State, rng: Random, *, wrongly: bool) -> bool:
    """Whether the opponent calls stop now: mostly rightly, in some games at random."""
    if not play.can_stop(state):
        return False
    return rng.random() < (0.3 if state.last == "!" else 0.02 if wrongly else 0.0)


def _at_random(legal: list[str], rng: Random) -> str:
    return rng.choice(legal)


def _greedy(legal: list[str], rng: Random) -> str:
    """Foundations, then the reserve, then any other own card or a load; seldom to and fro between houses."""
    if rng.random() < 0.05:
        return rng.choice(legal)
    kinds = [(move, _wanted(move)) for move in legal]
    for place in range(len(_WANTED)):
        found = [move for move, wanted in kinds if wanted[place]]
        if found and rng.random() < 0.9:
            return rng.choice(found)
    return rng.choice(legal)


_WANTED: tuple[Callable[[str], bool], ...] = (
    lambda move: "-f" in move,
    lambda move: move[0] == "r",
    lambda move: "-r" in move or "-d" in move[:-1],
    lambda move: move[0] in "hd" and move[:4] not in ("draw", "h-d", "h-d!"),
    lambda move: move[0] != "t",
)


@cache
def _wanted(move: str) -> tuple[bool, ...]:
    """Whether each of `_WANTED` wants this move."""
    return tuple(wanted(move) for wanted in _WANTED)
