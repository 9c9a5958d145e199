"""How many notices a visitor has not read, for the top bar."""

from __future__ import annotations

from typing import Any

from django import template

from arena.notices import sending

register = template.Library()


@register.simple_tag
def unread_notices(user: Any) -> str:
    """The number of unread notices in words for the bell: empty for none, and ``99+`` for many."""
    count = sending.unread(user)
    if not count:
        return ""
    return str(count) if count <= sending.MOST_COUNTED else f"{sending.MOST_COUNTED}+"
