"""Classes: what their members read of them, and the key that joins one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from arena.api.schemas.common import Board, Key, Schema

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
