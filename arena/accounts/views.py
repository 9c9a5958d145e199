"""What allauth has no page for: the language and the time zone of an account, its address to be confirmed.

The pages of signing in and up are the same for everybody who has no session, but for the form's token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from arena.accounts import captcha
from arena.accounts.confirmation import AddressNotConfirmed, missing
from arena.accounts.models import User
from arena.web.cache.pages import shared_by_strangers
from arena.web.http import refusals
from arena.web.http.idempotency import comes_from_here, page_before
from arena.web.http.refusals import BAD_FORM
from arena.web.i18n.readers import zone_names

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, HttpResponseBase


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """403, as a page or as JSON: with the way to it where an account must confirm an address first."""
    if not isinstance(exception, AddressNotConfirmed):
        return refusals.permission_denied(request, exception)
    if refusals.wants_json(request):
        return refusals.refusal(exception.code, str(exception), 403)
    found = missing(cast("User", request.user))
    return render(request, "account/confirm_first.html", {"missing_address": found}, status=403)


@login_required
@require_POST
def send_again(request: HttpRequest) -> HttpResponseBase:
    """Send the link to the address that waits for its confirmation; allauth bounds how often (3 minutes)."""
    found = (
        EmailAddress.objects.filter(user=request.user.pk, verified=False).order_by("-primary", "pk").first()
    )
    if found is not None and not send_verification_email_to_address(request, found):
        messages.warning(request, gettext("We sent you a link a moment ago. Try again in three minutes."))
    return redirect("account_email")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Keep the language that was chosen, and lead back to the page on which that was.

    The switch at the foot of every page has no token against forged requests, as those pages are the same for
    everybody. Its request is taken if the browser says that it comes from this site; otherwise a page asks
    again.
    """
    if request.method == "POST" and comes_from_here(request):
        return _chosen(request)
    return _asked(request)


@csrf_protect
def _asked(request: HttpRequest) -> HttpResponseBase:
    return _chosen(request) if request.method == "POST" else _page(request, 200)


def _page(request: HttpRequest, status: int) -> HttpResponseBase:
    return render(
        request, "language.html", {"next": page_before(request), "refused": status != 200}, status=status
    )


def _chosen(request: HttpRequest) -> HttpResponseBase:
    code = request.POST.get("language", "")
    if code not in dict(settings.LANGUAGES):
        return _page(request, BAD_FORM)
    if request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(language=code)
    response = HttpResponseRedirect(page_before(request))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return response


@login_required
@require_POST
def choose_time_zone(request: HttpRequest) -> HttpResponse:
    """Keep the zone that was chosen; none: that of the browser."""
    name = request.POST.get("time_zone", "")
    if name and name not in zone_names():
        raise BadRequest(f"expected the name of a time zone, got {name!r}")
    User.objects.filter(username=request.user.get_username()).update(time_zone=name)
    messages.success(request, gettext("Your changes have been saved."))
    return redirect("bots:account")


def _open(request: HttpRequest) -> str | None:
    """Whether the site takes new accounts; None where a page may look different to each visitor.

    A captcha is shown by address, and programs get JSON.
    """
    adapter = get_adapter()
    if captcha.service() is not None or adapter.is_ajax(request):
        return None
    return str(adapter.is_open_for_signup(request))


shared = shared_by_strangers(by=_open)
