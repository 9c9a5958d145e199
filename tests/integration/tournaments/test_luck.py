"""The luck of finished games and how well solved endings were held: measured once, and shown."""

import json
from typing import Any

import pytest
from django.test import Client

import engine
from analysis.formats.committed_seeds import commitment
from analysis.scores import half_points
from analysis.searches.won_endings import won_endings
from analysis.values import VERSION
from arena.accounts.models import User
from arena.run.analysis.worker import ANSWERS
from bots.models import Version
from tests.factories.played import finish
from tests.factories.ratings import rating
from tests.factories.tournaments import created, running
from tests.thinking import get
from tournaments.events import creation
from tournaments.games import luck_measurement as luck
from tournaments.games import records
from tournaments.models import (
    Analysis,
    Game,
    GameLuck,
    LaterLuck,
    Pair,
    Pairing,
    PolicyTally,
    SolvedEnding,
    Tournament,
)
from tournaments.questions.question_types import FOR_THE_ARENA, WHEN_IDLE
from tournaments.questions.requests import want_luck
from tournaments.questions.worker import work_off
from tournaments.ratings.verdicts import count_pairs, judge
from tournaments.ratings.won_endings import HeldEndings, count_held

pytestmark = pytest.mark.django_db

UNSEEN: list[list[str | float]] = [["greedy", 0.95], ["greedy", 0.95]]
GREEDY: list[list[str | float]] = [["greedy", 1.0], ["greedy", 1.0]]


def a_pair(owner: User, versions: list[Version], variant: str = "crapette") -> list[Game]:
    """The two games of a pair, on a deal that is always the same."""
    seed = "11" * 32
    with pytest.MonkeyPatch.context() as known:
        known.setattr(creation, "new_seed", lambda: {"seed": seed, "seed_commitment": commitment(seed)})
        running(owner, versions[:2], pairs=1, variant=variant)
    return [finish(), finish()]


@pytest.fixture
def played(ada: User, trio: list[Version]) -> list[Game]:
    return a_pair(ada, trio)


def test_luck_is_measured_once_and_that_of_the_deal_cancels(played: list[Game], client: Client) -> None:
    address = played[0].get_absolute_url()
    before = list(Pairing.objects.values())
    assert work_off(ANSWERS) == 1, "an accepted pair asks for its luck: both games in one question"
    assert luck.measure_pairs([played[0].pair_id]) == 0, "it may be asked for twice"
    assert set(GameLuck.objects.values_list("game", "version")) == {(game.pk, VERSION) for game in played}
    assert all(row.reveals > 20 for row in GameLuck.objects.all())
    assert list(Pairing.objects.values()) == before, "nothing that counts changes by it"
    first, second = GameLuck.objects.order_by("game__leg")
    # Seat 0 of each leg is another entrant's, so the same luck of the same seat helps each of them once.
    assert first.deal_result == pytest.approx(second.deal_result)
    assert first.deal_margin == pytest.approx(second.deal_margin)
    assert "Result without luck" in client.get(address).content.decode()
    # Seen from the other side, what is left of a pair without luck is as much below the middle.
    pairs = list(Pair.objects.order_by("pk"))
    adjusted = [half_points(game.result.ranking, 0) - 1 - game.luck.result for game in played]
    mean = (adjusted[0] - adjusted[1]) / 2
    assert judge(count_pairs(pairs, [True])).fair_score == pytest.approx(0.5 + mean / 2)
    assert judge(count_pairs(pairs, [False])).fair_score == pytest.approx(0.5 - mean / 2)


def test_a_later_value_function_changes_no_verdict(played: list[Game]) -> None:

    luck.measure_pairs([played[0].pair_id])
    # As if an earlier version had measured it, and found something else.
    GameLuck.objects.filter(game=played[0]).update(version=VERSION - 1, cards_result=0.5, cards_margin=3.0)
    pairs = list(Pair.objects.all())
    before = judge(count_pairs(pairs, [True]))
    assert [row is not None for row in luck.measure_all()] == [True]
    assert list(luck.measure_all()) == []
    first, later = GameLuck.objects.get(game=played[0]), LaterLuck.objects.get()
    assert (first.version, first.cards_result) == (VERSION - 1, 0.5)
    assert (later.version, later.game) == (VERSION, played[0])
    assert judge(count_pairs(pairs, [True])) == before


