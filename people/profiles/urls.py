"""Addresses of pages about people."""

from django.urls import path

from people.profiles import pages

app_name = "people"
urlpatterns = [
    path("bots/account/delete/", pages.delete_account, name="delete-account"),
    path("people/<str:name>/", pages.profile, name="profile"),
    path("people/<str:name>/show/", pages.show, name="show"),
    path("leaderboard/<slug:variant>/people/", pages.board, name="board"),
]
