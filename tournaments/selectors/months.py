"""All games that finished in a month, each with its proof, line by line."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from analysis.records import canonical
from tournaments.models import Game
from tournaments.selectors import bundles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.game_record import Proved
    from tournaments.models import Tournament

CHUNK = 50


def month_lines(year: int, month: int) -> Iterator[bytes]:
    """The records of a month (UTC) in the order they finished, one a line, with their proofs.

    A month that goes on gives more lines later. Voided games are left out.
    """
    first = datetime(year, month, 1, tzinfo=UTC)
    until = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    found = Game.objects.filter(
        status=Game.Status.FINISHED, finished_at__gte=first, finished_at__lt=until, record__isnull=False
    ).order_by("finished_at", "pk")
    keys = list(found.values_list("pk", flat=True))
    seeds: dict[tuple[int, int], dict[int, str | None]] = {}
    for start in range(0, len(keys), CHUNK):
        games = Game.objects.filter(pk__in=keys[start : start + CHUNK], record__isnull=False)
        for game in (
            games.select_related("tournament", "result", "record", "pair__pairing")
            .prefetch_related("seats__version__bot__owner")
            .order_by("finished_at", "pk")
        ):
            yield canonical(_proved(game, seeds)) + b"\n"


def _proved(game: Game, seeds: dict[tuple[int, int], dict[int, str | None]]) -> Proved:
    tournament: Tournament = game.tournament
    key = (tournament.pk, game.pair.batch)
    if key not in seeds:
        seeds[key] = bundles.revealed_seeds(tournament, {game.pair.batch})
    return bundles.proved(game, seeds[key], game.pair, game.pair.pairing)
