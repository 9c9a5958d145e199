"""The Python SDK. A Crapette bot is a function that chooses a move.

from crapette import run

def choose(turn):
        return turn.legal[0]

run(choose)

``choose`` receives a `Turn`. It returns a move (``"t7-f"``), a list of moves, or an `Answer` for anything
more. A list is played until a card is turned up or the turn ends. ``import engine`` works inside the arena.
``run(choose, tick=choose)`` also plays `vitesse`, in which both players act at once. There, a turn is a tick,
and `choose` returns one of the legal actions.

This file is the whole SDK: copy it next to your bot to run it elsewhere. It imports almost nothing, because
every game starts a fresh process, and importing Python's own ``json`` would take half as long as starting
Python.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 10 ms to import
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

try:  # the C scanner that json.loads wraps, without the 8 ms that importing re and json costs
    from _json import encode_basestring_ascii as quote
    from _json import make_scanner

    class _Settings:
        strict = True
        object_hook = object_pairs_hook = parse_constant = None
        parse_float = float
        parse_int = int
        memo: dict[str, str] = {}  # noqa: RUF012 (typing.ClassVar would have to be imported)

    _scan = make_scanner(_Settings)  # type: ignore[arg-type]

    def decode(line: str) -> Any:
        """Parse one JSON value."""
        return _scan(line, 0)[0]

except ImportError:  # another Python than CPython
    from json import dumps as quote
    from json import loads as decode  # type: ignore[assignment]

PROTOCOL = 1
READ = 1 << 16
MOVE, TICK, LEGAL = b'{"type":"move","id":"', b'{"type":"tick","id":"', b'"legal":["'


class Turn:
    """A question from the arena: make a move, or act in a tick of `vitesse`.

    ``hello`` is the first message, with ``variant``, ``players``, ``seat``, ``clock`` and ``rules``. The SDK
    parses only what you access.
    """

    __slots__ = ("_line", "_message", "_story", "hello")

    def __init__(
        self,
        line: bytes,
        hello: dict[str, Any],
        message: dict[str, Any] | None = None,
        story: Story | None = None,
    ) -> None:
        self._line, self._message = line, message
        self._story = story
        self.hello = hello

    def _get(self, key: str, default: object) -> Any:
        """Return a field of the question. The question is parsed at the first access."""
        message = self._message
        if message is None:
            message = self._message = decode(self._line.decode())
        return message.get(key, default)

    @property
    def legal(self) -> list[str]:
        """The legal moves, as text, sorted."""
        line = self._line
        start = line.find(LEGAL)
        if self._message is None and start > 0:  # the arena's own form, where no parser is needed
            start += len(LEGAL)
            return line[start : line.index(b'"]', start)].decode().split('","')
        moves: list[str] = self._get("legal", [])
        return moves

    @property
    def position(self) -> str:
        """The position line as every seat may see it; with ``position=False`` only in the first question."""
        line: str = self._get("position", "")
        return line

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything that has happened since this bot was last asked, including its own moves."""
        events: list[dict[str, Any]] = self._get("events", [])
        return events

    @property
    def clocks(self) -> list[int]:
        """Milliseconds left, by seat."""
        clocks: list[int] = self._get("clocks", [])
        return clocks

    @property
    def ply(self) -> int:
        """Moves made so far in this game."""
        ply: int = self._get("ply", 0)
        return ply

    @property
    def tick(self) -> int:
        """The number of the tick in `vitesse`. Seat ``tick % 2`` has priority in it."""
        tick: int = self._get("tick", 0)
        return tick

    @property
    def draw_offered(self) -> bool:
        """Whether the opponent offers a draw."""
        offered: bool = self._get("draw_offered", False)
        return offered

    @property
    def seat(self) -> int:
        """Your seat, counted from 0."""
        seat: int = self.hello["seat"]
        return seat

    def game(self) -> Any:
        """Return the position as an ``engine.TurnGame``, hidden cards unknown (imports the engine)."""
        import engine  # noqa: PLC0415 (20 ms that only those pay who want it)

        return engine.TurnGame(engine.TurnPosition.parse(self.position))

    def tracker(self) -> Any:
        """Return an ``engine.turns.Tracker`` of everything this game has shown so far (imports the engine).

        Call it whenever you like: the SDK remembers everything in between. You may change the tracker. Raises
        RuntimeError with ``events=False``, and in `vitesse`.
        """
        return self._told("tracker").copy()

    def sample(self, rng: Any) -> Any:
        """Return an ``engine.TurnGame`` with all hidden cards in place, drawn uniformly from the arrangements
        that fit what you have seen.

        ``rng`` is a ``random.Random``. Raises the same errors as `tracker`. For many samples of the same
        moment, ``engine.turns.cores(turn.tracker(), rng)`` is cheaper.
        """
        import engine  # noqa: PLC0415 (as above)

        return engine.TurnGame(engine.turns.sample(self._told("sample"), rng))

    def _told(self, asked: str) -> Any:
        """Return the tracker itself, for the method that was asked."""
        if self._story is None:
            raise RuntimeError(
                f"turn.{asked}() needs all events of a game: use a turn that run() or play() passed to you"
            )
        return self._story.tracker(self.hello)

    def table(self) -> Any:
        """Return the position as an ``engine.Position`` of its kind (hidden cards are unknown in it)."""
        import engine  # noqa: PLC0415 (as above)

        return engine.Position.parse(self.position)


