"""The luck of a game as pages show it, and the expected result after every event for the replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.cache import cache

import engine
from tournaments.domain.luck import swings, words_of
from tournaments.domain.scores import half_points, margins
from tournaments.domain.values import VERSION, covered
from tournaments.models import Game, GameLuck, LaterLuck
from tournaments.selectors.records import events

if TYPE_CHECKING:
    from tournaments.domain.luck import Swing
    from tournaments.models import Result

KEPT_SECONDS = 24 * 3600
FORMAT = 1


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
    later: list[LaterMeasurement]

    @property
    def bar(self) -> int:
        """The luck as a percentage of a whole point, at most 100."""
        return min(100, round(100 * self.luck))


def panel(game: Game) -> LuckPanel | None:
    """The luck of a finished game; None while it was not measured."""
    found = GameLuck.objects.filter(game=game).first()
    if found is None or game.status != Game.Status.FINISHED:
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
        later=[
            LaterMeasurement(one.version, score - sign * one.result / 2, margin - sign * one.margin)
            for one in LaterLuck.objects.filter(game=game)
        ],
    )


def has_values(game: Game) -> bool:
    """Whether the expected results of the game can be told: it is over, and a value function knows it."""
    finished = game.status == Game.Status.FINISHED
    return finished and covered(game.tournament.variant, game.tournament.players)


def values(game: Game) -> dict[str, Any]:
    """The expected result of seat 0 at the start and after every event, and what luck and skill did to it.

    Lists by number of events seen, from 0: `win` in points from 0 to 1, `margin` in cards or points, `luck`
    and `skill` the two parts of each change of `win`. An offer changes nothing; an end that no move brought
    (a forfeit, an agreed draw) was somebody's choice. Computed once and cached; raises BrokenRecord.
    """
    key = f"values/{FORMAT}/{VERSION}/{game.pk}"
    kept: dict[str, Any] | None = cache.get(key)
    if kept is None:
        kept = _computed(game)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def _computed(game: Game) -> dict[str, Any]:
    log = events(game)
    found = swings(engine.Position.parse(game.start), words_of(log))
    rows: list[Swing] = [found[0]]
    moves = iter(found[1:])
    for event in log:
        if event["type"] in {"move", "stop"}:
            rows.append(next(moves))
        else:
            rows.append(_over(rows[-1], game.result) if event["type"] == "end" else _still(rows[-1]))
    return {
        "format": FORMAT,
        "game": str(game.pk),
        "version": VERSION,
        "win": [round(min(1.0, max(0.0, 0.5 + row.value / 2)), 3) for row in rows],
        "margin": [round(row.margin, 1) for row in rows],
        "luck": [round(row.luck / 2, 3) for row in rows],
        "skill": [round(row.skill / 2, 3) for row in rows],
    }


def _still(before: Swing) -> Swing:
    """What an event does that is no move."""
    return type(before)(before.value, 0.0, 0.0, before.margin)


def _over(before: Swing, result: Result) -> Swing:
    """The end with what was counted; after a move that ended the game that is what it is worth already."""
    value = half_points(result.ranking, 0) - 1.0
    behind = margins(result.points, result.left, result.culprit)[0]
    return type(before)(value, 0.0, value - before.value, behind)
