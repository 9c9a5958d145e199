"""The table of one game as the referee's loop needs it: moves in, events out as JSON, at a fifth of
`engine.Game`'s price.

It says exactly what ``engine.Game`` and ``engine.Event`` say (a test compares every word over whole games of
every variant), but works on `engine.core` with the words of all moves made beforehand: a ply costs about 2
µs.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import engine
from engine import moves as notes
from engine.cards import face
from engine.core import DISCARD, DRAWN, HAND, HOUSE, NOBODY, RESERVE
from engine.table import to_position
from tournaments.referee.stepper import Stepper

if TYPE_CHECKING:
    from engine.variants import Variant

_MUTE: Final = (".", "0", "1", "01")
_MARKS: Final = (".", "?", "?", "?")
"""The mark of the last action as everyone may see it: that there was one (RULES 6)."""
_HIDDEN: Final = "??"
_PASS, _DRAW, _FOUNDATION, _PLAIN = range(4)
"""What a move needs besides its words: nothing at all, a card from the hand, the foundation's number, just a
card."""
_FLIP: Final = '"flip":'


class _Words(NamedTuple):
    """A move of one seat: its number in the core, the pile it takes from, and the event around its card."""

    number: int
    kind: int
    pile: int
    head: str
    tail: str
    reveals: str


class Table:
    """A game in progress. ``turn``, ``ply`` and ``finished`` are kept after every move."""

    __slots__ = (
        "_core",
        "_ending",
        "_faces",
        "_seen",
        "_state",
        "_words",
        "finished",
        "players",
        "ply",
        "turn",
        "variant",
    )

    def __init__(self, position: engine.Position) -> None:
        game = engine.Game(position)
        self.variant: Variant = game.variant
        self.players = game.players
        self.ply = 0
        self._core = game.core.clone()
        self._faces = _faces(self.variant.ranks)
        self._seen = len(self._core.tally()[2])
        self._state = (*self._core.state()[:3], *(-1,) * 6)
        self._ending = ""
        self._refresh()

    def stepper(self) -> Stepper:
        """Return a stepper that stands where the table does."""
        return Stepper(self._core)

    @property
    def turn_number(self) -> int:
        """How many turns have ended."""
        return self._core.turn_number

    @property
    def position(self) -> engine.Position:
        """The full position."""
        return to_position(self.variant, self._core, frozenset())

    def outcome(self) -> engine.Outcome | None:
        """Who won and the points; None while the game goes on."""
        return engine.outcome(self.position) if self.finished else None

    def legal_moves(self) -> list[str]:
        """The legal moves as text, sorted."""
        names = notes.texts(self.players, self.turn)
        return sorted([names[number] for number in self._core.legal()])

    def public_line(self) -> str:
        """The position as every seat may see it: ``str(position.public())`` (RULES 1)."""
        core = self._core
        pile, size, top, faces = core.pile, core.size, core.top_of, self._faces
        turn, lay, quota, idle, stall, passes, mute, last, _ = core.state()
        completed, emptied, out = core.tally()
        houses = "/".join(
            [
                "".join([faces[card] for card in pile(HOUSE + house)]) or "."
                for house in range(4 * self.players)
            ]
        )
        heights = "/".join([",".join(map(str, suit)) for suit in core.heights_of()])
        seats = ""
        for seat in range(self.players):
            for kind in (RESERVE, HAND, DISCARD):
                count = size(kind + seat)
                if not count:
                    shown = "."
                elif kind == HAND:
                    shown = _HIDDEN * count
                else:
                    shown = _HIDDEN * (count - 1) + faces[top(kind + seat)]
                seats += (" " if kind == RESERVE else "/") + shown
        drawn = top(DRAWN)
        return (
            f"{self.variant.name} {turn} {f'lay{lay - 1}.{quota}' if lay else 'play'}"
            f" {'-' if drawn == NOBODY else faces[drawn]} {houses} {heights}{seats}"
            f" {idle},{stall},{passes},{_MUTE[mute]},{_MARKS[last]}"
            f" {','.join(map(str, completed))}/{_seats(emptied)}/{_seats(out)}"
        )

    def push(self, text: str) -> tuple[str, bool]:
        """Carry out a move; return its event as JSON, and whether it turned up a card.

        Raises IllegalMove if it is not legal, and then nothing has changed.
        """
        core = self._core
        words = self._words.get(text)
        if words is None:
            raise self._illegal(text)
        number, kind, pile, head, tail, reveals = words
        card = core.top_of(pile)
        heights = core.heights_of() if kind == _FOUNDATION else None
        try:
            core.push(number)
        except ValueError:
            raise self._illegal(text) from None
        self.ply += 1
        shown = False
        if kind == _PASS:
            said = head
        else:
            if kind == _DRAW:
                flipped, card, shown = card == NOBODY, core.top_of(DRAWN), True
                said = f"{head}{self._faces[card]}{tail}{f',{_FLIP}{self.turn}' if flipped else ''}"
            else:
                said = f"{head}{self._faces[card]}{tail}"
                if heights is not None:
                    said += _founded(card, heights)
            if reveals and (below := core.top_of(pile)) != NOBODY:
                reveals = f'{reveals}{self._faces[below]}"]'
                shown = True
            else:
                reveals = ""
            if self.players > 2 or core.over:
                said += self._gone_out()
        return f"{said}{reveals}{self._after()}", shown

    def _gone_out(self) -> str:
        """Return what the event says of the mover if it went out."""
        count = len(self._core.tally()[2])
        if count == self._seen:
            return ""
        self._seen = count
        return f',"out":{self.turn}'

    def can_stop(self) -> bool:
        """Whether the opponent of the mover may call stop now (RULES 6)."""
        return bool(self._core.can_stop())

    def stop(self) -> str:
        """The opponent calls stop (RULES 6); return the event as JSON. Only when `can_stop`."""
        core = self._core
        mover, held = self.turn, core.top_of(DRAWN)
        core.stop()
        if core.turn != mover and held != NOBODY:
            where = f'"card":"{self._faces[held]}","from":"x","to":"d{mover}"'
        else:
            where = '"card":null,"from":null,"to":null'
        return f'{{"type":"stop","seat":{1 - mover},"move":"stop",{where}{self._after()}'

    def _after(self) -> str:
        """Return what every event says last: turn, counters, the phase if it has changed."""
        core = self._core
        state, before = core.state(), self._state
        if core.over or state[0] != before[0]:
            self._refresh()
        if state == before:  # as it is after most moves
            return self._ending
        self._state = state
        turn, lay, quota, idle, stall, passes, mute, last, number = state
        start = f',"turn":{turn},"turn_number":{number}'
        end = f',"counters":"{idle},{stall},{passes},{_MUTE[mute]},{_MARKS[last]}"}}'
        self._ending = start + end
        if before[1:3] == (lay, quota):
            return self._ending
        phase = f"lay{lay - 1}.{quota}" if lay else "play"
        return f'{start},"phase":"{phase}"{end}'

    def _refresh(self) -> None:
        self.turn = self._core.turn
        self.finished = bool(self._core.over)
        self._words = _words(self.players, self.turn)

    def _illegal(self, text: str) -> engine.IllegalMove:
        return engine.IllegalMove(f"expected one of {', '.join(self.legal_moves())}, got {text!r}")


@cache
def _faces(ranks: str) -> tuple[str, ...]:
    """Return the card of each of the core's ids."""
    return tuple(face(number >> 2, ranks) for number in range(208))