class Story:
    """Everything the arena has told in one game, stored as it came and parsed for the tracker."""

    __slots__ = ("_complete", "_told", "_tracker")

    def __init__(self, *, complete: bool = True) -> None:
        self._complete = complete
        self._told: list[bytes | dict[str, Any]] = []
        self._tracker: Any = None

    def hear(self, question: bytes | dict[str, Any]) -> None:
        """Store a question or poll, as a line or parsed."""
        if self._complete:
            self._told.append(question)

    def tracker(self, hello: dict[str, Any]) -> Any:
        """Return the tracker of the game, up to the last question. Raises RuntimeError."""
        from engine import Event, TurnPosition, variant  # noqa: PLC0415 (as above)
        from engine.turns.knowledge.rewind import rewind  # noqa: PLC0415
        from engine.turns.knowledge.tracker import Tracker  # noqa: PLC0415

        if not self._complete:
            raise RuntimeError("turn.tracker() and turn.sample() need events: remove events=False")
        if variant(hello["variant"]).in_ticks:
            raise RuntimeError("turn.tracker() and turn.sample() work only in games of turns")
        for told in self._told:
            message = decode(told.decode()) if isinstance(told, bytes) else told
            events = [Event.from_dict(each) for each in message.get("events", ())]
            if self._tracker is None:
                if "start" in message:
                    start = TurnPosition.parse(message["start"])
                elif "position" in message:
                    start = rewind(TurnPosition.parse(message["position"]), events)
                else:  # a poll, whose position is the one before the last event
                    start = rewind(TurnPosition.parse(message["before"]), events[:-1])
                self._tracker = Tracker(start)
            for event in events:
                self._tracker.see(event)
        self._told.clear()
        return self._tracker


class Poll:
    """Asks whether you call stop after the opponent played ``move`` in the position ``before``.

    Only `crapette-it` has polls.
    """

    __slots__ = ("before", "clocks", "events", "hello", "move", "ply")

    def __init__(self, message: dict[str, Any], hello: dict[str, Any]) -> None:
        get = message.get
        self.before: str = message["before"]
        self.move: str = message["move"]
        self.events: list[dict[str, Any]] = get("events", [])
        self.clocks: list[int] = get("clocks", [])
        self.ply: int = get("ply", 0)
        self.hello = hello

    def irregular(self) -> bool:
        """Return whether the move broke the order of precedence (RULES 6), so that you may call stop."""
        import engine  # noqa: PLC0415 (as above)

        game = engine.TurnGame(engine.TurnPosition.parse(self.before))
        return bool(game.irregular(engine.Move.parse(self.move)))


