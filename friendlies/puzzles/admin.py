"""Puzzles in the admin: read-only, but one that turns out to be dull may be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from arena.web.admin import ReadOnly
from friendlies.puzzles.models import Attempt, Puzzle

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(Puzzle)
class PuzzleAdmin(ReadOnly, admin.ModelAdmin[Puzzle]):
    """Puzzles with what people made of them."""

    list_display = ("id", "variant", "rating", "deviation", "tried", "solved", "day", "created_at")
    list_filter = ("variant",)
    exclude = ("key",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Staff may delete a puzzle; ratings stay as they are."""
        return request.user.is_staff


@admin.register(Attempt)
class PuzzleAttemptAdmin(ReadOnly, admin.ModelAdmin[Attempt]):
    """First tries."""

    list_display = ("id", "puzzle", "solver", "solved", "rating_before", "rating_after", "at")
    list_select_related = ("puzzle", "solver__user")
