"""Duplicates, as in bridge: deals of bots' games to play again, and results beside the whole field's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Sum
from django.template.loader import render_to_string
from django.utils.translation import gettext

import engine
from analysis.scores import FORFEITS, margins
from arena.web.cache.values import kept_for
from arena.web.i18n.phrases import long
from arena.web.paths import path
from arena.web.variants import variant_title
from friendlies.models import Friendly
from friendlies.pages.games import outcome
from friendlies.tables.state import person_name, person_page
from tournaments.games import records
from tournaments.models import Game, Pair, Rating, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from friendlies.tables.people import Person

LOOKED_AT = 60
OFFERED = 6
OFFERED_SECONDS = 10
"""How long the same deals are offered, while ever new ones are played."""
SEATS = 2
WON = ("win", "stop")
"""How games end that were played to their end and won: in ticks somebody has called stop."""
MOST: Final = 300
"""Games of bots that are compared; a field has twice as many games as it has pairings."""
MOST_PEOPLE: Final = 50
BEST_SHOWN: Final = 8
AROUND: Final = 2
"""How many rows the table shows: the best results, and those next to the player's own."""
OUTCOMES: Final = ("won", "drawn", "lost")
COLUMNS: Final = (
    "pk", "result__ranking", "result__termination", "result__points", "result__left", "result__culprit",
    "result__plies",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OfferedDeal:
    """A deal to be played from either seat of a finished game: ``seats`` are (seat, bot, won)."""

    game: str
    seed: str
    """What it was dealt from: the same for all pairs that play it. Never shown."""
    variant: str
    seats: list[tuple[int, str, str]]
    length: str
    when: datetime | None


@kept_for(OFFERED_SECONDS)
def offered_deals() -> list[OfferedDeal]:
    """Deals of accepted pairs between the strongest bots, of all games of two; the same for everybody."""
    elo = dict(Rating.objects.values_list("version").annotate(Sum("elo")).order_by())
    # Where remote bots play, the games of a pair have deals of their own.
    pairs = Pair.objects.filter(
        status=Pair.Status.ACCEPTED,
        pairing__tournament__players=SEATS,
        pairing__tournament__admits_remote=False,
    )
    pairs = pairs.order_by("-accepted_at")
    games = Game.objects.filter(
        pair__in=list(pairs.values_list("pk", flat=True)[:LOOKED_AT]), leg=0, result__termination__in=WON
    )
    games = games.select_related("result", "tournament", "pair")
    found = list(games.prefetch_related(records.seats_with("version__bot")))
    found.sort(key=lambda game: sum(elo.get(seat.version_id, 0) for seat in game.seats.all()), reverse=True)
    return [_deal(game) for game in _spread(found)[:OFFERED]]


@kept_for(OFFERED_SECONDS)
def offered_list() -> str:
    """The offered deals as HTML, to stand in a form; empty without any. The rest of the page costs less."""
    deals = offered_deals.__wrapped__()  # type: ignore[attr-defined]  # two that keep would be twice as old
    return render_to_string("play/deals.html", {"deals": deals}) if deals else ""


def next_deal(row: Friendly, player: Person) -> OfferedDeal | None:
    """Return the best offered deal of the game's variant, or else of any, that the person has not played."""
    played = set(player.games().exclude(pair=None).values_list("pair__deal_seed", flat=True))
    new = [deal for deal in offered_deals() if deal.seed not in played]
    alike = [deal for deal in new if deal.variant == variant_title(row.variant)]
    return next(iter(alike or new), None)


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
    length = long(result["plies"], engine.VARIANTS[game.tournament.variant])
    variant = variant_title(game.tournament.variant)
    return OfferedDeal(str(game.pk), game.pair.deal_seed, variant, seats, length, game.finished_at)


@dataclass(frozen=True, slots=True)
class Compared:
    """One result of a deal: who sat in the person's seat, against whom, and how it ended."""

    outcome: str
    margin: float
    gave_up: bool
    """Whether the seat resigned or forfeited: that is worth less than any game played to its end."""
    left: int
    left_opponent: int
    points: str
    length: str
    url: str
    who: str = ""
    opponent: str = ""
    you: bool = False
    place: int = 0
    """From 1; equal results share it."""
    page: str = ""
    """Of the person who sat there."""

    @property
    def rank(self) -> tuple[int, bool, float]:
        """The better the result, the lower: won, drawn, lost; given up last; then by the margin."""
        return OUTCOMES.index(self.outcome), self.gave_up, -self.margin


@dataclass(frozen=True, slots=True)
class DealField:
    """The results of a deal from one seat, the best first: those that are shown, and all counted."""

    shown: list[Compared]
    games: int
    standing: str
    """How this game compares with the others, in a sentence."""


def field_of(row: Friendly) -> DealField | None:
    """The games of this deal from the same seat, with this one once it is over, if bots played it."""
    if row.pair is None:
        return None
    pairs = list(
        Pair.objects.filter(
            pairing__tournament=row.pair.pairing.tournament_id, deal_seed=row.pair.deal_seed
        ).values_list("pk", flat=True)
    )
    found = [*_of_bots(row, pairs), *_of_people(row, pairs)]
    found.sort(key=lambda one: one[1].rank)
    placed = zip(found, places(one.rank for _, one in found), strict=True)
    ranked = [(key, replace(one, place=place)) for (key, one), place in placed]
    mine = next((index for index, (_, one) in enumerate(ranked) if one.you), 0)
    shown = [one for index, one in enumerate(ranked) if index < BEST_SHOWN or abs(index - mine) <= AROUND]
    return DealField(_named(shown, row.seat), len(ranked), _standing([one for _, one in ranked]))


def _of_bots(row: Friendly, pairs: list[int]) -> list[tuple[UUID | None, Compared]]:
    """Results of the bots' games, with the keys of the games."""
    games = Game.objects.filter(pair__in=pairs, status=Game.Status.FINISHED).order_by("-finished_at")
    found: list[tuple[UUID | None, Compared]] = []
    for key, ranking, termination, points, left, culprit, plies in games.values_list(*COLUMNS)[:MOST]:
        result = {
            "ranking": ranking,
            "termination": termination,
            "points": points,
            "left": left,
            "seat": culprit,
            "plies": plies,
        }
        found.append((key, compare_result(result, row.seat, row.variant, path("games:detail", key))))
    return found


def _of_people(row: Friendly, pairs: list[int]) -> list[tuple[UUID | None, Compared]]:
    games = Friendly.objects.filter(pair__in=pairs, seat=row.seat, status=Friendly.Status.FINISHED)
    games = games.exclude(pk=row.pk).select_related("version__bot", "owner").defer("events")
    found: list[tuple[UUID | None, Compared]] = []
    for one in [*games.order_by("-finished_at")[:MOST_PEOPLE], *([row] if row.is_over else [])]:
        told = compare_result(one.result or {}, one.seat, one.variant, one.get_absolute_url())
        named = replace(
            told,
            who=person_name(one),
            page=person_page(one),
            opponent=one.version.bot.name,
            you=one.pk == row.pk,
        )
        found.append((None, named))
    return found


def compare_result(result: dict[str, Any], seat: int, variant: str, url: str) -> Compared:
    """Return a result from a seat, without names."""
    left, points = result["left"], result["points"]
    return Compared(
        outcome=outcome(result, seat),
        margin=margins(points, left, result["seat"])[seat],
        gave_up=result["termination"] in FORFEITS and result["seat"] == seat,
        left=left[seat],
        left_opponent=left[1 - seat],
        points=f"{points[seat]} – {points[1 - seat]}" if any(points) else "",
        length=long(result["plies"], engine.VARIANTS[variant]),
        url=url,
    )


def places(ranks: Iterable[object]) -> list[int]:
    """The places of results, from 1; `ranks` has their ranks, best first, and equal ones share a place."""
    found: list[int] = []
    for index, (before, rank) in enumerate(pairwise(chain([None], ranks)), start=1):
        found.append(found[-1] if before == rank else index)
    return found


def _named(shown: list[tuple[UUID | None, Compared]], seat: int) -> list[Compared]:
    """The results with the names of the bots, in one query."""
    seats = Seat.objects.filter(game__in=[key for key, _ in shown if key])
    names = {(game, at): bot for game, at, bot in seats.values_list("game", "seat", "version__bot__name")}
    return [
        one if key is None else replace(one, who=names[key, seat], opponent=names[key, 1 - seat])
        for key, one in shown
    ]


def _standing(ranked: list[Compared]) -> str:
    mine = next((one for one in ranked if one.you), None)
    others = [one for one in ranked if not one.you]
    if mine is None or not others:
        return ""
    if mine.gave_up:
        return gettext("You did not play this game to its end, so it ranks below every game that was.")
    worse = sum(one.rank > mine.rank for one in others)
    equal = sum(one.rank == mine.rank for one in others)
    values = {"worse": worse, "others": len(others), "equal": equal}
    if equal:
        return (
            gettext(
                "Better than %(worse)s of the %(others)s other games of this deal from your seat, equal to "
                "%(equal)s."
            )
            % values
        )
    return (
        gettext("Better than %(worse)s of the %(others)s other games of this deal from your seat.") % values
    )
