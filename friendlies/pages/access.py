"""Who asks for a game of a person, and whether they may see it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from arena.web.http.rate_limits import counted_address
from friendlies.tables import state as friendly
from friendlies.tables.people import GUEST, Person, person_of

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from friendlies.models import Friendly


def player_of(request: HttpRequest) -> Person:
    """The person who asks: an account, or a guest by the word in their session."""
    return person_of(request.user, request.session, _address(request))


def seat_person(request: HttpRequest) -> Person:
    """The person, who is given a word if they are a guest without one."""
    if not request.user.is_authenticated and not request.session.get(GUEST):
        request.session[GUEST] = secrets.token_hex(16)
    return player_of(request)


def _address(request: HttpRequest) -> str:
    """A keyed hash of the address: enough to count by, nothing to know anybody by."""
    address = counted_address(get_adapter(request).get_client_ip(request) or "")
    return salted_hmac("friendly.address", address).hexdigest()[:32]


def find_friendly(friendly_id: UUID) -> Friendly:
    """The game of this key. Raises Http404."""
    row = friendly.find(friendly_id)
    if row is None:
        raise Http404(f"expected a game, got {friendly_id!r}")
    return row


def own_friendly(request: HttpRequest, friendly_id: UUID) -> Friendly:
    """The game, if the person plays it."""
    row = find_friendly(friendly_id)
    if not player_of(request).plays(row):
        raise Http404("expected a game of one's own")
    return row


def finished_friendly(request: HttpRequest, friendly_id: UUID) -> Friendly:
    """A game that is over, and whose deal nobody plays any more but the one who asks."""
    row = find_friendly(friendly_id)
    if not row.is_over or (row.is_secret and not player_of(request).plays(row)):
        raise Http404("expected a game that is over")
    if row.keeps_its_cards:
        raise PermissionDenied(gettext("You gave up this game. Its cards are shown when the day is over."))
    return row
