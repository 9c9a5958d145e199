"""The addresses of signing up, in and out: those of allauth that need no mail, since the arena sends none."""

from allauth.account import views
from django.urls import include, path
from django.views.generic import TemplateView

urlpatterns = [
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("signup/", views.signup, name="account_signup"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("two-factor/", include("allauth.mfa.urls")),
    path("password/change/", views.password_change, name="account_change_password"),
    path("password/set/", views.password_set, name="account_set_password"),
    path(
        "password/reset/",
        TemplateView.as_view(template_name="account/forgotten.html"),
        name="account_reset_password",
    ),
]
