"""Addresses of puzzles."""

from django.urls import path

from friendlies.puzzles import pages

app_name = "puzzles"
urlpatterns = [
    path("", pages.overview, name="overview"),
    path("next/", pages.next_puzzle, name="next"),
    path("<int:number>/", pages.puzzle, name="puzzle"),
    path("<int:number>/state.json", pages.state, name="state"),
    path("<int:number>/step/", pages.step, name="step"),
    path("<int:number>/answer/", pages.answer, name="answer"),
]
