"""Tries out step by step what a bot must do, for ``crapette check-bot``.

A job with a ``trial`` has each game broken off after that many seconds.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import engine
from engine.boards import parse_board
from kit.conformance.scripted_talk import SEED, Failed, talk_about
from referee.judgement import judge
from referee.mistake_advice import hint
from referee.referees import referee_of
from referee.trial import LEFT_OUT, BrokenOff, TrialRule, diagnose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.job import Job
    from referee.mistake_advice import Advice
    from referee.player import Player, PlayerEvidence

    Spawn = Callable[[Job], Sequence[Player]]
    Tell = Callable[[dict[str, Any]], object]

TELL_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried. ``verdict`` is "pass", "warn" (allowed, but look), "skip" or "fail"."""

    verdict: str
    title: str
    detail: str = ""
    stderr: str = ""
    stderr_bytes: int = 0
    hint: str = ""
    section: str = ""
    """What to do about it, and the section of the protocol that says more (`referee.mistake_advice`)."""


def check(job: Job, spawn: Spawn, boards: Sequence[str], tell: Tell, games: int = 1) -> Iterator[Step]:
    """Try everything and yield the steps. A failing step ends its conversation.

    ``spawn`` starts the bots of a job, and ``tell`` hears once a second how far a game is. Of each board,
    so many ``games`` are played, each from a deal of its own. It is asked about the first board that it says
    it plays.
    """
    [player] = spawn(job)
    first, _ = parse_board(boards[0])
    talk = talk_about(first)(player, job.start_seconds, first)
    title, begun, used = "", time.monotonic(), 0
    try:
        for title, step in talk.steps():
            begun, used = time.monotonic(), player.cpu_ns()
            found = step()
            others = [board for board in boards if job.trial is not None and talk.plays(board)]
            if others and not talk.plays(boards[0]):
                player.kill()
                rest = [board for board in boards if board not in others]
                yield from check(job, spawn, [*others, *rest], tell, games)
                return
            yield Step("warn" if found.startswith("! ") else "pass", title, found.removeprefix("! "))
    except Exception as error:
        detail = error.detail if isinstance(error, Failed) else f"The bot {judge(error).detail}."
        waited = time.monotonic() - begun
        player.kill()
        left = player.close()
        cpu_ms = max(0, left.cpu_ms - used // 1_000_000)
        yield _failed(title, detail, left, hint("", detail, left.stderr, cpu_ms, waited))
        return
    finally:
        player.kill()
    left_out = True
    for board in boards:
        for number in range(games):
            played = _game(job, spawn, board, tell, number)
            left_out = left_out and played.verdict == "skip"
            yield played
    if left_out:
        yield Step("fail", "plays a game", "its ready message includes none of these games")


def _game(job: Job, spawn: Spawn, board: str, tell: Tell, number: int) -> Step:
    """Let the bot play a game against itself, for as long as the job's trial lasts."""
    variant, seats = parse_board(board)
    start = engine.deal(variant, SEED if number == 0 else f"{SEED} {number}", seats)
    title = f"plays a game of {board} against itself" + (f", deal {number + 1}" if number else "")
    table = replace(job, variant=variant, start=str(start), seats=job.seats * seats)
    players = spawn(table)
    try:
        telling = _Telling(title, tell)
        trial = TrialRule(table, telling)
        referee = referee_of(start, players, table, idle=trial.idle)
        referee.admit = trial.admit
        events: list[dict[str, Any]] = []
        unfinished: dict[str, Any] | None = None
        try:
            for lines in referee.play():
                events += map(json.loads, lines)
                telling.plies = len(events)
                trial.idle()
        except BrokenOff as broken:
            if broken.termination == LEFT_OUT:
                return Step("skip", title, "not played: its ready message does not include this game")
            if referee.result is None:
                unfinished = referee.broken_off(broken.termination, broken.detail)
            events += map(json.loads, referee.unwritten())
        evidence = referee.close()
    finally:
        for player in players:
            player.kill()
    result = unfinished
    if result is None:
        assert referee.result is not None  # noqa: S101
        result = referee.result.as_dict()
    found = diagnose(result, events, [each.as_dict() for each in evidence])
    memory = max(each.max_rss_kb for each in evidence) / 1024
    if unfinished and found.passed:
        return Step("pass", title, f"{telling.plies} plies in {job.trial:.0f} seconds, {memory:.0f} MB")
    used = f"{result['plies']} plies, {max(result['cpu_ms'])} ms of CPU, {memory:.0f} MB"
    if found.passed:
        return Step("pass", title, f"{result['termination']}: {used}")
    detail = f"{'' if unfinished else result['termination'] + ': '}{found.detail} ({used})"
    return (
        Step("fail", title, detail)
        if found.seat is None
        else _failed(title, detail, evidence[found.seat], found.advice)
    )


def _failed(title: str, detail: str, left: PlayerEvidence, advice: Advice | None) -> Step:
    """The step of a bot that failed, with what it left and what to do."""
    text, section = advice or ("", "")
    return Step("fail", title, detail, left.stderr, left.stderr_bytes, text, section)


class _Telling:
    """Reports once a second how far a game is, so that a slow bot does not look like a check that hangs."""

    def __init__(self, title: str, tell: Tell) -> None:
        self.plies = 0
        self._title = title
        self._tell = tell
        self.begun = self._told = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._told >= TELL_S:
            self._told = now
            seconds = now - self.begun
            self._tell({"type": "playing", "title": self._title, "ply": self.plies, "seconds": seconds})
