"""Classes: joined with a key, seen by their members alone, with a board and events of their own."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament
from arena.accounts.models import User
from arena.notices.models import Notice
from people.account_data import rows_of
from people.classes import classrooms, events, members
from people.classes.classrooms import MOST_TAUGHT
from people.classes.errors import ClassRefused
from people.classes.members import MOST_JOINED, MOST_MEMBERS, MOST_TRIES
from people.classes.models import ClassEvent, Classroom, KeyTry, Membership
from people.deletion import delete_account
from people.moderation import decisions, reports
from people.moderation.decisions import Why
from people.moderation.errors import ModerationRefused
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot
from tests.factories.ratings import rating
from tests.factories.tournaments import draft, entrants
from tournaments.events.registration import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def course(ada: User) -> Classroom:
    return classrooms.create(ada, "Games 101")


@pytest.mark.any_database
def test_a_student_joins_by_the_link_that_the_teacher_sends(client: Client, ada: User, bob: User) -> None:
    client.force_login(ada)
    page = client.post("/classes/new/", {"name": " Games   101 "}, follow=True).content.decode()
    course = Classroom.objects.get()
    assert course.name == "Games 101"
    link = f"/classes/join/?key={course.join_key}"
    assert link in page
    client.force_login(bob)
    asked = client.get(link).content.decode()
    assert "Nobody in the class sees your code" in asked
    assert not Membership.objects.exists(), "looking at the link joins nothing"
    joined = client.post("/classes/join/", {"key": f" {course.join_key} "}, follow=True).content.decode()
    assert "Games 101" in joined
    assert course.join_key not in joined, "only the teacher passes the key on"
    members.join(bob, course.join_key)
    assert Membership.objects.count() == 1
    assert "Games 101" in client.get("/classes/").content.decode()


@pytest.mark.any_database
def test_nobody_else_learns_of_a_class(client: Client, course: Classroom, bob: User) -> None:
    page = course.get_absolute_url()
    assert client.get(page).status_code == 302  # to the sign-in page
    client.force_login(bob)
    assert client.get(page).status_code == 404
    assert client.post(f"{page}leave/").status_code == 404
    assert client.post(f"{page}change/key/").status_code == 404
    assert client.get(f"/classes/{2**70}/").status_code == 404
    members.join(bob, course.join_key)
    for change in ("name", "key", "open", "close", "remove", "limit", "unlimit", "delete"):
        assert client.post(f"{page}change/{change}/", {"name": "Mine"}).status_code == 403
    again = Classroom.objects.get()
    assert (again.name, again.join_key) == ("Games 101", course.join_key)


def test_a_key_that_is_old_or_switched_off_opens_nothing(course: Classroom, ada: User, bob: User) -> None:
    classrooms.renew_key(course)
    for closed in (False, True):
        if closed:
            course.refresh_from_db()
            classrooms.take_members(course, takes=False)
        with pytest.raises(ClassRefused, match="No class has this join key"):
            members.join(bob, course.join_key)
    classrooms.take_members(course, takes=True)
    ada.is_active = False
    ada.save()
    with pytest.raises(ClassRefused, match="No class has this join key"):
        members.join(bob, course.join_key)
    assert not Membership.objects.exists()


@pytest.mark.any_database
def test_an_account_tries_ten_keys_an_hour(course: Classroom, bob: User) -> None:
    for number in range(MOST_TRIES):
        with pytest.raises(ClassRefused, match="No class"):
            members.join(bob, f"guess {number}")
    with pytest.raises(ClassRefused, match="too many keys"):
        members.join(bob, course.join_key)
    KeyTry.objects.update(at=timezone.now() - timedelta(hours=1))
    members.join(bob, course.join_key)
    assert not KeyTry.objects.exists()


def test_classes_and_their_members_are_bounded(course: Classroom, ada: User, bob: User) -> None:
    for number in range(MOST_TAUGHT - 1):
        classrooms.create(ada, f"Class {number}")
    with pytest.raises(ClassRefused, match="most one account can"):
        classrooms.create(ada, "One more")
    teachers = [author(f"teacher {number}") for number in range(2)]
    others = [classrooms.create(teachers[number % 2], f"Other {number}") for number in range(MOST_JOINED)]
    for one in others:
        members.join(bob, one.join_key)
    with pytest.raises(ClassRefused, match="already in 10 classes"):
        members.join(bob, course.join_key)
    for number in range(MOST_MEMBERS):
        Membership.objects.create(classroom=course, user=author(f"student {number}"))
    with pytest.raises(ClassRefused, match="full"):
        members.join(author("late"), course.join_key)
    with pytest.raises(ClassRefused, match="teach"):
        members.join(ada, course.join_key)


@pytest.mark.parametrize("name", ["", "ab", "x" * 61, "Ga\u202emes", "Games\u200b 101"])
def test_a_class_has_a_name_that_people_can_read(ada: User, name: str) -> None:
    with pytest.raises(ClassRefused):
        classrooms.create(ada, name)


def test_the_teacher_sees_how_checks_went_and_the_members_do_not(
    client: Client, course: Classroom, ada: User, bob: User
) -> None:
    members.join(bob, course.join_key)
    accepted_bot(bob, "His")
    client.force_login(ada)
    assert "v1: accepted" in client.get(course.get_absolute_url()).content.decode()
    client.force_login(bob)
    seen = client.get(course.get_absolute_url()).content.decode()
    assert "His" in seen
    assert "v1: accepted" not in seen


def test_the_board_ranks_the_bots_of_the_class_alone(
    client: Client, course: Classroom, ada: User, bob: User
) -> None:
    members.join(bob, course.join_key)
    hers, his, strangers = (accepted_bot(one, f"{one.username}s") for one in (ada, bob, author("carol")))
    for version, elo in ((hers, 1500.0), (his, 1600.0), (strangers, 1700.0)):
        rating(version, elo=elo)
    found = classrooms.board(course, "crapaud")
    assert [(one.place, one.rating.version) for one in found] == [(1, his), (2, hers)]
    assert classrooms.board(course, "vitesse") == []
    client.force_login(bob)
    page = client.get(course.get_absolute_url(), {"game": "crapaud"}).content.decode()
    assert page.index("bobs") < page.index("adas")
    assert client.get(course.get_absolute_url(), {"game": "chess"}).status_code == 200


@pytest.mark.any_database
def test_only_members_enter_an_event_of_the_class(
    client: Client, course: Classroom, ada: User, bob: User
) -> None:
    cup = draft(ada, entrants(ada, 1))
    client.force_login(ada)
    client.post(f"{course.get_absolute_url()}change/limit/", {"event": cup.slug})
    assert ClassEvent.objects.get().classroom == course
    his = accepted_bot(bob, "his")
    with pytest.raises(InvalidTournament, match="for a class"):
        join(cup, his.pk, bob)
    client.force_login(bob)
    assert "This event is for a class" in client.get(cup.get_absolute_url()).content.decode()
    members.join(bob, course.join_key)
    assert "This event is for a class" not in client.get(cup.get_absolute_url()).content.decode()
    join(cup, his.pk, bob)
    join(cup, accepted_bot(ada, "the teacher’s").pk, ada)
    events.open_event(course, cup.slug)
    carol = author("carol")
    join(cup, accepted_bot(carol, "hers").pk, carol)
    with pytest.raises(ClassRefused):
        events.open_event(course, cup.slug)


def test_a_class_takes_only_its_teachers_own_drafts_and_once(course: Classroom, ada: User, bob: User) -> None:
    theirs = draft(bob, entrants(bob, 1))
    for slug in ("", "nothing", theirs.slug):
        with pytest.raises(ClassRefused, match="your own events"):
            events.limit_event(course, ada, slug)
    own = draft(ada, entrants(ada, 1))
    events.limit_event(course, ada, own.slug)
    with pytest.raises(ClassRefused, match="already"):
        events.limit_event(classrooms.create(ada, "Another"), ada, own.slug)


def test_students_leave_and_are_removed(client: Client, course: Classroom, ada: User, bob: User) -> None:
    members.join(bob, course.join_key)
    members.leave(course, bob)
    with pytest.raises(ClassRefused, match="not in this class"):
        members.leave(course, bob)
    members.join(bob, course.join_key)
    client.force_login(ada)
    client.post(f"{course.get_absolute_url()}change/remove/", {"user": "bob"})
    assert not Membership.objects.exists()
    assert Notice.objects.get(user=bob).text == "ada removed you from the class Games 101."
    assert client.post(f"{course.get_absolute_url()}change/paint/").status_code == 404


def test_moderators_hide_the_name_of_a_class_until_they_lift_that(
    client: Client, course: Classroom, ada: User, bob: User
) -> None:
    members.join(bob, course.join_key)
    client.force_login(bob)
    assert client.get(f"/moderation/report/class/{course.pk}/").status_code == 200
    reports.report(bob, Subject.CLASS, course.pk, "offensive", "")
    chief = author("chief", is_staff=True)
    act = decisions.hide(chief, Subject.CLASS, course.pk, ["name"], Why("offensive", ""))
    course.refresh_from_db()
    assert course.name == f"Hidden class {course.pk}"
    with pytest.raises(ClassRefused, match="Moderators"):
        classrooms.rename(course, "Games 101")
    decisions.lift(chief, act, "A mistake.")
    classrooms.rename(course, "Games 102")
    course.refresh_from_db()
    assert course.name == "Games 102"


def test_who_is_in_no_class_learns_nothing_of_it_from_the_form_of_reports(
    client: Client, course: Classroom, bob: User
) -> None:
    client.force_login(bob)
    address = f"/moderation/report/class/{course.pk}/"
    assert client.get(address).status_code == 404
    assert client.post(address, {"reason": "offensive", "words": ""}).status_code == 404
    with pytest.raises(ModerationRefused):
        reports.report(bob, Subject.CLASS, course.pk, "offensive", "")


def test_a_class_of_the_same_name_keeps_it_in_what_people_were_told(
    course: Classroom, ada: User, bob: User
) -> None:
    other = classrooms.create(author("eve"), course.name)
    for one in (course, other):
        members.join(bob, one.join_key)
        members.remove(one, bob)
    chief = author("chief", is_staff=True)
    decisions.hide(chief, Subject.CLASS, course.pk, ["name"], Why("offensive", ""))
    told = Notice.objects.filter(user=bob).order_by("pk").values_list("text", flat=True)
    assert [text.endswith("Games 101.") for text in told] == [False, True]


def test_a_class_stays_while_an_event_waits_for_it_alone(
    client: Client, course: Classroom, ada: User
) -> None:
    event = draft(ada, entrants(ada, 1))
    events.limit_event(course, ada, event.slug)
    client.force_login(ada)
    answer = client.post(f"{course.get_absolute_url()}change/delete/")
    assert answer.headers["Location"] == course.get_absolute_url()
    assert Classroom.objects.filter(pk=course.pk).exists()
    events.open_event(course, event.slug)
    classrooms.delete(course)
    assert not Classroom.objects.exists()
    with pytest.raises(ClassRefused, match="no longer exists"):
        events.limit_event(course, ada, event.slug)


@pytest.mark.any_database
def test_a_class_goes_with_its_teacher_and_a_member_takes_nothing_along(
    course: Classroom, ada: User, bob: User
) -> None:
    members.join(bob, course.join_key)
    members.join(author("carol"), course.join_key)
    events.limit_event(course, ada, draft(ada, entrants(ada, 1)).slug)
    assert rows_of("classes.Membership", bob).count() == 1
    assert rows_of("classes.Classroom", ada).count() == 1
    delete_account(bob)
    assert Membership.objects.count() == 1
    delete_account(ada)
    assert not Classroom.objects.exists()
    assert not ClassEvent.objects.exists()


@pytest.mark.any_database
def test_an_event_of_a_class_that_goes_with_its_teacher_opens_to_nobody(
    course: Classroom, ada: User, bob: User
) -> None:
    cup, own = draft(ada, entrants(ada, 1)), draft(ada, [accepted_bot(ada, "other")])
    events.limit_event(course, ada, cup.slug)
    delete_account(ada)
    stranger = accepted_bot(bob, "stranger")
    with pytest.raises(InvalidTournament):
        join(cup, stranger.pk, bob)
    join(own, stranger.pk, bob)


def test_a_program_joins_reads_and_leaves_a_class(course: Classroom, bob: User) -> None:
    rating(accepted_bot(bob, "His"), elo=1550.0)
    program = Client(headers={"Authorization": f"Bearer {token(bob)}"})
    here = f"/api/v1/classes/{course.pk}/"

    def join_with(key: str) -> Any:
        return program.post("/api/v1/classes/", {"key": key}, content_type="application/json")

    assert (program.get(here).status_code, join_with("guess").json()["field"]) == (404, "key")
    assert join_with(course.join_key).json() == {"id": course.pk, "name": "Games 101", "teacher": "ada"}
    assert [one["id"] for one in program.get("/api/v1/classes/").json()["items"]] == [course.pk]
    read = program.get(here, {"board": "crapaud"}).json()
    assert read["members"] == [{"user": "ada", "bots": []}, {"user": "bob", "bots": ["his"]}]
    assert [(one["place"], one["bot"], one["elo"]) for one in read["places"]] == [(1, "his", 1550.0)]
    assert course.join_key not in str(read)
    assert program.delete(here).status_code == 204
    assert program.get(here).status_code == 404
