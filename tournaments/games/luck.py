"""The luck of a game as pages show it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from analysis.scores import half_points, margins
from analysis.values import covers
from arena.web.cache.values import shared_rows
from arena.web.i18n.phrases import list_names
from tournaments.models import Game, GameLuck, LaterLuck


@dataclass(frozen=True, slots=True)
class LaterMeasurement:
    """What a later value function makes of the same game, seen from the same seat."""

    version: int
    fair: float
    fair_margin: float


@dataclass(frozen=True, slots=True)
class LuckPanel:
    """A game's luck for its page, seen from the luckier seat `seat`; points are 1 for a win, ½ for a draw.

    `fair` is the luck-adjusted score of that seat and may pass 0 or 1: it is an estimate that is right on
    average, not a verdict on one game.
    """

    seat: int
    name: str
    score: float
    luck: float
    deal: float
    cards: float
    fair: float
    margin: float
    luck_margin: float
    fair_margin: float
    reveals: int
    version: int
    played_on: str
    """By which policies the seats were played on, from seat 0, empty where the version knew but one."""
    later: list[LaterMeasurement]

    @property
    def bar(self) -> int:
        """The luck as a percentage of a whole point, at most 100."""
        return min(100, round(100 * self.luck))

    @property
    def words(self) -> str:
        """What the luck was worth, in a sentence."""
        if self.bar < 5:
            return gettext("Luck hardly mattered.")
        if self.bar >= 95:
            words = gettext("Luck was worth a whole game to %(name)s.")
        elif 45 <= self.bar <= 55:
            words = gettext("Luck was worth half a game to %(name)s.")
        else:
            words = gettext("Luck was worth %(percent)s %% of a game to %(name)s.")
        return words % {"name": self.name, "percent": self.bar}


def panel(game: Game) -> LuckPanel | None:
    """The luck of a finished game; None while it was not measured."""
    if game.status != Game.Status.FINISHED:
        return None
    try:
        found = game.luck
    except GameLuck.DoesNotExist:
        return None
    result = game.result
    seat = 0 if found.result >= 0 else 1
    sign = 1 if seat == 0 else -1
    score = half_points(result.ranking, seat) / 2
    margin = margins(result.points, result.left, result.culprit)[seat]
    luck, behind = sign * found.result / 2, sign * found.margin
    return LuckPanel(
        seat=seat,
        name=game.seats.all()[seat].version.bot.name,
        score=score,
        luck=luck,
        deal=sign * found.deal_result / 2,
        cards=sign * found.cards_result / 2,
        fair=score - luck,
        margin=margin,
        luck_margin=behind,
        fair_margin=margin - behind,
        reveals=found.reveals,
        version=found.version,
        played_on=list_names([_likeness(*one) for one in found.policies]) if found.policies else "",
        later=[
            LaterMeasurement(one.version, score - sign * one.result / 2, margin - sign * one.margin)
            for one in (LaterLuck.objects.filter(game=game) if _any_later() else ())
        ],
    )


def _likeness(name: str, agreement: float) -> str:
    """A policy, and how often a seat played its moves."""
    return gettext("%(name)s (%(percent)s%% alike)") % {"name": name, "percent": round(100 * agreement)}


@shared_rows
def _any_later() -> bool:
    """Whether any game was measured by a later value function: few sites have had one."""
    return LaterLuck.objects.exists()


def has_values(game: Game) -> bool:
    """Whether the expected results of the game can be told: it is over, and a value function knows it."""
    finished = game.status == Game.Status.FINISHED
    return finished and covers(game.tournament.variant, game.tournament.players)
