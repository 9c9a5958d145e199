"""Events before they start, and who organises them: edits, dates, keys, announcements, invitations."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from analysis.errors import CompetitionError, InvalidTournament, WrongStatus
from arena.accounts.models import User
from arena.notices.models import Notice
from bots import bots
from people.account_data import rows_of
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, judge, new_bot
from tests.factories.tournaments import created, draft, entrants, rivals, running
from tournaments.events.creation import enterable
from tournaments.events.edits import EventDetails, edit_event
from tournaments.events.organisers import MOST, accept, decline, invite, remove
from tournaments.events.registration import join, leave, start_due
from tournaments.models import Announcement, AuditEntry, Organiser, Tournament
from tournaments.pairing.progress import cancel_tournament, start_in_a_worker, start_tournament

pytestmark = pytest.mark.django_db


def details(cup: Tournament, **changes: object) -> EventDetails:
    return replace(EventDetails.of(cup), **changes)  # type: ignore[arg-type]


@pytest.fixture
def staff(db: None) -> User:
    return author("boss", is_staff=True)


@pytest.fixture
def cup(ada: User) -> Tournament:
    """An event of Ada's that is open for registration, with bots of three others."""
    return draft(ada, rivals(3), format="swiss", rounds=2, pairs_per_pairing=3, description="On Friday.")


def test_too_many_games_or_tournaments_are_refused_before_anything_is_stored(ada: User) -> None:
    five = entrants(ada, 5)
    with pytest.raises(InvalidTournament, match=r"^This would be 32,000 games. The limit is 20,000: choose"):
        created(ada, five, pairs_per_pairing=200, cycles=8)
    made = [created(ada, five) for _ in range(3)]
    assert [one.slug for one in made] == ["test-cup", "test-cup-2", "test-cup-3"]
    with pytest.raises(InvalidTournament, match=r"^You already have 3 unfinished tournaments, the most one"):
        created(ada, five)


def test_only_accepted_versions_that_one_may_enter_can_be_entered(ada: User, bob: User) -> None:
    own, unchecked = accepted_bot(ada, "Own"), new_bot(ada, "Unchecked")
    opened, closed = accepted_bot(bob, "Open"), new_bot(bob, "Closed", open_to_all=False)
    judge(closed, True, "fine")
    bots.withdraw_bot(accepted_bot(bob, "Withdrawn").bot)
    assert set(enterable(ada)) == {own, opened}
    assert set(enterable(bob)) == set(enterable(None)) == {own, opened, closed}
    with pytest.raises(InvalidTournament, match=r"^2 of the chosen versions cannot enter\. Each must have"):
        created(ada, [own, unchecked, opened, closed])


