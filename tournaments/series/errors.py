"""Errors of series. Each is a sentence for the person who asked, with the field it is about."""

from analysis.errors import InvalidTournament


class SeriesRefused(InvalidTournament):
    """What was asked of a series is impossible."""

    code = "series"
