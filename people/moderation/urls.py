"""Addresses below /moderation/; and those of the desk, below /admin/moderation/."""

from django.contrib import admin
from django.urls import path

from people.moderation.pages import desk, report_pages

app_name = "moderation"
urlpatterns = [
    path("", report_pages.decision_list, name="list"),
    path("report/<str:subject>/<int:key>/", report_pages.report, name="report"),
    path("report/thanks/", report_pages.thanks, name="thanks"),
    path("decisions/<str:signed>/", report_pages.decision, name="decision"),
]
# Behind a second factor, as all of the administration.
desk_urls = (
    [
        path("desk/", admin.site.admin_view(desk.queue), name="queue"),
        path("desk/act/<int:key>/", admin.site.admin_view(desk.act), name="act"),
        path("desk/<str:subject>/<int:key>/", admin.site.admin_view(desk.thing), name="thing"),
    ],
    "desk",
)
