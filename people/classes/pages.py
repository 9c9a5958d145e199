"""The pages of classes: one's own, a class with its board, joining, and what its teacher changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.web.variants import board_title
from bots.errors import OwnerGone
from bots.pages.common import attempt
from engine import VARIANTS
from engine.boards import BOARDS
from people.classes import ClassRefused, assignments, classrooms, events
from people.classes.assignments import assignments_of
from people.classes.classrooms import remove
from people.classes.models import Assignment

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from people.classes.models import Classroom


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


def _seen(request: HttpRequest, key: int) -> Classroom:
    """A class that the visitor may see. Others learn nothing of it, not even that there is one."""
    found = classrooms.class_for(request.user, key) if key < 2**63 else None
    if found is None:
        raise Http404(f"expected a class of yours, got {key}")
    return found


@login_required
@never_cache
@require_safe
def class_list(request: HttpRequest) -> HttpResponse:
    """The classes that the user teaches or is in, and the forms that join or make one."""
    found = list(classrooms.classes_of(_user(request)))
    taught = [one for one in found if one.teacher_id == request.user.pk]
    joined = [one for one in found if one.teacher_id != request.user.pk]
    own = [(how, rows) for how, rows in (("taught", taught), ("joined", joined)) if rows]
    return render(request, "classes/list.html", {"own": own})


@login_required
@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Make a class."""
    try:
        made = classrooms.create(_user(request), request.POST.get("name", ""))
    except (ClassRefused, OwnerGone) as error:
        messages.error(request, str(error))
        return redirect("classes:list")
    messages.success(request, gettext("Your class is ready. Send its link to your students."))
    return redirect(made)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Ask whether to join, with the key of the link filled in; join."""
    if request.method != "POST":
        return render(request, "classes/join.html", {"key": request.GET.get("key", "")[:32]})
    try:
        found = classrooms.join(_user(request), request.POST.get("key", ""))
    except (ClassRefused, OwnerGone) as error:
        context = {"key": request.POST.get("key", "")[:32], "wrong": str(error)}
        return render(request, "classes/join.html", context, status=422)
    messages.success(request, gettext("You are in the class %(name)s.") % {"name": found.name})
    return redirect(found)


@login_required
@never_cache
@require_safe
def class_detail(request: HttpRequest, key: int) -> HttpResponse:
    """A class: its board, members, events, and for its teacher what they may change."""
    classroom = _seen(request, key)
    chosen = request.GET.get("game", "")
    chosen = chosen if chosen in BOARDS else BOARDS[0]
    teaches = classroom.teacher_id == request.user.pk
    context: dict[str, Any] = {
        "classroom": classroom,
        "teaches": teaches,
        "is_member": classrooms.is_member(classroom, request.user),
        "chosen": chosen,
        "game": board_title(chosen),
        "games": [(name, board_title(name)) for name in BOARDS],
        "board": classrooms.board(classroom, chosen),
        "members": (members := classrooms.members(classroom)),
        "assignments": assignments_of(
            classroom,
            [one.user for one in members if not one.is_teacher and (teaches or one.user == request.user)],
        ),
        "games_of_two": [(name, board_title(name)) for name in VARIANTS],
        "kinds": Assignment.Kind.choices,
        "today": timezone.localdate(),
        "events": classrooms.events_of(classroom),
        "link": request.build_absolute_uri(f"/classes/join/?key={classroom.join_key}") if teaches else "",
        "drafts": classrooms.could_be_limited(_user(request)) if teaches else (),
    }
    return render(request, "classes/detail.html", context)


@login_required
@require_POST
def leave(request: HttpRequest, key: int) -> HttpResponse:
    """Leave a class."""
    classroom = _seen(request, key)
    done = gettext("You left the class %(name)s.") % {"name": classroom.name}
    attempt(request, done, classrooms.leave, classroom, _user(request))
    return redirect("classes:list")


@login_required
@require_POST
def change(request: HttpRequest, key: int, change: str) -> HttpResponse:
    """Change a class as its teacher: its name, key, members, events and assignments; or delete it."""
    classroom = _seen(request, key)
    if classroom.teacher_id != request.user.pk:
        raise PermissionDenied
    try:
        done = _changed(classroom, change, request)
    except (ClassRefused, OwnerGone) as error:
        messages.error(request, str(error))
        return redirect(classroom)
    messages.success(request, done)
    return redirect("classes:list" if change == "delete" else classroom)


def _changed(classroom: Classroom, change: str, request: HttpRequest) -> str:
    """Make a change; what was done, in a sentence. Raises ClassRefused or Http404."""
    sent, done = request.POST, gettext("Your changes have been saved.")
    match change:
        case "name":
            classrooms.rename(classroom, sent.get("name", ""))
        case "key":
            classrooms.renew_key(classroom)
            done = gettext("The old key no longer works.")
        case "open" | "close":
            classrooms.take_members(classroom, takes=change == "open")
        case "remove":
            person = get_object_or_404(get_user_model(), username=sent.get("user", "")[:150])
            remove(classroom, person)
            done = gettext("%(name)s is no longer in the class.") % {"name": person}
        case "limit":
            events.limit_event(classroom, _user(request), sent.get("event", "")[:80])
        case "unlimit":
            events.open_event(classroom, sent.get("event", "")[:80])
        case "assign":
            assignments.assign(classroom, sent.dict())
        case "take-back":
            assignments.take_back(classroom, sent.get("assignment", ""))
        case "delete":
            classrooms.delete(classroom)
            done = gettext("The class is deleted.")
        case _:
            raise Http404(f"expected a change of a class, got {change!r}")
    return done