@pytest.mark.parametrize(
    ("options", "rank"),
    [
        ({}, WHEN_IDLE),
        ({"admits_remote": True}, FOR_THE_ARENA),
        ({"format": Tournament.Format.SPRT}, FOR_THE_ARENA),
    ],
)
def test_luck_comes_at_once_where_it_is_subtracted_from_results(
    options: dict[str, Any], rank: int, ada: User, trio: list[Version]
) -> None:
    event = created(ada, trio[:2], variant="crapette")
    for name, value in options.items():
        setattr(event, name, value)
    want_luck(event, [1])
    assert Analysis.objects.values_list("kind", "rank").get() == ("luck", rank)


def policies(*games: Game) -> list[list[list[str | float]]]:
    return [GameLuck.objects.get(game=game).policies for game in games]


def test_uploads_are_played_on_as_they_played_before(ada: User, trio: list[Version]) -> None:
    running(ada, trio[:2], pairs=4, variant="crapette")
    first = [finish(), finish()]
    luck.measure_pairs([first[0].pair_id])
    second = [finish(), finish()]
    third = [finish(), finish()]
    luck.measure_pairs([second[0].pair_id])
    assert policies(*first) == [UNSEEN, UNSEEN], "neither leg tells how the other is to be measured"
    assert policies(*second) == [GREEDY, GREEDY]
    PolicyTally.objects.filter(game__in=second).delete()
    Pair.objects.filter(pk=third[0].pair_id).update(deal_seed=first[0].pair.deal_seed)
    luck.measure_pairs([third[0].pair_id])
    assert policies(*third) == [UNSEEN, UNSEEN], "what was tallied on its deal chooses nothing"


def test_a_record_that_is_no_game_is_left_alone(ada: User, trio: list[Version], client: Client) -> None:
    running(ada, trio[:2], pairs=1, variant="crapette")
    broken, whole = finish(7), finish()
    assert luck.measure_pairs([broken.pair_id]) == 1
    assert GameLuck.objects.get().game_id == whole.pk
    answer = get(client, f"/games/{broken.pk}/values.json")
    assert (answer.status_code, json.loads(answer.content)["error"]["code"]) == (409, "record")


def test_a_solved_ending_is_kept_once(ada: User, trio: list[Version], client: Client) -> None:
    one = trio[0]
    games = a_pair(ada, trio, "crapo")
    rating(one, board="crapo", pairs=1, games=2, anchored=True)
    for _ in range(2):  # it may be measured twice
        luck.measure_pairs([games[0].pair_id])
        luck.measure(games[0].pk)
    expected = {
        (game.pk, seat, game.seats.get(seat=seat).version_id, game.result.ranking[0] == [seat])
        for game in games
        for seat in won_endings(engine.TurnPosition.parse(game.start), engine.words_of(records.events(game)))
    }
    assert expected, "expected a deal with a solved ending"
    assert set(SolvedEnding.objects.values_list("game", "seat", "version", "held")) == expected

    SolvedEnding.objects.all().delete()
    for game, held in zip(games, (True, False), strict=True):
        SolvedEnding.objects.create(game=game, seat=0, version=one, variant="crapo", held=held)
    row = client.get(f"/api/v1/bots/{one.bot.slug}/ratings/").json()["items"][0]
    assert (row["solved_endings"], row["held_endings"]) == (2, 1)
    Game.objects.filter(pk=games[0].pk).update(status=Game.Status.VOID)
    assert count_held(version__bot=one.bot) == {(one.pk, "crapo"): HeldEndings(1, 0)}
