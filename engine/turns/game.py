"""A game in progress: legal moves, push and pop, stop calls, the outcome, what each seat sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError, HiddenCard, IllegalMove, NotationError, quote
from engine.protocol import Game
from engine.turns import moves as notes
from engine.turns.conversion import card_of, counters, to_core, to_position
from engine.turns.core import DISCARD, DRAWN, HAND, RESERVE, Core
from engine.turns.diagram import board
from engine.turns.events import Event
from engine.turns.position import TurnPosition
from engine.variants import Variant, variant

if TYPE_CHECKING:
    from random import Random

    from engine.points.outcome import Outcome
    from engine.turns.moves import Move


class TurnGame(Game):
    """A game from a position on.

    >>> from engine.protocol import Game
    >>> game = Game.deal("crapaud", "00" * 32)
    >>> game.turn, game.legal_moves()
    (1, ('draw', 't6-f', 't7-t2'))
    >>> game.push("t6-f").card
    'AD'
    >>> game.pop()
    >>> game.ply
    0
    """

    def __init__(self, position: TurnPosition):
        if not isinstance(position, TurnPosition):
            raise NotationError(
                f"expected a TurnPosition, got {quote(position)}: Position.parse reads a line"
            )
        self.variant: Variant = variant(position.variant)
        self.players: int = position.players
        self.start = position
        self._hidden: frozenset[int]
        self._core, self._hidden = to_core(position)
        self._tokens: list[int] = []
        self._events: list[Event] = []
        self._stops = 0

    def __str__(self) -> str:
        return board(self.position)

    def __repr__(self) -> str:
        state = "over" if self.finished else f"seat {self.turn} to move"
        return f"<TurnGame {self.variant.name}, {self.players} seats, ply {self.ply}, {state}>"

    # -- where the game stands

    @property
    def core(self) -> Core:
        """The state as integers, for search; see `core.Core`. Clone it before you make moves."""
        return self._core

    @property
    def turn(self) -> int:
        """The seat to move; once the game is won, the one that went out last."""
        return self._core.turn

    @property
    def turn_number(self) -> int:
        """The number of turns that have ended."""
        return self._core.turn_number

    @property
    def turns(self) -> int:
        """The number of turns that have ended, as `turn_number`."""
        return self._core.turn_number

    @property
    def ply(self) -> int:
        """The number of moves made; calls of stop do not count."""
        return len(self._tokens) - self._stops

    @property
    def position(self) -> TurnPosition:
        """The position now, as a value."""
        return to_position(self.variant, self._core, self._hidden)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self._core.over)

    @property
    def history(self) -> tuple[Event, ...]:
        """What has happened since the start."""
        return tuple(self._events)

    @property
    def acting(self) -> tuple[int, ...]:
        """The seat to move; none once the game is over."""
        return () if self._core.over else (self._core.turn,)

    # -- moves

    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves as text, sorted, without marks; empty when the game is over."""
        names = notes.texts(self.players, self.turn)
        return tuple(sorted(str(names[number]) for number in self._core.legal()))

    def legal(self) -> tuple[Move, ...]:
        """The legal moves, in the order of their text."""
        return tuple(map(notes.parse_move, self.legal_moves()))

    def irregular(self, move: Move | str) -> bool:
        """Whether a legal move breaks the order of precedence and could be stopped (RULES 6).

        Raises:
            IllegalMove: the move is not legal.
        """
        return self._core.irregular(self._number(move))

    def push(self, move: Move | str) -> Event:
        """Carry out a move.

        Raises:
            IllegalMove: the game does not allow it now; nothing has changed.
            HiddenCard: it would turn up a card that is ``??`` here.
        """
        number = self._number(move)
        if self._hidden:
            self._check_hidden(str(move))
        return self._carry_out(number, str(move))

    def stop(self) -> Event:
        """The opponent of the mover calls stop (RULES 6).

        Raises:
            IllegalMove: there is nothing to stop, the caller is mute, or the mark is ``?`` here.
        """
        self._check_stop()
        core = self._core
        mover = core.turn
        held = core.top_of(DRAWN)
        phase = self._phase()
        self._tokens.append(core.stop())
        self._stops += 1
        landed = core.turn != mover and held in core.pile(DISCARD + mover)
        turn, number, text, after = self._after(phase)
        event = Event(
            type="stop",
            seat=1 - mover,
            move=notes.STOP,
            card=card_of(self.variant, held) if landed else None,
            source="x" if landed else None,
            target=f"d{mover}" if landed else None,
            turn=turn,
            turn_number=number,
            counters=text,
            phase=after,
        )
        self._events.append(event)
        return event

    def can_stop(self, seat: int | None = None) -> bool:
        """Whether stop may be called now: by this seat, or by the one opponent who can."""
        return self._core.can_stop() and seat in {None, 1 - self.turn}

    def pop(self) -> None:
        """Take back the last move or call of stop.

        Raises:
            IllegalMove: there is none.
        """
        if not self._tokens:
            raise IllegalMove("expected a move to take back, got the start of the game")
        self._core.undo(self._tokens.pop())
        if self._events.pop().type == notes.STOP:
            self._stops -= 1

    def step(self, move: Move | str) -> tuple[str, ...]:
        """Carry out a move and return the legal moves after it."""
        self.push(move)
        return self.legal_moves()

    def options(self, seat: int) -> tuple[str, ...]:
        """The legal moves if it is the seat's turn, otherwise none."""
        return self.legal_moves() if seat in self.acting else ()

    def words(self) -> tuple[str, ...]:
        """The legal moves, and ``stop`` where the opponent may call it."""
        return (*self.legal_moves(), *([notes.STOP] if self._core.can_stop() else []))

    def listing(self) -> str:
        """The legal moves, an irregular one followed by ``!`` (RULES 6, 8)."""
        return " ".join(move + "!" if self.irregular(move) else move for move in self.legal_moves())

    def apply(self, word: str) -> Event:
        """Carry out a move, or ``stop`` of the opponent.

        Raises:
            IllegalMove: the game does not allow it now; nothing has changed.
            HiddenCard: it would turn up a card that is ``??`` here.
        """
        return self.stop() if word == notes.STOP else self.push(word)

    # -- search

    def clone(self) -> TurnGame:
        """An independent copy; it keeps the history."""
        other = object.__new__(TurnGame)
        other.variant, other.players, other.start = self.variant, self.players, self.start
        other._core, other._hidden = self._core.clone(), self._hidden
        other._tokens, other._events, other._stops = list(self._tokens), list(self._events), self._stops
        return other

    def hash(self) -> int:
        """64 bits; equal for equal positions."""
        return self._comparable().hash()

    def canonical_hash(self) -> int:
        """64 bits; also equal for positions that differ only in the order of the houses."""
        return self._comparable().canonical_hash()

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` moves from here, without stop calls (RULES 8).

        >>> TurnGame.deal("crapaud", "00" * 32).perft(2)
        24
        """
        if type(depth) is not int:
            raise EngineError(f"expected a depth, got {quote(depth)}")
        return self._core.perft(depth)

    def playout(self, rng: Random) -> Outcome:
        """The outcome of random play from here to the end; this game does not change.

        Unknown cards are played as some of the cards they may be: sample a position first (`sampling`).
        """
        core = self._core.clone()
        core.playout(rng.getrandbits(64))
        found = to_position(self.variant, core, frozenset()).outcome()
        if found is None:
            raise AssertionError("a playout ends the game")
        return found

    # -- inside

    def _comparable(self) -> Core:
        """Return the core, or one whose unknown cards are renumbered as equal position lines number them."""
        return to_core(self.position)[0] if self._hidden else self._core

    def _number(self, move: Move | str) -> int:
        """The core's number of a legal move."""
        text = str(move)
        number = notes.numbers(self.players, self.turn).get(text)
        legal = self._core.legal()
        if number is None or number not in legal:
            if self.finished:
                raise IllegalMove(f"expected no move, as the game is over, got {quote(text)}")
            raise IllegalMove(f"expected one of {', '.join(self.legal_moves())}, got {quote(text)}")
        return number

    def _check_stop(self) -> None:
        last = counters(self._core).last
        if not self.variant.stop_calls:
            raise IllegalMove(f"expected a variant with stop calls, got stop in {self.variant.name}")
        if last == ".":
            raise IllegalMove("expected an action of the mover that can be stopped, got stop after none")
        if not self._core.can_stop():
            raise IllegalMove(f"expected a caller who is not mute, got stop by seat {1 - self.turn}")
        if last == "?":
            raise IllegalMove("expected a last action marked + or !, got stop on '?'")

    def _check_hidden(self, text: str) -> None:
        """A move may not turn up an unknown card (RULES 1)."""
        core = self._core
        source = text.partition("-")[0]
        seat = core.turn
        if source == "draw":
            hand = core.pile(HAND + seat)
            shown = hand[-1] if hand else core.pile(DISCARD + seat)[0]
        elif source in {"r", "d"} or source[0] == "t":
            pile = int(source[1:]) - 1 if source[0] == "t" else (RESERVE if source == "r" else DISCARD) + seat
            cards = core.pile(pile)
            if len(cards) < 2:
                return
            shown = cards[-2]
        else:
            return
        if shown in self._hidden:
            raise HiddenCard(f"expected a move that turns up no unknown card, got {text!r}")

    def _phase(self) -> str:
        _, lay, quota = self._core.state()[:3]
        return f"lay{lay - 1}.{quota}" if lay else "play"

    def _carry_out(self, number: int, text: str) -> Event:
        """Move in the core and say what was seen."""
        core = self._core
        seat = core.turn
        phase = self._phase()
        source, _, target = text.partition("-")
        out_before = len(core.tally()[2])
        card: int | None = None
        flip = None
        begin: str | None = None
        end: str | None = None
        reveal = completed = None
        if source == "draw":
            if not core.size(HAND + seat):
                flip = seat
            self._tokens.append(core.push(number))
            card, begin, end = core.top_of(DRAWN), f"h{seat}", "x"
        elif source == "pass":
            self._tokens.append(core.push(number))
        else:
            begin, pile = self._source(source, seat)
            card = core.top_of(pile)
            if target == "f":
                end, height = self._foundation(card)
                completed = end if height == 13 else None
            else:
                end = f"d{seat}" if target == "d" else target
            self._tokens.append(core.push(number))
            if RESERVE <= pile < HAND and core.size(pile):
                reveal = (begin, card_of(self.variant, core.top_of(pile)))
        out = core.tally()[2]
        turn, turn_number, text_after, phase_after = self._after(phase)
        event = Event(
            type="move",
            seat=seat,
            move=text,
            card=None if card is None else card_of(self.variant, card),
            source=begin,
            target=end,
            flip=flip,
            reveal=reveal,
            completed=completed,
            out=seat if len(out) > out_before else None,
            turn=turn,
            turn_number=turn_number,
            counters=text_after,
            phase=phase_after,
        )
        self._events.append(event)
        return event

    def _source(self, source: str, seat: int) -> tuple[str, int]:
        """The absolute name and number of the pile that a card leaves."""
        if source == "h":
            return "x", DRAWN
        if source == "r":
            return f"r{seat}", RESERVE + seat
        if source == "d":
            return f"d{seat}", DISCARD + seat
        return source, int(source[1:]) - 1

    def _foundation(self, card: int) -> tuple[str, int]:
        """Name and new height of the foundation that a card goes to: the first that is due it (RULES 1)."""
        suit, rank = divmod(card >> 2, 13)
        index = self._core.heights_of()[suit].index(rank)
        return f"f{'SHDC'[suit]}{index}", rank + 1

    def _after(self, phase: str) -> tuple[int, int, str, str | None]:
        """What every event says of the position after it: turn, turn number, counters, a changed phase."""
        now = counters(self._core)
        text = str(now)
        if now.last in "+!":
            text = text[:-1] + "?"
        after = self._phase()
        return self._core.turn, self._core.turn_number, text, after if after != phase else None
