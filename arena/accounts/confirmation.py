"""Whether an account must confirm an e-mail address before it sends in anything, and the notice that says so.

Only a site with a mail server asks for that. Accounts that are older than the question have until
`User.confirm_by`, which is set when they are told; accounts made since then have no such time.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from arena.accounts.models import User
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web import limits
from arena.web.i18n.phrases import day_year_and_time
from arena.web.i18n.readers import offer

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponseBase

GRACE: str = "confirm_grace_days"
AT_ONCE: Final = 200
"""Accounts told by one task, each in a transaction of its own; the next task goes on."""


class AddressNotConfirmed(PermissionDenied):
    """The account must confirm an address first; ``str()`` is a sentence for its user."""

    code = "address-not-confirmed"


@dataclass(frozen=True, slots=True)
class Missing:
    """An account without a confirmed address: until when it may do without, and the address it gave."""

    until: datetime | None
    address: str

    @property
    def sentence(self) -> str:
        """What the account has to do, and why."""
        if self.until is None:
            return gettext(
                "Confirm an e-mail address before you upload bots, report something, or ask for tournaments,"
                " challenges or rulings."
            )
        return gettext(
            "From %(when)s (UTC) on, you need a confirmed e-mail address to upload bots, to report something,"
            " or to ask for tournaments, challenges or rulings."
        ) % {"when": day_year_and_time(self.until)}


def missing(user: User) -> Missing | None:
    """What an account still has to confirm; None if nothing, or if the site does not ask.

    Staff are trusted: a command or another operator made them.
    """
    if not settings.CONFIRMS_ADDRESSES or user.is_staff:
        return None
    addresses = list(EmailAddress.objects.filter(user=user).order_by("-primary", "pk"))
    if user.confirm_by is None or any(one.verified for one in addresses):
        return None
    until = user.confirm_by if user.confirm_by > timezone.now() else None
    return Missing(until, addresses[0].email if addresses else "")


def assert_confirmed(user: User | None) -> None:
    """Raise `AddressNotConfirmed` if an account must confirm an address first; None is the house."""
    found = missing(user) if user is not None else None
    if found is not None and found.until is None:
        raise AddressNotConfirmed(found.sentence)


def needs_confirmed_address(
    view: Callable[..., HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A view of a signed-in user that says at once, and not after a form, that an address is missing."""

    @functools.wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        assert_confirmed(cast("User", request.user))
        return view(request, *args, **kwargs)

    return checked


def _never_asked() -> QuerySet[User]:
    """Accounts from before the site asked, which have not been told until when they have time."""
    if not settings.CONFIRMS_ADDRESSES:
        return User.objects.none()
    confirmed = EmailAddress.objects.filter(verified=True).values("user")
    return User.objects.filter(confirm_by=None, is_active=True, is_staff=False).exclude(pk__in=confirmed)


def _give_time(user: User) -> Missing | None:
    """Let an account that was never asked have the days of grace from now on; None if another was first."""
    until = timezone.now() + timedelta(days=limits.value(GRACE))
    if not User.objects.filter(pk=user.pk, confirm_by=None).update(confirm_by=until):
        return None
    return Missing(until, "")


def ask_for_addresses() -> int:
    """Give accounts that were never asked their days of grace, and tell them; how many that were."""
    told = 0
    for user in _never_asked().order_by("pk")[:AT_ONCE]:
        with transaction.atomic():
            found = _give_time(user)
            if found is None:
                continue
            with translation.override(offer(user.language)):
                sentence = found.sentence
            tell([user.pk], Kind.ADDRESS, "address", sentence, reverse("account_email"))
            told += 1
    return told
