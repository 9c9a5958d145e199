"""The accounts app, and the administration that it guards."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class AccountsConfig(AppConfig):
    """People and their sign-up."""

    name = "arena.accounts"
    label = "accounts"


class OperatorsConfig(AdminConfig):
    """Django's administration, on a site that asks for a second factor."""

    default_site = "arena.accounts.operators.OperatorSite"
