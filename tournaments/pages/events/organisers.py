"""The page of an event's organisers: who they are, what they did, invitations and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from analysis.errors import CompetitionError
from arena.web.audit_log import DeedLine, deed_lines, doer_name
from bots.errors import BotsError
from bots.pages.common import attempt
from tournaments.events import organisers
from tournaments.events.organiser_rights import (
    co_organisers,
    invitation,
    invited_organisers,
    may_manage,
    takes_organisers,
)
from tournaments.models import Organiser, Tournament
from tournaments.pages.events.event_story import change_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User
    from tournaments.models import Deed


@dataclass(frozen=True, slots=True)
class OrganisersPage:
    """The organisers of an event as one of them sees them, or somebody who is asked to be one.

    `invitation` is what this reader can still answer, and `asks` who sent it, if their account is there.
    """

    others: list[User]
    asked: list[Organiser]
    deeds: list[DeedLine]
    invitation: Organiser | None
    asks: str
    manages: bool
    organises: bool


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


@login_required
@never_cache
@require_safe
def organisers_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Who organises an event and what they did, for them, for staff, and for whoever is asked to."""
    tournament = get_object_or_404(Tournament.objects.select_related("owner"), slug=slug)
    page = _page_for(tournament, request.user)
    if page is None:
        raise PermissionDenied
    context = {"tournament": tournament, "page": page, "most": organisers.MOST}
    return render(request, "tournaments/organisers.html", context)


def _page_for(tournament: Tournament, user: Any) -> OrganisersPage | None:
    """What the page shows; None to whoever neither organises the event nor is asked to."""
    manages = may_manage(tournament, user)
    answerable = invitation(tournament, user, Organiser.Status.INVITED, Organiser.Status.DECLINED)
    if not manages and answerable is None:
        return None
    others = co_organisers(tournament.pk)
    keys = {tournament.owner_id, *(one.pk for one in others)}
    by = answerable.invited_by if answerable else None
    return OrganisersPage(
        others=others,
        asked=invited_organisers(tournament) if manages else [],
        deeds=deed_lines(tournament.deeds, _about, "person", "version__bot", staff_but=keys)
        if manages
        else [],
        invitation=answerable if takes_organisers(tournament) else None,
        asks=str(doer_name(by, keys)) if by else "",
        manages=manages,
        organises=user.pk in keys,
    )


def _about(deed: Deed) -> str:
    if deed.changes:
        return "; ".join(change_words(deed.changes))
    return deed.person.get_username() if deed.person else str(deed.version) if deed.version else ""


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite somebody by user name, as an organiser or staff."""
    tournament = get_object_or_404(Tournament, slug=slug)
    try:
        made = organisers.invite(tournament, _user(request), request.POST.get("user", ""))
    except (CompetitionError, BotsError) as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request,
            gettext("We asked %(name)s. You will get a notification when they answer.") % {"name": made.user},
        )
    return redirect("tournaments:organisers", slug)


ANSWERS: Final[dict[str, tuple[Callable[[Tournament, User], None], StrOrPromise]]] = {
    "accept": (organisers.accept, gettext_lazy("You now organise this event, too.")),
    "decline": (organisers.decline, gettext_lazy("You declined. You can still change your mind.")),
    "leave": (organisers.leave, gettext_lazy("You no longer organise this event.")),
}
"""What is done for each answer, and what is said of it."""


@login_required
@require_POST
def answer(request: HttpRequest, slug: str, answer: str) -> HttpResponse:
    """Accept or decline an invitation, or stop organising."""
    tournament, user = get_object_or_404(Tournament, slug=slug), _user(request)
    if answer not in ANSWERS:
        raise Http404("expected accept, decline or leave")
    act, done = ANSWERS[answer]
    attempt(request, str(done), act, tournament, user)
    return redirect("tournaments:organisers" if answer == "accept" else "tournaments:detail", slug)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, user: int) -> HttpResponse:
    """Take an invitation back, or remove an organiser, as another organiser or staff."""
    tournament = get_object_or_404(Tournament, slug=slug)
    person = get_object_or_404(get_user_model(), pk=user)
    done = gettext("%(name)s no longer organises this event.") % {"name": person}
    attempt(request, done, organisers.remove, tournament, _user(request), person)
    return redirect("tournaments:organisers", slug)
