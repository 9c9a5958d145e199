"""What organisers do: their page with invitations, announcements, a join key; what everyone takes home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from analysis.errors import CompetitionError
from arena.web.audit_log import AuditLine, audit_lines, doer_name
from arena.web.cache.pages import everybody, shared_page
from bots.errors import BotsError
from bots.pages.common import attempt
from tournaments.events import announcements, organisers, registration
from tournaments.events.organiser_rights import (
    co_organisers,
    invitation,
    invited_organisers,
    may_manage,
    takes_organisers,
)
from tournaments.models import Announcement, Organiser, Tournament
from tournaments.pages.events import exports
from tournaments.pages.events.event_story import change_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User
    from tournaments.models import AuditEntry


@dataclass(frozen=True, slots=True)
class OrganisersPage:
    """The organisers of an event as one of them sees them, or somebody who is asked to be one.

    `invitation` is what this reader can still answer, and `asks` who sent it, if their account is there.
    """

    others: list[User]
    asked: list[Organiser]
    audit_log: list[AuditLine]
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
        audit_log=audit_lines(tournament.audit_log, _about, "person", "version__bot", staff_but=keys)
        if manages
        else [],
        invitation=answerable if takes_organisers(tournament) else None,
        asks=str(doer_name(by, keys)) if by else "",
        manages=manages,
        organises=user.pk in keys,
    )


def _about(entry: AuditEntry) -> str:
    if entry.changes:
        return "; ".join(change_words(entry.changes))
    return entry.person.get_username() if entry.person else str(entry.version) if entry.version else ""


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
    tournament = _managed(request, slug)
    # Nobody learns by their keys what other accounts are called.
    person = get_object_or_404(
        Organiser.objects.select_related("user"), tournament=tournament, user=user
    ).user
    done = gettext("%(name)s no longer organises this event.") % {"name": person}
    attempt(request, done, organisers.remove, tournament, _user(request), person)
    return redirect("tournaments:organisers", slug)


def _managed(request: HttpRequest, slug: str) -> Tournament:
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_manage(tournament, request.user):
        raise PermissionDenied
    return tournament


@login_required
@require_POST
def announce(request: HttpRequest, slug: str) -> HttpResponse:
    """Post an announcement, by an organiser or staff."""
    tournament = _managed(request, slug)
    user, done = cast("User", request.user), gettext("Your announcement is on the page.")
    attempt(request, done, announcements.announce, tournament, user, request.POST.get("text", ""))
    return redirect(tournament)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take an announcement back, by an organiser or staff."""
    tournament = _managed(request, slug)
    found = get_object_or_404(Announcement, pk=number, tournament=tournament)
    announcements.withdraw(found, by=cast("User", request.user))
    messages.success(request, gettext("The announcement is gone."))
    return redirect(tournament)


@login_required
@require_POST
def renew_key(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace the join key, by an organiser or staff."""
    tournament = _managed(request, slug)
    done = gettext("The old key no longer works.")
    attempt(request, done, registration.renew_key, tournament, by=cast("User", request.user))
    return redirect(tournament)


@shared_page(seconds=60, among=everybody)
@require_safe
def calendar(request: HttpRequest, slug: str = "") -> HttpResponse:
    """The dates of an event, or of all that are to come, for a calendar."""
    events = [get_object_or_404(Tournament, slug=slug)] if slug else exports.coming()
    text = exports.calendar(events, request.build_absolute_uri("/"))
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


@shared_page(seconds=1, among=everybody)
@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as a table for spreadsheets."""
    text = exports.standings_csv(get_object_or_404(Tournament, slug=slug))
    return HttpResponse(text, content_type="text/csv; charset=utf-8")
