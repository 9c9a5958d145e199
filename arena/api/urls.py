"""Addresses below /api/."""

from django.urls import path

from arena.api import door

urlpatterns = [
    path("docs", door.reference, name="api-docs"),
    path("openapi.json", door.openapi, name="api-openapi"),
    path("v1/<path:rest>", door.enter, name="api-v1"),
]
