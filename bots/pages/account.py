"""The account page: bots and upload tokens, and the forms on it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.confirmation import missing
from arena.web.http.refusals import form_status
from bots import tokens
from bots.bots import own_bots
from bots.errors import BotsError
from bots.models import Scope, prefetch_co_owners
from bots.models.bot import UPLOADING
from bots.pages.common import SignedInRequest, blame
from bots.teams.co_owners import open_invitations
from bots.tokens import tokens_of
from bots.versions import benched_versions

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django_stubs_ext import StrOrPromise


LIFETIMES = {
    30: gettext_lazy("30 days"),
    90: gettext_lazy("90 days"),
    365: gettext_lazy("a year"),
    0: gettext_lazy("no end"),
}
"""How long a token works, in days."""


def offered_scopes() -> list[tuple[str, StrOrPromise]]:
    """The scopes that a token may have here, by their names and what they allow."""
    offered = [scope for scope in Scope if scope != Scope.REMOTE or settings.REMOTE]
    return [(scope.value, format_lazy("{} – {}", scope.value, scope.label)) for scope in offered]


class TokenForm(forms.Form):
    """A new token: its name, what it may do, and how long."""

    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Token name"),
        help_text=gettext_lazy("Where you will use it, for example: laptop."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        # With the names that documents and refusals use.
        choices=offered_scopes,
        initial=lambda: [*UPLOADING, Scope.COMPETE, *([Scope.REMOTE] if settings.REMOTE else [])],
        required=False,
        label=gettext_lazy("It may"),
        help_text=gettext_lazy(
            "Allow only what the program needs. Every token can read what everyone can see."
        ),
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        choices=list(LIFETIMES.items()),
        coerce=int,
        required=False,
        initial=365,
        empty_value=365,  # type: ignore[arg-type]  # the stubs know text only
        label=gettext_lazy("It works for"),
    )

    @property
    def lifetime(self) -> timedelta | None:
        """How long the token of a valid form works; None without end."""
        days: int = self.cleaned_data["days"]
        return timedelta(days=days) if days else None


class DeleteAccountForm(forms.Form):
    """Asks for the user name again, so that a stray click cannot delete an account."""

    username = forms.CharField(
        label=gettext_lazy("Type your user name to confirm"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected

    def clean_username(self) -> str:
        """Refuse anything but the name of the account."""
        given: str = self.cleaned_data["username"]
        if given != self.expected:
            raise forms.ValidationError(gettext("That is not your user name."), code="other")
        return given


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
