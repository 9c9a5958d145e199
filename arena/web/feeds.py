"""What all Atom feeds share."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import conditional_escape

from arena.web.names import visible

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.utils.feedgenerator import SyndicationFeed

Item = TypeVar("Item")
Subject = TypeVar("Subject")

AUTHOR: Final = "Crapette Arena"
"""Atom demands an author of every entry; one for the feed will do."""


def tag(*words: object) -> str:
    """The id of an entry that has no address of its own: a tag URI (RFC 4151), as Atom demands an IRI."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},2026:" + "/".join(map(str, words))


class _Atom(Atom1Feed):
    """Atom with what strangers wrote: summaries are HTML, and XML has no controls."""

    def add_item(self, title: str, link: str, description: str, **more: Any) -> None:  # type: ignore[override]
        """Add an entry; its description is text, or HTML that says so."""
        super().add_item(visible(title), link, visible(conditional_escape(description)), **more)


class SiteFeed(Feed[Item, Subject]):
    """An Atom feed of this site."""

    feed_type = _Atom
    author_name = AUTHOR

    def get_feed(self, obj: Any, request: HttpRequest) -> SyndicationFeed:
        """The feed, with addresses below ``CRAPETTE_URL``, whatever host the request names."""
        site, here = urlsplit(settings.SITE_URL), copy(request)
        here.get_host = lambda: site.netloc  # type: ignore[method-assign]
        here.is_secure = lambda: site.scheme == "https"  # type: ignore[method-assign]
        return super().get_feed(obj, here)
