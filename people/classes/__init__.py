"""Classes: a teacher, their students and their bots, and events for them alone."""

from analysis.errors import InvalidTournament


class ClassRefused(InvalidTournament):
    """What was asked of a class is impossible."""

    code = "class"
