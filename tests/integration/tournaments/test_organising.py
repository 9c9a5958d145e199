"""Organisers: dates, freeze, join keys, announcements, calendar and results; and who must not do what."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament, WrongStatus
from arena.accounts.models import User
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.results import play_all
from tests.factories.tournaments import draft, entrants, form, rivals, running
from tournaments.events.announcements import MOST, announce
from tournaments.events.registration import clone_tournament, join, leave, renew_key, start_due
from tournaments.models import Announcement, Tournament
from tournaments.pages.events.exports import calendar, standings_csv

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def everywhere(client: Client, cup: Tournament) -> str:
    """All that a visitor can read of an event and of the lists it is in."""
    paths = ["/", "/tournaments/", "/queue/", "/tournaments/calendar.ics"]
    own = ("", "live/", "rounds/", "calendar.ics", "results.csv")
    paths += [f"/tournaments/{cup.slug}/{part}" for part in own]
    return "".join(client.get(path).content.decode() for path in paths)


@pytest.mark.any_database
def test_an_invited_event_is_entered_with_its_key_alone(client: Client, ada: User, bob: User) -> None:
    cup = draft(ada, entrants(ada, 1), invited=True)
    his = accepted_bot(bob, "his")
    for wrong in ("", "wrong", cup.join_key[:-1], f"{cup.join_key}x", "ключ"):
        with pytest.raises(InvalidTournament, match="join key"):
            join(cup, his.pk, bob, wrong)
    client.force_login(bob)
    client.post(f"/tournaments/{cup.slug}/join/", {"version": his.pk, "key": "guess"})
    assert cup.entries.count() == 1
    client.post(f"/tournaments/{cup.slug}/join/", {"version": his.pk, "key": f" {cup.join_key} "})
    assert cup.entries.count() == 2
    mine = accepted_bot(ada, "another of hers")
    assert join(cup, mine.pk, ada).version == mine  # its organiser needs no key


@pytest.mark.any_database
def test_the_key_is_shown_to_its_organiser_and_staff_alone(client: Client, ada: User, bob: User) -> None:
    cup = draft(ada, entrants(ada, 2), invited=True)
    for user, sees in ((None, False), (bob, False), (ada, True)):
        client.logout()
        if user is not None:
            client.force_login(user)
        assert (cup.join_key in everywhere(client, cup)) is sees
    bob.is_staff = True
    bob.save()
    client.force_login(bob)
    assert cup.join_key in client.get(cup.get_absolute_url()).content.decode()
    assert clone_tournament(cup, ada).join_key == ""


def test_a_key_that_leaked_is_replaced_by_its_organiser_alone(client: Client, ada: User, bob: User) -> None:
    cup = draft(ada, entrants(ada, 1), invited=True)
    path = f"/tournaments/{cup.slug}/key/"
    assert client.post(path).status_code == 302  # to the sign-in page
    client.force_login(bob)
    assert client.post(path).status_code == 403
    old = cup.join_key
    cup.refresh_from_db()
    assert cup.join_key == old
    client.force_login(ada)
    client.post(path)
    cup.refresh_from_db()
    assert cup.join_key not in ("", old)
    with pytest.raises(InvalidTournament):
        join(cup, accepted_bot(bob, "his").pk, bob, old)
    with pytest.raises(WrongStatus):
        renew_key(draft(ada, []))


def test_entries_are_frozen_between_the_end_of_registration_and_the_start(ada: User, bob: User) -> None:
    now = timezone.now()
    cup = draft(ada, entrants(ada, 2), starts_at=now + 2 * HOUR)
    his = join(cup, accepted_bot(bob, "his").pk, bob)
    Tournament.objects.filter(pk=cup.pk).update(registration_until=now - HOUR)
    for change in (lambda: leave(his), lambda: join(cup, accepted_bot(bob, "late").pk, bob)):
        with pytest.raises(WrongStatus):
            change()
    assert start_due() == 0
    Tournament.objects.filter(pk=cup.pk).update(starts_at=now - timedelta(seconds=1))
    assert start_due() == 1
    cup.refresh_from_db()
    assert (cup.status, cup.entries.count()) == (Tournament.Status.RUNNING, 3)


def test_a_closed_event_starts_when_it_is_scheduled(ada: User) -> None:
    now = timezone.now()
    cup = draft(ada, entrants(ada, 2), registration_until=None, starts_at=now + HOUR)
    assert start_due() == 0
    Tournament.objects.filter(pk=cup.pk).update(starts_at=now)
    assert start_due() == 1


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"registration_until": -HOUR}, "closes"),
        ({"registration_until": timedelta(days=91)}, "closes"),
        ({"registration_until": None, "starts_at": -HOUR}, "starts"),
        ({"registration_until": 2 * HOUR, "starts_at": HOUR}, "starts"),
        ({"registration_until": None, "invited": True}, "invited"),
    ],
)
def test_dates_that_do_not_fit_are_refused_at_their_field(
    ada: User, wish: dict[str, timedelta | bool | None], field: str
) -> None:
    now = timezone.now()
    dates: dict[str, Any] = {
        name: now + value if isinstance(value, timedelta) else value for name, value in wish.items()
    }
    with pytest.raises(InvalidTournament) as refused:
        draft(ada, entrants(ada, 2), **dates)
    assert refused.value.field == field


def test_the_form_makes_a_scheduled_invited_event_and_ignores_what_another_format_needs(
    client: Client, ada: User
) -> None:
    versions = entrants(ada, 3)
    closes, starts = (f"{timezone.now() + hours * HOUR:%Y-%m-%dT%H:%M}" for hours in (24, 48))
    # The challenger and the target are left from another choice of format, and hidden since.
    hidden = {"challenger": versions[0].pk, "target": 300}
    dates = {"registration": -1, "closes": closes, "starts": starts}
    sent = form(versions, format="swiss", invited="on", **hidden, **dates)
    client.force_login(ada)
    shown = client.get("/tournaments/new/").content.decode()
    assert "3 more now" in " ".join(shown.split())
    assert 'data-needs="gauntlet"' in shown
    assert client.post("/tournaments/new/", {**sent, "closes": ""}).status_code == 422
    assert client.post("/tournaments/new/", sent).status_code == 302
    cup = Tournament.objects.get()
    assert cup.status == Tournament.Status.DRAFT
    assert f"{cup.registration_until:%Y-%m-%dT%H:%M}" == closes
    assert f"{cup.starts_at:%Y-%m-%dT%H:%M}" == starts
    assert len(cup.join_key) == 12


def test_announcements_are_made_by_the_organiser_read_by_everyone_and_escaped(
    client: Client, ada: User, bob: User
) -> None:
    cup = running(ada, rivals(2), pairs=1)
    path = f"/tournaments/{cup.slug}/announce/"
    client.force_login(bob)
    assert client.post(path, {"text": "I rule"}).status_code == 403
    client.force_login(ada)
    client.post(path, {"text": "  <b>Round two</b> at noon  "})
    client.post(path, {"text": "x" * 1001})
    one = Announcement.objects.get()
    client.logout()
    shown = client.get(cup.get_absolute_url()).content.decode()
    assert "&lt;b&gt;Round two&lt;/b&gt; at noon" in shown
    other = running(bob, entrants(bob, 2), pairs=1)
    client.force_login(bob)
    assert client.post(f"/tournaments/{cup.slug}/announcements/{one.pk}/withdraw/").status_code == 403
    # Nor through an event of his own.
    assert client.post(f"/tournaments/{other.slug}/announcements/{one.pk}/withdraw/").status_code == 404
    client.force_login(ada)
    client.post(f"/tournaments/{cup.slug}/announcements/{one.pk}/withdraw/")
    assert not Announcement.objects.exists()
    for number in range(MOST):
        announce(cup, ada, f"Number {number}")
    with pytest.raises(InvalidTournament):
        announce(cup, ada, "One more")


def test_a_calendar_has_the_dates_in_lines_that_nobody_can_forge(client: Client, ada: User) -> None:
    starts = timezone.now() + 2 * HOUR
    cup = draft(ada, entrants(ada, 1), starts_at=starts)
    Tournament.objects.filter(pk=cup.pk).update(
        name="Cup; with, signs", description="Fun\r\nEND:VCALENDAR\nBEGIN:VEVENT " + "é" * 90
    )
    text = client.get(f"/tournaments/{cup.slug}/calendar.ics").content.decode()
    lines = text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    assert lines.count("END:VCALENDAR") == 1
    assert max(len(line.encode()) for line in lines) <= 75
    assert f"DTSTART:{starts:%Y%m%dT%H%M%SZ}" in lines
    assert "SUMMARY:Cup\\; with\\, signs" in lines
    every = client.get("/tournaments/calendar.ics").content.decode().split("\r\n")
    assert every.count("BEGIN:VEVENT") == 2
    assert calendar([], "http://example.org/").count("BEGIN:VEVENT") == 0


def test_results_are_a_table_in_which_no_name_is_a_formula(client: Client, ada: User) -> None:
    cup = running(ada, [accepted_bot(author("eve"), "=1+1"), *rivals(1)], pairs=1)
    play_all(cup)
    rows = client.get(f"/tournaments/{cup.slug}/results.csv").content.decode().split("\r\n")
    assert rows[0].startswith("place,bot,version,owner,points")
    assert len(rows) == 4
    assert "'=1+1,1,eve" in standings_csv(cup)
