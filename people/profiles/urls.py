"""Addresses of pages about people."""

from django.urls import path

from people.profiles import views

app_name = "people"
urlpatterns = [
    path("bots/account/delete/", views.delete_account, name="delete-account"),
    path("people/<str:name>/", views.profile, name="profile"),
    path("people/<str:name>/show/", views.show, name="show"),
    path("leaderboard/<slug:variant>/people/", views.board, name="board"),
]
