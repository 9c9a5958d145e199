"""Addresses below /moderation/."""

from django.urls import path

from people.moderation.pages import people

app_name = "moderation"
urlpatterns = [
    path("", people.decision_list, name="list"),
    path("report/<str:subject>/<int:key>/", people.report, name="report"),
    path("report/thanks/", people.thanks, name="thanks"),
    path("decisions/<str:signed>/", people.decision, name="decision"),
]
