"""The addresses of signing up, in and out, and of an address for mails, which is everybody's own choice."""

from allauth.account import views
from django.urls import include, path, re_path

from arena.accounts.adapter import ActivateView
from arena.accounts.captcha import opens_policy
from arena.accounts.views import choose_time_zone, send_again, shared

urlpatterns = [
    path("time-zone/", choose_time_zone, name="choose_time_zone"),
    path("login/", opens_policy(shared(views.login)), name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("signup/", opens_policy(shared(views.signup)), name="account_signup"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("two-factor/totp/activate/", ActivateView.as_view()),
    path("two-factor/", include("allauth.mfa.urls")),
    path("password/change/", views.password_change, name="account_change_password"),
    path(
        "password/set/",
        views.PasswordSetView.as_view(template_name="account/password_change.html"),
        name="account_set_password",
    ),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/done/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("email/send-again/", send_again, name="account_send_again"),
    path("email/", views.email, name="account_email"),
    path("confirm-email/", views.email_verification_sent, name="account_email_verification_sent"),
    path("confirm-email/<key>/", views.confirm_email, name="account_confirm_email"),
]
