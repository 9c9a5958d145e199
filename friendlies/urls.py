"""Addresses of people's games."""

from datetime import date

from django.urls import path, register_converter

from friendlies.pages import daily, new_game, replay, table


class IsoDate:
    """A day in an address: ``2026-11-22``."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        """The day; ValueError makes it an address that is nothing."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        """The day as text."""
        return value.isoformat()


register_converter(IsoDate, "isodate")

app_name = "play"
urlpatterns = [
    path("", new_game.new_friendly, name="new"),
    path("daily/", daily.daily, name="today"),
    path("daily/<isodate:day>/", daily.daily, name="daily"),
    path("duplicate/<uuid:game_id>/<int:seat>/", new_game.duplicate, name="duplicate"),
    path("<uuid:friendly_id>/", table.table, name="table"),
    path("<uuid:friendly_id>/replay/", replay.replay, name="replay"),
    path("<uuid:friendly_id>/state.json", table.state, name="state"),
    path("<uuid:friendly_id>/act/", table.act, name="act"),
    path("<uuid:friendly_id>/hint/", table.hint, name="hint"),
    path("<uuid:friendly_id>/record.json", replay.record, name="record"),
    path("<uuid:friendly_id>/values.json", replay.values, name="values"),
    path("<uuid:friendly_id>/mistakes.json", replay.mistakes, name="mistakes"),
    path("<uuid:friendly_id>/rematch/", new_game.rematch, name="rematch"),
    path("<uuid:friendly_id>/explore.json", replay.explore_friendly, name="explore"),
]
