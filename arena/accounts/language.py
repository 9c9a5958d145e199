"""Keeps the language that a visitor chose: in a cookie, and in the account of whoever is signed in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from arena.accounts.models import User
from arena.web.http.refusals import BAD_FORM
from arena.web.http.tokenless_forms import comes_from_here, page_before


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
