"""What allauth has no page for: an account that must confirm its address before it sends in anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from arena.accounts.confirmation import AddressNotConfirmed, missing
from arena.web.http import refusals

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

    from arena.accounts.models import User


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
