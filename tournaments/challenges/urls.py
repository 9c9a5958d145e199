"""Addresses below /challenges/."""

from django.urls import path

from tournaments.challenges import pages as views

app_name = "challenges"
urlpatterns = [
    path("", views.challenge_list, name="list"),
    path("new/", views.new_challenge, name="new"),
    path("<int:key>/<str:answer>/", views.answer, name="answer"),
    path("terms/<slug:slug>/", views.terms, name="terms"),
    path("blocked/add/", views.block, name="block"),
    path("blocked/remove/", views.unblock, name="unblock"),
]
