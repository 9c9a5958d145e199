"""Sends notices out: one mail and one webhook message each, tried again later if it did not arrive.

A row is claimed by conditional update, for longer than sending takes. Whoever dies in between leaves it to
the sweep, so a message arrives at least once, and nearly always once; its `id` says which it is.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import smtplib
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils.translation import gettext_lazy

from arena.notices.models import Delivery, Kind, Notice, Webhook
from arena.notices.preferences import verified_address, wishes_of
from arena.notices.sending import tell
from arena.web.database import database_clock
from arena.web.http.outbound import AddressRefused, Unreachable, post
from arena.web.i18n.phrases import fill
from arena.web.i18n.readers import say_in

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

HELD: Final = timedelta(minutes=2)
"""How long a claim lasts: more than a mail or a message takes."""
AT_ONCE: Final = 50
AT_ONCE_SECONDS: Final = 30.0
"""After so long nothing more is begun before it is asked anew whose turn it is."""
PAUSES: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
)
"""How long to wait after each failure; after the last it is given up."""
MOST_FAILURES: Final = 20
"""In a row, over all messages: then a webhook is switched off."""
KEPT: Final = timedelta(days=90)
SIGNATURE: Final = "Crapette-Signature"


def deliver_due() -> int:
    """Send what is due, and return how many messages were tried. May run several times at once.

    People take turns, each with their oldest first: whose server is slow, and who is told much, keeps nobody
    else waiting.
    """
    _make_deliveries()
    tried, until = 0, time.monotonic() + AT_ONCE_SECONDS
    due = Delivery.objects.filter(status=Delivery.Status.WAITING, not_before__lte=database_clock.now())
    for key in list(_in_turns(due, "notice__user", "not_before").values_list("pk", flat=True)[:AT_ONCE]):
        if time.monotonic() > until:
            break
        claimed = _claim(key)
        if claimed is not None:
            tried += 1
            _send(claimed)
    return tried


def _in_turns(rows: QuerySet[Any], who: str, since: str) -> QuerySet[Any]:
    """The first row of everybody, then the second of everybody, and so on."""
    turn = Window(RowNumber(), partition_by=F(who), order_by=(since, "pk"))
    ordered: QuerySet[Any] = rows.annotate(turn=turn).order_by("turn", since, "pk")
    return ordered


def _make_deliveries() -> None:
    """Make the rows of what new notices are sent by: wishes count as they are now."""
    new = Notice.objects.filter(sent_on=None).select_related("user")
    for notice in _in_turns(new, "user", "at")[:AT_ONCE]:
        with transaction.atomic():
            if not Notice.objects.filter(pk=notice.pk, sent_on=None).update(sent_on=database_clock.now()):
                continue
            hooks = Webhook.objects.filter(owner=notice.user, disabled_at=None)
            ways: list[Webhook | None] = [hook for hook in hooks if notice.kind in hook.kinds]
            if verified_address(notice.user) and notice.kind in wishes_of(notice.user).by_mail:
                ways.append(None)
            Delivery.objects.bulk_create(
                [Delivery(notice=notice, webhook=way, not_before=notice.at) for way in ways],
                ignore_conflicts=True,
            )


def _claim(key: int) -> Delivery | None:
    """Hold a delivery; None if another was first, or if its account is gone."""
    now = database_clock.now()
    mine = Delivery.objects.filter(pk=key, status=Delivery.Status.WAITING, not_before__lte=now)
    if not mine.update(not_before=now + HELD, attempts=F("attempts") + 1):
        return None
    return Delivery.objects.select_related("notice__user", "webhook").filter(pk=key).first()


def _send(one: Delivery) -> None:
    """Send a claimed delivery, and note what came of it."""
    try:
        error = _mail(one) if one.webhook is None else _call(one, one.webhook)
    except Exception as problem:  # one that cannot be sent must not hold up the others
        logger.exception("delivery %s broke", one.pk)
        error = f"It could not be sent: {type(problem).__name__}."
    if not error:
        Delivery.objects.filter(pk=one.pk).update(
            status=Delivery.Status.SENT, sent_at=database_clock.now(), error=""
        )
        return
    last = one.attempts > len(PAUSES)
    Delivery.objects.filter(pk=one.pk).update(
        status=Delivery.Status.GIVEN_UP if last else Delivery.Status.WAITING,
        not_before=database_clock.now() + (HELD if last else PAUSES[one.attempts - 1]),
        error=error[:200],
    )


def _mail(one: Delivery) -> str:
    """Send a mail; empty, or why it did not go."""
    address, wishes = verified_address(one.notice.user), wishes_of(one.notice.user)
    if not address or one.notice.kind not in wishes.by_mail:
        return ""  # they changed their mind in between
    stop = settings.SITE_URL + reverse("notices:unsubscribe", args=[wishes.secret])
    no_more = say_in(gettext_lazy("No more e-mails:"), one.notice.user.language)
    message = EmailMessage(
        subject=" ".join(one.notice.text.split()),
        body=f"{one.notice.text}\n\n{settings.SITE_URL}{one.notice.url}\n\n-- \n{no_more} {stop}\n",
        to=[address],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
            # The same mail sent twice is the same mail.
            "Message-ID": f"<notice-{one.notice_id}@{settings.SITE_URL.partition('://')[2].partition(':')[0]}>",
        },
    )
    try:
        message.send()
    except (OSError, smtplib.SMTPException) as error:
        return f"The mail server did not take it: {type(error).__name__}."
    return ""


def message_of(notice: Notice) -> dict[str, Any]:
    """A notice as webhooks get it."""
    return {
        "id": notice.pk,
        "kind": notice.kind,
        "text": notice.text,
        "url": settings.SITE_URL + notice.url,
        "at": notice.at.isoformat(),
    }


def signature(secret: str, moment: datetime, body: bytes) -> str:
    """What proves that a message is ours and new: the time, and an HMAC-SHA256 over time and body."""
    stamp = f"{moment.timestamp():.0f}"
    digest = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={stamp},v1={digest}"


def _call(one: Delivery, hook: Webhook) -> str:
    """Send a message to a webhook; empty, or why it did not arrive."""
    if hook.disabled_at is not None:
        return ""
    body = json.dumps(message_of(one.notice)).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Crapette-Arena",
        SIGNATURE: signature(hook.secret, database_clock.now(), body),
    }
    try:
        status = post(hook.url, body, headers)
        error = "" if 200 <= status < 300 else f"It answered {status}."
    except (AddressRefused, Unreachable) as problem:
        error = str(problem)
    _count(hook, error)
    return error


def _count(hook: Webhook, error: str) -> None:
    """Count failures in a row, and switch off a webhook that has too many."""
    mine = Webhook.objects.filter(pk=hook.pk, disabled_at=None)
    if not error:
        mine.update(failures=0, last_error="")
        return
    mine.update(failures=F("failures") + 1, last_error=error[:200])
    with transaction.atomic():
        if mine.filter(failures__gte=MOST_FAILURES).update(disabled_at=database_clock.now()):
            tell(
                [hook.owner_id],
                Kind.WEBHOOK,
                f"webhook {hook.pk}",
                fill(
                    gettext_lazy("Your webhook %(url)s was switched off after %(count)s failures. %(error)s"),
                    url=hook.url[:150],
                    count=MOST_FAILURES,
                    error=error,
                ),
                reverse("notices:list"),
            )


def forget_old() -> int:
    """Delete notices that are three months old, read or not; how many there were."""
    return Notice.objects.filter(at__lt=database_clock.now() - KEPT).delete()[0]
