"""Addresses below /classes/."""

from django.urls import path

from people.classes import pages

app_name = "classes"
urlpatterns = [
    path("", pages.class_list, name="list"),
    path("new/", pages.create, name="new"),
    path("join/", pages.join, name="join"),
    path("<int:key>/", pages.class_detail, name="detail"),
    path("<int:key>/leave/", pages.leave, name="leave"),
    path("<int:key>/change/<slug:change>/", pages.change, name="change"),
]
