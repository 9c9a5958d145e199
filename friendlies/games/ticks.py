"""A person's game of `vitesse` against a bot, as a value: what was played, and who has answered.

In each tick both sides are asked at once (RULES 7). The bot's answer waits unseen in ``pending`` until the
tick closes, and the bot hears only of closed ticks. So neither can learn what the other chose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from engine import IllegalMove, TickGame, TickPosition
from friendlies.games.refusals import ActionRefused, gettext_noop
from friendlies.games.turns import SEATS, Awaits, when_shown
from referee import endings, protocol
from referee.endings import Termination

if TYPE_CHECKING:
    from datetime import datetime

    from referee.endings import GameEnding, GameResult
    from referee.messages import EndEvent, RecordEvent, ResultFields, TickEvent, ToldTick

WAIT: Final = "wait"
MOST_LATE: Final = 5
"""The game pauses when the person was late so often in a row: nobody seems to be there."""
ADDED: Final = ("n", "ply", "ms", "clocks", "late", "comments", "evals")
"""The fields that the referee adds to a tick."""


@dataclass(slots=True)
class PersonTickTable:
    """``person`` is the person's seat, ``pending`` what each seat has answered in the tick that is open: an
    object with ``action``, ``late``, ``ms``, or None. Empty stands for two that have not answered.

    The other fields are those of `turns.Table`, of which `offer` and `polls` are not used.
    """

    start: str
    person: int
    events: list[RecordEvent] = field(default_factory=list)
    awaits: Awaits | None = None
    pending: list[dict[str, Any] | None] = field(default_factory=list)
    offer: int | None = None
    clocks: list[int | None] = field(default_factory=lambda: [None, None])
    increment_ms: int = 0
    polls: bool | None = None
    bot_cpu_ms: int = 0
    result: GameResult | None = None
    game: TickGame = field(init=False)

    def __post_init__(self) -> None:
        self.game = TickGame(TickPosition.parse(self.start))
        for event in self.events:
            if event["type"] == "tick":
                self.game.push(*event["actions"])
        if not self.pending:
            self.pending = [None] * SEATS
        if self.awaits is None:
            self._settle()

    @property
    def bot(self) -> int:
        """The bot's seat."""
        return 1 - self.person

    @property
    def awaited(self) -> Awaits:
        """Whose answer is awaited. It is the bot's until it answers; the person may answer meanwhile."""
        assert self.awaits is not None  # noqa: S101
        return self.awaits

    @property
    def chosen(self) -> str | None:
        """What the person has chosen in the open tick."""
        said = self.pending[self.person]
        return said["action"] if said else None

    # -- what the person does

    def choose(self, tick: int, action: str, ms: int = 0) -> None:
        """Record the person's choice, which they may change until the tick closes.

        Raises Refused, or IllegalMove if the action is not legal. Then nothing has changed.
        """
        self._expect_running()
        if tick != self.game.tick:
            raise ActionRefused(gettext_noop("That tick is over."))
        legal = self.game.legal(self.person)
        if action not in legal:
            raise IllegalMove(f"expected one of {', '.join(legal)}, got {protocol.quote(action)}")
        self._answered(self.person, {"action": action, "late": False, "ms": ms})

    def be_late(self) -> None:
        """Close the tick for the person. If they chose nothing, they wait."""
        if self.awaits is not Awaits.NOBODY and self.pending[self.person] is None:
            self._answered(self.person, {"action": WAIT, "late": True, "ms": 0})

    @property
    def late_in_a_row(self) -> int:
        """In how many consecutive ticks the person has been late."""
        count = 0
        for event in reversed(self.events):
            if event["type"] != "tick" or self.person not in event.get("late", ()):
                break
            count += 1
        return count

    def resign(self) -> None:
        """The person gives up. Raises Refused if the game is over."""
        self._expect_running()
        self.forfeit(self.person, Termination.RESIGNATION, "The person resigned.")

    # -- what the bot does

    def bot_answers(self, said: dict[str, Any]) -> None:
        """Record the bot's answer: an object with action, late, ms, comment, eval, resign."""
        self.bot_cpu_ms += said["ms"]
        left = self.clocks[self.bot]
        if left is not None:
            self.clocks[self.bot] = max(0, left - said["ms"]) + self.increment_ms
        legal = self.game.legal(self.bot)
        if said["resign"]:
            self.forfeit(self.bot, Termination.RESIGNATION, f"Seat {self.bot} resigned.")
        elif said["action"] not in legal:
            detail = (
                f"Seat {self.bot} chose {protocol.quote(said['action'])} in tick {self.game.tick}:"
                f" expected one of {', '.join(legal)}."
            )
            self.forfeit(self.bot, Termination.ILLEGAL_MOVE, detail)
        else:
            self._answered(self.bot, said)

    def forfeit(self, seat: int, termination: Termination, detail: str) -> None:
        """End the game by a seat's own doing."""
        self._end(endings.by_forfeit(self.game.position, seat, termination, detail))

    # -- what both may know

    @property
    def open_tick(self) -> int:
        """The tick that both are asked about."""
        return self.game.tick

    def question(self, told: int) -> dict[str, Any]:
        """What to ask the bot (fields of `BotQuestion`). It has been told the events before number `told`."""
        return {
            "kind": "tick",
            "ply": self.game.tick,
            "clocks": tuple(left or 0 for left in self.clocks),
            "position": str(self.game.position.public()),
            "events": tuple(self.plain_events()[told:]),
            "legal": self.game.legal(self.bot),
        }

    def clock_from(self, before: datetime | None, shown: int, now: datetime) -> datetime | None:
        """When the open tick begins: once the `shown` events that are new to the person have been shown.

        None while the game is paused, as it is after `MOST_LATE` late ticks in a row.
        """
        if before is None or not shown:
            return before
        late = self.late_in_a_row
        return None if late and late % MOST_LATE == 0 else when_shown(shown, now)

    def plain_events(self, after: int = 0) -> list[ToldTick]:
        """Return the ticks from a number on, without the referee's additions, as a bot is told them."""
        ticks = [event for event in self.events[after:] if event["type"] == "tick"]
        return [
            cast("ToldTick", {key: value for key, value in event.items() if key not in ADDED})
            for event in ticks
        ]

    # -- inside

    def _expect_running(self) -> None:
        if self.awaits is Awaits.NOBODY:
            raise ActionRefused(gettext_noop("The game is over."))

    def _answered(self, seat: int, said: dict[str, Any]) -> None:
        self.pending[seat] = said
        first, second = self.pending
        if first is not None and second is not None:
            self._close(first, second)
        self._settle()

    def _close(self, first: dict[str, Any], second: dict[str, Any]) -> None:
        """Carry out what both have chosen, and record it."""
        both = (first, second)
        event = self.game.push(first["action"], second["action"]).as_dict()
        more: dict[str, Any] = {"ms": [said["ms"] for said in both], "clocks": list(self.clocks)}
        late = [seat for seat, said in enumerate(both) if said["late"]]
        if late:
            more["late"] = late
        for key, one in (("comments", "comment"), ("evals", "eval")):
            each = [said.get(one) for said in both]
            if any(value is not None for value in each):
                more[key] = each
        numbered = {"n": len(self.events), "ply": self.game.ply, **more, **event}
        self.events.append(cast("TickEvent", numbered))
        self.pending = [None] * SEATS

    def _settle(self) -> None:
        """Update who is awaited now, or how the game ended."""
        outcome = self.game.outcome()
        if self.awaits is Awaits.NOBODY:
            return
        if outcome is not None:
            self._end(endings.by_rules(self.game.position))
            return
        self.awaits = Awaits.BOT if self.pending[self.bot] is None else Awaits.PERSON

    def _end(self, ending: GameEnding) -> None:
        cpu = [0] * SEATS
        cpu[self.bot] = self.bot_cpu_ms
        ticks = self.game.ply
        self.result = ending.result(plies=ticks, turns=ticks, cpu_ms=tuple(cpu))
        self.pending = [None] * SEATS
        self.awaits = Awaits.NOBODY
        last: EndEvent = {
            "n": len(self.events),
            "type": "end",
            "ply": ticks,
            "result": cast("ResultFields", self.result.as_dict()),
            "clocks": list(self.clocks),
        }
        self.events.append(last)
