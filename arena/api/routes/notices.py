"""Notices, and how you want to be told."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.conf import settings
from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Body, Path, Router, Status
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Key as RowKey
from arena.api.schemas.common import Schema
from arena.notices import preferences, sending
from arena.notices.banner import current_site_notices
from arena.notices.models import Kind, Webhook
from bots.models import Scope

if TYPE_CHECKING:
    from arena.api.bearer import Caller

    KindName = str
else:
    KindName = Literal[tuple(Kind.values)]

router = Router()
NEWEST = (Key("at", moment), Key("pk", number))


class NoticeOut(Schema):
    """Something that happened."""

    id: int
    kind: KindName
    text: str
    url: str
    at: datetime
    read: bool


class NoticePage(Schema):
    """Notices, newest first."""

    unread: int = Field(description="At most 100 are counted.")
    items: list[NoticeOut]
    next: str | None


class SiteNoticeOut(Schema):
    """What the operators tell everybody on top of every page."""

    id: int
    text: str = Field(examples=["The arena pauses on Sunday from 08:00 to 09:00 UTC."])
    language: Literal["en", "fr", "it", "pt-BR"]
    severity: Literal["notice", "warning"]
    link: str | None = Field(description="Where to read more.", examples=["/queue/"])
    begins: datetime
    ends: datetime


class SiteNotices(Schema):
    """The site notices of this moment: warnings first, then the newest."""

    items: list[SiteNoticeOut]


class Unread(Schema):
    """How many notices were marked as read."""

    marked: int


class WishesOut(Schema):
    """What you are told by e-mail. Mails go to a confirmed address only."""

    confirmed: bool = Field(description="Whether you have a confirmed address.")
    kinds: list[KindName]


class WishesIn(Schema):
    """What you want to be told by e-mail."""

    kinds: list[KindName] = Field(max_length=20)


class FeedOut(Schema):
    """Your notices as an Atom feed."""

    url: str | None = Field(
        description="Whoever knows it can read them. Null: there is none.",
        examples=["https://arena.example/notices/feed/mQ0Zr9yJb3u1xkq6sVZ2o0c5.atom"],
    )


class WebhookIn(Schema):
    """A webhook to add."""

    url: str = Field(max_length=500, examples=["https://example.org/hook"])
    kinds: list[KindName] = Field(min_length=1, max_length=20, examples=[["checked", "decided"]])


class WebhookOut(Schema):
    """A webhook."""

    id: int
    url: str
    kinds: list[KindName]
    failures: int = Field(description="In a row; after 20 it is switched off.")
    last_error: str
    enabled: bool


class Webhooks(Schema):
    """Your webhooks."""

    items: list[WebhookOut]


class NewWebhook(WebhookOut):
    """A new webhook with the secret that signs its messages. It is shown only here."""

    secret: str


def _out(hook: Webhook) -> dict[str, Any]:
    return {
        "id": hook.pk,
        "url": hook.url,
        "kinds": hook.kinds,
        "failures": hook.failures,
        "last_error": hook.last_error,
        "enabled": hook.disabled_at is None,
    }


@route(router, "GET", "site-notices/", SiteNotices)
def list_site_notices(request: HttpRequest) -> dict[str, Any]:
    """What the operators tell everybody at this moment.

    Some notices are only for whoever is signed in: send a token to get these, too.
    """
    caller: Caller = request.auth  # type: ignore[attr-defined]
    found = current_site_notices(signed_in=caller.token is not None)
    return {
        "items": [
            {
                "id": one.pk,
                "text": one.text,
                "language": one.language,
                "severity": one.severity,
                "link": one.link or None,
                "begins": one.begins,
                "ends": one.ends,
            }
            for one in found
        ]
    }


@route(router, "GET", "notices/", NoticePage, needs=Scope.READ)
def list_notices(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """Your notices, newest first."""
    user = user_of(request)
    rows, following = page(sending.notices_of(user), NEWEST, cursor, limit)
    return {
        "unread": sending.unread(user),
        "items": [
            {
                "id": one.pk,
                "kind": one.kind,
                "text": one.text,
                "url": one.url,
                "at": one.at,
                "read": one.read_at is not None,
            }
            for one in rows
        ],
        "next": following,
    }


@route(router, "POST", "notices/read/", Unread, needs=Scope.READ)
def mark_notices_read(request: HttpRequest) -> dict[str, Any]:
    """Mark all your notices as read."""
    return {"marked": sending.mark_read(user_of(request))}


@route(router, "GET", "notices/mails/", WishesOut, needs=Scope.ACCOUNT)
def get_wishes(request: HttpRequest) -> dict[str, Any]:
    """What you are told by e-mail."""
    user = user_of(request)
    return {
        "confirmed": bool(preferences.verified_address(user)),
        "kinds": preferences.wishes_of(user).by_mail,
    }


@route(router, "PATCH", "notices/mails/", WishesOut, needs=Scope.ACCOUNT)
def set_wishes(request: HttpRequest, wishes: Body[WishesIn]) -> dict[str, Any]:
    """Choose what you are told by e-mail."""
    preferences.wish_for_mails(user_of(request), wishes.kinds)
    return get_wishes(request)


def _feed(secret: str | None) -> dict[str, Any]:
    return {"url": settings.SITE_URL + reverse("notices:feed", args=[secret]) if secret else None}


@route(router, "GET", "notices/feed/", FeedOut, needs=Scope.ACCOUNT)
def get_feed(request: HttpRequest) -> dict[str, Any]:
    """The secret address of your notices as an Atom feed."""
    return _feed(preferences.wishes_of(user_of(request)).feed_secret)


@route(router, "POST", "notices/feed/", FeedOut, needs=Scope.ACCOUNT)
def renew_feed(request: HttpRequest) -> dict[str, Any]:
    """Give the Atom feed of your notices a new address.

    The old address, if there was one, stops working.
    """
    return _feed(preferences.new_feed(user_of(request)))


@route(router, "DELETE", "notices/feed/", needs=Scope.ACCOUNT, status=204)
def end_feed(request: HttpRequest) -> Status[Any]:
    """Remove the Atom feed of your notices."""
    preferences.end_feed(user_of(request))
    return Status(204, None)


@route(router, "GET", "webhooks/", Webhooks, needs=Scope.ACCOUNT)
def list_webhooks(request: HttpRequest) -> dict[str, Any]:
    """Your webhooks."""
    return {"items": [_out(hook) for hook in sending.webhooks_of(user_of(request))]}


@route(router, "POST", "webhooks/", NewWebhook, needs=Scope.ACCOUNT, status=201)
def add_webhook(request: HttpRequest, wish: Body[WebhookIn]) -> Status[Any]:
    """Have your own server told.

    Messages are signed with the secret that this answer shows, and go to public addresses only.
    """
    hook = preferences.add_webhook(user_of(request), wish.url, wish.kinds)
    return Status(201, {**_out(hook), "secret": hook.secret})


@route(router, "DELETE", "webhooks/{webhook}/", needs=Scope.ACCOUNT, status=204)
def remove_webhook(request: HttpRequest, webhook: Path[RowKey]) -> Status[Any]:
    """Remove a webhook of yours."""
    if not preferences.remove_webhook(user_of(request), webhook):
        raise Http404(f"Expected a webhook of yours, got {webhook}.")
    return Status(204, None)
