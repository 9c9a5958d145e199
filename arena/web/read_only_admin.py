"""Rows in the admin that are looked at, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.forms import BaseInlineFormSet

from arena.web.audit_log import DEEDS_SHOWN

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest


class ReadOnly:
    """No adding, changing or deleting by hand: services write these rows."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never; rows can be looked at."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


class Acting(ReadOnly):
    """Rows that cannot be edited, but on which an operator with permission may act."""

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Users who may change tournaments may act on everything in them."""
        return bool(request.user.has_perm("tournaments.change_tournament"))


class NewestDeeds(BaseInlineFormSet["Any", "Any", "Any"]):
    """The last deeds of something, as many as its people see."""

    def get_queryset(self) -> QuerySet[Any]:
        """The same rows each time it is asked."""
        if not hasattr(self, "_newest"):
            self._newest = super().get_queryset()[:DEEDS_SHOWN]
        return self._newest
