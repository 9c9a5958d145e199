"""Addresses of the documentation for authors; names without a namespace, as the whole site links to them."""

from django.urls import path

from bots.pages import docs

urlpatterns = [
    path("docs/", docs.first_bot, name="docs"),
    path("docs/crapette-kit.zip", docs.kit, name="docs-kit"),
    path("kit/", docs.package_page, name="kit"),
    path("kit/<str:name>", docs.kit_file, name="kit-file"),
]
