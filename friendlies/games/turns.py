"""A person's game against a bot, as a value: what was played, who is awaited, and what may be done.

The rules come from the engine, the endings from the referee (`endings`). Between two requests only
its start, its events and a few facts are stored, and the game is rebuilt from them. So nothing is lost when a
process ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, cast

import engine
from engine.turns.search import stacks
from friendlies.games.refusals import ActionRefused, gettext_noop, too_few_empty
from referee import endings, protocol
from referee.endings import GameResult, Termination

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from referee.messages import EndEvent, NoteEvent, PlyEvent, RecordEvent, ToldPly

SEATS: Final = 2
SHOWN_SECONDS: Final = 0.5
"""The page shows the bot's moves one after the other; the person's clock waits so long for each."""


class Awaits(StrEnum):
    """What happens next: the person moves; the person may call stop or lets the bot go on; the bot moves; the
    bot is asked whether it calls stop; nothing, as the game is over."""

    PERSON = "person"
    WINDOW = "window"
    BOT = "bot"
    POLL = "poll"
    NOBODY = "nobody"


BOTS_TURN: Final = (Awaits.BOT, Awaits.POLL)


@dataclass(slots=True)
class PersonTable:
    """``person`` is the person's seat. ``pending`` are moves already chosen by whoever moves, carried out one
    at a time where the other may call stop. ``clocks`` are milliseconds left by seat, None without a clock.
    ``polls`` says whether the bot wants to be asked about stop; None while that is not known.
    """

    start: str
    person: int
    events: list[RecordEvent] = field(default_factory=list)
    awaits: Awaits | None = None
    pending: list[str] = field(default_factory=list)
    offer: int | None = None
    clocks: list[int | None] = field(default_factory=lambda: [None, None])
    increment_ms: int = 0
    polls: bool | None = None
    bot_cpu_ms: int = 0
    result: GameResult | None = None
    game: engine.TurnGame = field(init=False)

    def __post_init__(self) -> None:
        self.game = engine.TurnGame(engine.TurnPosition.parse(self.start))
        self.game.play(event["move"] for event in self.events if event["type"] in {"move", "stop"})
        if self.awaits is None:
            self.awaits = self._mover()

    @property
    def awaited(self) -> Awaits:
        """What happens next."""
        assert self.awaits is not None  # noqa: S101
        return self.awaits

    # -- what the person does

    def play(self, words: Sequence[str], ms: int = 0) -> None:
        """Make the person's move.

        Raises Refused if it is not the person's turn, or IllegalMove. Then nothing has changed.
        """
        self._expect(Awaits.PERSON, gettext_noop("It is not your turn."))
        tried = self.game.clone().play(words)
        if tried.error is not None:
            raise tried.error
        if self.offer == 1 - self.person:  # who plays on declines
            self.answer_draw(accept=False)
        self.pending = list(words)
        self._carry_on(ms)

    def run(self, source: str, target: str, cards: int, ms: int = 0) -> None:
        """Move a stack from house to house for the person, as single moves (`engine.turns.expand`).

        Raises Refused, IllegalMove.
        """
        self._expect(Awaits.PERSON, gettext_noop("It is not your turn."))
        if self.game.position.drawn is not None:
            raise ActionRefused(gettext_noop("You have drawn a card. Only that card can move."))
        free = sum(not pile for pile in self.game.position.houses)
        free -= not self._house(target)
        if stacks.cost(cards, free) == stacks.NEVER:
            raise too_few_empty(cards, free)
        self.play([str(move) for move in stacks.expand(self.game.position, source, target, cards)], ms)

    def undo(self) -> None:
        """Take back the person's last move.

        Raises Refused past a revealed card, and where stop may be called (RULES 6: a move stands).
        """
        self._expect(Awaits.PERSON, gettext_noop("It is not your turn."))
        reason = self.why_no_undo()
        if reason:
            raise ActionRefused(reason)
        self.game.pop()
        self.events.pop()

    def why_no_undo(self) -> str:
        """Return why the last move cannot be taken back, in a sentence; empty if it can."""
        last = self.events[-1] if self.events else None
        if self.game.variant.stop_calls:
            return gettext_noop(
                "You can’t undo in this game, because your opponent can call stop after each move."
            )
        if last is None or last["type"] != "move" or last["seat"] != self.person:
            return gettext_noop("There is no move to undo.")
        if _reveals(last):
            return gettext_noop("You can’t undo past a revealed card.")
        return ""

    def call_stop(self, ms: int = 0) -> None:
        """The person calls stop (RULES 6). Raises Refused when there is nothing to stop."""
        if not self.game.variant.stop_calls:
            raise ActionRefused(gettext_noop("There is no stop call in this game."))
        if self.awaits is not Awaits.WINDOW:
            muted = self.person in self.game.position.counters.mute
            raise ActionRefused(
                gettext_noop("You can no longer call stop in this game.")
                if muted
                else gettext_noop("There is nothing to stop right now.")
            )
        self._stop(ms)
        self._settle()

    def go_on(self) -> None:
        """The person does not call stop. Raises Refused if nobody waited for that."""
        self._expect(Awaits.WINDOW, gettext_noop("The game is not waiting for you."))
        self._carry_on(0)

    def offer_draw(self) -> None:
        """The person offers a draw; the bot answers with its next move. Raises Refused."""
        self._expect(Awaits.PERSON, gettext_noop("You can offer a draw only on your turn."))
        if self.offer == self.person:
            raise ActionRefused(gettext_noop("You have already offered a draw."))
        self.offer = self.person
        self._note("offer", self.person)

    def answer_draw(self, *, accept: bool) -> None:
        """The person answers the bot's offer. Raises Refused if there is none."""
        if self.offer != 1 - self.person or self.awaits is Awaits.NOBODY:
            raise ActionRefused(gettext_noop("There is no draw offer."))
        if accept:
            self._end(endings.by_agreement(self.game.position, self.person))
            return
        self.offer = None
        self._note("decline", self.person)

    def resign(self) -> None:
        """The person gives up. Raises Refused if the game is over."""
        if self.awaits is Awaits.NOBODY:
            raise ActionRefused("The game is over.")
        self.forfeit(self.person, Termination.RESIGNATION, "The person resigned.")

    # -- what the bot does

    def bot_answers(self, said: dict[str, Any]) -> None:
        """Carry out the bot's answer to whatever `question` asked."""
        if self.awaits is Awaits.POLL:
            self.bot_polled(said)
        else:
            self.bot_moves(said)

    def bot_moves(self, said: dict[str, Any]) -> None:
        """Carry out the bot's answer to a move question: moves, draw, resignation."""
        bot = 1 - self.person
        self._charge(bot, said["ms"])
        if said["resign"]:
            self.forfeit(bot, Termination.RESIGNATION, f"Seat {bot} resigned.")
            return
        if self.offer == self.person:
            if said["accept_draw"]:
                self._end(endings.by_agreement(self.game.position, bot))
                return
            self.offer = None
            self._note("decline", bot)
        if not said["moves"]:
            detail = f"Seat {bot} accepted a draw that nobody had offered, and played nothing."
            self.forfeit(bot, Termination.PROTOCOL, detail)
            return
        if said["offer_draw"] and self.offer is None:
            self.offer = bot
            self._note("offer", bot)
        self.pending = list(said["moves"])
        extra = {key: said[key] for key in ("comment", "eval") if said[key] is not None}
        self._carry_on(said["ms"], extra)

    def bot_polled(self, said: dict[str, Any]) -> None:
        """Carry out the bot's answer to a stop question."""
        self._charge(1 - self.person, said["ms"])
        if said["stop"]:
            self._stop(said["ms"])
            self._settle()
        else:
            self._carry_on(0)

    def forfeit(self, seat: int, termination: Termination, detail: str) -> None:
        """End the game by a seat's own doing."""
        self._end(endings.by_forfeit(self.game.position, seat, termination, detail))

    # -- what both may know

    @property
    def open_tick(self) -> None:
        """None: seats take turns."""

    def question(self, told: int) -> dict[str, Any]:
        """What to ask the bot (fields of `BotQuestion`). It has been told the events before number `told`."""
        asked: dict[str, Any] = {
            "ply": self.game.ply,
            "clocks": tuple(left or 0 for left in self.clocks),
            "events": tuple(self.plain_events()[told:]),
            "start": str(self.game.start.public()),
        }
        if self.awaits is Awaits.POLL:
            before, move = self.before_last()
            return {**asked, "kind": "stop", "position": before, "move": move}
        return {
            **asked,
            "kind": "move",
            "position": str(self.game.position.public()),
            "legal": self.game.legal_moves(),
            "draw_offered": self.offer == self.person,
        }

    def clock_from(self, before: datetime | None, shown: int, now: datetime) -> datetime | None:
        """When the person's clock starts: once the `shown` events that are new to them have been shown."""
        return when_shown(shown, now)

    def plain_events(self, after: int = 0) -> list[ToldPly]:
        """Return the events from a number on, without the referee's additions, as a bot is told them."""
        added = ("n", "ply", "ms", "clocks", "comment", "eval")
        return [
            cast("ToldPly", {key: value for key, value in event.items() if key not in added})
            for event in self.events[after:]
            if event["type"] in {"move", "stop"}
        ]

    def before_last(self) -> tuple[str, str]:
        """Return the public position before the last move, and the move, for a stop question."""
        clone = self.game.clone()
        move = clone.history[-1].move
        clone.pop()
        return str(clone.position.public()), move

    # -- inside

    def _expect(self, awaited: Awaits, otherwise: str) -> None:
        if self.awaits is Awaits.NOBODY:
            raise ActionRefused(gettext_noop("The game is over."))
        if self.awaits is not awaited:
            raise ActionRefused(otherwise)

    def _house(self, name: str) -> tuple[str, ...]:
        number = name[1:]
        if name[:1] != "t" or not number.isdigit() or not 1 <= int(number) <= len(self.game.position.houses):
            raise ActionRefused(gettext_noop("Several cards can move only from house to house."))
        return self.game.position.houses[int(number) - 1]

    def _public(self) -> str:
        return str(self.game.position.public())

    def _mover(self) -> Awaits:
        return Awaits.PERSON if self.game.turn == self.person else Awaits.BOT

    def _carry_on(self, ms: int, extra: dict[str, Any] | None = None) -> None:
        """Make pending moves until one turns up a card, the other side may call stop, or one is illegal."""
        while self.pending:
            word = self.pending.pop(0)
            try:
                event = self._push(word, ms, extra or {})
            except engine.IllegalMove as error:
                self.pending.clear()
                seat = self.game.turn
                detail = (
                    f"Seat {seat} played {protocol.quote(word)} at ply {self.game.ply + 1}:"
                    f" {protocol.quote(str(error))[1:-1]}."
                )
                self.forfeit(seat, Termination.ILLEGAL_MOVE, detail)
                return
            ms, extra = 0, None
            if self.game.finished or self.game.turn != event["seat"] or _reveals(event):
                self.pending.clear()
            if self._stoppable(event["seat"]):
                self.awaits = Awaits.WINDOW if event["seat"] != self.person else Awaits.POLL
                return
        self._settle()

    def _stoppable(self, mover: int) -> bool:
        """Whether the other seat may call stop after this action and wants to be asked."""
        game = self.game
        if game.finished or game.turn != mover or not game.variant.stop_calls or not game.can_stop():
            return False
        return mover != self.person or self.polls is not False

    def _settle(self) -> None:
        """Update who is awaited now, or how the game ended."""
        if self.awaits is Awaits.NOBODY:
            return
        outcome = self.game.outcome()
        if outcome is None:
            self.awaits = self._mover()
            return
        self._end(endings.by_rules(self.game.position))

    def _push(self, word: str, ms: int, extra: dict[str, Any]) -> PlyEvent:
        mover = self.game.turn
        event = self.game.push(word)
        self._clock_turn(mover)
        return self._log(event, ms, extra)

    def _stop(self, ms: int) -> None:
        mover = self.game.turn
        event = self.game.stop()
        self.pending.clear()
        self._clock_turn(mover)
        self._log(event, ms, {})

    def _log(self, event: engine.Event, ms: int, extra: dict[str, Any]) -> PlyEvent:
        referee = {
            "n": len(self.events),
            "ply": self.game.ply,
            "ms": ms,
            "clocks": list(self.clocks),
            **extra,
        }
        logged = cast("PlyEvent", {**referee, **event.as_dict()})
        self.events.append(logged)
        return logged

    def _note(self, kind: str, seat: int | None, **more: Any) -> None:
        whose = {} if seat is None else {"seat": seat}
        head = {"n": len(self.events), "type": kind, "ply": self.game.ply}
        event = {**head, **whose, **more, "clocks": list(self.clocks)}
        self.events.append(cast("NoteEvent | EndEvent", event))

    def _charge(self, seat: int, ms: int) -> None:
        left = self.clocks[seat]
        if seat != self.person:
            self.bot_cpu_ms += ms
        if left is not None:
            self.clocks[seat] = max(0, left - ms)

    def _clock_turn(self, mover: int) -> None:
        """Give the mover its increment when its turn has ended."""
        left = self.clocks[mover]
        if self.game.turn != mover and left is not None:
            self.clocks[mover] = left + self.increment_ms

    def _end(self, ending: endings.GameEnding) -> None:
        cpu = [0] * SEATS
        cpu[1 - self.person] = self.bot_cpu_ms
        self.result = ending.result(plies=self.game.ply, turns=self.game.turn_number, cpu_ms=tuple(cpu))
        self.pending.clear()
        self.offer = None
        self.awaits = Awaits.NOBODY
        self._note("end", None, result=self.result.as_dict())


def when_shown(events: int, now: datetime) -> datetime:
    """When the page has shown so many events of the bot."""
    return now + timedelta(seconds=SHOWN_SECONDS * events)


def _reveals(event: PlyEvent) -> bool:
    """Whether a move turned up a card."""
    return event["move"] == "draw" or event.get("reveal") is not None
