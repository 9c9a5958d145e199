"""Addresses below /notices/."""

from django.urls import path

from arena.notices import pages
from arena.notices.pages import NoticeFeed

app_name = "notices"
urlpatterns = [
    path("", pages.notice_list, name="list"),
    path("read/", pages.read, name="read"),
    path("settings/", pages.settings, name="settings"),
    path("settings/mails/", pages.mails, name="mails"),
    path("settings/feed/", pages.feed, name="set-feed"),
    path("feed/<str:secret>.atom", NoticeFeed(), name="feed"),
    path("settings/webhooks/", pages.add_webhook, name="add-webhook"),
    path("settings/webhooks/<int:webhook_id>/remove/", pages.remove_webhook, name="remove-webhook"),
    path("site/<int:key>/dismiss/", pages.dismiss, name="dismiss"),
    path("unsubscribe/<str:secret>/", pages.unsubscribe, name="unsubscribe"),
]
