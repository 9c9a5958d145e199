"""Addresses of people's games."""

from django.urls import path

from friendlies import views

app_name = "play"
urlpatterns = [
    path("", views.new_friendly, name="new"),
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
