"""Open events and challenges: where remote bots are admitted, and nowhere else."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.errors import InvalidTournament
from bots.models import RemotePresence, Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.remote import online, remote_bot
from tests.factories.tournaments import created, running, wanted
from tournaments.challenges.answers import accept
from tournaments.challenges.models import Challenge
from tournaments.challenges.requests import Wish, ask
from tournaments.events.creation import create_tournament
from tournaments.events.withdrawals import ABSENT, leave_absent
from tournaments.models import Game, Pairing, Tournament

if TYPE_CHECKING:
    from django.test import Client

    from bots.models import Bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def remote() -> Bot:
    bot = remote_bot(author("ada"))
    online(bot, "crapaud")
    return bot


def test_a_remote_bot_enters_open_events_only(remote: Bot) -> None:
    bob = author("bob")
    both = [remote.versions.get(), accepted_bot(bob, "Bob's")]
    with pytest.raises(InvalidTournament, match="cannot enter"):
        created(bob, both)
    cup = created(bob, both, admits_remote=True)
    assert not cup.rated
    assert cup.unrated_because == "Open events, which admit remote bots, are never rated."
    with pytest.raises(InvalidTournament, match="admit no remote bots"):
        create_tournament(wanted(both, format=Tournament.Format.SPRT, admits_remote=True), bob)


def test_staff_cannot_have_an_open_event_rated(remote: Bot) -> None:
    staff = author("chief")
    staff.is_staff = True
    staff.save()
    cup = created(staff, [remote.versions.get(), accepted_bot(author("bob"), "Bob's")], admits_remote=True)
    assert not cup.rated


def test_the_form_of_an_event_admits_remote_bots_if_it_is_asked_to(remote: Bot, client: Client) -> None:
    bob = author("bob")
    mine = accepted_bot(bob, "Bob's")
    client.force_login(bob)
    asked = {
        "name": "Friday open",
        "variant": "crapaud",
        "players": 2,
        "format": "round-robin",
        "versions": [mine.pk, remote.versions.get().pk],
        "cycles": 1,
        "pairs": 1,
        "bank": 60,
        "increment": 500,
        "registration": 0,
    }
    page = client.post(reverse("tournaments:new"), asked)
    assert page.status_code == 422, "an event of sandboxed bots"
    page = client.post(reverse("tournaments:new"), {**asked, "admits_remote": "on"})
    cup = Tournament.objects.get()
    assert page["Location"] == cup.get_absolute_url()
    assert cup.admits_remote


def test_a_challenge_to_a_remote_bot_is_played_unrated_on_deals_of_its_own(remote: Bot) -> None:
    bob = author("bob")
    mine = accepted_bot(bob, "Bob's")
    theirs = remote.versions.get()
    challenge = ask(bob, Wish(mine.pk, theirs.pk, "crapaud", 2, 60_000, 500))
    assert remote.owner is not None
    accept(challenge, remote.owner)
    event = Challenge.objects.get().tournament
    assert event is not None
    assert event.admits_remote
    assert not event.rated
    starts = list(Game.objects.filter(tournament=event).values_list("start", flat=True))
    assert len({start.translate(str.maketrans("", "", "SHDC")) for start in starts}) == len(starts)


def test_an_open_event_goes_on_without_a_bot_that_was_away_for_a_day(remote: Bot) -> None:
    bob = author("bob")
    versions = [remote.versions.get(), accepted_bot(bob, "One"), accepted_bot(bob, "Two")]
    cup = running(bob, versions, pairs=1, admits_remote=True)
    long_ago = timezone.now() - ABSENT - timedelta(minutes=1)
    Game.objects.update(created_at=long_ago)
    assert leave_absent() == 0, "it is online"
    RemotePresence.objects.update(online_since=None, connection="", seen_at=timezone.now())
    assert leave_absent() == 0, "it has just left"
    RemotePresence.objects.update(seen_at=long_ago)
    assert leave_absent() == 1
    left = Pairing.objects.filter(tournament=cup, forfeited_by__version=versions[0])
    assert left.count() == 2
    assert leave_absent() == 0
    assert Version.objects.fit_remote().exists(), "it only left this event"
