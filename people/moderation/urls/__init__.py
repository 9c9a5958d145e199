"""Addresses below /moderation/."""

from django.urls import path

from people.moderation.pages import report_pages

app_name = "moderation"
urlpatterns = [
    path("", report_pages.decision_list, name="list"),
    path("report/<str:subject>/<int:key>/", report_pages.report, name="report"),
    path("report/thanks/", report_pages.thanks, name="thanks"),
    path("decisions/<str:signed>/", report_pages.decision, name="decision"),
]
