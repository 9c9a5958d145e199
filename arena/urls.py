"""Every address of the site."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from arena.health import health

urlpatterns = [
    path("health", health, name="health"),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
# The apps' addresses, as soon as they are there.
if find_spec("bots.urls"):
    urlpatterns.append(path("bots/", include("bots.urls")))
    urlpatterns.append(path("api/v1/", include("bots.urls.api")))
    urlpatterns.append(path("", include("bots.urls.docs")))
if find_spec("tournaments.urls"):
    urlpatterns.append(path("", include("tournaments.urls")))
