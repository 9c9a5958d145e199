"""A person's page, whether it shows how they play, the board of people, and the end of an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

import engine
from arena.web.cache.pages import everybody, shared_page
from arena.web.variants import variant_title
from bots.forms import DeleteAccountForm
from bots.pages.account import account_page
from friendlies.tables.new_games import variants
from people import deletion
from people.profiles import presenters, selectors

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from bots.pages.common import SignedInRequest


def _is_strange(request: HttpRequest, name: str) -> bool:
    """Whether somebody who is signed in looks at the page of somebody else, and so sees what all see."""
    return request.user.get_username() != name


@shared_page(among=_is_strange)
@gzip_page
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What a person shows: what is public anyway, and how they play if they wish so."""
    user = _person(name)
    mine = request.user == user
    found = presenters.profile(user, play=user.shows_play or mine)
    context = {
        "person": user,
        "mine": mine,
        "profile": found,
        "enough": selectors.ENOUGH_GAMES,
    }
    return render(request, "people/profile.html", context)


@login_required
@require_POST
def show(request: HttpRequest, name: str) -> HttpResponse:
    """Show everybody how one plays (``show=1``), or no longer; only for one's own page."""
    user = _person(name)
    if request.user != user:
        raise Http404("expected a page of one's own")
    user.shows_play = request.POST.get("show") == "1"
    user.save(update_fields=["shows_play"])
    messages.success(
        request,
        gettext("Everybody can see how you play now.")
        if user.shows_play
        else gettext("Only you can see how you play now."),
    )
    return redirect(user)


@shared_page(among=everybody)
@gzip_page
@require_safe
def board(request: HttpRequest, variant: str) -> HttpResponse:
    """The people who show how they play, ranked in a variant on the bots' scale."""
    if variant not in variants():
        raise Http404(f"expected a variant of two seats, got {variant!r}")
    page, rows = presenters.people_board(variant, request.GET.get("page"))
    known = selectors.variants_with_people() | {variant}
    context = {
        "variant": variant,
        "title": variant_title(variant),
        "boards": [(one, variant_title(one)) for one in engine.VARIANTS if one in known],
        "rows": rows,
        "page": page,
        "enough": selectors.ENOUGH_GAMES,
    }
    return render(request, "people/board.html", context)


def _person(name: str) -> User:
    found = selectors.person(name)
    if found is None:
        raise Http404(f"expected the name of a person, got {name!r}")
    return found


@login_required
@never_cache
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]  # whoever finds an open session cannot delete
def delete_account(request: SignedInRequest) -> HttpResponse:
    """Delete the account and its bots after asking for the password. Their games stay."""
    form = DeleteAccountForm(request.POST, expected=request.user.get_username())
    if not form.is_valid():
        return account_page(request, delete_form=form)
    user = request.user
    deletion.delete_account(user)
    logout(request)
    messages.success(request, gettext("Your account has been deleted."))
    return redirect("home")
