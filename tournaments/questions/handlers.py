"""Who works out which kind of question; performances in one event here. Pages never import this."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from analysis.intervals import Z95
from analysis.questions.whatif import Asked
from analysis.ratings.inputs import FitInputs, count_orders, intervals
from analysis.ratings.shared_deals import with_errors_by_deal
from analysis.searches.what_if_games import answer
from tournaments import live_updates as events
from tournaments.events.standings import (
    counted_pairs,
    dealt_pairs,
    entrants_matches,
    group_deals,
)
from tournaments.games import luck_measurement as luck
from tournaments.games import records
from tournaments.models import Tournament
from tournaments.questions import leases
from tournaments.questions.deep import judge_game
from tournaments.questions.expected import expected_results
from tournaments.questions.mistakes import find_mistakes
from tournaments.questions.parquet import pack
from tournaments.questions.passages import draw_passage
from tournaments.questions.question_types import Gone, QuestionKind, rated_results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tournaments.models import Game
    from tournaments.questions.question_types import Arguments


def _branch(arguments: Arguments) -> dict[str, Any]:
    asked = Asked.of(arguments)
    game = _game(arguments)
    return answer(game.start, records.events(game), asked).as_dict()


def _mistakes(arguments: Arguments) -> dict[str, Any]:
    game = _game(arguments)
    return find_mistakes(str(game.pk), game.start, records.events(game))


def _values(arguments: Arguments) -> dict[str, Any]:
    game = _game(arguments)
    return expected_results(str(game.pk), game.start, records.events(game), records.result(game) or {})


def _deep(arguments: Arguments, report: Callable[[float], None]) -> dict[str, Any]:
    game = _game(arguments)
    return judge_game(str(game.pk), game.start, records.events(game), records.result(game) or {}, report)


def _passage(arguments: Arguments) -> dict[str, Any]:
    game = _game(arguments)
    span = arguments["first"], arguments["last"]
    return draw_passage(game.start, records.events(game), span, arguments["names"])


def _room(_: Arguments) -> None:
    leases.forget_passages()


def _luck(asked: Sequence[Arguments]) -> None:
    for arguments in asked:
        if "game" in arguments:  # asked by an earlier version
            luck.measure(arguments["game"])
    luck.measure_pairs([arguments["pair"] for arguments in asked if "pair" in arguments])


def _ratings(arguments: Arguments) -> list[list[Any]]:
    found = rated_results(arguments).estimates()
    return [[player, one.elo, one.error, one.anchored] for player, one in found.items()]


def _game(arguments: Arguments) -> Game:
    game = records.find_game(arguments["game"])
    if game is None:
        raise Gone("This game no longer exists.")
    return game


def _performance(arguments: Arguments) -> dict[str, Any]:
    """Each entrant's Elo by the games of this event alone, with the ends of its 95 % interval.

    Their mean is 1500 in each group that met. It says how well a bot did here, and counts for nothing. Errors
    take the deal as the unit, because all pairings of a round play the same ones.
    """
    tournament = Tournament.objects.filter(pk=arguments["tournament"]).first()
    if tournament is None:
        raise Gone("This tournament no longer exists.")
    if tournament.players > 2:
        return {"pairs": counted_pairs(tournament, ()), "rows": _among_several(tournament)}
    matches = entrants_matches(tournament)
    weighed = FitInputs(matches=matches).rate()
    weighed = replace(weighed, fit=with_errors_by_deal(weighed.fit, matches, dealt_pairs(tournament)))
    ends = intervals(weighed)
    rows = {
        str(player): [one.elo, *ends[player]]
        for player, one in zip(weighed.fit.players, weighed.fit.estimates, strict=True)
    }
    return {"pairs": sum(match.pairs for match in matches), "rows": rows}


def _among_several(tournament: Tournament) -> dict[str, list[float]]:
    found = FitInputs(rankings=count_orders(group_deals(tournament))).rate_groups().by_player()
    return {
        str(player): [one.elo, one.elo - Z95 * one.error, one.elo + Z95 * one.error]
        for player, one in found.items()
    }


def _show_performance(arguments: Arguments) -> None:
    """Have open pages of the event read the new figures."""
    slug = Tournament.objects.filter(pk=arguments["tournament"]).values_list("slug", flat=True).first()
    if slug is not None:
        events.publish_changed(slug)


ANSWERS: Final[Mapping[str, QuestionKind]] = {
    "branch": QuestionKind(_branch, 30),
    "mistakes": QuestionKind(_mistakes, 60),
    "values": QuestionKind(_values, 30),
    "deep": QuestionKind(_deep, 1200, reports=True),
    "passage": QuestionKind(_passage, 60, _room),
    "luck": QuestionKind(_luck, 300, together=True),
    "dataset": QuestionKind(pack, 300),
    "performance": QuestionKind(_performance, 60, _show_performance),
    "ratings": QuestionKind(_ratings, 60),
}
