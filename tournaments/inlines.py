"""What the admin shows below a tournament."""

from __future__ import annotations

from django.contrib import admin

from arena.web.read_only_admin import NewestDeeds, ReadOnly
from tournaments.models import Deed, Entry, Organiser, Tournament


class OrganiserInline(ReadOnly, admin.TabularInline[Organiser, Tournament]):
    """Who organises a tournament beside its owner, and who was asked to."""

    model = Organiser
    fields = ("user", "status", "invited_by", "invited_at", "answered_at")
    readonly_fields = fields
    extra = 0


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
