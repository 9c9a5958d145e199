"""Several organisers of an event: invited, never made so against their will; what they may do."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from analysis.errors import CompetitionError, InvalidTournament
from arena.accounts.models import User
from arena.notices.models import Notice
from bots.teams.invitations import MOST_A_DAY
from people.account_data import rows_of
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.tournaments import draft, entrants, running
from tournaments.events.organisers import MOST, accept, decline, invite, leave, remove
from tournaments.events.registration import join
from tournaments.models import Announcement, AuditEntry, Organiser, Tournament

pytestmark = pytest.mark.django_db


def organised(ada: User, *others: User, **wish: bool) -> Tournament:
    """An event of Ada's that these others organise, too."""
    cup = draft(ada, entrants(ada, 2), **wish)
    for other in others:
        invite(cup, ada, other.username)
        accept(cup, other)
    return cup


def did(cup: Tournament) -> list[tuple[str, str]]:
    """Who did what with an event, in the order in which it was done."""
    found = AuditEntry.objects.filter(tournament=cup).order_by("pk").select_related("actor")
    return [(one.actor.username if one.actor else "", one.what) for one in found]


@pytest.fixture
def cup(ada: User) -> Tournament:
    return draft(ada, entrants(ada, 2), invited=True)


def refused(act: Callable[[], object], said: str) -> None:
    with pytest.raises(CompetitionError, match=said):
        act()


@pytest.mark.any_database
def test_an_invitation_alone_gives_no_right(client: Client, ada: User, bob: User, cup: Tournament) -> None:
    here, carol = cup.get_absolute_url(), author("carol")
    organisers = f"{here}organisers/"
    invite(cup, ada, " BOB ")
    told = Notice.objects.get(user=bob)
    assert told.kind == "together"
    client.force_login(bob)
    assert cup.join_key not in client.get(here).content.decode()
    assert client.post(f"{here}action/", {"action": "cancel"}).status_code == 403
    client.post(f"{told.url}answer/accept/")
    assert cup.join_key in client.get(here).content.decode()
    assert did(cup) == [("ada", "invited"), ("bob", "joined")]

    client.force_login(carol)
    assert client.get(organisers).status_code == 403
    assert client.post(f"{organisers}invite/", {"user": "carol"}).status_code == 403
    assert client.post(f"{organisers}remove/{bob.pk}/").status_code == 403
    client.post(f"{organisers}answer/accept/")
    assert not Organiser.objects.filter(user=carol).exists()


def test_each_organiser_does_what_the_founder_may_and_is_named(client: Client, ada: User, bob: User) -> None:
    cup = organised(ada, bob, invited=True)
    joined = join(cup, accepted_bot(bob, "his").pk, bob)  # without the key
    client.force_login(bob)
    here = cup.get_absolute_url()
    client.post(f"{here}announce/", {"text": "Round 1 begins at noon."})
    client.post(f"{here}key/")
    first = cup.entries.exclude(pk=joined.pk)[0]
    client.post(f"{here}leave/{first.number}/")
    client.post(f"{here}action/", {"action": "start"})
    client.post(f"{here}action/", {"action": "pause"})
    client.post(f"{here}announcements/{Announcement.objects.get().pk}/withdraw/")
    cup.refresh_from_db()
    assert cup.status == Tournament.Status.PAUSED
    done = ["announced", "new-key", "took-out", "started", "paused", "took-back"]
    assert did(cup)[2:] == [("bob", what) for what in done]


@pytest.mark.any_database
def test_nobody_removes_the_founder_and_others_can_be_removed(client: Client, ada: User, bob: User) -> None:
    cup = organised(ada, bob)
    refused(lambda: remove(cup, bob, ada), "founded")
    refused(lambda: leave(cup, ada), "founded")
    remove(cup, ada, bob)
    client.force_login(bob)
    assert client.post(f"{cup.get_absolute_url()}action/", {"action": "cancel"}).status_code == 403
    with pytest.raises(PermissionDenied):
        invite(cup, bob, "carol")
    refused(lambda: accept(cup, bob), "no invitation")


