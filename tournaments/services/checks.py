"""Checks an upload: plays a sandboxed game of it against itself, before it may meet others."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING, Any

import engine
from analysis.scores import FORFEITS
from bots.services import claim_check, record_check, release_check
from referee.job import ClockRule
from tournaments.models import Alarm
from tournaments.selectors.records import FORMAT, seat_head
from tournaments.services.alarms import clear_alarm, raise_alarm
from tournaments.services.patience import until_answered
from tournaments.services.play import sandbox_just_failed
from tournaments.services.player import Interrupted, Unplayable, play

if TYPE_CHECKING:
    from bots.models import Version
    from tournaments.services.results import Delivery

logger = logging.getLogger(__name__)

VARIANT = "crapaud"
CLOCK = ClockRule(bank_ms=20_000, increment_ms=100)
LAST_LINES = 20


def check_version(version_id: int) -> bool:
    """Check a version if it waits for a check; return False if not, or if it could not be checked now."""
    if sandbox_just_failed():
        return False
    version = claim_check(version_id)
    if version is None:
        return False
    seed = hashlib.sha256(version.sha256.encode("ascii")).hexdigest()
    start, ticking = engine.deal(VARIANT, seed), None
    try:
        delivery = _against_itself(version, start)
        if played_to_the_end(delivery) and all(ready["ticks"] for ready in delivery.ready):
            ticking = _against_itself(version, engine.deal("vitesse", seed))
    except Interrupted:
        until_answered(lambda: release_check(version), "a check given back")
        return False
    except Unplayable as error:
        logger.warning("%s could not be checked: %s", version, error)
        until_answered(lambda: release_check(version), "a check given back")
        raise_alarm(Alarm.Kind.SANDBOX if error.sandbox_down else Alarm.Kind.CHECK, "", str(error))
        return False
    clear_alarm(Alarm.Kind.SANDBOX, "")
    clear_alarm(Alarm.Kind.CHECK, "")
    accepted = played_to_the_end(delivery)
    said, kept, ticks = log(delivery), record(version, str(start), delivery), False
    if ticking is not None:
        ticks = played_to_the_end(ticking)
        said += f"\n{engine.VARIANTS['vitesse'].title}, where both act at once: {log(ticking)}"
        if not ticks:
            said += f"\nSo it is not entered in {engine.VARIANTS['vitesse'].title}."
    return until_answered(
        lambda: record_check(version, accepted, said, kept, plays_ticks=ticks), "the verdict of a check"
    )


def played_to_the_end(delivery: Delivery) -> bool:
    """Whether no bot forfeited the game."""
    return delivery.result["termination"] not in FORFEITS - {"resignation"}


def _against_itself(version: Version, start: engine.Position) -> Delivery:
    """Play a game of the version against itself. Raises Unplayable."""
    return play(str(start), start.variant, [version, version], CLOCK, lambda _ply, _events: True)


def log(delivery: Delivery) -> str:
    """Return the log for the owner: how the game ended, and the last output of a bot that failed."""
    result = delivery.result
    seat = result.get("seat")
    lines = [f"A game against itself ended by {result['termination']} after {result['plies']} plies."]
    if result.get("detail"):
        lines.append(str(result["detail"]))
    if seat is not None and seat < len(delivery.evidence):
        left = delivery.evidence[seat]
        if left.get("exit"):
            lines.append(f"Its process: {left['exit']}.")
        words = [line for line in str(left.get("stderr") or "").splitlines() if line.strip()][-LAST_LINES:]
        if words:
            lines += ["The end of its standard error:", *words]
    return "\n".join(lines)


def record(version: Version, start: str, delivery: Delivery) -> dict[str, Any]:
    """Return the check game as a replay, with each seat's evidence."""
    return {
        "format": FORMAT,
        "rules": engine.RULES_VERSION,
        "game": f"check-{version.pk}",
        "variant": VARIANT,
        "players": 2,
        "seats": [seat_head(version), seat_head(version)],
        "start": start,
        "events": list(delivery.events),
        "result": dict(delivery.result),
        "clock": {"bank_ms": CLOCK.bank_ms, "increment_ms": CLOCK.increment_ms},
        "status": "finished",
        "evidence": list(delivery.evidence),
    }
