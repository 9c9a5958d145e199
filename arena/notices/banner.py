"""Site notices on top of every page, except those that this visitor dismissed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.template.loader import render_to_string

from arena.notices import selectors

if TYPE_CHECKING:
    from django.http import HttpRequest

    from arena.notices.models import SiteNotice

COOKIE: Final = "crapette_dismissed"
"""The keys of the site notices that a browser dismissed, with dots between them."""


def dismissed_here(request: HttpRequest) -> set[str]:
    """What the cookie says; anybody may have written it."""
    return set(request.COOKIES.get(COOKIE, "")[:400].split("."))


def shown_to(request: HttpRequest) -> list[SiteNotice]:
    """The site notices that a visitor sees now."""
    user = getattr(request, "user", None)
    signed_in = user is not None and user.is_authenticated
    found = selectors.site_notices(signed_in=signed_in)
    if not found:
        return []
    gone = dismissed_here(request)
    found = [one for one in found if str(one.pk) not in gone]
    if signed_in:
        dismissed = selectors.dismissed_by(user, found)  # type: ignore[arg-type]  # signed in
        found = [one for one in found if one.pk not in dismissed]
    return found[: selectors.MOST_SHOWN]


class SiteNoticeBanner:
    """What the banner of a page is made of."""

    def key(self, request: HttpRequest) -> str:
        """Which site notices a visitor sees, and of what time."""
        return " ".join(f"{one.pk} {one.changed_at.timestamp()}" for one in shown_to(request))

    def text(self, request: HttpRequest) -> str:
        """The site notices that a visitor sees, as HTML."""
        found = shown_to(request)
        return render_to_string("notices/site.html", {"site_notices": found}) if found else ""
