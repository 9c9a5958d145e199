"""Finds near-twins: asks every version in play the same questions, and compares the answers."""

from __future__ import annotations

import json
import logging
import time
from datetime import timedelta
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q

import engine
from analysis.formats import committed_seeds
from analysis.likeness import (
    TIMES,
    Budget,
    Likeness,
    Probe,
    find_contested,
    likeness,
    probes_of,
    steady_choice,
)
from arena.web.database import database_clock
from arena.web.database.db_retry import until_answered
from arena.web.processes import shutdown
from arena.web.processes.alarms import sandbox_just_failed
from bots.check_results import passed_boards
from bots.errors import FilesMissing, Interrupted, Unplayable
from bots.files import materialise
from bots.models import ActiveVersion, Version
from bots.playing.game_process import lower_priority, play
from bots.playing.trials import CLOCK
from bots.port import field_changed
from referee.errors import Infrastructure
from referee.job import Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox import SandboxUnavailable, Stage
from tournaments.models import NearTwin, ProbeAnswers, ProbeSet
from tournaments.ratings.linked_owners import owners_of
from tournaments.ratings.ratings import rate_everything
from tournaments.ratings.twins import records

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

MODULE: Final = "friendlies.opponent.position_moves"
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
            start = str(engine.deal(variant, committed_seeds.new_seed()))
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
    played = set(passed_boards(version))
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


logger = logging.getLogger(__name__)

CLAIM = timedelta(minutes=30)
"""A process that has been asking a version for longer is considered dead."""
TRIES = 10
MOST_OF_OTHERS = 5
"""How many near-twins of other owners are stored: a thousand people may upload the same example."""
OWN_COMPARED = 40
"""A version is compared with this many of its owner's versions, newest first, and with all that play."""


def compare_next() -> bool:
    """Ask and compare the next version, and return whether there may be more to ask.

    Nothing is asked until the first author's bot is in play: before that, there is nothing to compare.
    """
    if sandbox_just_failed() or not _playing().filter(bot__is_house=False).exists():
        return False
    try:
        asked = probe_set()
    except Unplayable as error:
        logger.warning("no positions could be recorded: %s", error)
        return False
    version = None if asked is None else _claim(asked)
    if asked is None or version is None:
        return False
    try:
        choices = ask(version, probes(asked))
    except Interrupted:
        ProbeAnswers.objects.filter(version=version, done=False).delete()
        return False
    except Unplayable as error:
        # The sweep has it asked again when its claim has expired. Until then, it is the others' turn.
        logger.warning("%s could not be compared: %s", version, error)
        return not error.sandbox_down
    until_answered(lambda: _store(version, asked, choices), "answers of a version")
    return True


def _claim(asked: ProbeSet) -> Version | None:
    """Claim the next version to ask, authors' before house bots; None if none is left."""
    now = database_clock.now()
    stale = ~Q(probe_set=asked) | Q(done=False, at__lt=now - CLAIM)
    fresh = ProbeAnswers.objects.exclude(stale).values("version")
    for version in _playing().exclude(pk__in=fresh).order_by("bot__is_house", "pk")[:TRIES]:
        claim = {"probe_set": asked, "choices": {}, "done": False, "at": now}
        _, made = ProbeAnswers.objects.get_or_create(version=version, defaults=claim)
        if made or ProbeAnswers.objects.filter(stale, version=version).update(**claim):
            return version
    return None


def forget_claims() -> None:
    """Let others ask the versions that are being asked: whoever did is gone."""
    ProbeAnswers.objects.filter(done=False).delete()


def left_waiting() -> bool:
    """Whether somebody claimed to ask a version and is taken to be gone."""
    return ProbeAnswers.objects.filter(done=False, at__lt=database_clock.now() - CLAIM).exists()


def _playing() -> QuerySet[Version]:
    return Version.objects.fit().active().select_related("bot")


@transaction.atomic
def _store(version: Version, asked: ProbeSet, choices: dict[str, str]) -> None:
    """Store a version's answers, and which other versions agree with them."""
    # One at a time, so that the second of two sees the answers of the first.
    ProbeSet.objects.select_for_update().get(pk=asked.pk)
    ProbeAnswers.objects.update_or_create(
        version=version,
        defaults={"probe_set": asked, "choices": choices, "done": True, "at": database_clock.now()},
    )
    before = records()
    # Near-twins among versions that were never asked these questions stay as they were found.
    asked_too = ProbeAnswers.objects.filter(probe_set=asked, done=True).values("version")
    gone, _ = NearTwin.objects.filter(
        Q(one=version, other__in=asked_too) | Q(other=version, one__in=asked_too)
    ).delete()
    found = near_twins(version, asked, choices)
    NearTwin.objects.bulk_create(
        NearTwin(
            one_id=min(version.pk, other),
            other_id=max(version.pk, other),
            same=alike.same,
            common=alike.common,
        )
        for other, alike in found
    )
    if found or gone or not version.bot.is_house:  # which ladders may have waited for
        field_changed()
    if records() != before:
        rate_everything()


def near_twins(version: Version, asked: ProbeSet, choices: dict[str, str]) -> list[tuple[int, Likeness]]:
    """Versions that answer like this one: all of its owner's, and the most similar of other owners."""
    others = ProbeAnswers.objects.filter(probe_set=asked, done=True).exclude(version=version)
    owners = owners_of([version.pk, *others.values_list("version", flat=True)])
    mine, theirs = list[tuple[int, Likeness]](), list[tuple[int, Likeness]]()
    # Withdrawn bots too: they may come back.
    active = Exists(ActiveVersion.objects.filter(version=OuterRef("version")))
    rows = others.filter(version__archive__isnull=False).annotate(active=active)
    rows = rows.order_by("-active", "-version_id")
    compared = 0
    for key, given, plays in rows.values_list("version_id", "choices", "active").iterator():
        own = owners[key] == owners[version.pk]
        compared += own
        if own and compared > OWN_COMPARED and not plays:
            continue
        alike = likeness(choices, given)
        if alike.near_twins:
            (mine if own else theirs).append((key, alike))
    theirs.sort(key=lambda one: (-one[1].share, one[0]))
    return [*mine, *theirs[:MOST_OF_OTHERS]]
