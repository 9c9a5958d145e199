"""Names of people as links to their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from arena.web.i18n.phrases import listed
from arena.web.paths import path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.base_user import AbstractBaseUser


def person_link(user: AbstractBaseUser) -> SafeString:
    """A name that leads to the person's page; the name alone while the account is suspended."""
    name = user.get_username()
    if not user.is_active:
        return format_html("{}", name)
    return format_html('<a class="wrap-anywhere" href="{}">{}</a>', path("people:profile", name), name)


def people_links(users: Iterable[AbstractBaseUser]) -> SafeString:
    """Names as a sentence lists them, each with its link; empty for nobody."""
    links = [person_link(user) for user in users]
    # Only links that are escaped already, and our own words between them.
    return mark_safe(listed(links)) if links else SafeString("")  # noqa: S308
