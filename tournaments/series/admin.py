"""Series and seasons in the administration: looked at, never changed."""

from django.contrib import admin

from arena.web.admin import ReadOnly
from tournaments.series.models import EventSeries, LadderSeason, Season, SeasonEvent, SeriesAuditEntry


@admin.register(EventSeries)
class EventSeriesAdmin(ReadOnly, admin.ModelAdmin[EventSeries]):
    """Who organises which series."""

    list_display = ("name", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")


@admin.register(Season)
class SeasonAdmin(ReadOnly, admin.ModelAdmin[Season]):
    """The seasons of series."""

    list_display = ("series", "number", "scheme", "best", "opened_at", "closed_at")
    list_select_related = ("series",)
    search_fields = ("series__name",)


@admin.register(SeasonEvent)
class SeasonEventAdmin(ReadOnly, admin.ModelAdmin[SeasonEvent]):
    """Which event belongs to which season."""

    list_display = ("tournament", "season", "number")
    list_select_related = ("tournament", "season__series")


@admin.register(LadderSeason)
class LadderSeasonAdmin(ReadOnly, admin.ModelAdmin[LadderSeason]):
    """The closed seasons of ladders, and who closed them."""

    list_display = ("ladder", "number", "closed_at", "closed_by")
    list_select_related = ("ladder", "closed_by")


@admin.register(SeriesAuditEntry)
class SeriesAuditEntryAdmin(ReadOnly, admin.ModelAdmin[SeriesAuditEntry]):
    """What organisers did with their series."""

    list_display = ("at", "series", "actor", "what", "tournament")
    list_select_related = ("series", "actor", "tournament")
