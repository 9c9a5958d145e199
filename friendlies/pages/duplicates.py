"""Deals of bots' games that people may play again, as in duplicate bridge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Sum
from django.template.loader import render_to_string

import engine
from arena.web.cache.values import kept_for
from arena.web.i18n.phrases import long
from arena.web.variants import variant_title
from friendlies.pages.games import outcome
from tournaments.games import records
from tournaments.models import Game, Pair, Rating

if TYPE_CHECKING:
    from datetime import datetime

    from friendlies.models import Friendly
    from friendlies.tables.people import Person

LOOKED_AT = 60
OFFERED = 6
OFFERED_SECONDS = 10
"""How long the same deals are offered, while ever new ones are played."""
SEATS = 2
WON = ("win", "stop")
"""How games end that were played to their end and won: in ticks somebody has called stop."""


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
