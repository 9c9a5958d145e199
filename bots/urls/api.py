"""Addresses below /api/v1/, for authors' programs."""

from django.urls import path

from bots.views import api

app_name = "bots-api"
urlpatterns = [
    path("bots/", api.bots, name="bots"),
    path("bots/<slug:slug>/versions/", api.versions, name="versions"),
    path("bots/<slug:slug>/versions/<int:number>/", api.version, name="version"),
]
