"""Rows in the admin that are looked at, never changed; and signs of life: lost workers' may go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.forms import BaseInlineFormSet

from arena.web.audit_log import LINES_SHOWN
from arena.web.limits import DECLARED
from arena.web.models import Heartbeat, Incident, Limit, Worker

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


class NewestAuditEntries(BaseInlineFormSet["Any", "Any", "Any"]):
    """The last entries of an audit log, as many as its people see."""

    def get_queryset(self) -> QuerySet[Any]:
        """The same rows each time it is asked."""
        if not hasattr(self, "_newest"):
            self._newest = super().get_queryset()[:LINES_SHOWN]
        return self._newest


@admin.register(Heartbeat)
class HeartbeatAdmin(admin.ModelAdmin[Heartbeat]):
    """When each queue's worker was last alive."""

    list_display = ("name", "beaten_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only workers beat."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Heartbeat | None = None) -> bool:
        """Only workers beat."""
        return False


class LimitForm(forms.ModelForm[Limit]):
    """A limit by its name, with a value in its bounds."""

    name = forms.ChoiceField(
        choices=lambda: [(name, f"{name}: {one.words}") for name, one in DECLARED.items()]
    )

    class Meta:
        """What an operator sets."""

        model = Limit
        fields = ("name", "value")

    def clean(self) -> dict[str, Any]:
        """The name and value. Raises ValidationError if the value is out of bounds."""
        data: dict[str, Any] = super().clean() or {}
        declared = DECLARED.get(data.get("name", ""))
        value = data.get("value")
        if declared and value is not None and not declared.least <= value <= declared.most:
            raise forms.ValidationError(
                f"Choose a value from {declared.least} to {declared.most}; the default is {declared.default}."
            )
        return data


@admin.register(Limit)
class LimitAdmin(admin.ModelAdmin[Limit]):
    """Limits that were changed; deleting one brings its default back."""

    form = LimitForm
    list_display = ("name", "value", "changed_at")


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin[Worker]):
    """Who works, and since when; `/health` misses a dead worker until its row is deleted or an hour old."""

    list_display = ("name", "queues", "games_at_once", "started_at", "beaten_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only workers announce themselves."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Worker | None = None) -> bool:
        """Only workers announce themselves."""
        return False


@admin.register(Incident)
class IncidentAdmin(ReadOnly, admin.ModelAdmin[Incident]):
    """Process events: starts, stalls, lost connections."""

    list_display = ("at", "process", "kind", "detail")
    list_filter = ("kind",)
    search_fields = ("process", "detail")
    date_hierarchy = "at"
