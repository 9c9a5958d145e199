"""Classes: joined with a key, seen by their members alone, with a board, assignments and events."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament
from arena.accounts.models import User
from arena.notices.preferences import NoSuchWish, add_webhook
from bots.errors import OwnerGone
from bots.models import Trial
from bots.tokens import create_token
from friendlies.models import Friendly
from people.classes import ClassRefused, assignments, classrooms, events
from people.classes.assignments import assignments_of
from people.classes.classrooms import MOST_TRIES
from people.classes.models import Assignment, ClassEvent, Classroom, KeyTry, Membership
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.ratings import rating
from tests.factories.tournaments import draft, entrants
from tournaments.events.registration import join

pytestmark = pytest.mark.django_db

WON, LOST = {"termination": "win", "ranking": [[0], [1]]}, {"termination": "win", "ranking": [[1], [0]]}
GAVE_UP = {"termination": "resignation", "seat": 0, "ranking": [[1], [0]]}


@pytest.fixture
def course(ada: User) -> Classroom:
    return classrooms.create(ada, "Games 101")


def refused(act: Callable[[], object], said: str | None = None) -> None:
    with pytest.raises(ClassRefused, match=said):
        act()


def page_for(client: Client, user: User, course: Classroom) -> str:
    client.force_login(user)
    return client.get(course.get_absolute_url()).content.decode()


@pytest.mark.any_database
def test_a_student_joins_by_a_link_and_leaves_or_is_removed(client: Client, ada: User, bob: User) -> None:
    client.force_login(ada)
    page = client.post("/classes/new/", {"name": " Games   101 "}, follow=True).content.decode()
    course = Classroom.objects.get()
    assert course.name == "Games 101"
    link = f"/classes/join/?key={course.join_key}"
    assert link in page
    client.force_login(bob)
    assert client.get(link).status_code == 200
    assert not Membership.objects.exists(), "looking at the link joins nothing"
    joined = client.post("/classes/join/", {"key": f" {course.join_key} "}, follow=True).content.decode()
    assert "Games 101" in joined
    assert course.join_key not in joined, "only the teacher passes the key on"
    classrooms.leave(course, bob)
    refused(lambda: classrooms.leave(course, bob), "not in this class")
    classrooms.join(bob, course.join_key)
    client.force_login(ada)
    client.post(f"{course.get_absolute_url()}change/remove/", {"user": "bob"})
    assert not Membership.objects.exists()


@pytest.mark.any_database
def test_nobody_else_learns_of_a_class(client: Client, course: Classroom, bob: User) -> None:
    page = course.get_absolute_url()
    assert client.get(page).status_code == 302  # to the sign-in page
    client.force_login(bob)
    report = f"/moderation/report/class/{course.pk}/"
    for address in (page, report, f"/classes/{2**70}/"):
        assert client.get(address).status_code == 404
    for address in (f"{page}leave/", f"{page}change/key/", report):
        assert client.post(address, {"reason": "offensive", "words": ""}).status_code == 404
    classrooms.join(bob, course.join_key)
    for change in ("name", "key", "open", "close", "remove", "limit", "unlimit", "delete", "assign"):
        assert client.post(f"{page}change/{change}/", {"name": "Mine"}).status_code == 403
    again = Classroom.objects.get()
    assert (again.name, again.join_key) == ("Games 101", course.join_key)


@pytest.mark.any_database
def test_old_keys_open_nothing_and_ten_an_hour_may_be_tried(course: Classroom, ada: User, bob: User) -> None:
    old = course.join_key
    classrooms.renew_key(course)
    refused(lambda: classrooms.join(bob, old), "No class has this join key")
    course.refresh_from_db()
    classrooms.take_members(course, takes=False)
    refused(lambda: classrooms.join(bob, course.join_key), "No class has this join key")
    classrooms.take_members(course, takes=True)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    refused(lambda: classrooms.join(bob, course.join_key), "No class has this join key")
    User.objects.filter(pk=ada.pk).update(is_active=True)
    for number in range(MOST_TRIES - 3):
        refused(lambda: classrooms.join(bob, f"guess {number}"), "No class")  # noqa: B023
    refused(lambda: classrooms.join(bob, course.join_key), "too many keys")
    KeyTry.objects.update(at=timezone.now() - timedelta(hours=1))
    classrooms.join(bob, course.join_key)


def test_the_board_ranks_the_class_alone(client: Client, course: Classroom, ada: User, bob: User) -> None:
    classrooms.join(bob, course.join_key)
    hers, his, strangers = (accepted_bot(one, f"{one.username}s") for one in (ada, bob, author("carol")))
    for version, elo in ((hers, 1500.0), (his, 1600.0), (strangers, 1700.0)):
        rating(version, elo=elo)
    found = classrooms.board(course, "crapaud")
    assert [(one.place, one.rating.version) for one in found] == [(1, his), (2, hers)]
    shown = [page_for(client, user, course) for user in (bob, ada)]
    assert ["v1: accepted" in page for page in shown] == [False, True]


@pytest.mark.any_database
def test_only_members_enter_its_events(client: Client, course: Classroom, ada: User, bob: User) -> None:
    cup = draft(ada, entrants(ada, 1))
    client.force_login(ada)
    client.post(f"{course.get_absolute_url()}change/limit/", {"event": cup.slug})
    assert ClassEvent.objects.get().classroom == course
    his = accepted_bot(bob, "his")
    with pytest.raises(InvalidTournament, match="for a class"):
        join(cup, his.pk, bob)
    classrooms.join(bob, course.join_key)
    join(cup, his.pk, bob)
    join(cup, accepted_bot(ada, "the teacher’s").pk, ada)
    events.open_event(course, cup.slug)
    carol = author("carol")
    join(cup, accepted_bot(carol, "hers").pk, carol)


@pytest.mark.any_database
def test_a_class_goes_with_its_teacher(course: Classroom, ada: User, bob: User) -> None:
    for one in (bob, author("carol")):
        classrooms.join(one, course.join_key)
    cup, own = draft(ada, entrants(ada, 1)), draft(ada, [accepted_bot(ada, "other")])
    events.limit_event(course, ada, cup.slug)
    delete_account(bob)
    assert Membership.objects.count() == 1
    late = User.objects.get(pk=ada.pk)  # a request that began before
    delete_account(ada)
    with pytest.raises(ClassRefused):
        classrooms.delete(course)
    with pytest.raises(OwnerGone):
        create_token(late, "laptop")
    with pytest.raises(NoSuchWish):
        add_webhook(late, "https://example.org/", ["checked"])
    assert not Classroom.objects.exists()
    assert not ClassEvent.objects.exists()
    eve = author("eve")
    stranger = accepted_bot(eve, "stranger")
    with pytest.raises(InvalidTournament):
        join(cup, stranger.pk, eve)
    join(own, stranger.pk, eve)


def form(**more: str) -> dict[str, str]:
    week = (timezone.localdate() + timedelta(days=7)).isoformat()
    return {"kind": "games", "variant": "crapaud", "count": "2", "due": week, **more}


def finished(user: User, result: dict[str, Any], *, days: int = 0, variant: str = "crapaud") -> None:
    """A finished game of a person in the first seat, so many days from now."""
    at = timezone.now() + timedelta(days=days)
    rival = author(f"rival {Friendly.objects.count()}")
    over = {"awaits": "nobody", "status": Friendly.Status.FINISHED, "acted_at": at, "finished_at": at}
    version = accepted_bot(rival, rival.username)
    Friendly.objects.create(
        owner=user, version=version, variant=variant, seat=0, rules=1, result=result, **over
    )


def states(course: Classroom, user: User) -> list[tuple[str, int, bool, bool]]:
    """Of each assignment its kind, how much of it somebody did, whether all of it, and whether too late."""
    return [
        (line.assignment.kind, each.done, each.done_at is not None, each.is_late)
        for line in assignments_of(course, [user])
        for each in line.progress
    ]


@pytest.mark.any_database
class TestAssignments:
    @pytest.fixture
    def course(self, ada: User, bob: User) -> Classroom:
        found = classrooms.create(ada, "Games 101")
        classrooms.join(bob, found.join_key)
        return found

    def test_games_count_unless_they_were_given_up(self, course: Classroom, bob: User) -> None:
        finished(bob, WON, days=-1)
        assignments.assign(course, form())
        assignments.assign(course, form(kind="wins", count="1"))
        assert states(course, bob) == [("games", 0, False, False), ("wins", 0, False, False)]
        finished(bob, GAVE_UP)
        finished(bob, LOST)
        finished(bob, WON, variant="crapo")
        assert states(course, bob) == [("games", 1, False, False), ("wins", 0, False, False)]
        finished(bob, WON, days=9)
        assert states(course, bob) == [("games", 2, True, True), ("wins", 1, True, True)]

    def test_a_bot_that_passes_its_check_in_the_game_counts(self, course: Classroom, bob: User) -> None:
        assignments.assign(course, form(kind="bot", variant="crapo", count="30"))
        version = accepted_bot(bob, "planner", boards=["crapaud"])
        assert states(course, bob) == [("bot", 0, False, False)]
        Trial.objects.create(version=version, board="crapo", verdict=Trial.Verdict.PASSED, at=timezone.now())
        assert states(course, bob) == [("bot", 1, True, False)]

    def test_a_student_sees_themselves(self, client: Client, course: Classroom, ada: User, bob: User) -> None:
        classrooms.join(author("carol"), course.join_key)
        client.force_login(ada)
        change = f"{course.get_absolute_url()}change/"
        refused(lambda: assignments.assign(course, form(due="2020-01-01")))
        told = client.post(f"{change}assign/", form(), follow=True).content.decode()
        assert "0 of 2 done" in told
        finished(bob, WON)
        own = page_for(client, bob, course)
        assert "1 of 2 games" in own
        assert own.count("of 2 games") == 1, "of others nothing is said"
        assert client.post(f"{change}assign/", form()).status_code == 403
        client.force_login(ada)
        client.post(f"{change}take-back/", {"assignment": str(Assignment.objects.get().pk)})
        assert not Assignment.objects.exists()
