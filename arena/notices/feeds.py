"""A user's notices as an Atom feed, at an address that only they know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from arena.notices import selectors
from arena.notices.models import Notice
from arena.web.feeds import SiteFeed, tag

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User

SHOWN = 50


class NoticeFeed(SiteFeed[Notice, "User"]):
    """The notices of whoever has the secret, newest first."""

    title = gettext_lazy("Crapette Arena: your notices")

    @method_decorator(never_cache)
    def __call__(self, request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        """Answer; nothing on the way keeps it."""
        return super().__call__(request, *args, **named)

    def get_object(self, request: HttpRequest, secret: str) -> User:
        """Whose feed it is."""
        user = selectors.reader_of_feed(secret)
        if user is None:
            raise Http404("expected the address of a feed")
        return user

    def link(self) -> str:
        """The page it belongs to."""
        return reverse("notices:list")

    def items(self, user: User) -> QuerySet[Notice]:
        """The notices."""
        return selectors.notices_of(user)[:SHOWN]

    def item_title(self, item: Notice) -> str:
        """What happened."""
        return item.text

    def item_description(self, item: Notice) -> str:
        """What kind of thing it is."""
        return item.get_kind_display()

    def item_link(self, item: Notice) -> str:
        """The page that tells more."""
        return item.url

    def item_guid(self, item: Notice) -> str:
        """Each notice is one."""
        return tag("notice", item.pk)

    item_guid_is_permalink = False

    def item_updateddate(self, item: Notice) -> datetime:
        """When."""
        return item.at
