"""Addresses of puzzles."""

from django.urls import path

from friendlies.puzzles import views

app_name = "puzzles"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("next/", views.next_puzzle, name="next"),
    path("<int:number>/", views.puzzle, name="puzzle"),
    path("<int:number>/state.json", views.state, name="state"),
    path("<int:number>/step/", views.step, name="step"),
    path("<int:number>/answer/", views.answer, name="answer"),
]
