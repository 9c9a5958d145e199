"""Assignments of a class: given until a date, done by uploading and playing."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Trial
from friendlies.models import Friendly
from people.classes import assignments, classrooms, members
from people.classes.assignments import MOST_ASSIGNMENTS
from people.classes.errors import ClassRefused
from people.classes.models import Assignment, Classroom
from people.classes.progress import assignments_of
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WON, LOST = {"termination": "win", "ranking": [[0], [1]]}, {"termination": "win", "ranking": [[1], [0]]}
GAVE_UP = {"termination": "resignation", "seat": 0, "ranking": [[1], [0]]}


@pytest.fixture
def course(ada: User, bob: User) -> Classroom:
    found = classrooms.create(ada, "Games 101")
    members.join(bob, found.join_key)
    return found


def form(**more: str) -> dict[str, str]:
    week = (timezone.localdate() + timedelta(days=7)).isoformat()
    return {"kind": "games", "variant": "crapaud", "count": "2", "due": week, **more}


def finished(user: User, result: dict[str, Any], *, days: int = 0, variant: str = "crapaud") -> None:
    """A finished game of a person in the first seat, so many days from now."""
    at = timezone.now() + timedelta(days=days)
    number = Friendly.objects.count()
    Friendly.objects.create(
        owner=user,
        version=accepted_bot(author(f"rival {number}"), f"rival {number}"),
        variant=variant,
        seat=0,
        rules=1,
        awaits="nobody",
        status=Friendly.Status.FINISHED,
        result=result,
        acted_at=at,
        finished_at=at,
    )


def states(course: Classroom, user: User) -> list[tuple[str, int, bool, bool]]:
    """Of each assignment its kind, how much of it somebody did, whether all of it, and whether too late."""
    return [
        (line.assignment.kind, each.done, each.done_at is not None, each.is_late)
        for line in assignments_of(course, [user])
        for each in line.progress
    ]


def page_for(client: Client, user: User, course: Classroom) -> str:
    client.force_login(user)
    return client.get(course.get_absolute_url()).content.decode()


def test_games_count_from_when_it_was_given_unless_they_were_given_up(course: Classroom, bob: User) -> None:
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


def test_a_bot_that_passes_its_check_in_the_game_is_done_when_it_was_uploaded(
    course: Classroom, bob: User
) -> None:
    assignments.assign(course, form(kind="bot", variant="crapo", count="30"))
    version = accepted_bot(bob, "planner", boards=["crapaud"])
    assert states(course, bob) == [("bot", 0, False, False)]
    Trial.objects.create(version=version, board="crapo", verdict=Trial.Verdict.PASSED, at=timezone.now())
    assert states(course, bob) == [("bot", 1, True, False)]
    # It was done, whatever becomes of the bot.
    type(version.bot).objects.update(withdrawn_at=timezone.now())
    assert states(course, bob) == [("bot", 1, True, False)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "essay"},
        {"variant": "chess"},
        {"count": "0"},
        {"count": "51"},
        {"count": "\u0663"},
        {"due": "yesterday"},
        {"due": "2020-01-01"},
        {"due": "2026-02-31"},
        {"due": "9999-12-31"},
    ],
)
def test_an_assignment_can_be_done_and_ends(course: Classroom, wrong: dict[str, str]) -> None:
    with pytest.raises(ClassRefused):
        assignments.assign(course, form(**wrong))
    assert not Assignment.objects.exists()


def test_the_teacher_sees_everybody_and_a_student_themselves(
    client: Client, course: Classroom, ada: User, bob: User
) -> None:
    carol = author("carol")
    members.join(carol, course.join_key)
    client.force_login(ada)
    change = f"{course.get_absolute_url()}change/"
    told = client.post(f"{change}assign/", form(), follow=True).content.decode()
    assert "Finish 2 games of Crapaud against a bot" in told
    assert "0 of 2 done" in told
    finished(bob, WON)
    own = page_for(client, bob, course)
    assert "1 of 2 games" in own
    assert own.count("of 2 games") == 1, "of others nothing is said"
    assert client.post(f"{change}assign/", form()).status_code == 403
    # Who leaves takes their progress along.
    members.leave(course, bob)
    assert "0 of 1 done" in page_for(client, ada, course)
    delete_account(carol)
    assert "0 of 0 done" in page_for(client, ada, course)
    key = {"assignment": str(Assignment.objects.get().pk)}
    client.post(f"{change}take-back/", key)
    assert not Assignment.objects.exists()
    assert "no longer there" in client.post(f"{change}take-back/", key, follow=True).content.decode()


def test_past_its_date_it_says_so_and_a_class_has_a_bounded_number(
    client: Client, course: Classroom, ada: User, bob: User
) -> None:
    for _ in range(MOST_ASSIGNMENTS):
        assignments.assign(course, form())
    with pytest.raises(ClassRefused, match="at most"):
        assignments.assign(course, form())
    Assignment.objects.update(due_at=timezone.now() - timedelta(days=1))
    page = page_for(client, bob, course)
    assert page.count("Not done") == MOST_ASSIGNMENTS
    assert "It was due by" in page
    delete_account(ada)
    assert not Assignment.objects.exists()
