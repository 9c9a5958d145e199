"""A finished game as oracle judges it, in the form that its page reads (`analysis.searches.deep`)."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import engine
from analysis.scores import half_points
from analysis.searches.deep.ticks import judged_ticks
from analysis.searches.deep.turns import judged_turns
from analysis.searches.hints import action_words
from analysis.searches.win_chances import CLEAR, MOST_MISTAKES
from tournaments.questions.mistakes import describe_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from analysis.searches.deep.ticks import JudgedTick
    from analysis.searches.deep.turns import JudgedStretch

    Course = tuple[list[list[float]], list[float]]
    """Each seat's chances by events seen, and what choices took from seat 0's."""
    Decisions = list[dict[str, Any]]
    Report = Callable[[float], object]
    Log = Sequence[Mapping[str, Any]]

FORMAT: Final = 1
BOT: Final = "oracle"
PLAYED: Final = {"move", "stop", "tick"}


class Spoken(NamedTuple):
    """The words of a log, their places among its events, and how many events there are."""

    words: list[str]
    places: list[int]
    events: int


def judge_game(key: str, start: str, log: Log, result: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The chances of every seat all through a game, the best lines at each decision, and the mistakes.

    By number of events seen, from 0: `wins` of each seat in points from 0 to 1, which change only where a
    card is turned up, a turn ends or a tick is over. Between two also `win` (that of seat 0), and `luck` and
    `skill`, the two parts of its changes: skill is what choices gave away, luck all the rest.

    `decisions` have `at` (events before), `ply`, `seat`, whether they are `proved`, the best `lines`, best
    first, each with its `win` for the seat, what was `played`, and its `cost`. `mistakes` are the costliest
    of them, as `services.questions.mistakes` tells them.

    Raises:
        BrokenRecord: the record is no game.
    """
    places = [number for number, event in enumerate(log) if event["type"] in PLAYED]
    spoken = Spoken(engine.words_of(log), places, len(log))
    (wins, skill), decisions = _told(engine.Position.parse(start), spoken, key, report)
    _end(wins, skill, log, result)
    answer: dict[str, Any] = {
        "format": FORMAT,
        "game": key,
        "bot": BOT,
        "clear": CLEAR,
        "wins": [[round(win, 3) for win in seat] for seat in wins],
        "decisions": decisions,
        "mistakes": _mistakes(decisions),
    }
    if len(wins) == 2:
        answer["win"] = answer["wins"][0]
        changes = [0.0, *(after - before for before, after in zip(wins[0], wins[0][1:], strict=False))]
        answer["skill"] = [round(one, 3) for one in skill]
        answer["luck"] = [round(change - one, 3) for change, one in zip(changes, skill, strict=True)]
    return answer


@singledispatch
def _told(start: engine.Position, spoken: Spoken, key: str, report: Report) -> tuple[Course, Decisions]:
    """The course of a game of either kind, and its decisions. Raises BrokenRecord."""
    raise TypeError(f"expected a position that oracle judges, got {start!r}, {spoken}, {key}, {report}")


@_told.register(engine.TurnPosition)
def _(start: engine.TurnPosition, spoken: Spoken, key: str, report: Report) -> tuple[Course, Decisions]:
    stretches = judged_turns(start, spoken.words, key, report)
    return _course(stretches, spoken, start.players), _decisions(start, stretches, spoken)


@_told.register(engine.TickPosition)
def _(start: engine.TickPosition, spoken: Spoken, key: str, report: Report) -> tuple[Course, Decisions]:
    ticks = judged_ticks(start, spoken.words, key, report)
    return _course_of_ticks(ticks, spoken), _decisions_of_ticks(start, ticks, spoken)


def _course(stretches: Sequence[JudgedStretch], spoken: Spoken, players: int) -> Course:
    _, places, events = spoken
    wins = [[1 / players] * (events + 1) for _ in range(players)]
    skill = [0.0] * (events + 1)
    for one in stretches:
        played = one.judged.played or one.judged.lines[0]
        end = places[one.after - 1] + 1
        for seat in range(players):
            # A stretch begins where the one before ended, or after a call of stop.
            wins[seat][places[one.first] : end] = [one.judged.win[seat]] * (end - places[one.first])
            wins[seat][end:] = [played.win[seat]] * (events + 1 - end)
        skill[end] = played.win[0] - one.judged.win[0]
    return wins, skill


