"""A bot whose own process has its games voided again and again."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from arena.accounts.models import User
from arena.web.processes.alarms import clear_alarm
from bots.errors import Unplayable
from bots.models import Version
from tests.factories.bots import accepted_bot
from tests.factories.results import delivery, lease
from tests.factories.tournaments import running
from tournaments.games import play, void_limits
from tournaments.games.claims import Lease
from tournaments.models import AccountLink, Alarm, Attempt, Game, Seat


def lose(version: Version, times: int) -> None:
    """Have so many games of the version end as if the host had killed it."""
    for _ in range(times):
        seat = Seat.objects.filter(version=version, game__status=Game.Status.QUEUED)[0]
        Game.objects.filter(pk=seat.game_id).update(order=0, not_before=None)
        Game.objects.exclude(pk=seat.game_id).update(order=1)
        held = lease()
        assert held.game == seat.game_id
        play.give_back(held, Unplayable(f"seat {seat.seat}: it was killed", seat=seat.seat))


def doubted(*versions: Version) -> list[int]:
    return sorted(void_limits.doubted_seats(versions))


def test_after_three_voids_a_person_is_called_and_only_proof_is_believed(
    trio: list[Version], ada: User, bob: User
) -> None:
    victim, other = trio[0], accepted_bot(bob, "Bob's own")
    running(ada, [*trio, other], pairs=4)
    lose(victim, void_limits.MOST - 1)
    assert doubted(other, victim) == []
    assert not Alarm.objects.filter(kind="bot").exists()
    lose(victim, 1)
    assert doubted(other, victim) == [1]
    alarm = Alarm.objects.get(kind="bot")
    assert alarm.detail.startswith(
        f"{victim.bot.name} and its owner's other bots: 3 games were void within 24 hours because of what"
        " happened to a bot's own process, last: seat "
    )

    # A person has looked: it is believed again, as often as before.
    clear_alarm(alarm.kind, alarm.key)
    assert doubted(victim) == []
    lose(victim, void_limits.MOST)
    assert doubted(victim) == [0]
    assert Alarm.objects.filter(kind="bot", cleared_at=None).count() == 1


@pytest.mark.parametrize("linked", [False, True])
def test_the_bots_of_one_author_have_their_free_voids_together(
    trio: list[Version], ada: User, bob: User, linked: bool
) -> None:
    other = accepted_bot(bob, "Bob's own")
    running(ada, [*trio, other], pairs=4)
    if linked:
        AccountLink.objects.create(one=bob, other=ada, reason="one address, one name")
    for version in [other if linked else trio[2], *trio[:2]]:
        lose(version, 1)
    # Ada's bots had three together, or two and the linked account one.
    assert doubted(*trio, other) == ([0, 1, 2, 3] if linked else [0, 1, 2])
    assert Alarm.objects.filter(kind="bot").count() == 1


def test_voids_a_day_ago_and_voids_without_a_seat_do_not_count(trio: list[Version], ada: User) -> None:
    victim = trio[0]
    running(ada, trio, pairs=4)
    lose(victim, void_limits.MOST)
    Attempt.objects.filter(seat__isnull=False).update(ended_at=timezone.now() - timedelta(hours=25))
    assert doubted(victim) == []
    for _ in range(void_limits.MOST):
        held = lease()
        play.give_back(held, Unplayable("the disk is full"))
    assert doubted(*trio) == []


def test_a_doubted_bot_is_played_as_one(
    trio: list[Version], ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The playing process is told which seats it is not to believe."""
    victim = trio[0]
    running(ada, [victim, accepted_bot(bob, "Bob's own")], pairs=4)
    lose(victim, void_limits.MOST)
    seen: list[frozenset[int]] = []

    def playing(start: str, *_: Any, doubted: frozenset[int], **__: Any) -> Any:
        seen.append(doubted)
        return delivery(Game.objects.get(start=start, status=Game.Status.RUNNING).pk, seat=0)

    monkeypatch.setattr(play, "play", playing)
    held: Lease | None = None
    while held is None or not Seat.objects.filter(game=held.game, version=victim).exists():
        held = lease()
    play.play_attempt(held)
    assert seen == [frozenset({Seat.objects.get(game=held.game, version=victim).seat})]
