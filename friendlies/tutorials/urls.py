"""Addresses of the tutorials."""

from django.urls import path

from friendlies.tutorials import pages

app_name = "tutorials"
urlpatterns = [
    path("", pages.overview, name="overview"),
    path("<slug:variant>/", pages.tutorial, name="tutorial"),
    path("<slug:variant>/<int:number>/", pages.step, name="step"),
    path("<slug:variant>/<int:number>/state.json", pages.state, name="state"),
    path("<slug:variant>/<int:number>/move/", pages.move, name="move"),
]
