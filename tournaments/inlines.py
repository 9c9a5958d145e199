"""What the admin shows below a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.forms import BaseInlineFormSet

from arena.common.read_only import ReadOnly
from tournaments.models import Deed, Entry, Organiser, Tournament
from tournaments.selectors.organisers import DEEDS_SHOWN

if TYPE_CHECKING:
    from django.db.models import QuerySet


class OrganiserInline(ReadOnly, admin.TabularInline[Organiser, Tournament]):
    """Who organises a tournament beside its owner, and who was asked to."""

    model = Organiser
    fields = ("user", "status", "invited_by", "invited_at", "answered_at")
    readonly_fields = fields
    extra = 0


class NewestDeeds(BaseInlineFormSet[Deed, Tournament, Any]):
    """The last deeds of a tournament."""

    def get_queryset(self) -> QuerySet[Deed]:
        """As many as organisers see; the same rows each time it is asked."""
        if not hasattr(self, "_newest"):
            self._newest = super().get_queryset()[:DEEDS_SHOWN]
        return self._newest


class DeedInline(ReadOnly, admin.TabularInline[Deed, Tournament]):
    """What its organisers did last with a tournament."""

    model = Deed
    formset = NewestDeeds
    fields = ("at", "actor", "what", "person", "version")
    readonly_fields = fields
    extra = 0


class EntryInline(ReadOnly, admin.TabularInline[Entry, Tournament]):
    """The entrants, below their tournament."""

    model = Entry
    fields = ("number", "version", "withdrawn")
    readonly_fields = fields
    extra = 0
