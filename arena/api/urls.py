"""Addresses below /api/."""

from django.urls import path

from arena.api import views

urlpatterns = [
    path("docs", views.reference, name="api-docs"),
    path("openapi.json", views.openapi, name="api-openapi"),
    path("v1/<path:rest>", views.enter, name="api-v1"),
]
