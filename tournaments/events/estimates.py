"""How long games take here, and so how long a tournament will take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Avg, F
from django.utils.translation import gettext, ngettext

from analysis.formats.matches import POINTS
from analysis.verdicts.lengths import Length, forecast
from analysis.verdicts.sprt import INDEPENDENT
from arena.web.cache.values import kept_for
from arena.web.database import database_clock
from arena.web.i18n.phrases import count_noun
from arena.web.processes.capacity import games_at_once
from arena.web.templatetags.site import lasting
from tournaments.events.brackets import KNOCK_OUT
from tournaments.models import Game, Pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.formats.groups import GroupRule
    from analysis.formats.matches import MatchRule
    from analysis.formats.plans import Size
    from analysis.verdicts.sprt import Hypotheses

UNKNOWN_SECONDS = 3.0
"""What a game of bots nobody has seen is taken to last."""

RECENT = timedelta(days=7)


def seconds_a_game(variant: str, versions: Sequence[int] = (), players: int = 2) -> float:
    """The mean duration of recent games of these versions with so many seats, else of all, else a guess."""
    games = Game.objects.filter(
        tournament__variant=variant,
        tournament__players=players,
        status=Game.Status.FINISHED,
        finished_at__gt=database_clock.now() - RECENT,
        started_at__isnull=False,
        # A short game of a pair is delivered with those after it: only the last one's end is its own.
        leg=players - 1,
    )
    for narrowed in (games.filter(seats__version__in=versions), games) if versions else (games,):
        mean: timedelta | None = narrowed.aggregate(mean=Avg(F("finished_at") - F("started_at")))["mean"]
        if mean is not None:
            return max(mean.total_seconds(), 0.05)
    return UNKNOWN_SECONDS


@kept_for(60)
def usual_seconds(variant: str, players: int = 2) -> float:
    """The mean duration of recent games of a board, at most a minute old: it reads a week's games."""
    return seconds_a_game(variant, players=players)


