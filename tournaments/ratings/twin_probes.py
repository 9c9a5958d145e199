"""Asks every version the same questions, in the sandbox. Workers do this, never serving processes.

The questions are positions of games that the house's own bots played, in trials like everybody's, on deals
that nobody knows: no author can shape them, nor have them from a public replay. All versions of a site are
asked the same ones, until an operator has others drawn.
"""

from __future__ import annotations

import json
import time
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction

import engine
from analysis.likeness import TIMES, Budget, Probe, find_contested, probes_of, steady_choice
from arena.web import seeds
from arena.web.processes import shutdown
from bots import selectors as bot_selectors
from bots.errors import FilesMissing, Interrupted, Unplayable
from bots.files import materialise
from bots.models import Version
from bots.playing.player import play
from bots.playing.processes import lower_priority
from bots.playing.trials import CLOCK
from referee.errors import Infrastructure
from referee.job import Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox import SandboxUnavailable, Stage
from tournaments.models import ProbeSet

if TYPE_CHECKING:
    from collections.abc import Mapping

MODULE: Final = "friendlies.opponent.probe"
RECORDED: Final = ("planner", "greedy")
"""House bots whose games the positions are from; whoever of the house is there, where they are not."""
GAMES: Final = 2
A_GAME: Final = 10
"""Games of each variant, and positions asked about of each of them."""
LONGEST_SECONDS: Final = 1_200.0
"""For all questions to a version, on the busiest machine and to the laziest bot; less than a claim lasts."""
READ_SECONDS: Final = 0.5


def probe_set() -> ProbeSet | None:
    """The current set, recorded now if there is none; None if there is no house bot. Raises Unplayable."""
    found = ProbeSet.objects.first()
    return found if found is not None else record_set()


def record_set() -> ProbeSet | None:
    """Record a new set and use it from now on. Raises Unplayable."""
    before = ProbeSet.objects.values_list("edition", flat=True).first() or 0
    house = Version.objects.fit().active().filter(bot__is_house=True)
    by_slug = {version.bot.slug.removeprefix("house-"): version for version in house.select_related("bot")}
    chosen = [by_slug[name] for name in RECORDED if name in by_slug] or list(by_slug.values())
    if not chosen:
        return None
    games = []
    for variant in (one.name for one in engine.VARIANTS.values() if not one.in_ticks):
        for number in range(GAMES):
            seats = [chosen[(number + seat) % len(chosen)] for seat in range(2)]
            start = str(engine.deal(variant, seeds.new_seed()))
            delivery = play(start, variant, seats, CLOCK, lambda _ply, _events: True)
            events = [_bare(event) for event in delivery.events]
            games.append({"start": start, "events": events, "plies": find_contested(start, events, A_GAME)})
    try:
        with transaction.atomic():
            return ProbeSet.objects.create(edition=before + 1, games=games)
    except IntegrityError:  # another worker was first
        return ProbeSet.objects.first()


def probes(asked: ProbeSet) -> dict[str, Probe]:
    """The questions of a set by key, taking variants in turn so that slow bots answer some of each."""
    by_game = []
    for number, game in enumerate(asked.games):
        found = probes_of(game["start"], game["events"], game["plies"])
        by_game.append([(f"{number}-{place}", probe) for place, probe in enumerate(found)])
    return dict(one for one in chain.from_iterable(zip_longest(*by_game)) if one is not None)


def ask(version: Version, questions: Mapping[str, Probe]) -> dict[str, str]:
    """What a version chooses at each question of a game it plays. Raises Unplayable.

    How many it is asked depends on its own CPU time (`analysis.likeness.Budget`), not on how busy the machine
    is. Where it wavers, breaks down or gives up there is no answer.
    """
    played = set(bot_selectors.boards(version))
    asked = {key: probe for key, probe in questions.items() if probe.variant in played}
    if not asked:
        return {}
    try:
        stage = Stage.ensure()
        seat = SeatJob(str(materialise(version, stage)), version.language, version.entry)
        job = Job("crapaud", "-", (seat,), CLOCK, level=settings.SANDBOX_LEVEL)
        process = lower_priority(PlayingProcess(stage, MODULE))
    except (SandboxUnavailable, FilesMissing, OSError) as error:
        raise Unplayable(str(error), sandbox_down=isinstance(error, SandboxUnavailable)) from error
    try:
        return _conversation(process, job, asked)
    except (Infrastructure, BrokenPipeError) as error:
        raise Unplayable(str(error)) from error
    finally:
        process.kill()


def _conversation(process: PlayingProcess, job: Job, asked: Mapping[str, Probe]) -> dict[str, str]:
    """Ask the questions one by one until none are left or the time is up."""
    stdin = process.popen.stdin
    assert stdin is not None  # noqa: S101
    deadline = time.monotonic() + LONGEST_SECONDS
    stdin.write(job.line().encode() + b"\n")
    choices: dict[str, str] = {}
    budget = Budget()
    for key, probe in asked.items():
        line, given = json.dumps(probe.as_dict()).encode() + b"\n", list[str]()
        for _ in range(TIMES):
            stdin.write(line)
            said = _read(process, deadline)
            if said is None:
                return choices
            budget.spend(said.get("cpu_ms", 0))
            given.append(said.get("choice", ""))
            if not given[-1] or given[-1] != given[0]:
                break
        if choice := steady_choice(given):
            choices[key] = choice
        if budget.is_spent(len(choices)):
            break
    return choices


def _read(process: PlayingProcess, deadline: float) -> dict[str, Any] | None:
    """Read a line; None when the time is up. Raises Infrastructure, Interrupted."""
    while time.monotonic() < deadline:
        if shutdown.is_announced():
            raise Interrupted("the site is stopping")
        found = process.read(READ_SECONDS)
        if found is None:
            raise Infrastructure(process.last_words())
        if found:
            message: dict[str, Any] = found[0]
            if message["type"] == "infrastructure":
                raise Infrastructure(message["reason"])
            return message
    return None


def _bare(event: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a recorded event that a replay of the game needs."""
    return {name: event[name] for name in ("type", "move", "actions") if name in event}
