"""Games of people against bots."""

from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.event_log import unpack
from analysis.values import VERSION
from arena.accounts.models import User
from bots.models import Version
from friendlies.models import Friendly
from friendlies.tables.new_games import NewFriendly, start
from friendlies.tables.people import Person
from tournaments.models import Rating


def sit_down(client: Client, version: Version, **more: Any) -> Friendly:
    """A game that whoever the client is begins against a version, in the first seat and without a clock."""
    chosen = {"variant": "crapaud", "version": version.pk, "seat": "0", "clock": "none", **more}
    reply = client.post(reverse("play:new"), chosen)
    assert reply.status_code == 302, reply.content.decode()
    return Friendly.objects.get(pk=reply["Location"].rstrip("/").rpartition("/")[2])


def act(client: Client, game: Friendly, **action: Any) -> dict[str, Any]:
    """Do something at the table as it stands now, unless `length` and `epoch` say what the page shows; what
    the page is told."""
    row = Friendly.objects.get(pk=game.pk)
    seen = {"length": len(unpack(bytes(row.events))) if row.events else 0, "epoch": row.epoch}
    reply = client.post(reverse("play:act", args=[game.pk]), seen | action, content_type="application/json")
    assert reply.status_code == 200, reply.content
    found: dict[str, Any] = reply.json()
    return found


def ended(
    row: Friendly, *, won: bool | None, termination: str = "win", culprit: int | None = None
) -> Friendly:
    """A game as it might have ended; `won` is None for a draw."""
    left = [5, 5]
    if won is not None:
        left[row.seat if won else 1 - row.seat] = 0
    ranking = [[0, 1]] if won is None else [[row.seat], [1 - row.seat]][:: 1 if won else -1]
    result = {"ranking": ranking, "termination": termination, "seat": culprit, "points": [0, 0], "left": left}
    fields = {
        "status": "finished",
        "awaits": "nobody",
        "finished_at": timezone.now(),
        "acted_at": timezone.now(),
    }
    told = {**result, "detail": "", "plies": 9, "turns": 3, "cpu_ms": [0, 0]}
    Friendly.objects.filter(pk=row.pk).update(**fields, result=told)
    return Friendly.objects.get(pk=row.pk)


def rated_game(
    owner: User, version: Version, *, won: bool | None, variant: str = "crapaud", **more: Any
) -> Friendly:
    """A rated game of a person that is over, against a version that may be rated; its luck is not known."""
    Rating.objects.get_or_create(
        version=version,
        variant=variant,
        defaults={"elo": 1500, "error": 10, "games": 40, "pairs": 20, "computed_at": timezone.now()},
    )
    row = start(Person(owner), NewFriendly(variant, version.pk, seat=0, rated=True))
    Friendly.objects.filter(pk=row.pk).update(luck_version=VERSION)
    return ended(row, won=won, **more)
