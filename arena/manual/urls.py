"""Addresses of the documentation; names without a namespace, as the whole site links to them."""

from django.urls import path

from arena.manual.pages import show_build, show_page
from arena.manual.search import show_search
from bots.pages import docs

urlpatterns = [
    path("build/", show_build, name="build"),
    path("docs/", docs.first_bot, name="docs"),
    path("docs/crapette-kit.zip", docs.kit, name="docs-kit"),
    path("docs/search/", show_search, name="docs-search"),
    path("docs/<slug:name>/", show_page, name="docs-page"),
    path("kit/", docs.package_page, name="kit"),
    path("kit/<str:name>", docs.kit_file, name="kit-file"),
]
