"""Deals of bots' games that people may replay, and how the results compare (as in duplicate bridge)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Sum

import engine
from arena.common.kept import kept_for
from friendlies.models import Friendly
from friendlies.presenters.games import outcome
from friendlies.selectors.state import person_name
from tournaments.models import Game, Pair, Rating
from tournaments.presenters.games import variant_title
from tournaments.selectors import records

if TYPE_CHECKING:
    from datetime import datetime

LOOKED_AT = 60
OFFERED = 6
OFFERED_SECONDS = 10
"""How long the same deals are offered, while ever new ones are played."""
PERSONS_SHOWN = 10
SEATS = 2
WON = ("win", "stop")
"""How games end that were played to their end and won: in ticks somebody has called stop."""


@dataclass(frozen=True, slots=True)
class OfferedDeal:
    """A deal to be played from either seat of a finished game: ``seats`` are (seat, bot, won)."""

    game: str
    variant: str
    seats: list[tuple[int, str, str]]
    length: str
    when: datetime | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One result of a deal: who sat in the person's seat, against whom, and how it ended."""

    who: str
    opponent: str
    outcome: str
    left: int
    left_opponent: int
    points: str
    length: str
    behind: int
    """By how many points the opponent did better, or without points, how many cards fewer it had left."""
    url: str
    you: bool = False


@kept_for(OFFERED_SECONDS)
def offered() -> list[OfferedDeal]:
    """Deals of accepted pairs between the strongest bots, of all games of two; the same for everybody."""
    elo = dict(Rating.objects.values_list("version").annotate(Sum("elo")).order_by())
    pairs = Pair.objects.filter(status=Pair.Status.ACCEPTED, pairing__tournament__players=SEATS)
    pairs = pairs.order_by("-accepted_at")
    games = Game.objects.filter(
        pair__in=list(pairs.values_list("pk", flat=True)[:LOOKED_AT]), leg=0, result__termination__in=WON
    )
    found = list(
        games.select_related("result", "tournament").prefetch_related(records.seats_with("version__bot"))
    )
    found.sort(key=lambda game: sum(elo.get(seat.version_id, 0) for seat in game.seats.all()), reverse=True)
    return [_deal(game) for game in _spread(found)[:OFFERED]]


def compared(row: Friendly) -> list[Compared]:
    """Return the games of this deal from the same seat, including this one once it is over."""
    if row.pair_id is None:
        return []
    games = Game.objects.filter(pair=row.pair_id, status=Game.Status.FINISHED).order_by("leg")
    games = games.select_related("result").prefetch_related(records.seats_with("version__bot"))
    found = [_of_bots(game, row.seat) for game in games]
    persons = Friendly.objects.filter(pair=row.pair_id, seat=row.seat, status=Friendly.Status.FINISHED)
    persons = persons.select_related("version__bot", "owner").order_by("-finished_at")
    found += [_of_person(one, you=one.pk == row.pk) for one in persons[:PERSONS_SHOWN]]
    return sorted(found, key=_rank)


def standing(rows: list[Compared]) -> str:
    """Return how this game compares with others of its deal and seat, in a sentence."""
    mine = next((one for one in rows if one.you), None)
    others = [one for one in rows if not one.you]
    if mine is None or not others:
        return ""
    worse = sum(_rank(one) > _rank(mine) for one in others)
    equal = sum(_rank(one) == _rank(mine) for one in others)
    shared = f", equal to {equal}" if equal else ""
    return f"Better than {worse} of the {len(others)} other games of this deal from your seat{shared}."


def _rank(one: Compared) -> tuple[int, int]:
    """The better the result, the lower: won, drawn, lost; then by the margin."""
    return ("won", "drawn", "lost").index(one.outcome), one.behind


def _spread(games: list[Game]) -> list[Game]:
    """The games with one of each variant before the next of any."""
    turns: dict[str, int] = {}
    order = []
    for index, game in enumerate(games):
        turn = turns[game.tournament.variant] = turns.get(game.tournament.variant, -1) + 1
        order.append((turn, index, game))
    return [game for _, _, game in sorted(order, key=lambda one: one[:2])]


def _deal(game: Game) -> OfferedDeal:
    result = records.result(game) or {}
    seats = [(seat.seat, seat.version.bot.name, outcome(result, seat.seat)) for seat in game.seats.all()]
    length = _length(game.tournament.variant, result)
    return OfferedDeal(str(game.pk), variant_title(game.tournament.variant), seats, length, game.finished_at)


def _length(variant: str, result: dict[str, Any]) -> str:
    return f"{result['plies']} {engine.VARIANTS[variant].unit}"


def _of_bots(game: Game, seat: int) -> Compared:
    names = [one.version.bot.name for one in game.seats.all()]
    result = records.result(game) or {}
    return _compared(names, result, seat, _length(game.tournament.variant, result), game.get_absolute_url())


def _of_person(row: Friendly, *, you: bool) -> Compared:
    names = [row.version.bot.name] * 2
    names[row.seat] = person_name(row)
    result = row.result or {}
    return _compared(names, result, row.seat, _length(row.variant, result), row.get_absolute_url(), you=you)


def _compared(
    names: list[str], result: dict[str, Any], seat: int, length: str, url: str, *, you: bool = False
) -> Compared:
    left, points = result["left"], result["points"]
    counted = any(points)
    return Compared(
        who=names[seat],
        opponent=names[1 - seat],
        outcome=outcome(result, seat),
        left=left[seat],
        left_opponent=left[1 - seat],
        points=f"{points[seat]} – {points[1 - seat]}" if counted else "",
        length=length,
        behind=points[1 - seat] - points[seat] if counted else left[seat] - left[1 - seat],
        url=url,
        you=you,
    )
