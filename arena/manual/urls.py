"""Addresses of the documentation beside those of `bots`; names without a namespace, as theirs."""

from django.urls import path

from arena.manual import views

urlpatterns = [
    path("docs/search/", views.search_page, name="docs-search"),
    path("docs/<slug:name>/", views.page, name="docs-page"),
]
