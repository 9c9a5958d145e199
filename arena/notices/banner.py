"""Site notices on top of every page, except those that this visitor dismissed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from arena.notices.models import Dismissal, SiteNotice
from arena.web.cache.values import kept_for

if TYPE_CHECKING:
    from django.http import HttpRequest

    from arena.accounts.models import User

COOKIE: Final = "crapette_dismissed"
"""The keys of the site notices that a browser dismissed, with dots between them."""
MOST_SHOWN: Final = 2
"""Site notices on one page. Whoever dismissed some of them sees other pages, which caches keep apart."""


def key(request: HttpRequest) -> str:
    """Which site notices a visitor sees, and of what time: what tells shared pages apart."""
    return " ".join(f"{one.pk} {one.changed_at.timestamp()}" for one in shown_to(request))


def site_notices(request: HttpRequest) -> dict[str, Any]:
    """The context processor that gives every page the site notices that its visitor sees."""
    return {"site_notices": SimpleLazyObject(lambda: shown_to(request))}


def shown_to(request: HttpRequest) -> list[SiteNotice]:
    """The site notices that a visitor sees now."""
    user = getattr(request, "user", None)
    signed_in = user is not None and user.is_authenticated
    found = current_site_notices(signed_in=signed_in)
    if not found:
        return []
    gone = dismissed_here(request)
    found = [one for one in found if str(one.pk) not in gone]
    if signed_in:
        dismissed = _dismissed_by(user, found)  # type: ignore[arg-type]  # signed in
        found = [one for one in found if one.pk not in dismissed]
    return found[:MOST_SHOWN]


def dismissed_here(request: HttpRequest) -> set[str]:
    """What the cookie says; anybody may have written it."""
    return set(request.COOKIES.get(COOKIE, "")[:400].split("."))


def current_site_notices(*, signed_in: bool) -> list[SiteNotice]:
    """The site notices that such visitors see now: warnings first, then the newest."""
    now = timezone.now()
    found = [
        one
        for one in _site_notices()
        if one.begins <= now < one.ends and (signed_in or one.audience == SiteNotice.Audience.EVERYBODY)
    ]
    return sorted(found, key=lambda one: one.severity != SiteNotice.Severity.WARNING)


def _dismissed_by(user: User, notices: list[SiteNotice]) -> set[int]:
    """The keys of those of these site notices that a user dismissed."""
    if not notices:
        return set()
    found = Dismissal.objects.filter(user=user, notice__in=[one.pk for one in notices])
    return set(found.values_list("notice_id", flat=True))


@kept_for(settings.SITE_NOTICES_SECONDS)
def _site_notices() -> list[SiteNotice]:
    """Those that have not ended, newest first. When one begins and ends is looked at each time."""
    return list(SiteNotice.objects.filter(ends__gt=timezone.now()))
