"""Errors of classes. Each is a sentence for the person who asked, with the field it is about."""

from analysis.errors import InvalidTournament


class ClassRefused(InvalidTournament):
    """What was asked of a class is impossible."""

    code = "class"