class Answer:
    """Moves or an action, with more: a comment and an evaluation for the replay (-1 lost … 1 won), a draw
    offer, or a resignation."""

    __slots__ = ("accept_draw", "comment", "evaluation", "moves", "offer_draw", "resign")

    def __init__(
        self,
        moves: str | Sequence[str] = (),
        *,
        comment: str = "",
        evaluation: float | None = None,
        offer_draw: bool = False,
        accept_draw: bool = False,
        resign: bool = False,
    ) -> None:
        self.moves = moves
        self.comment = comment
        self.evaluation = evaluation
        self.offer_draw = offer_draw
        self.accept_draw = accept_draw
        self.resign = resign


def run(
    choose: Callable[[Turn], str | Sequence[str] | Answer] = lambda turn: turn.legal[0],
    *,
    tick: Callable[[Turn], str | Answer] | None = None,
    stop: Callable[[Poll], bool] | None = None,
    start: Callable[[dict[str, Any]], object] | None = None,
    name: str = "",
    position: bool = True,
    events: bool = True,
    plays: Sequence[str] | None = None,
) -> None:
    """Play one game: answer every question until the arena says the game is over.

    ``tick`` answers the ticks of `vitesse`; without it the bot does not play `vitesse`. ``start`` is called
    once with the arena's hello, before the clock runs, so load your tables there. ``stop`` answers the
    polls of `crapette-it`. ``position=False`` or ``events=False`` leaves these out of the questions (the
    first always has the position). That saves a few microseconds if your bot does not read them. ``plays``
    names the games the bot plays, such as ``["crapaud", "crapette/3"]``; without it, every game of turns,
    and `vitesse` with a ``tick``. Everything you print goes to standard error, which the arena keeps for
    you, because standard output belongs to the protocol.
    """
    write = os.write
    out = own_output()
    played = "" if plays is None else ',"plays":[' + ",".join(quote(board) for board in plays) + "]"
    ready = (
        f'{{"type":"ready","name":{quote(name)},"position":{_json(position)},'
        f'"events":{_json(events)},"stops":{_json(stop is not None)},"ticks":{_json(tick is not None)},'
        f'"start":{_json(events)}{played}}}\n'
    )
    hello: dict[str, Any] = {}
    story = Story(complete=events)
    for line in _lines():
        if line.startswith(MOVE):
            story.hear(line)
            nonce = line[len(MOVE) : line.index(b'"', len(MOVE))].decode()
            reply = _answer(nonce, choose(Turn(line, hello, None, story)))
            write(out, reply.encode())
            continue
        if tick is not None and line.startswith(TICK):
            reply = _action(line[len(TICK) : line.index(b'"', len(TICK))].decode(), tick(Turn(line, hello)))
            write(out, reply.encode())
            continue
        message = decode(line.decode())
        kind = message["type"]
        if kind == "move":
            story.hear(message)
            reply = _answer(message["id"], choose(Turn(line, hello, message, story)))
        elif kind == "tick" and tick is not None:
            reply = _action(message["id"], tick(Turn(line, hello, message)))
        elif kind == "stop":
            story.hear(message)
            called = stop is not None and stop(Poll(message, hello))
            reply = f'{{"id":"{message["id"]}","stop":{_json(called)}}}\n'
        elif kind == "hello":
            hello = message
            if start is not None:
                start(hello)
            reply = ready
        elif kind == "end":
            sys.stderr.flush()
            return
        else:
            continue
        write(out, reply.encode())


