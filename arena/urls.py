"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from arena.accounts.views import choose_language
from arena.operate.health import health, metrics, ready, show_how_it_works
from arena.operate.overview import overview
from arena.web.i18n.scripts import words
from arena.web.installable_app import manifest, offline, worker
from people.account_data import account_data
from people.moderation.urls import desk_urls

# Here, and not in every process that plays or thinks: they show no page.
admin.autodiscover()

urlpatterns = [
    path("health", health, name="health"),
    path("ready", ready, name="ready"),
    path("metrics", metrics, name="metrics"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
    path("words/<slug:code>.<slug:digest>.js", words, name="words"),
    path("language/", choose_language, name="language"),
    path("admin/overview/", admin.site.admin_view(overview), name="overview"),
    path("how-it-works/", show_how_it_works, name="how-it-works"),
    path("accounts/data/", account_data, name="account-data"),
    path("accounts/", include("arena.accounts.urls")),
    path("admin/moderation/", include(desk_urls)),
    path("admin/", admin.site.urls),
    path("api/", include("arena.api.urls")),
    path("notices/", include("arena.notices.urls")),
    path("bots/", include("bots.urls")),
    path("", include("arena.manual.urls")),
    path("challenges/", include("tournaments.challenges.urls")),
    path("classes/", include("people.classes.urls")),
    path("series/", include("tournaments.series.urls")),
    path("moderation/", include("people.moderation.urls")),
    path("play/", include("friendlies.urls")),
    path("", include("people.profiles.urls")),
    path("puzzles/", include("friendlies.puzzles.urls")),
    path("learn/", include("friendlies.tutorials.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "arena.web.http.refusals.bad_request"
handler403 = "arena.accounts.views.permission_denied"
handler404 = "arena.web.http.refusals.page_not_found"
handler429 = "arena.web.http.refusals.too_many_requests"
