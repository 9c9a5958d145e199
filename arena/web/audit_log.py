"""Audit logs: what people do with something that several of them run, noted for all of them and listed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from datetime import datetime

    from django.contrib.auth.models import AbstractBaseUser
    from django.db.models import Manager
    from django_stubs_ext import StrOrPromise

KEPT: Final = 200
"""Entries of one log that stay."""
LINES_SHOWN: Final = 50
"""Entries of one log that its people see."""
COUNTED: Final = "invited"
"""What an account may do only so often a day; so the entries of a day stay, however many there are."""
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class AuditLine:
    """What somebody did, and when; `about` is whom or what, if anybody."""

    who: str
    what: str
    about: str
    at: datetime


def add_audit_entry(log: Manager[Any], by: AbstractBaseUser | None, what: str, **about: object) -> None:
    """Note what somebody did, in the transaction in which it is done, and drop what is beyond `KEPT`.

    `log` is that of the bot, event or series, the newest first; `about` are the fields that say whom or
    what this one was about. What nobody did (`by` is None) is not noted.
    """
    if by is None:
        return
    log.create(actor=by, what=what, **about)
    surplus = log.values_list("pk", flat=True)[KEPT : KEPT + 1].first()
    if surplus is not None:
        old = log.filter(pk__lte=surplus)
        old.exclude(what=COUNTED, at__gt=timezone.now() - DAY).delete()


def audit_lines(
    log: Manager[Any], about: Callable[[Any], str], *related: str, staff_but: Container[int | None] | None
) -> list[AuditLine]:
    """The last entries of a log, the newest first, with whom or what each is `about`.

    `related` are the fields that `about` reads; for `staff_but` see `doer_name`.
    """
    return [
        AuditLine(str(doer_name(one.actor, staff_but)), str(one.get_what_display()), about(one), one.at)
        for one in log.select_related("actor", *related)[:LINES_SHOWN]
    ]


def doer_name(actor: AbstractBaseUser | None, staff_but: Container[int | None] | None) -> StrOrPromise:
    """Who did something: of staff only that they are staff, but for these accounts; None hides nobody."""
    if actor is None:
        return gettext_lazy("A deleted account")
    if staff_but is not None and getattr(actor, "is_staff", False) and actor.pk not in staff_but:
        return gettext_lazy("The arena’s staff")
    return actor.get_username()