class TestEdits:
    def test_entrants_are_told_of_new_times_alone(self, client: Client, ada: User, cup: Tournament) -> None:
        client.force_login(ada)
        edit = f"{cup.get_absolute_url()}edit/"
        shown = client.get(edit).context["form"]
        sent = {name: shown[name].value() for name in shown.fields}
        sent = {name: "" if value is None else value for name, value in sent.items()}
        sent["closes"] = cup.registration_until.strftime("%Y-%m-%dT%H:%M")  # type: ignore[union-attr]
        assert client.post(edit, sent).status_code == 302
        before = Tournament.objects.values().get()
        assert not cup.audit_log.exists()  # nothing was changed, not even by seconds
        sent |= {"name": "Spring cup", "pairs": 5}
        assert client.post(edit, sent).status_code == 302
        assert Tournament.objects.values().get() == before | {"name": "Spring cup", "pairs_per_pairing": 5}
        told = Notice.objects.filter(kind="started")
        assert not told.exists()
        starts = (timezone.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
        assert client.post(edit, {**sent, "starts": starts}).status_code == 302
        assert list(told.values_list("text", flat=True)) == ["The times of Spring cup have changed."] * 3
        assert client.post(edit, {**sent, "closes": "2001-01-01T00:00"}).status_code == 422

    def test_only_organisers_edit_drafts(self, client: Client, ada: User, bob: User, cup: Tournament) -> None:
        wish = details(cup, name="Mine now")
        with pytest.raises(PermissionDenied):
            edit_event(cup, wish, by=bob)
        client.force_login(bob)
        assert client.get(f"{cup.get_absolute_url()}edit/").status_code == 403
        invite(cup, ada, bob.username)
        accept(cup, bob)
        assert edit_event(cup, wish, by=bob) == ["name"]
        remove(cup, ada, bob)
        with pytest.raises(PermissionDenied):
            edit_event(cup, details(cup, name="Again"), by=bob)
        other = draft(ada, entrants(bob, 2))
        start_in_a_worker(cup, by=ada)
        cancel_tournament(other)
        for one in (cup, other):
            with pytest.raises(WrongStatus):
                edit_event(one, details(one, name="Too late"), by=ada)

    def test_an_event_that_was_put_off_is_not_started_by_a_sweep_that_saw_it_before(
        self, ada: User, cup: Tournament, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        past = timezone.now() - timedelta(minutes=1)
        Tournament.objects.filter(pk=cup.pk).update(registration_until=past)
        later = timezone.now() + timedelta(hours=3)

        def put_off_first(tournament: Tournament, *more: object) -> None:
            edit_event(tournament, details(Tournament.objects.get(pk=cup.pk), starts_at=later), by=ada)
            start_tournament(tournament, *more)  # type: ignore[arg-type]

        monkeypatch.setattr("tournaments.events.registration.start_tournament", put_off_first)
        assert start_due() == 1
        cup.refresh_from_db()
        assert (cup.status, cup.starts_at) == ("draft", later)

    def test_editing_never_makes_an_event_rated_and_another_clock_makes_it_unrated(self, staff: User) -> None:
        event = created(staff, rivals(2), rated=True)
        assert event.rated
        edit_event(event, details(event, bank_ms=90_000), by=staff)
        assert not event.rated
        edit_event(event, details(event, bank_ms=60_000), by=staff)
        assert not event.rated


@pytest.mark.any_database
def test_an_invited_event_is_entered_with_its_key(client: Client, ada: User, bob: User) -> None:
    cup = draft(ada, entrants(ada, 2), invited=True)
    here = cup.get_absolute_url()

    def everywhere(user: User | None) -> str:
        """All that somebody can read of the event and of the lists it is in."""
        client.logout()
        if user is not None:
            client.force_login(user)
        own = [f"{here}{part}" for part in ("", "live/", "rounds/", "calendar.ics", "results.csv")]
        lists = ["/", "/tournaments/", "/queue/", "/tournaments/calendar.ics"]
        return "".join(client.get(path).content.decode() for path in (*lists, *own))

    assert [cup.join_key in everywhere(user) for user in (None, bob, ada)] == [False, False, True]
    his = accepted_bot(bob, "his")
    for wrong in ("", cup.join_key[:-1], "ключ"):
        with pytest.raises(InvalidTournament, match="join key"):
            join(cup, his.pk, bob, wrong)
    client.force_login(bob)
    client.post(f"{here}join/", {"version": his.pk, "key": f" {cup.join_key} "})
    join(cup, accepted_bot(ada, "another of hers").pk, ada)  # its organiser needs no key
    assert cup.entries.count() == 4

    old = cup.join_key
    assert client.post(f"{here}key/").status_code == 403
    client.force_login(ada)
    client.post(f"{here}key/")
    cup.refresh_from_db()
    assert cup.join_key not in ("", old)
    with pytest.raises(InvalidTournament):
        join(cup, accepted_bot(bob, "another").pk, bob, old)
    bob.is_staff = True
    bob.save()
    client.force_login(bob)
    assert cup.join_key in client.get(here).content.decode()


def test_entries_are_frozen_between_the_end_of_registration_and_the_start(ada: User, bob: User) -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    cup = draft(ada, entrants(ada, 2), starts_at=now + 2 * hour)
    closed = draft(ada, entrants(bob, 2), registration_until=None, starts_at=now + hour)
    his = join(cup, accepted_bot(bob, "his").pk, bob)
    late = accepted_bot(bob, "late")
    Tournament.objects.filter(pk=cup.pk).update(registration_until=now - hour)
    for change in (lambda: leave(his), lambda: join(cup, late.pk, bob)):
        with pytest.raises(WrongStatus):
            change()
    assert start_due() == 0
    Tournament.objects.filter(pk__in=(cup.pk, closed.pk)).update(starts_at=now - timedelta(seconds=1))
    assert start_due() == 2
    cup.refresh_from_db()
    assert (cup.status, cup.entries.count()) == (Tournament.Status.RUNNING, 3)


def test_announcements_are_the_organisers_and_escaped(client: Client, ada: User, bob: User) -> None:
    cup, other = running(ada, rivals(2), pairs=1), draft(bob, [])
    here = cup.get_absolute_url()
    client.force_login(bob)
    assert client.post(f"{here}announce/", {"text": "I rule"}).status_code == 403
    client.force_login(ada)
    client.post(f"{here}announce/", {"text": "  <b>Round two</b> at noon  "})
    withdraw = f"announcements/{Announcement.objects.get().pk}/withdraw/"
    assert "&lt;b&gt;Round two&lt;/b&gt; at noon" in Client().get(here).content.decode()
    client.force_login(bob)
    assert client.post(f"{here}{withdraw}").status_code == 403
    elsewhere = f"{other.get_absolute_url()}{withdraw}"
    assert client.post(elsewhere).status_code == 404, "nor through one of his own"
    client.force_login(ada)
    client.post(f"{here}{withdraw}")
    assert not Announcement.objects.exists()


def test_a_calendar_has_the_dates_in_lines_that_nobody_can_forge(client: Client, ada: User) -> None:
    starts = timezone.now() + timedelta(hours=2)
    cup = draft(ada, entrants(ada, 1), starts_at=starts)
    Tournament.objects.filter(pk=cup.pk).update(
        name="Cup; with, signs", description="Fun\r\nEND:VCALENDAR\nBEGIN:VEVENT " + "é" * 90
    )
    lines = client.get(f"/tournaments/{cup.slug}/calendar.ics").content.decode().split("\r\n")
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    assert lines.count("END:VCALENDAR") == 1
    assert max(len(line.encode()) for line in lines) <= 75
    assert f"DTSTART:{starts:%Y%m%dT%H%M%SZ}" in lines
    assert "SUMMARY:Cup\\; with\\, signs" in lines


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
def hers(ada: User) -> Tournament:
    return draft(ada, entrants(ada, 2), invited=True)


def refused(act: Callable[[], object], said: str) -> None:
    with pytest.raises(CompetitionError, match=said):
        act()


@pytest.mark.any_database
def test_an_invitation_alone_gives_no_right(client: Client, ada: User, bob: User, hers: Tournament) -> None:
    here, carol = hers.get_absolute_url(), author("carol")
    organisers = f"{here}organisers/"
    invite(hers, ada, " BOB ")
    told = Notice.objects.get(user=bob)
    assert told.kind == "together"
    client.force_login(bob)
    assert hers.join_key not in client.get(here).content.decode()
    assert client.post(f"{here}action/", {"action": "cancel"}).status_code == 403
    client.post(f"{told.url}answer/accept/")
    assert hers.join_key in client.get(here).content.decode()
    stranger = author("held", is_active=False)
    assert client.post(f"{organisers}remove/{stranger.pk}/").status_code == 404, "nobody hears their name"
    assert did(hers) == [("ada", "invited"), ("bob", "joined")]

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
    remove(cup, ada, bob)
    client.force_login(bob)
    assert client.post(f"{cup.get_absolute_url()}action/", {"action": "cancel"}).status_code == 403
    with pytest.raises(PermissionDenied):
        invite(cup, bob, "carol")
    refused(lambda: accept(cup, bob), "no invitation")


def test_invitations_are_bounded_for_an_event_and_for_a_day(
    ada: User, bob: User, hers: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.teams.invitations.MOST_A_DAY", MOST + 3)
    people = [author(f"guest {number}") for number in range(MOST + 1)]
    author("suspended", is_active=False)
    for name in ("nobody", "ada", "suspended"):
        with pytest.raises(InvalidTournament):
            invite(hers, ada, name)
    invite(hers, ada, "bob")
    decline(hers, bob)
    for one in people[:MOST]:
        invite(hers, ada, one.username)
    refused(lambda: invite(hers, ada, people[MOST].username), "at most 10 organisers")
    accept(hers, people[0])  # the last place is theirs
    refused(lambda: accept(hers, bob), "at most 10 organisers")
    for _ in range(2):
        remove(hers, ada, people[1])
        invite(hers, ada, people[1].username)
    remove(hers, ada, people[1])
    refused(lambda: invite(hers, ada, people[1].username), "in 24 hours")
    AuditEntry.objects.update(at=timezone.now() - timedelta(days=1))
    invite(hers, ada, people[1].username)


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
    assert not re.search(r"\bada\b", log.replace("ada bot", ""))


def test_an_account_suspended_during_the_request_changes_nothing(
    client: Client, ada: User, hers: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    author("carol")
    suspend = User.objects.filter(pk=ada.pk)
    monkeypatch.setattr(
        "tournaments.events.organisers.assert_confirmed", lambda _: suspend.update(is_active=False)
    )
    client.force_login(ada)
    client.post(f"{hers.get_absolute_url()}organisers/invite/", {"user": "carol"})
    assert not Organiser.objects.exists()