def test_an_account_suspended_during_the_request_changes_nothing(
    client: Client, ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = draft(ada, entrants(ada, 2))
    invite(cup, ada, "bob")

    def suspend(user: User) -> None:
        get_user_model().objects.filter(pk=user.pk).update(is_active=False)

    monkeypatch.setattr("tournaments.events.organisers.assert_confirmed", suspend)
    for user, address in ((ada, "invite/"), (bob, "answer/accept/")):
        client.force_login(user)
        client.post(f"{cup.get_absolute_url()}organisers/{address}", {"user": "carol"})
        client.cookies.clear()
    assert Organiser.objects.get().status == "invited"


def test_invitations_are_bounded_for_an_event_and_for_a_day(ada: User, bob: User, cup: Tournament) -> None:
    people = [author(f"guest {number}") for number in range(MOST + 1)]
    author("suspended", is_active=False)
    for name in ("", "nobody", "ada", "suspended", "x" * 500):
        with pytest.raises(InvalidTournament):
            invite(cup, ada, name)
    invite(cup, ada, "bob")
    decline(cup, bob)
    for one in people[:MOST]:
        invite(cup, ada, one.username)
    refused(lambda: invite(cup, ada, people[MOST].username), "at most 10 organisers")
    accept(cup, people[0])  # the last place is theirs
    refused(lambda: accept(cup, bob), "at most 10 organisers")
    assert Organiser.objects.get(user=bob).status == "declined"
    remove(cup, ada, people[1])
    accept(cup, bob)
    leave(cup, bob)

    for _ in range(MOST_A_DAY - MOST - 1):
        invite(cup, ada, people[1].username)
        remove(cup, ada, people[1])
    refused(lambda: invite(cup, ada, people[1].username), "in 24 hours")
    AuditEntry.objects.update(at=timezone.now() - timedelta(days=1))
    invite(cup, ada, people[1].username)


def test_a_rated_event_stays_with_staff(ada: User, bob: User) -> None:
    ada.is_staff = True
    ada.save()
    versions = entrants(bob, 2)
    cup = draft(ada, versions)
    assert cup.rated
    refused(lambda: invite(cup, ada, "bob"), "only staff")
    bob.is_staff = True
    bob.save()
    invite(cup, ada, "bob")
    bob.is_staff = False
    bob.save()
    refused(lambda: accept(cup, bob), "only staff")
    refused(lambda: invite(running(None, versions), ada, "bob"), "house")
    Tournament.objects.filter(pk=cup.pk).update(rated=False, status=Tournament.Status.FINISHED)
    refused(lambda: accept(Tournament.objects.get(pk=cup.pk), bob), "over")


@pytest.mark.any_database
def test_a_founder_who_leaves_hands_the_event_over(client: Client, ada: User, bob: User) -> None:
    carol, _ = author("carol"), author("dave")
    cup = organised(ada, carol, bob)
    assert [rows_of("tournaments.Organiser", one).count() for one in (ada, bob)] == [0, 1]
    assert [one.what for one in rows_of("tournaments.AuditEntry", bob)] == ["joined"]  # type: ignore[attr-defined]
    invite(cup, ada, "dave")
    carol.is_active = False
    carol.save()
    delete_account(ada)
    cup.refresh_from_db()
    assert cup.owner == bob, "Carol served longer, but her account is suspended"
    assert did(cup)[-1] == ("bob", "inherited")
    assert Notice.objects.filter(user=bob, text__contains="is yours now").exists()
    left = set(Organiser.objects.filter(tournament=cup).values_list("user__username", "status"))
    assert left == {("carol", "accepted"), ("dave", "invited")}
    client.force_login(bob)
    log = client.get(f"{cup.get_absolute_url()}organisers/").content.decode()
    assert "A deleted account" in log
    assert "ada" not in log.replace("ada bot", "")
