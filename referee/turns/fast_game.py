"""The table of one game for the referee's loop: takes moves, returns events as JSON, at a fifth of the cost
of `engine.TurnGame`.

Its events are exactly those of ``engine.TurnGame`` and ``engine.Event``; a test compares them over whole
games of every variant. It works on `engine.turns.core`, with the text of all moves prepared beforehand, so a
ply takes about half a µs.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import engine
from engine.cards import face
from engine.turns import moves as notes
from engine.turns.conversion import to_position
from engine.turns.core import DRAWN, NOBODY
from referee.turns.stepper import Stepper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.variants import Variant
    from referee.log import Played

_MUTE: Final = (".", "0", "1", "01")
_MARKS: Final = (".", "?", "?", "?")
"""The public mark of the last action: only that there was one (RULES 6)."""
_FLIPPED: Final = 256
"""Added to a drawn card if the discard was turned over first."""


_FOUNDED: Final = tuple(
    tuple(f'{suit}{place}"' + (f',"completed":"f{suit}{place}"' if rank == 12 else "") for place in range(4))
    for suit in "SHDC"
    for rank in range(13)
)
"""How the event of a card ends that goes to a foundation: by its kind and the foundation's place."""


class _Words(NamedTuple):
    """The text of a seat's move: the event around its card, and around a card it may turn up."""

    head: str
    tail: str
    reveals: str


class RefereeTable:
    """A game in progress. ``turn``, ``ply`` and ``finished`` are current after every move."""

    __slots__ = (
        "_core",
        "_faces",
        "_state",
        "_turn_text",
        "_words",
        "finished",
        "players",
        "ply",
        "turn",
        "variant",
    )

    def __init__(self, position: engine.TurnPosition) -> None:
        game = engine.TurnGame(position)
        self.variant: Variant = game.variant
        self.players = game.players
        self.ply = 0
        self._core = game.core.clone()
        self._faces = _faces(self.variant.ranks)
        self.finished = bool(self._core.over)
        self._look(self._now())

    def stepper(self) -> Stepper:
        """Return a stepper at the same position."""
        return Stepper(self._core, self.variant.name, _letters(self.variant.ranks))

    @property
    def turn_number(self) -> int:
        """The number of turns that have ended."""
        return self._core.turn_number

    @property
    def position(self) -> engine.TurnPosition:
        """The full position."""
        return to_position(self.variant, self._core, frozenset())

    def outcome(self) -> engine.Outcome | None:
        """Return who won and the points; None while the game goes on."""
        return engine.outcome(self.position) if self.finished else None

    def legal_moves(self) -> list[str]:
        """Return the legal moves as text, sorted."""
        names = notes.texts(self.players, self.turn)
        return sorted([names[number] for number in self._core.legal()])

    def public_line(self) -> str:
        """Return the position as every seat may see it: ``str(position.public())`` (RULES 1)."""
        line: str = self._core.public_text(self.variant.name, _letters(self.variant.ranks))
        return line

    def push(self, text: str) -> str:
        """Make a move and return its event as JSON.

        Raises IllegalMove and changes nothing if it is not legal.
        """
        number = notes.numbers(self.players, self.turn).get(text)
        try:
            return f"{{{self.play([number])[0]}" if number is not None else self._refuse(text)
        except ValueError:
            return self._refuse(text)

    def play(self, numbers: list[int]) -> list[str]:
        """Make moves given by number; return their events as JSON, each without its first brace.

        Raises ValueError if one is illegal. After that, nothing more can be played.
        """
        words, faces, turn = self._words, self._faces, self._turn_text
        events = []
        for number, (card, below, place, counters, state) in zip(
            numbers, self._core.trace(numbers), strict=True
        ):
            head, tail, reveals = words[number]
            if place >= 0:
                tail += _FOUNDED[card >> 2][place]
            elif card >= _FLIPPED:
                card -= _FLIPPED  # noqa: PLW2901
                tail = f'{tail},"flip":{self.turn}'
            said = _COUNTERS.get(counters) or _counted(counters)
            if state is not None:
                said = self._after(state, said)
                words, turn = self._words, self._turn_text
            else:
                said = turn + said
            if reveals and below != NOBODY:
                said = f'{reveals}{faces[below]}"]{said}'
            events.append(f"{head}{faces[card]}{tail}{said}")
        self.ply += len(events)
        self.finished = bool(self._core.over)
        return events

    def write(self, played: Sequence[Played], n: int) -> tuple[list[str], list[str]]:
        """Make the moves of answers that were carried out.

        Return their events, as `play` does, and the record's lines of them, numbered from ``n`` on.
        """
        ply = self.ply
        events = self.play([number for numbers, *_ in played for number in numbers])
        lines = []
        place = 0
        for numbers, ms, clocks, ended, remarks in played:
            left = len(numbers)
            for _ in range(left):
                left -= 1
                now = clocks if left else ended
                place += 1
                lines.append(
                    f'{{"n":{n},"ply":{ply + place},"ms":{ms},"clocks":{now}{remarks},{events[place - 1]}'
                )
                n += 1
                ms, remarks = 0, ""  # noqa: PLW2901 (they are the first ply's)
        return events, lines

    def can_stop(self) -> bool:
        """Whether the opponent of the mover may call stop now (RULES 6)."""
        return bool(self._core.can_stop())

    def stop(self) -> str:
        """The opponent calls stop (RULES 6); return the event as `play` does. Only when `can_stop`."""
        core = self._core
        mover, held = self.turn, core.top_of(DRAWN)
        core.stop()
        if core.turn != mover and held != NOBODY:
            where = f'"card":"{self._faces[held]}","from":"x","to":"d{mover}"'
        else:
            where = '"card":null,"from":null,"to":null'
        after = self._after(self._now(), _counted(core.counters()))
        return f'"type":"stop","seat":{1 - mover},"move":"stop",{where}{after}'

    def _after(self, state: tuple[int, ...], counters: str) -> str:
        """Return the end of an event: what changed about the turn, the phase and who is out."""
        _, lay, quota, _, out = state
        seat, (_, lay_before, quota_before, _, out_before) = self.turn, self._state
        self._look(state)
        said = self._turn_text
        if out != out_before:
            said = f',"out":{seat}{said}'
        if (lay, quota) == (lay_before, quota_before):
            return f"{said}{counters}"
        return f'{said},"phase":"{f"lay{lay - 1}.{quota}" if lay else "play"}"{counters}'

    def _look(self, state: tuple[int, ...]) -> None:
        """Update what does not change with every move."""
        self._state = state
        self.turn = state[0]
        self._turn_text = f',"turn":{state[0]},"turn_number":{state[3]}'
        self._words = _words(self.players, self.turn)

    def _now(self) -> tuple[int, ...]:
        """Return the state as `engine.turns.core.Core.trace` tells it."""
        core = self._core
        return (*core.state()[:3], core.turn_number, len(core.tally()[2]))

    def _refuse(self, text: str) -> NoReturn:
        raise engine.IllegalMove(f"expected one of {', '.join(self.legal_moves())}, got {text!r}") from None


