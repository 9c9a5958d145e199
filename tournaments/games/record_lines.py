"""Records of many games, each with its proof, line by line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q

from analysis.event_log import canonical
from tournaments.games import bundles
from tournaments.games.search import Wanted, find_games
from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from analysis.game_record import Proved
    from tournaments.games.public_data import Month
    from tournaments.models import Tournament

CHUNK = 50


def month_lines(month: Month, wanted: Wanted = Wanted()) -> Iterator[bytes]:  # noqa: B008 - it is frozen
    """The records of a month (UTC) in the order they finished, one a line, with their proofs.

    A month that goes on gives more lines later. Voided games are left out.
    """
    finished = _finished(wanted)
    return _lines(finished.filter(finished_at__gte=month.begins, finished_at__lt=month.next.begins))


def record_lines(wanted: Wanted) -> Iterator[bytes]:
    """The records of finished games that fit, in the order they finished, one a line, with their proofs."""
    return _lines(_finished(wanted))


def _finished(wanted: Wanted) -> QuerySet[Game]:
    found = find_games(replace(wanted, status=Game.Status.FINISHED))
    return found.filter(finished_at__isnull=False, record__isnull=False)


def _lines(found: QuerySet[Game]) -> Iterator[bytes]:
    found = found.order_by("finished_at", "pk")
    seeds: dict[tuple[int, int], dict[int, str | None]] = {}
    rest = found
    # From where the last ones end: there may be millions.
    while places := list(rest.values_list("finished_at", "pk")[:CHUNK]):
        at, last = places[-1]
        rest = found.filter(Q(finished_at__gt=at) | Q(finished_at=at, pk__gt=last))
        games = Game.objects.filter(pk__in=[pk for _, pk in places], record__isnull=False)
        for game in (
            games.select_related("tournament", "result", "record__archive", "pair__pairing")
            .prefetch_related("seats__version__bot__owner")
            .order_by("finished_at", "pk")
        ):
            yield canonical(_proved(game, seeds)) + b"\n"


def _proved(game: Game, seeds: dict[tuple[int, int], dict[int, str | None]]) -> Proved:
    tournament: Tournament = game.tournament
    key = (tournament.pk, game.pair.batch)
    if key not in seeds:
        seeds[key] = bundles.revealed_seeds(tournament, {game.pair.batch})
    return bundles.prove_game(game, seeds[key], game.pair, game.pair.pairing)
