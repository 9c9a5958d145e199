"""Classes that the caller teaches or is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest
from ninja import Body, Path, Query, Router, Status

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.schemas.common import Board
from arena.api.schemas.common import Key as RowKey
from bots.models import Scope
from engine.boards import BOARDS
from people.classes import classrooms, members
from people.classes.api_schemas import ClassDetail, Classes, ClassKey, ClassOut, class_detail, class_out

if TYPE_CHECKING:
    from people.classes.models import Classroom

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
    return class_out(members.join(user_of(request), wish.key))


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
    members.leave(_find(request, classroom), user_of(request))
    return Status(204, None)