def _decisions(start: engine.TurnPosition, stretches: Sequence[JudgedStretch], spoken: Spoken) -> Decisions:
    words, places, _ = spoken
    table, done, rows = engine.TurnGame(start), 0, []
    for one in stretches:
        table.play(words[done : one.first])
        done = one.first
        seat = one.judged.seat
        played = words[one.first : one.after]
        own = one.judged.played
        rows.append(
            {
                "at": places[one.first],
                "ply": table.ply,
                "seat": seat,
                "proved": one.judged.proved,
                "cost": round(one.judged.cost, 3),
                "win": round(own.win[seat], 3) if own else None,
                "played": describe_line(table, played),
                "lines": [
                    {"win": round(line.win[seat], 3), "moves": describe_line(table, line.moves)}
                    for line in one.judged.lines
                ],
            }
        )
    return rows


def _course_of_ticks(ticks: Sequence[JudgedTick], spoken: Spoken) -> Course:
    _, places, events = spoken
    win, skill = [0.5] * (events + 1), [0.0] * (events + 1)
    for place, one in zip(places, ticks, strict=True):
        win[place] = one.before
        win[place + 1 :] = [one.after] * (events - place)
        skill[place + 1] = one.choices[1].cost - one.choices[0].cost
    return [win, [1 - one for one in win]], skill


def _decisions_of_ticks(start: engine.TickPosition, ticks: Sequence[JudgedTick], spoken: Spoken) -> Decisions:
    """Both seats' decisions of every tick in which they had a choice."""
    words, places, _ = spoken
    game, rows = engine.TickGame(start), []
    for number, (word, one) in enumerate(zip(words, ticks, strict=True)):
        position = game.position
        for seat, choice in enumerate(one.choices):
            if len(choice.actions) < 2:
                continue
            rows.append(
                {
                    "at": places[number],
                    "ply": number,
                    "seat": seat,
                    "proved": False,
                    "cost": round(choice.cost, 3),
                    "win": round(choice.played.win, 3),
                    "played": [_action(position, seat, choice.played.action)],
                    "lines": [
                        {"win": round(each.win, 3), "moves": [_action(position, seat, each.action)]}
                        for each in choice.actions
                    ],
                }
            )
        game.push(*word.split(","))
    return rows


def _action(position: engine.TickPosition, seat: int, action: str) -> dict[str, str]:
    """An action as text and in words."""
    return {"move": action, "words": action_words(position, seat, action)}


def _end(wins: list[list[float]], skill: list[float], log: Log, result: Mapping[str, Any]) -> None:
    """Put in how the game ended: a forfeit or an agreed draw was somebody's choice."""
    if not log or log[-1]["type"] != "end":
        return
    players = len(wins)
    before = wins[0][-2]
    for seat, win in enumerate(wins):
        win[-1] = (
            half_points(result["ranking"], seat) / 2 if players == 2 else _first(result["ranking"], seat)
        )
    skill[-1] = wins[0][-1] - before


def _first(ranking: Sequence[Sequence[int]], seat: int) -> float:
    """The seat's share of the first place."""
    return 1 / len(ranking[0]) if seat in ranking[0] else 0.0


def _mistakes(decisions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The costliest decisions, in the order of the game."""
    found = sorted((one for one in decisions if one["cost"] >= CLEAR), key=lambda one: -one["cost"])[
        :MOST_MISTAKES
    ]
    return [
        {
            **{field: one[field] for field in ("at", "ply", "seat", "cost", "proved", "played")},
            "won": one["lines"][0]["win"] == 1.0,
            "better": one["lines"][0]["moves"],
        }
        for one in sorted(found, key=lambda one: (one["at"], one["seat"]))
    ]
