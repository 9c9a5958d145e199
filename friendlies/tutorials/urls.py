"""Addresses of the tutorials."""

from django.urls import path

from friendlies.tutorials import views

app_name = "tutorials"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("<slug:variant>/", views.tutorial, name="tutorial"),
    path("<slug:variant>/<int:number>/", views.step, name="step"),
    path("<slug:variant>/<int:number>/state.json", views.state, name="state"),
    path("<slug:variant>/<int:number>/move/", views.move, name="move"),
]
