"""Addresses below /series/."""

from django.urls import path

from tournaments.series.pages import ladders, management
from tournaments.series.pages import series as pages

app_name = "series"
urlpatterns = [
    path("", pages.all_series, name="list"),
    path("new/", management.create, name="new"),
    path("ladders/<slug:slug>/", ladders.archive, name="ladder"),
    path("ladders/<slug:slug>/close/", ladders.close, name="close-ladder"),
    path("ladders/<slug:slug>/<int:number>/", ladders.season, name="ladder-season"),
    path("ladders/<slug:slug>/<int:number>/ranking.csv", ladders.ranking_csv, name="ladder-ranking"),
    path("<slug:slug>/", pages.series_detail, name="detail"),
    path("<slug:slug>/edit/", management.edit, name="edit"),
    path("<slug:slug>/calendar.ics", pages.dates, name="dates"),
    path("<slug:slug>/change/<slug:change>/", management.change, name="change"),
    path("<slug:slug>/seasons/", pages.seasons, name="seasons"),
    path("<slug:slug>/seasons/<int:number>/", pages.series_detail, name="season"),
    path("<slug:slug>/seasons/<int:number>/standings.csv", pages.standings_csv, name="standings"),
]
