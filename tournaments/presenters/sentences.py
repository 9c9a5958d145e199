"""Sentences about a tournament that depend on its format: how much is played, how long it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma

from analysis.formats.matches import POINTS
from arena.common.templatetags.site import lasting
from tournaments.models import Tournament
from tournaments.selectors.brackets import KNOCK_OUT

if TYPE_CHECKING:
    from analysis.formats.matches import MatchRule
    from analysis.formats.plans import Size

EVERY_TWO = (Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET)
"""Formats in which the same two bots may meet in several cycles."""


def counted(number: int, noun: str) -> str:
    """``1 pair``, ``2,000 pairs``."""
    return f"{intcomma(number)} {noun}{'' if number == 1 else 's'}"


def schedule_words(tournament: Tournament) -> str:
    """How much opponents play: ``10 pairs of games for every two bots``."""
    pairs, seats = tournament.pairs_per_pairing, tournament.players
    cycles = f", {tournament.cycles} times" if tournament.cycles > 1 else ""
    if seats > 2:
        deals = counted(pairs, "deal")
        return f"{deals} for every {seats} bots, each played {seats} times with seats rotated"
    if tournament.match_rule:
        return f"matches {tournament.match_rule.words}{cycles}"
    if tournament.format == Tournament.Format.SPRT:
        return f"up to {counted(pairs, 'pair')} of games"
    if tournament.format == Tournament.Format.LADDER:
        return "pairs of games, without end"
    whom = f"for every two bots{cycles}" if tournament.format in EVERY_TWO else "for every pairing"
    return f"{counted(pairs, 'pair')} of games {whom}"


def estimate_words(
    size: Size,
    seconds: float,
    at_once: int,
    *,
    kind: str,
    open_to_all: bool,
    match: MatchRule | None,
    deals: int,
) -> list[str]:
    """Describe the tournament a form would create: games, rounds, time, and how a match ends.

    `kind` is the tournament's format, `deals` how many deals a match takes on average.
    """
    about = "at most " if kind in KNOCK_OUT else ""
    about += "about " if match else ""
    games = f"{about}{counted(size.games, 'game')} in {counted(size.rounds, 'round')}"
    with_these = "With these entrants, this is" if open_to_all else "This is"
    side_by_side = "one game at a time" if at_once == 1 else f"{at_once} games at a time"
    found = [f"{with_these} {games}. It takes about {lasting(seconds)}, {side_by_side}."]
    if match is not None:
        if match.kind == POINTS:
            length = f"takes about {counted(deals, 'deal')}, each played from both seats"
        else:
            length = "goes on while it is level"
        found.append(
            f"A match {match.words} {length}. After {match.most} deals without a winner it is drawn."
        )
    return found
