"""What moderation adds to the pages of other apps: ``{% load moderation %}``."""

from __future__ import annotations

from typing import Any

from django import template

from people.moderation.acts import decisions_about
from people.moderation.reports import count_work

register = template.Library()


@register.simple_tag
def work_at_desk(user: Any) -> int | None:
    """How many reports and appeals wait for this moderator; None for everybody else."""
    return sum(count_work().values()) if user.has_perm("moderation.moderate") else None


@register.simple_tag
def has_decisions(user: Any) -> bool:
    """Whether moderators ever decided about something of this user's."""
    return decisions_about(user).exists()
