"""The app of people at a table."""

from django.apps import AppConfig


class FriendliesConfig(AppConfig):
    """Games of people against bots."""

    name = "friendlies"
