"""Errors of moderation. Each is a sentence for the person who asked."""


class ModerationRefused(Exception):
    """It cannot be done; why."""


class TooManyReports(ModerationRefused):
    """The account reported as much as it may in a day."""
