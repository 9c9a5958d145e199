"""Searches for puzzles in finished games, and judges answers to them. Serving processes never import this."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

import engine
from analysis.errors import BrokenRecord
from analysis.searches.puzzles import judge, puzzles
from friendlies.puzzles.models import Puzzle, Reading
from friendlies.puzzles.puzzle_searches import JUDGE, SEARCH
from tournaments.games import records
from tournaments.models import Game
from tournaments.questions.question_types import Gone, QuestionKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from tournaments.questions.question_types import Arguments


GAMES: Final = 40
"""Read at a time: a few seconds at most."""
BACKLOG: Final = 2_000
"""A reader that is further behind goes on with newer games: there are more puzzles than anybody wants."""
EACH: Final = 1
"""Puzzles of one game: turns that follow each other are alike."""

log = logging.getLogger(__name__)


def read_on() -> int:
    """Read the next games, in the order in which they ended, and return how many puzzles they brought.

    A game is ticked off before it is read, so that one that ends the process is not read again.
    """
    found = 0
    for game in _next():
        Reading(finished_at=game.finished_at or game.created_at, game=game.pk).save()
        found += _read(game)
    return found


def _next() -> list[Game]:
    rest = unread()
    # The newest of those that may be left out, if there are so many.
    skip = (
        rest.order_by("-finished_at", "-pk").values_list("finished_at", "pk")[BACKLOG : BACKLOG + 1].first()
    )
    if skip is not None:
        rest = _after(rest, *skip)
    seats = records.seats_with("version__bot__owner")
    ordered = rest.order_by("finished_at", "pk").select_related("tournament", "result", "record__archive")
    return list(ordered.prefetch_related(seats)[:GAMES])


def unread() -> QuerySet[Game]:
    """Finished games of two seats that were not read yet, played in turns and without calls of stop."""
    variants = [
        name for name, rules in engine.VARIANTS.items() if not rules.in_ticks and not rules.stop_calls
    ]
    games = Game.objects.filter(
        status=Game.Status.FINISHED,
        finished_at__isnull=False,
        record__isnull=False,
        tournament__players=2,
        tournament__variant__in=variants,
    )
    last = Reading.objects.first()
    return games if last is None else _after(games, last.finished_at, last.game)


def _after(games: QuerySet[Game], finished_at: object, key: object) -> QuerySet[Game]:
    return games.filter(Q(finished_at__gt=finished_at) | Q(finished_at=finished_at, pk__gt=key))


def _read(game: Game) -> int:
    """Keep the puzzles of a game that are not there yet; return how many."""
    try:
        found = puzzles(engine.TurnPosition.parse(game.start), engine.words_of(records.events(game)))
    except BrokenRecord:
        log.warning("game %s cannot be read for puzzles", game.pk, exc_info=True)
        return 0
    with transaction.atomic():
        known = set(Puzzle.objects.filter(key__in=[one.key for one in found]).values_list("key", flat=True))
        fresh = [one for one in found if one.key not in known][:EACH]
        Puzzle.objects.bulk_create(
            (
                Puzzle(
                    key=one.key,
                    variant=game.tournament.variant,
                    seat=one.seat,
                    position=one.position,
                    played=list(one.played),
                    solution=list(one.solution),
                    game=game,
                    ply=one.first,
                )
                for one in fresh
            ),
            ignore_conflicts=True,
        )
    return len(fresh)


def _search(arguments: Arguments) -> None:
    read_on()


def _judge(arguments: Arguments) -> dict[str, Any]:
    puzzle = Puzzle.objects.filter(pk=arguments["puzzle"]).first()
    if puzzle is None:
        raise Gone(gettext("This puzzle no longer exists."))
    found = judge(engine.TurnPosition.parse(puzzle.position), arguments["moves"])
    return {"wins": found.wins, "reply": list(found.reply)}


ANSWERS: Final[Mapping[str, QuestionKind]] = {
    SEARCH: QuestionKind(_search, 120),
    JUDGE: QuestionKind(_judge, 15),
}
