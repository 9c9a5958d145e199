"""Keeps the time zone in which somebody reads the site, in their account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from arena.accounts.models import User
from arena.web.i18n.readers import zone_names

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


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
