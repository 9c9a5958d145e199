"""Classes that the caller teaches or is in: what their members read of them, and the key that joins one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest
from ninja import Body, Path, Query, Router, Status
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.schemas.common import Board, Key, Schema
from arena.api.schemas.common import Key as RowKey
from bots.models import Scope
from engine.boards import BOARDS
from people.classes import classrooms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from people.classes.classrooms import BoardLine, MemberLine
    from people.classes.models import Classroom


class ClassOut(Schema):
    """A class that you teach or are in."""

    id: Key
    name: str = Field(examples=["Games 101"])
    teacher: str = Field(examples=["ada"])


class Classes(Schema):
    """Your classes."""

    items: list[ClassOut]


class ClassMember(Schema):
    """Somebody in a class, with their bots that are in play."""

    user: str
    bots: list[str] = Field(examples=[["greedy"]])


class ClassPlace(Schema):
    """A bot on the board of a class; `place` is null while its rating compares with nobody's."""

    place: int | None
    bot: str = Field(examples=["greedy"])
    version: int
    elo: float
    error: float
    games: int


class ClassDetail(ClassOut):
    """A class with its members, its events, and its board in one game."""

    members: list[ClassMember]
    events: list[str] = Field(
        description="The events that only the class may enter.", examples=[["spring-cup"]]
    )
    board: Board
    places: list[ClassPlace]


class ClassKey(Schema):
    """What joins a class."""

    key: str = Field(min_length=1, max_length=100, examples=["Zr9yJb3u1xkq"])


def class_out(one: Classroom) -> dict[str, Any]:
    """A class in a list."""
    return {"id": one.pk, "name": one.name, "teacher": one.teacher.get_username()}


def class_detail(
    one: Classroom,
    members: Iterable[MemberLine],
    events: Iterable[str],
    board: str,
    places: Iterable[BoardLine],
) -> dict[str, Any]:
    """A class as its members see it."""
    return {
        **class_out(one),
        "members": [
            {"user": line.user.get_username(), "bots": [each.bot.slug for each in line.bots]}
            for line in members
        ],
        "events": list(events),
        "board": board,
        "places": [
            {
                "place": line.place,
                "bot": line.rating.version.bot.slug,
                "version": line.rating.version.number,
                "elo": line.rating.elo,
                "error": line.rating.error,
                "games": line.rating.games,
            }
            for line in places
        ],
    }


router = Router()


def _find(request: HttpRequest, key: int) -> Classroom:
    found = classrooms.class_for(user_of(request), key)
    if found is None:
        raise Http404(f"Expected a class of yours, got {key}.")
    return found


@route(router, "GET", "classes/", Classes, needs=Scope.READ)
def list_classes(request: HttpRequest) -> dict[str, Any]:
    """The classes that you teach or are in, newest first."""
    return {"items": [class_out(one) for one in classrooms.classes_of(user_of(request))]}


@route(router, "POST", "classes/", ClassOut, needs=Scope.COMPETE)
def join_class(request: HttpRequest, wish: Body[ClassKey]) -> dict[str, Any]:
    """Join a class with its key. If you are in it already, nothing happens.

    You can try ten wrong keys in an hour.
    """
    return class_out(classrooms.join(user_of(request), wish.key))


@route(router, "GET", "classes/{classroom}/", ClassDetail, needs=Scope.READ)
def get_class(
    request: HttpRequest, classroom: Path[RowKey], board: Board = Query(BOARDS[0])
) -> dict[str, Any]:
    """A class of yours with its members, its events, and its board in one game, the best rated first."""
    found = _find(request, classroom)
    events = classrooms.events_of(found).values_list("slug", flat=True)
    return class_detail(found, classrooms.members(found), events, board, classrooms.board(found, board))


@route(router, "DELETE", "classes/{classroom}/", needs=Scope.COMPETE, status=204)
def leave_class(request: HttpRequest, classroom: Path[RowKey]) -> Status[Any]:
    """Leave a class."""
    classrooms.leave(_find(request, classroom), user_of(request))
    return Status(204, None)
