"""The luck of finished games is measured once, beside the result, and shown."""

import json

import pytest
from django.test import Client

from analysis.formats.seeds import commitment
from analysis.scores import half_points
from analysis.values import VERSION
from arena.accounts.models import User
from arena.run.analysis.worker import ANSWERS
from bots.models import Bot, Version
from tests.factories.played import finish
from tests.factories.tournaments import running
from tests.thinking import get
from tournaments.events import creation
from tournaments.games import luck_measurement as luck
from tournaments.games import luck_measurement as seat_policies
from tournaments.games import records
from tournaments.models import Analysis, Game, GameLuck, LaterLuck, Pair, Pairing, PolicyTally
from tournaments.pages.events.meetings import meeting_url
from tournaments.questions.question_types import FOR_THE_ARENA, Question
from tournaments.questions.requests import want
from tournaments.questions.worker import work_off
from tournaments.ratings.verdicts import count_pairs, judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(ada: User, trio: list[Version], monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """The two games of a pair, on a deal that is always the same."""
    seed = "11" * 32
    with monkeypatch.context() as known:
        known.setattr(creation, "new_seed", lambda: {"seed": seed, "seed_commitment": commitment(seed)})
        running(ada, trio[:2], pairs=1, variant="crapette")
    return [finish(), finish()]


def test_the_luck_of_an_accepted_pair_is_measured_once(played: list[Game]) -> None:
    before = list(Pairing.objects.values())
    assert work_off(ANSWERS) == 1, "an accepted pair asks for its luck: both games in one question"
    assert not Analysis.objects.exists(), "what was measured waits no more"
    assert luck.measure_pair(played[0].pair_id) == 0, "it may be asked for twice"
    assert set(GameLuck.objects.values_list("game", "version")) == {(game.pk, VERSION) for game in played}
    assert all(row.reveals > 20 for row in GameLuck.objects.all())
    assert list(Pairing.objects.values()) == before, "nothing that counts changes by it"


@pytest.mark.any_database
def test_the_luck_of_the_deal_cancels_in_a_pair(played: list[Game]) -> None:
    luck.measure_pair(played[0].pair_id)
    first, second = GameLuck.objects.order_by("game__leg")
    # Seat 0 of each leg is another entrant's, so the same luck of the same seat helps each of them once.
    assert first.deal_result == pytest.approx(second.deal_result)
    assert first.deal_margin == pytest.approx(second.deal_margin)


def test_a_question_that_an_earlier_version_asked_of_one_game_is_answered(played: list[Game]) -> None:
    question = Question("luck", {"game": str(played[1].pk)}, VERSION, FOR_THE_ARENA)
    Analysis.objects.all().delete()
    want([question])
    assert work_off(ANSWERS) == 1
    assert GameLuck.objects.get().game_id == played[1].pk


def test_a_later_value_function_is_stored_next_to_the_first_and_changes_no_verdict(
    played: list[Game], client: Client
) -> None:
    luck.measure_pair(played[0].pair_id)
    # As if an earlier version had measured it, and found something else.
    GameLuck.objects.filter(game=played[0]).update(version=VERSION - 1, cards_result=0.5, cards_margin=3.0)
    pairs = list(Pair.objects.all())
    before, page = (
        judge(count_pairs(pairs, [True])),
        client.get(played[0].get_absolute_url()).content.decode(),
    )
    assert "later value function" not in page
    assert [row is not None for row in luck.measure_all()] == [True]
    assert list(luck.measure_all()) == []
    first, later = GameLuck.objects.get(game=played[0]), LaterLuck.objects.get()
    assert (first.version, first.cards_result) == (VERSION - 1, 0.5)
    assert (later.version, later.game) == (VERSION, played[0])
    assert later.reveals > 20
    assert judge(count_pairs(pairs, [True])) == before
    page = client.get(played[0].get_absolute_url()).content.decode()
    assert f"The later value function {VERSION} finds" in page


def policies(*games: Game) -> list[list[list[str | float]]]:
    return [GameLuck.objects.get(game=game).policies for game in games]


UNSEEN: list[list[str | float]] = [["greedy", 0.95], ["greedy", 0.95]]
GREEDY: list[list[str | float]] = [["greedy", 1.0], ["greedy", 1.0]]


def test_uploads_are_played_on_as_they_played_before_the_pair_began(
    ada: User, trio: list[Version], client: Client
) -> None:
    running(ada, trio[:2], pairs=2, variant="crapette")
    first = [finish(), finish()]
    luck.measure_pair(first[0].pair_id)
    second = [finish(), finish()]
    luck.measure_pair(second[0].pair_id)
    assert policies(*first) == [UNSEEN, UNSEEN], "neither leg tells how the other is to be measured"
    assert policies(*second) == [GREEDY, GREEDY]
    page = client.get(second[0].get_absolute_url()).content.decode()
    assert "games played out as greedy (100% alike) and greedy (100% alike)" in page


@pytest.mark.any_database
def test_what_was_tallied_after_a_pair_began_or_on_its_deal_chooses_nothing(
    ada: User, trio: list[Version]
) -> None:
    running(ada, trio[:2], pairs=3, variant="crapette")
    first, second = [finish(), finish()], [finish(), finish()]
    luck.measure_pair(first[0].pair_id)
    luck.measure_pair(second[0].pair_id)
    assert policies(*second) == [UNSEEN, UNSEEN]
    third = [finish(), finish()]
    Pair.objects.filter(pk=third[0].pair_id).update(deal_seed=first[0].pair.deal_seed)
    PolicyTally.objects.filter(game__in=second).delete()
    luck.measure_pair(third[0].pair_id)
    assert policies(*third) == [UNSEEN, UNSEEN]


def test_only_the_first_games_of_a_version_are_tallied(
    ada: User, trio: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_policies, "TALLIED", 2)
    running(ada, trio[:2], pairs=2, variant="crapette")
    games = [finish() for _ in range(4)]
    for pair in sorted({game.pair_id for game in games}):
        luck.measure_pair(pair)
    assert PolicyTally.objects.count() == 4
    assert set(PolicyTally.objects.values_list("game", flat=True)) == {game.pk for game in games[:2]}


def test_the_policy_of_a_house_bot_is_known_and_never_tallied(ada: User, trio: list[Version]) -> None:
    Bot.objects.filter(pk=trio[0].bot_id).update(is_house=True, owner=None, slug="house-planner")
    running(ada, trio[:2], pairs=1, variant="crapette")
    game = finish()
    finish()
    luck.measure_pair(game.pair_id)
    seats = [seat.version_id for seat in game.seats.all()]
    assert policies(game)[0][seats.index(trio[0].pk)] == ["planner", 1.0]
    assert set(PolicyTally.objects.values_list("version", flat=True)) == {trio[1].pk}


def test_a_record_that_is_no_game_is_left_alone(ada: User, trio: list[Version], client: Client) -> None:
    running(ada, trio[:2], pairs=1, variant="crapette")
    broken, whole = finish(7), finish()
    assert luck.measure_pair(broken.pair_id) == 1
    assert GameLuck.objects.get().game_id == whole.pk
    answer = get(client, f"/games/{broken.pk}/values.json")
    assert answer.status_code == 409
    error = json.loads(answer.content)["error"]
    assert (error["code"], error["message"]) == ("record", "expected a move of the game, got 't1-t1'")


def test_the_page_shows_luck_next_to_the_result(played: list[Game], client: Client) -> None:
    address = played[0].get_absolute_url()
    assert "Result without luck" not in client.get(address).content.decode()
    luck.measure_pair(played[0].pair_id)
    page = client.get(address).content.decode()
    assert "Result without luck" in page
    assert f"/games/{played[0].pk}/values.json" in page


@pytest.mark.any_database
def test_values_tell_the_expected_result_after_every_event(played: list[Game], client: Client) -> None:
    answer = get(client, f"/games/{played[0].pk}/values.json")
    assert answer.status_code == 200
    found = json.loads(answer.content)
    events = played[0].record.count
    assert {len(found[name]) for name in ("win", "margin", "luck", "skill")} == {events + 1}
    winner = played[0].result.ranking[0][0]
    assert found["win"][-1] == 1 - winner
    assert all(0 <= value <= 1 for value in found["win"])
    assert client.get(f"/games/{played[0].pk}/values.json").json() == found


def test_verdicts_are_shown_side_by_side_with_and_without_luck(
    ada: User, trio: list[Version], client: Client
) -> None:
    tournament = running(ada, trio[:2], pairs=2, variant="crapette")
    games = [finish() for _ in range(4)]
    one, other = tournament.entries.order_by("number")
    address = meeting_url(tournament, one, other)
    before = client.get(address).content.decode()
    assert "Margin per game" in before
    assert "luck-adjusted" not in before
    for pair in {game.pair_id for game in games}:
        luck.measure_pair(pair)
    page = client.get(address).content.decode()
    assert all(f">{name}<" in page for name in ("Wins, luck-adjusted", "Margin, luck-adjusted"))
    pairs = list(Pair.objects.order_by("pk"))
    seen, turned = (count_pairs(pairs, [first] * 2) for first in (True, False))
    adjusted = [half_points(game.result.ranking, 0) - 1 - game.luck.result for game in games]
    mean = sum(value if game.leg == 0 else -value for value, game in zip(adjusted, games, strict=True)) / 4
    found, swapped = judge(seen), judge(turned)
    assert found.fair_score == pytest.approx(0.5 + mean / 2)
    assert swapped.fair_score == pytest.approx(0.5 - mean / 2)
    assert f"{found.fair_score:.3f}" in page


def test_a_resignation_ends_the_expected_result_at_what_was_counted(
    ada: User, trio: list[Version], client: Client
) -> None:
    running(ada, trio[:2], pairs=1, variant="crapette")
    found = json.loads(get(client, f"/games/{finish(resigned=30).pk}/values.json").content)
    assert 0 < found["win"][-2] < 1
    assert (found["win"][-1], found["margin"][-1], found["luck"][-1]) == (1, 44, 0)
    assert found["skill"][-1] == pytest.approx(1 - found["win"][-2], abs=2e-3)


def test_mistakes_are_reported_with_their_place_and_in_words(played: list[Game], client: Client) -> None:
    address = f"/games/{played[0].pk}/mistakes.json"
    found = json.loads(get(client, address).content)
    assert (found["bot"], found["game"]) == ("planner", str(played[0].pk))
    words = {event["n"]: event.get("move") for event in records.events(played[0])}
    assert found["mistakes"], "expected the greedy bot to make some"
    for mistake in found["mistakes"]:
        assert mistake["cost"] >= found["clear"]
        assert words[mistake["at"]] == mistake["played"][0]["move"]
        assert mistake["better"][0]["words"]
    assert client.get(address).json() == found
