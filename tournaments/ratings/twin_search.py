"""Finds near-twins: asks every version in play the same questions, and compares the answers."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from analysis.likeness import Likeness, likeness
from arena.web.database.db_retry import until_answered
from arena.web.processes.alarms import sandbox_just_failed
from bots.errors import Interrupted, Unplayable
from bots.models import ActiveVersion, Version
from bots.port import field_changed
from tournaments.models import NearTwin, ProbeAnswers, ProbeSet
from tournaments.ratings.linked_owners import owners_of
from tournaments.ratings.ratings import rate_everything
from tournaments.ratings.twin_probes import ask, probe_set, probes
from tournaments.ratings.twins import records

if TYPE_CHECKING:
    from django.db.models import QuerySet

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
    now = timezone.now()
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
    return ProbeAnswers.objects.filter(done=False, at__lt=timezone.now() - CLAIM).exists()


def _playing() -> QuerySet[Version]:
    return Version.objects.fit().active().select_related("bot")


@transaction.atomic
def _store(version: Version, asked: ProbeSet, choices: dict[str, str]) -> None:
    """Store a version's answers, and which other versions agree with them."""
    # One at a time, so that the second of two sees the answers of the first.
    ProbeSet.objects.select_for_update().get(pk=asked.pk)
    ProbeAnswers.objects.update_or_create(
        version=version,
        defaults={"probe_set": asked, "choices": choices, "done": True, "at": timezone.now()},
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