LAST_PAIRS = 500
LEAST_PAIRS = 50
"""Fewer say nothing about how much pairs vary."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """How long a sequential test will be for one true difference, and how long that takes here."""

    length: Length
    seconds: float

    @property
    def accepted(self) -> str:
        """The chance that it is accepted."""
        return percent(self.length.accepted)

    @property
    def undecided(self) -> str:
        """The chance that it ends undecided."""
        return percent(self.length.undecided)


def percent(chance: float) -> str:
    """``12 %``, or ``under 1 %``."""
    return f"{100 * chance:.0f} %" if chance >= 0.01 or not chance else gettext("under 1 %")


def foretell(asked: Hypotheses, most: int, variant: str, versions: Sequence[int] = ()) -> list[Foretold]:
    """The length of a test of at most `most` pairs if the truth is its lower bound, halfway, or the upper."""
    seconds = 2 * seconds_a_game(variant, versions) / games_at_once()
    return [Foretold(one, one.pairs * seconds) for one in forecast(asked, most, pair_variance(variant))]


def pair_variance(variant: str) -> float:
    """How much the scores (0 … 1) of a game's last pairs vary about a half, at most as independent games do.

    So unlike bots are not taken for ones whose pairs vary much.
    """
    last = Pair.objects.filter(
        pairing__tournament__variant=variant,
        pairing__tournament__players=2,
        status=Pair.Status.ACCEPTED,
        score__isnull=False,
    ).order_by("-pk")
    scores = [(score or 0) / 4 - 0.5 for score in last.values_list("score", flat=True)[:LAST_PAIRS]]
    if len(scores) < LEAST_PAIRS:
        return INDEPENDENT
    return max(0.01, min(INDEPENDENT, sum(score * score for score in scores) / len(scores)))


def estimated_seconds(
    size: Size, variant: str, versions: Sequence[int] = (), *, players: int = 2, matches: bool = False
) -> float:
    """About how long a tournament of this size takes if nothing else is played; matches go pair by pair."""
    at_once = games_at_once()
    if matches:
        at_once = min(at_once, 2 * max(1, size.pairings // max(1, size.rounds)))
    return size.seconds(seconds_a_game(variant, versions, players), at_once)


def staged_words(rule: GroupRule, entrants: int) -> str:
    """The groups of so many entrants, and the knock-out after them."""
    settled = rule.for_entrants(entrants)
    small, more = divmod(entrants, settled.groups)
    size = gettext("%(small)s or %(large)s") % {"small": small, "large": small + 1} if more else str(small)
    words = ngettext(
        "There is %(groups)s of %(size)s bots. %(advance)s.",
        "There are %(groups)s of %(size)s bots. %(advance)s.",
        settled.groups,
    )
    advance = ngettext(
        "The winner of each advances to a knock-out of %(bots)s",
        "The first %(count)s of each advance to a knock-out of %(bots)s",
        settled.advance,
    ) % {"count": settled.advance, "bots": count_noun(settled.qualifiers, "bot")}
    found = words % {"groups": count_noun(settled.groups, "group"), "size": size, "advance": advance}
    byes = (1 << (settled.qualifiers - 1).bit_length()) - settled.qualifiers
    if byes:
        found += " " + ngettext(
            "The best seed has a bye in its first round.",
            "The best %(count)s seeds have a bye in its first round.",
            byes,
        ) % {"count": byes}
    return found


def estimate_words(
    size: Size,
    seconds: float,
    at_once: int,
    *,
    kind: str,
    open_to_all: bool,
    match: MatchRule | None,
    deals: int,
    groups: str = "",
    before: int = 0,
) -> list[str]:
    """Describe the tournament a form would create: games, rounds, time, and how a match ends.

    `kind` is the tournament's format, `deals` how many deals a match takes on average, `groups` what
    `staged_words` says of its groups. `before` games of others are played meanwhile (`queue.games_before`).
    """
    games = _about(count_noun(size.games, "game"), at_most=kind in KNOCK_OUT, about=match is not None)
    values = {"games": games, "rounds": count_noun(size.rounds, "round")}
    if open_to_all:
        found = [gettext("With these entrants, this is %(games)s in %(rounds)s.") % values]
    else:
        found = [gettext("This is %(games)s in %(rounds)s.") % values]
    side_by_side = ngettext(
        "It takes about %(time)s, one game at a time.",
        "It takes about %(time)s, %(number)s games at a time.",
        at_once,
    )
    if groups:
        found[0] += " " + groups
    whole = seconds * (size.games + before) / max(1, size.games)
    found[0] += " " + side_by_side % {"time": lasting(whole), "number": at_once}
    if before:
        words = ngettext(
            "That includes %(number)s game from the queue, where owners take turns.",
            "That includes %(number)s games from the queue, where owners take turns.",
            before,
        )
        found[0] += " " + words % {"number": intcomma(before)}
    if match is not None:
        found.append(_match_estimate(match, deals))
    return found


def _about(games: str, *, at_most: bool, about: bool) -> str:
    if at_most and about:
        return gettext("at most about %(games)s") % {"games": games}
    if at_most:
        return gettext("at most %(games)s") % {"games": games}
    return gettext("about %(games)s") % {"games": games} if about else games


def _match_estimate(match: MatchRule, deals: int) -> str:
    target = match.target
    if match.kind == POINTS:
        takes = gettext("A match to %(points)s takes about %(deals)s, each played from both seats.") % {
            "points": count_noun(target, "point"),
            "deals": count_noun(deals, "deal"),
        }
    else:
        takes = gettext("A match of %(deals)s goes on while it is level.") % {
            "deals": count_noun(target, "deal")
        }
    drawn = gettext("After %(deals)s deals without a winner it is drawn.") % {"deals": match.most}
    return f"{takes} {drawn}"
