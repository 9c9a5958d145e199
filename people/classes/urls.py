"""Addresses below /classes/."""

from django.urls import path

from people.classes import views

app_name = "classes"
urlpatterns = [
    path("", views.class_list, name="list"),
    path("new/", views.create, name="new"),
    path("join/", views.join, name="join"),
    path("<int:key>/", views.class_detail, name="detail"),
    path("<int:key>/leave/", views.leave, name="leave"),
    path("<int:key>/change/<slug:change>/", views.change, name="change"),
]
