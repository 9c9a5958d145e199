"""Addresses of the documentation for authors; names without a namespace, as the whole site links to them."""

from django.urls import path

from bots.views import docs

urlpatterns = [
    path("docs/", docs.first_bot, name="docs"),
    path("docs/protocol/", docs.protocol, name="docs-protocol"),
    path("docs/crapette-kit.zip", docs.kit, name="docs-kit"),
]
