"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and their sign-up."""

    name = "arena.accounts"
    label = "accounts"
