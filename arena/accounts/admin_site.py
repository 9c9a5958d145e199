"""The administration: for staff whose session has shown a second factor.

It has no sign-in of its own. Whoever is not signed in goes to the site's, with its limit of attempts; staff
without a second factor are asked to set one up first, and staff whose session never showed it for a code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME, SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

SECOND_FACTOR = [Authenticator.Type.TOTP]
SET_UP_FIRST = gettext_lazy("Set up two-factor authentication first: the administration asks for it.")

GROUPS: Final = {
    "Machines and limits": ("common",),
    "Alarms": ("tournaments.Alarm", "tournaments.VoidRequest"),
    "People": ("accounts", "account", "mfa", "auth", "classes", "tournaments.AccountLink"),
    "Moderation": ("moderation", "admin"),
    "Bots": ("bots", "tournaments.Evidence", "tournaments.NearTwin", "tournaments.ProbeAnswers"),
    "Ratings": tuple(f"tournaments.Rating{one}" for one in ("", "Point", "State", "Anchor")),
    "Tournaments and games": ("tournaments", "series", "challenges"),
    "People’s games": ("friendlies", "puzzles"),
    "Messages": ("notices",),
}
"""The tables of the administration by what somebody looks for: whole apps, and single tables of others."""


def showed_second_factor(request: HttpRequest) -> bool:
    """Whether this session gave a code of the user's authenticator app, or a recovery code."""
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


class OperatorSite(AdminSite):
    """Django's administration behind the site's own sign-in and a second factor."""

    site_header = site_title = "Crapette Arena"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the user is active staff with a second factor that this session showed."""
        return (
            super().has_permission(request)
            and is_mfa_enabled(request.user, SECOND_FACTOR)
            and showed_second_factor(request)
        )

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send the user to what is still missing: sign-in, setting up a second factor, or a code of it."""
        wanted = _wanted(request)
        if not request.user.is_authenticated:
            return _onwards("account_login", wanted)
        if not super().has_permission(request):
            raise PermissionDenied
        if not is_mfa_enabled(request.user, SECOND_FACTOR):
            messages.info(request, SET_UP_FIRST)
            return redirect("mfa_activate_totp")
        if not showed_second_factor(request):
            return _onwards("mfa_reauthenticate", wanted)
        return HttpResponseRedirect(wanted)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """The tables, in `GROUPS`; of one app alone, as Django lists them."""
        apps = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        left = {
            (app["app_label"], f"{app['app_label']}.{table['object_name']}"): table
            for app in apps
            for table in app["models"]
        }
        groups = []
        # Last the app whose single tables belong elsewhere.
        for title, members in sorted(GROUPS.items(), key=lambda group: "tournaments" in group[1]):
            found = [left.pop(key) for key in list(left) if not {*key}.isdisjoint(members)]
            groups.append((title, found))
        titled = {**dict.fromkeys(GROUPS, ()), **dict(groups), "Other tables": list(left.values())}
        return [
            {
                "name": title,
                "app_label": slugify(title),
                "app_url": reverse("admin:index"),
                "has_module_perms": True,
                "models": tables,
            }
            for title, tables in titled.items()
            if tables
        ]

    def password_change(  # type: ignore[override]  # a redirect instead of a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The site's own page, with its limit of attempts."""
        return redirect("account_change_password")


def _wanted(request: HttpRequest) -> str:
    """The page of the administration that was asked for; the overview for any other."""
    index = reverse("admin:index")
    asked = request.GET.get(REDIRECT_FIELD_NAME, "")
    inside = asked.startswith(index) and not asked.startswith(
        (reverse("admin:login"), reverse("admin:logout"))
    )
    return (
        asked
        if inside and url_has_allowed_host_and_scheme(asked, allowed_hosts=None)
        else reverse("overview")
    )


def _onwards(name: str, wanted: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse(name)}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")


def end_sessions(user_id: int) -> int:
    """Delete every session of a user, on any device, and return how many there were.

    A session names its user only inside what it stores, so all of them are read.
    """
    own = [
        session.pk
        for session in Session.objects.iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user_id)
    ]
    Session.objects.filter(pk__in=own).delete()
    return len(own)
