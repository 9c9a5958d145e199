"""A job: one game to play, as one line of JSON on the playing process's standard input.

A seat is a program that the playing process starts, or a *remote* one: a bot on its author's own hardware,
whose lines go through whoever started the playing process (`remote`).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from referee.errors import BadJob

LANGUAGES: Final = ("python", "python-onnx", "javascript", "wasm", "native")
REMOTE: Final = "remote"
"""The language of a seat whose program runs elsewhere."""
LEVELS: Final = ("full", "confined")
BANK_MS: Final = 60_000
INCREMENT_MS: Final = 500
TICK_MS: Final = 1000
START_SECONDS: Final = 10.0
REMOTE_START_SECONDS: Final = 30.0
"""In a game with a remote seat, where a program may load a large net onto a GPU first."""


@dataclass(frozen=True, slots=True)
class SeatJob:
    """The program that plays a seat: an unpacked bot that the playing process can read. A `REMOTE` one has no
    directory; its ``entry`` is the id of this sitting, which its lines name.

    A ``doubted`` bot has had so many games voided that another is voided only with proof; otherwise the bot
    loses. ``level`` is how strong it should play against a person, None for as strong as it can; games
    between bots never say one. (The ``level`` of a `Job` is that of the sandbox.)
    """

    directory: str
    language: str
    entry: str
    doubted: bool = False
    level: int | None = None


@dataclass(frozen=True, slots=True)
class ClockRule:
    """A bank for the whole game and an increment after each turn or tick, in milliseconds of CPU time, or of
    ``wall`` time where nobody can read the CPU time of the program.

    In `vitesse`, a tick lasts at most ``tick_ms``.
    """

    bank_ms: int = BANK_MS
    increment_ms: int = INCREMENT_MS
    tick_ms: int = TICK_MS
    wall: bool = False


REMOTE_CLOCK: Final = ClockRule(180_000, 2_000, 2_000, wall=True)
"""Of a remote seat. Three times the bank, because the way there and back counts; and a tick of two seconds,
so that a bot on the other side of the earth still has most of it."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game: its start (a full position, with suits already renamed if wanted) and its players.

    ``memory_mb`` is None for what a bot's language allows. ``nonce_seed`` makes the ids of questions
    repeatable for tests; without it they are unpredictable. A ``trial`` is broken off so many seconds after
    its bots were ready, and at once if a bot says that it does not play the game.
    """

    variant: str
    start: str
    seats: tuple[SeatJob, ...]
    clock: ClockRule = ClockRule()
    level: str = "full"
    memory_mb: int | None = None
    start_seconds: float = START_SECONDS
    nonce_seed: str | None = None
    trial: float | None = None
    remote_clock: ClockRule = REMOTE_CLOCK

    @property
    def rules(self) -> tuple[ClockRule, ...]:
        """The clock of each seat. A tick lasts equally long for all: as a remote seat has it, if there is
        one."""
        remote = [seat.language == REMOTE for seat in self.seats]
        if not any(remote):
            return (self.clock,) * len(remote)
        beside = replace(self.clock, tick_ms=self.remote_clock.tick_ms)
        return tuple(self.remote_clock if each else beside for each in remote)

    def line(self) -> str:
        """Write the job as the line `parse` reads, without its line end."""
        fields = asdict(self)
        memory_mb = fields.pop("memory_mb")
        fields["limits"] = {
            **({} if memory_mb is None else {"memory_mb": memory_mb}),
            "start_seconds": fields.pop("start_seconds"),
        }
        if fields["nonce_seed"] is None:
            del fields["nonce_seed"]
        if fields["trial"] is None:
            del fields["trial"]
        for clock in (fields["clock"], fields["remote_clock"]):
            del clock["wall"]
        if all(seat.language != REMOTE for seat in self.seats):
            del fields["remote_clock"]
        return json.dumps(fields)


def parse(line: str) -> Job:
    """Read a job. Raises BadJob."""
    try:
        fields = json.loads(line)
    except ValueError:
        raise BadJob(f"expected a job as one line of JSON, got {line[:80]!r}") from None
    if not isinstance(fields, dict):
        raise BadJob(f"expected a job as a JSON object, got {fields!r}")
    limits = _typed(fields, "limits", dict, {})
    return Job(
        variant=_typed(fields, "variant", str),
        start=_typed(fields, "start", str),
        seats=tuple(_seat(seat) for seat in _typed(fields, "seats", list)),
        clock=_clock(_typed(fields, "clock", dict, {}), ClockRule()),
        level=_one_of(fields, "level", LEVELS, "full"),
        memory_mb=_positive(limits, "memory_mb", 0) if "memory_mb" in limits else None,
        start_seconds=float(_typed(limits, "start_seconds", (int, float), START_SECONDS)),
        nonce_seed=_typed(fields, "nonce_seed", (str, type(None)), None),
        trial=_typed(fields, "trial", (int, float, type(None)), None),
        remote_clock=_clock(_typed(fields, "remote_clock", dict, {}), REMOTE_CLOCK),
    )


def _clock(fields: dict[str, Any], usual: ClockRule) -> ClockRule:
    return ClockRule(
        bank_ms=_positive(fields, "bank_ms", usual.bank_ms),
        increment_ms=_positive(fields, "increment_ms", usual.increment_ms, least=0),
        tick_ms=_positive(fields, "tick_ms", usual.tick_ms),
        wall=usual.wall,
    )


def _seat(fields: object) -> SeatJob:
    if not isinstance(fields, dict):
        raise BadJob(f"expected each of 'seats' to be an object, got {fields!r}")
    level: int | None = _typed(fields, "level", (int, type(None)), None)
    if level is not None and level < 1:
        raise BadJob(f"expected 'level' to be at least 1, got {level!r}")
    return SeatJob(
        directory=_typed(fields, "directory", str),
        language=_one_of(fields, "language", (*LANGUAGES, REMOTE)),
        entry=_typed(fields, "entry", str),
        doubted=fields.get("doubted") is True,
        level=level,
    )


_MISSING: Final = object()


def _typed(fields: dict[str, Any], key: str, kind: type | tuple[type, ...], default: Any = _MISSING) -> Any:
    value = fields.get(key, default)
    if value is _MISSING:
        raise BadJob(f"expected {key!r} in the job, got only {sorted(fields)!r}")
    if not isinstance(value, kind) or isinstance(value, bool):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise BadJob(f"expected {key!r} to be {' or '.join(k.__name__ for k in kinds)}, got {value!r}")
    return value


def _positive(fields: dict[str, Any], key: str, default: int, least: int = 1) -> int:
    value: int = _typed(fields, key, int, default)
    if value < least:
        raise BadJob(f"expected {key!r} to be at least {least}, got {value!r}")
    return value


def _one_of(fields: dict[str, Any], key: str, allowed: tuple[str, ...], default: Any = _MISSING) -> str:
    value: str = _typed(fields, key, str, default)
    if value not in allowed:
        raise BadJob(f"expected {key!r} to be one of {', '.join(allowed)}, got {value!r}")
    return value
