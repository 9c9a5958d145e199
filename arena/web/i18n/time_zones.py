"""The time zone of an answer: the account's own, else the browser's, kept by a script in a cookie, else UTC.

What programs read stays in UTC: the API, downloads, and whatever else has the address of a file.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.utils import timezone
from django.utils.functional import lazy

from arena.web.i18n.languages import is_for_programs
from arena.web.i18n.phrases import day_and_time, day_year_and_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponseBase

COOKIE: Final = "crapette_zone"
"""Set by `site.js`."""


@cache
def zone_names() -> tuple[str, ...]:
    """The zones that an account can choose, by name: places, and UTC."""
    return tuple(sorted(one for one in available_timezones() if "/" in one and not one.startswith("Etc/")))


def find_zone(name: str) -> ZoneInfo | None:
    """The zone of this name; None if there is none."""
    return ZoneInfo(name) if name in available() else None


@cache
def available() -> frozenset[str]:
    """Every zone that a browser may name."""
    return frozenset(available_timezones())


def zone_of(moment: datetime) -> str:
    """How the reader's zone is called at a moment: ``CET``, ``UTC``, ``UTC+03``."""
    name = timezone.localtime(moment).strftime("%Z")
    return f"UTC{name}" if name[:1] in "+-" else name


def moment_words(moment: datetime) -> str:
    """A moment for the reader, in their zone and with its name: ``3 Nov, 14:05 CET``."""
    here = timezone.localtime(moment)
    words = day_and_time if here.year == timezone.localtime().year else day_year_and_time
    return f"{words(here)} {zone_of(here)}"


def zone_name_now() -> str:
    """How the reader's zone is called now, with its place: ``Europe/Rome, CET``."""
    zone, name = timezone.get_current_timezone_name(), zone_of(timezone.now())
    return name if zone == name else f"{zone.replace('_', ' ')}, {name}"


zone_now: Final = lazy(zone_name_now, str)()
"""The same for what is made when a module is read: help of forms."""


class TimeZoneMiddleware:
    """Answers in the reader's time zone. It stands behind sessions."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if is_for_programs(request.path_info):
            return self.get_response(request)
        name = request.COOKIES.get(COOKIE, "")
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            name = getattr(request.user, "time_zone", "") or name
        with timezone.override(find_zone(name)):
            return self.get_response(request)
