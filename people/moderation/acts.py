"""Decisions of moderators: which hold now, about whom, and which were appealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from people.moderation.models import Act

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User


def in_force() -> QuerySet[Act]:
    """Decisions that hold now."""
    return Act.objects.filter(Q(until=None) | Q(until__gt=timezone.now()), ended_at=None)


def decided_parts(subject: str, key: int) -> frozenset[str]:
    """The texts of a thing that moderators replaced."""
    found = in_force().filter(subject=subject, key=key).exclude(kind=Act.Kind.BAN)
    return frozenset(part for put in found.values_list("put", flat=True) for part in put)


def ban_of(user: int) -> Act | None:
    """What keeps an account from signing in, if moderators do."""
    return Act.objects.filter(person=user, kind=Act.Kind.BAN, ended_at=None).first()


def decisions_about(user: User) -> QuerySet[Act]:
    """Decisions that concern a user, newest first."""
    return Act.objects.filter(person=user)


def open_appeals() -> QuerySet[Act]:
    """Decisions whose appeal nobody has answered, the oldest appeal first."""
    return (
        Act.objects.filter(appealed_at__isnull=False, answered_at=None)
        .select_related("person", "by")
        .order_by("appealed_at")
    )
