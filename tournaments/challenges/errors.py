"""Errors of challenges. Each is a sentence for the person who asked, with the field it is about."""

from analysis.errors import InvalidTournament


class ChallengeRefused(InvalidTournament):
    """The challenge is impossible as it was asked for, or the other side does not want it."""

    code = "challenge"
