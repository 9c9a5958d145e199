"""Addresses below /notices/."""

from django.urls import path

from arena.notices import views
from arena.notices.feeds import NoticeFeed

app_name = "notices"
urlpatterns = [
    path("", views.notice_list, name="list"),
    path("read/", views.read, name="read"),
    path("settings/", views.settings, name="settings"),
    path("settings/mails/", views.mails, name="mails"),
    path("settings/feed/", views.feed, name="set-feed"),
    path("feed/<str:secret>.atom", NoticeFeed(), name="feed"),
    path("settings/webhooks/", views.add_webhook, name="add-webhook"),
    path("settings/webhooks/<int:webhook_id>/remove/", views.remove_webhook, name="remove-webhook"),
    path("site/<int:key>/dismiss/", views.dismiss, name="dismiss"),
    path("unsubscribe/<str:secret>/", views.unsubscribe, name="unsubscribe"),
]
