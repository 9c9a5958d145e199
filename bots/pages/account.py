"""The account page: bots and upload tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.confirmation import missing
from arena.web.http.refusals import form_status
from bots import tokens
from bots.bots import own_bots
from bots.errors import BotsError
from bots.forms import DeleteAccountForm, TokenForm
from bots.models import prefetch_co_owners
from bots.pages.common import SignedInRequest, blame
from bots.teams.co_owners import open_invitations
from bots.tokens import tokens_of
from bots.versions import benched_versions

if TYPE_CHECKING:
    from django.http import HttpResponse


def account_page(
    request: SignedInRequest,
    *,
    token_form: TokenForm | None = None,
    delete_form: DeleteAccountForm | None = None,
    secret: str = "",
) -> HttpResponse:
    """The user's bots and tokens, with a form that was refused, or the secret of a new token."""
    bots = own_bots(request.user).prefetch_related(prefetch_co_owners())
    context = {
        "missing_address": missing(request.user),
        "bots": bots,
        "invitations": open_invitations(request.user),
        "alone": sum(bot.owner_id == request.user.pk and not bot.co_owner_rows for bot in bots),
        "benched": benched_versions(request.user),
        "tokens": tokens_of(request.user),
        "token_form": token_form or TokenForm(),
        "delete_form": delete_form or DeleteAccountForm(expected=request.user.get_username()),
        "secret": secret,
    }
    return render(request, "bots/account.html", context, status=form_status(token_form, delete_form))


@login_required
@never_cache
@require_safe
def account(request: SignedInRequest) -> HttpResponse:
    """Show the user's bots and tokens, and how to delete the account."""
    return account_page(request)


@login_required
@never_cache
@require_POST
def create_token(request: SignedInRequest) -> HttpResponse:
    """Create a token. Only this answer shows its secret, which is not stored."""
    form = TokenForm(request.POST)
    if form.is_valid():
        try:
            _, secret = tokens.create_token(
                request.user, form.cleaned_data["name"], form.cleaned_data["scopes"], form.lifetime
            )
        except BotsError as error:
            blame(form, error)
        else:
            return account_page(request, secret=secret)
    return account_page(request, token_form=form)


@login_required
@require_POST
def revoke_token(request: SignedInRequest, token_id: int) -> HttpResponse:
    """Revoke one of the user's tokens."""
    token = get_object_or_404(tokens_of(request.user), pk=token_id)
    tokens.revoke_token(token)
    messages.success(request, gettext("The token %(token)s has been revoked.") % {"token": token.name})
    return redirect("bots:account")