def play(*bots: Any, variant: str = "crapaud", seed: str | None = None) -> Any:
    """Play one game between functions, files of bots and house bots, in this process; return it.

    ``play(choose, "greedy")``: a notebook draws what comes back. The house bots here are random, greedy and
    planner. The same ``seed``, any text, deals the same cards. Only where the package is installed.
    """
    from .notebook import play as played  # noqa: PLC0415 (a bot in the arena never needs it)

    return played(*bots, variant=variant, seed=seed)


_kept: list[int] = []


def own_output() -> int:
    """Keep standard output for answers, and return the descriptor that `run` writes them to.

    Whatever the bot and its libraries print from now on goes to standard error.
    """
    if not _kept:
        _kept.append(os.dup(1))
        os.dup2(2, 1)
    return _kept[0]


def prepare(source: bytes) -> None:
    """Keep standard output for answers (`own_output`) if this file of a bot imports `run` at its top.

    The arena calls this before the first line of the file runs, since native libraries may complain on
    standard output as soon as they are loaded. A bot that speaks for itself keeps its standard output.
    """
    for found in b"\n".join((b"", *source.splitlines(), b"")).split(b"\nfrom crapette import ")[1:]:
        rest = found.lstrip()
        names = rest[1:].partition(b")")[0] if rest.startswith(b"(") else rest.partition(b"\n")[0]
        said = b" ".join(line.partition(b"#")[0] for line in names.splitlines())
        if b"run" in said.replace(b",", b" ").split():
            own_output()


def _lines() -> Iterator[bytes]:
    """Yield the lines of standard input, including their line ends."""
    read, buffer = os.read, b""
    while True:
        line = buffer or read(0, READ)
        end = line.find(b"\n") + 1
        while not end:
            chunk = read(0, READ)
            if not chunk:
                return
            line += chunk
            end = line.find(b"\n") + 1
        if end == len(line):
            buffer = b""
        else:
            line, buffer = line[:end], line[end:]
        yield line


def _json(flag: object) -> str:
    return "true" if flag else "false"


def _answer(nonce: str, chosen: str | Sequence[str] | Answer) -> str:
    """Return the line for what the bot chose."""
    if isinstance(chosen, str):
        return f'{{"id":"{nonce}","moves":["{chosen}"]}}\n'
    if not isinstance(chosen, Answer):
        return f'{{"id":"{nonce}","moves":["{_joined(chosen)}"]}}\n'
    moves = (chosen.moves,) if isinstance(chosen.moves, str) else chosen.moves
    fields = [f'"id":"{nonce}"', f'"moves":["{_joined(moves)}"]' if moves else '"moves":[]']
    fields += _remarks(chosen)
    fields += [f'"{flag}":true' for flag in ("offer_draw", "accept_draw", "resign") if getattr(chosen, flag)]
    return "{" + ",".join(fields) + "}\n"


def _action(nonce: str, chosen: str | Answer) -> str:
    """Return the line for what the bot chose in a tick."""
    if isinstance(chosen, str):
        return f'{{"id":"{nonce}","action":"{chosen}"}}\n'
    if not isinstance(chosen, Answer):
        raise TypeError(f"tick must return an action or an Answer, got {chosen!r}")
    fields = [f'"id":"{nonce}"', f'"action":"{chosen.moves or ""}"', *_remarks(chosen)]
    if chosen.resign:
        fields.append('"resign":true')
    return "{" + ",".join(fields) + "}\n"


def _remarks(chosen: Answer) -> list[str]:
    """Return the bot's remarks as fields."""
    fields = []
    if chosen.comment:
        fields.append(f'"comment":{quote(chosen.comment)}')
    if chosen.evaluation is not None:
        fields.append(f'"eval":{max(-1.0, min(1.0, chosen.evaluation))}')
    return fields


def _joined(moves: Sequence[str]) -> str:
    try:
        return '","'.join(moves)
    except TypeError:
        raise TypeError(f"choose must return a move, a list of moves or an Answer, got {moves!r}") from None
