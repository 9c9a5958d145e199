"""An event is edited until it starts: by whom, what, who is told, and what it crosses."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament, WrongStatus
from arena.accounts.models import User
from arena.notices.models import Notice
from bots.models import Version
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.tournaments import created, draft, entrants, rivals
from tournaments.events.edits import EventDetails, edit_event
from tournaments.events.organisers import accept, invite, remove
from tournaments.events.registration import start_due
from tournaments.models import Tournament
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


def test_an_organiser_edits_on_the_page_and_entrants_are_told_of_times_alone(
    client: Client, ada: User, cup: Tournament
) -> None:
    client.force_login(ada)
    page = client.get(cup.get_absolute_url()).content.decode()
    assert "Registration open" in page
    assert "Draft" not in page
    edit = f"{cup.get_absolute_url()}edit/"
    assert f'href="{edit}"' in page
    shown = client.get(edit).context["form"]
    sent = {name: shown[name].value() for name in shown.fields}
    sent = {name: "" if value is None else value for name, value in sent.items()}
    sent["closes"] = cup.registration_until.strftime("%Y-%m-%dT%H:%M")  # type: ignore[union-attr]
    assert client.post(edit, sent).status_code == 302
    before = Tournament.objects.values().get()
    assert not cup.deeds.exists()  # nothing was changed, not even by seconds
    assert client.post(edit, {**sent, "name": "Spring cup", "pairs": 5}).status_code == 302
    after = Tournament.objects.values().get()
    changed = {"name": "Spring cup", "pairs_per_pairing": 5}
    assert after == {**before, **changed}
    told = Notice.objects.filter(kind="started")
    assert not told.exists()
    starts = (timezone.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
    assert client.post(edit, {**sent, "name": "Spring cup", "pairs": 5, "starts": starts}).status_code == 302
    assert list(told.values_list("text", flat=True)) == ["The times of Spring cup have changed."] * 3
    log = client.get(f"{cup.get_absolute_url()}organisers/").content.decode()
    assert "name; Pairs of games 3 → 5" in log
    assert "Start – → " in log
    wrong = client.post(edit, {**sent, "closes": "2001-01-01T00:00"})
    assert wrong.status_code == 422
    assert "Choose a time in the future" in wrong.content.decode()


def test_only_organisers_edit_and_only_before_the_start(
    client: Client, ada: User, bob: User, cup: Tournament
) -> None:
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
    start_in_a_worker(cup, by=ada)
    with pytest.raises(WrongStatus):
        edit_event(cup, details(cup, name="Too late"), by=ada)
    other = draft(ada, rivals_of("others"))
    cancel_tournament(other)
    with pytest.raises(WrongStatus):
        edit_event(other, details(other, name="Too late"), by=ada)


def rivals_of(name: str) -> list[Version]:
    return entrants(author(name), 2)


def test_an_event_that_was_put_off_is_not_started_by_a_sweep_that_saw_it_before(
    ada: User, cup: Tournament, monkeypatch: pytest.MonkeyPatch
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


def test_editing_never_makes_an_event_rated_and_another_clock_makes_it_unrated(staff: User) -> None:
    event = created(staff, rivals(2), rated=True)
    assert event.rated
    edit_event(event, details(event, bank_ms=90_000), by=staff)
    assert not event.rated
    edit_event(event, details(event, bank_ms=60_000), by=staff)
    assert not event.rated


def test_what_cannot_be_held_is_refused(ada: User, cup: Tournament) -> None:
    for changes, field in (
        ({"name": "x"}, "name"),
        ({"pairs_per_pairing": 0}, "pairs_per_pairing"),
        ({"bank_ms": 1}, "bank_ms"),
        ({"registration_until": None, "rounds": 9}, "rounds"),
        ({"starts_at": timezone.now() + timedelta(minutes=5)}, "starts"),
    ):
        with pytest.raises(InvalidTournament) as refused:
            edit_event(cup, details(cup, **changes), by=ada)
        assert refused.value.field == field


def test_a_text_that_moderators_replaced_stays(ada: User, staff: User, cup: Tournament) -> None:
    decisions.hide(staff, Subject.TOURNAMENT, cup.pk, ["description"], Why("spam", "No."))
    cup.refresh_from_db()
    with pytest.raises(InvalidTournament):
        edit_event(cup, details(cup, description="Buy cards"), by=ada)
    assert edit_event(cup, details(cup, pairs_per_pairing=4), by=ada) == ["pairs_per_pairing"]


def test_the_api_edits_what_it_is_sent(client: Client, ada: User, cup: Tournament) -> None:
    bearer = {"Authorization": f"Bearer {token(ada)}"}
    address = f"/api/v1/tournaments/{cup.slug}/"
    sent = {"name": "By program", "starts": (timezone.now() + timedelta(days=1)).isoformat()}
    told = client.patch(address, sent, content_type="application/json", headers=bearer)
    assert told.status_code == 200
    assert told.json()["name"] == "By program"
    assert told.json()["pairs_per_pairing"] == 3
    assert client.patch(address, {}, content_type="application/json").status_code == 401
    start_in_a_worker(cup, by=ada)
    again = client.patch(address, {"name": "Late"}, content_type="application/json", headers=bearer)
    assert again.status_code == 409
