"""Addresses of the documentation beside those of `bots`; names without a namespace, as theirs."""

from django.urls import path

from arena.manual.pages import show_build, show_page
from arena.manual.search import show_search

urlpatterns = [
    path("build/", show_build, name="build"),
    path("docs/search/", show_search, name="docs-search"),
    path("docs/<slug:name>/", show_page, name="docs-page"),
]
