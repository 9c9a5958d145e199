"""Addresses of the desk, below /admin/moderation/: behind a second factor, as all of the administration."""

from django.contrib import admin
from django.urls import path

from people.moderation.pages import desk

app_name = "desk"
urlpatterns = [
    path("desk/", admin.site.admin_view(desk.queue), name="queue"),
    path("desk/act/<int:key>/", admin.site.admin_view(desk.act), name="act"),
    path("desk/<str:subject>/<int:key>/", admin.site.admin_view(desk.thing), name="thing"),
]
