"""The Django app of people's games."""

from django.apps import AppConfig


class FriendliesConfig(AppConfig):
    """Games of people against bots."""

    name = "friendlies"
