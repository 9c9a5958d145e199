"""The types of what is written as JSON: the protocol's messages, the events of a record, and the last line of
a playing process.

The messages of a running game are formatted by hand, which is several times faster than encoding them. A test
compares what scripted players hear, and what their games record, with these types. (Here annotations are not
postponed: then Python would not know which fields are required.)
"""

from typing import Any, Literal, NotRequired, TypedDict


class Clock(TypedDict):
    """What a seat may think, in milliseconds of CPU time; of a remote seat in ``wall`` time."""

    bank_ms: int
    increment_ms: int
    wall: NotRequired[Literal[True]]


class Hello(TypedDict):
    """The first message to a bot; ``tick_ms`` is how long a tick lasts. ``level`` is how strong a bot that
    plays at levels should be, in a game against a person; without it, as strong as it can."""

    type: Literal["hello"]
    protocol: int
    variant: str
    players: int
    seat: int
    clock: Clock
    rules: int
    tick_ms: NotRequired[int]
    level: NotRequired[int]


class AskedMessage(TypedDict):
    """What every question has: its id, which the answer repeats, and the milliseconds left by seat."""

    id: str
    clocks: list[int]


_Left = TypedDict("_Left", {"from": str | None})  # the pile that the card left; Python cannot name this field


class TickAction(_Left):
    """What became of one seat's action in a tick, as `engine.ticks.events.ActionOutcome` has it."""

    seat: int
    move: str
    card: str | None
    to: str | None
    refill: NotRequired[str]
    completed: NotRequired[str]
    flip: NotRequired[int]
    missed: NotRequired[bool]
    reveal: NotRequired[list[str]]


class ToldPly(_Left):
    """A move, or a call of stop, as everybody is told of it (`engine.Event`)."""

    type: Literal["move", "stop"]
    seat: int
    move: str
    card: str | None
    to: str | None
    turn: int
    turn_number: int
    counters: str
    flip: NotRequired[int]
    reveal: NotRequired[list[str]]
    completed: NotRequired[str]
    out: NotRequired[int]
    phase: NotRequired[str]


class ToldTick(TypedDict):
    """A tick, as everybody is told of it (`engine.ticks.events.Tick`)."""

    type: Literal["tick"]
    tick: int
    stall: int
    stopper: int | None
    actions: list[str]
    done: list[TickAction]


class MoveQuestion(AskedMessage):
    """Asks for moves; ``events`` are those since the last question."""

    type: Literal["move"]
    ply: int
    legal: list[str]
    position: NotRequired[str]
    start: NotRequired[str]
    events: NotRequired[list[ToldPly]]
    draw_offered: NotRequired[bool]


class StopQuestion(AskedMessage):
    """Asks whether the bot calls stop after ``move`` in the position ``before``."""

    type: Literal["stop"]
    ply: int
    before: str
    move: str
    start: NotRequired[str]
    events: NotRequired[list[ToldPly]]


class TickQuestion(AskedMessage):
    """Asks for an action in a tick."""

    type: Literal["tick"]
    tick: int
    legal: list[str]
    position: NotRequired[str]
    events: NotRequired[list[ToldTick]]


class ResultFields(TypedDict):
    """`referee.endings.GameResult` as JSON."""

    termination: str
    seat: int | None
    detail: str
    ranking: list[list[int]]
    points: list[int]
    left: list[int]
    plies: int
    turns: int
    cpu_ms: list[int]


class EndMessage(TypedDict):
    """The last message to a bot."""

    type: Literal["end"]
    result: ResultFields
    events: NotRequired[list[ToldPly] | list[ToldTick]]


class RecordedEvent(TypedDict):
    """What every event of a record has: its number, the plies made so far, and the clocks after it."""

    n: int
    ply: int
    clocks: list[int | None]


class PlyEvent(RecordedEvent, ToldPly):
    """A move, or a call of stop, with the milliseconds charged and the mover's remarks."""

    ms: int
    comment: NotRequired[str]
    eval: NotRequired[float]


class TickEvent(RecordedEvent, ToldTick):
    """A tick, with milliseconds and remarks by seat; ``late`` are the seats that answered too late."""

    ms: list[int]
    late: NotRequired[list[int]]
    comments: NotRequired[list[str | None]]
    evals: NotRequired[list[float | None]]


class NoteEvent(RecordedEvent):
    """A draw that ``seat`` offers or declines."""

    type: Literal["offer", "decline"]
    seat: int


class EndEvent(RecordedEvent):
    """The last event."""

    type: Literal["end"]
    result: ResultFields


RecordEvent = PlyEvent | TickEvent | NoteEvent | EndEvent
"""An event of a record; ``type`` tells which."""


class PlayedMessage(TypedDict):
    """The playing process's last line about a game: its result, what is kept of each seat, what it cost.

    ``trouble`` is the trace of an error that nobody foresaw, for those who run the arena; mostly empty.
    """

    type: Literal["result"]
    result: dict[str, Any]
    ready: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    trouble: str
    sandbox: dict[str, Any]
    wall_us: dict[str, Any]
    cpu_us: dict[str, int]


class RemoteLine(TypedDict):
    """A line for the program of a remote seat: the ``n``-th of its sitting, counted from 1."""

    type: Literal["line"]
    sitting: str
    n: int
    line: str


class InfrastructureMessage(TypedDict):
    """The playing process's last line where the machine failed; nobody loses by it."""

    type: Literal["infrastructure"]
    reason: str
    seat: int | None