@cache
def _words(players: int, turn: int) -> dict[str, _Words]:
    """Return the words of every move of a seat."""
    return {text: _moved(text, number, turn) for text, number in notes.numbers(players, turn).items()}


def _moved(text: str, number: int, turn: int) -> _Words:
    start = f'{{"type":"move","seat":{turn},"move":"{text}",'
    source, _, target = text.partition("-")
    if source == "pass":
        return _Words(number, _PASS, 0, f'{start}"card":null,"from":null,"to":null', "", "")
    head = f'{start}"card":"'
    if source == "draw":
        return _Words(number, _DRAW, HAND + turn, head, f'","from":"h{turn}","to":"x"', "")
    if source == "h":
        begin, pile = "x", DRAWN
    elif source in ("r", "d"):
        begin, pile = f"{source}{turn}", (RESERVE if source == "r" else DISCARD) + turn
    else:
        begin, pile = source, HOUSE + int(source[1:]) - 1
    reveals = f',"reveal":["{begin}","' if source in ("r", "d") else ""
    if target == "f":
        return _Words(number, _FOUNDATION, pile, head, f'","from":"{begin}","to":"', reveals)
    end = f"d{turn}" if target == "d" else target
    tail = f'","from":"{begin}","to":"{end}"'
    return _Words(number, _PLAIN, pile, head, tail, reveals)


def _founded(card: int, heights: list[list[int]]) -> str:
    """Return the foundation that a card went to, as the rest of an event's ``to``."""
    suit, rank = divmod(card >> 2, 13)
    foundation = f"f{'SHDC'[suit]}{heights[suit].index(rank)}"
    return f'{foundation}","completed":"{foundation}"' if rank == 12 else f'{foundation}"'


def _seats(seats: list[int]) -> str:
    return "".join(map(str, seats)) or "."
