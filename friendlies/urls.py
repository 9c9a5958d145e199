"""Addresses of people's games."""

from datetime import date

from django.urls import path, register_converter

from friendlies.pages import views


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
    path("", views.new_friendly, name="new"),
    path("daily/", views.daily, name="today"),
    path("daily/<isodate:day>/", views.daily, name="daily"),
    path("duplicate/<uuid:game_id>/<int:seat>/", views.duplicate, name="duplicate"),
    path("<uuid:friendly_id>/", views.table, name="table"),
    path("<uuid:friendly_id>/replay/", views.replay, name="replay"),
    path("<uuid:friendly_id>/state.json", views.state, name="state"),
    path("<uuid:friendly_id>/act/", views.act, name="act"),
    path("<uuid:friendly_id>/hint/", views.hint, name="hint"),
    path("<uuid:friendly_id>/record.json", views.record, name="record"),
    path("<uuid:friendly_id>/values.json", views.values, name="values"),
    path("<uuid:friendly_id>/mistakes.json", views.mistakes, name="mistakes"),
    path("<uuid:friendly_id>/rematch/", views.rematch, name="rematch"),
    path("<uuid:friendly_id>/explore.json", views.explore_friendly, name="explore"),
]