@cache
def _faces(ranks: str) -> tuple[str, ...]:
    """Return the card of each of the core's ids; nothing for no card."""
    return (*(face(number >> 2, ranks) for number in range(NOBODY)), "")


@cache
def _letters(ranks: str) -> bytes:
    """Return the two letters of each kind of card."""
    return "".join(face(number, ranks) for number in range(NOBODY // 4)).encode()


@cache
def _words(players: int, turn: int) -> tuple[_Words, ...]:
    """Return the texts of every move of a seat, by number in the core."""
    return tuple(_moved(text or "pass", turn) for text in notes.texts(players, turn))


def _moved(text: str, turn: int) -> _Words:
    start = f'"type":"move","seat":{turn},"move":"{text}",'
    source, _, target = text.partition("-")
    if source == "pass":
        return _Words(f'{start}"card":null,"from":null,"to":null', "", "")
    if source == "draw":
        return _Words(f'{start}"card":"', f'","from":"h{turn}","to":"x"', "")
    begin = {"h": "x", "r": f"r{turn}", "d": f"d{turn}"}.get(source, source)
    end = {"f": "f", "d": f'd{turn}"'}.get(target, f'{target}"')  # which foundation is for `_FOUNDED` to say
    reveals = f',"reveal":["{begin}","' if source in {"r", "d"} else ""
    return _Words(f'{start}"card":"', f'","from":"{begin}","to":"{end}', reveals)


_COUNTERS: Final[dict[int, str]] = {}
_REMEMBERED: Final = 1 << 14


def _counted(counters: int) -> str:
    """Return the core's counters as the end of an event, cached for all games."""
    if len(_COUNTERS) >= _REMEMBERED:
        _COUNTERS.clear()
    text = (
        f',"counters":"{counters & 127},{counters >> 7 & 255},{counters >> 15 & 7},'
        f'{_MUTE[counters >> 18 & 15]},{_MARKS[counters >> 22]}"}}'
    )
    _COUNTERS[counters] = text
    return text
