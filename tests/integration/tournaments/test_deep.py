"""A game judged by oracle: asked for by a person, one at a time, in a worker of its own, with limits."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from analysis.searches.deep import judging
from analysis.searches.deep.judging import Effort
from arena.accounts.models import User
from arena.run.analysis.worker import ANSWERS
from bots.models import Version
from tests.factories.played import finish
from tests.factories.tournaments import running
from tournaments.games import records
from tournaments.models import Analysis, Game
from tournaments.questions import leases, requests
from tournaments.questions.deep import judge_game
from tournaments.questions.question_types import FOR_DEPTH, Question
from tournaments.questions.requests import Asker, Busy, ask
from tournaments.questions.worker import work_off, work_one

ADA, BOB = Asker("user-1", "a"), Asker("user-2", "b")


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch, no_counts: None) -> None:
    """Nobody has asked for anything, and oracle thinks but little."""
    monkeypatch.setitem(judging.EFFORTS, 2, Effort(nodes=40, lines=4, games=20, told=20, solving=1000))


def depth(number: int) -> Question:
    return Question("deep", {"game": str(number)}, 1, FOR_DEPTH)


def test_a_game_is_judged_only_once_somebody_asks_and_then_told_to_everybody(
    greedy_game: Game, client: Client
) -> None:
    address = f"/games/{greedy_game.pk}/deep.json"
    assert client.get(address).status_code == 204
    assert not Analysis.objects.exists()

    waiting = client.get(address, {"ask": "1"})
    assert (waiting.status_code, waiting.json()) == (202, {"waiting": True, "progress": 0, "ahead": 0})
    assert work_off(ANSWERS, arena=True) == 0, "the other workers leave it alone"
    assert work_off(ANSWERS, deep=True) == 1

    found = client.get(address)
    assert found.status_code == 200
    assert found.json()["game"] == str(greedy_game.pk)
    assert client.get(address, {"ask": "1"}).json() == found.json()


def test_the_chances_go_from_the_deal_to_the_result_and_change_by_luck_and_skill(greedy_game: Game) -> None:
    log, result = records.events(greedy_game), records.result(greedy_game) or {}
    told: list[float] = []

    found = judge_game(str(greedy_game.pk), greedy_game.start, log, result, told.append)

    assert [len(found[name]) for name in ("win", "luck", "skill")] == [len(log) + 1] * 3
    for before, after, luck, skill in zip(
        found["win"], found["win"][1:], found["luck"][1:], found["skill"][1:], strict=False
    ):
        assert after - before == pytest.approx(luck + skill, abs=0.003)
    first = result["ranking"][0]
    assert found["win"][-1] == (1.0 if first == [0] else 0.0 if first == [1] else 0.5)
    # What a mistake cost is what the swings call skill.
    for one in found["mistakes"]:
        stretch = range(one["at"] + 1, one["at"] + len(one["played"]) + 1)
        assert sum(found["skill"][count] for count in stretch) * (1 - 2 * one["seat"]) == pytest.approx(
            -one["cost"], abs=0.003
        )
    assert told == sorted(told)


def test_another_site_cannot_make_its_visitors_ask(greedy_game: Game, client: Client) -> None:
    address = f"/games/{greedy_game.pk}/deep.json?ask=1"

    refused = client.get(address, headers={"Sec-Fetch-Site": "cross-site"})

    assert refused.status_code == 403
    assert not Analysis.objects.exists()


@pytest.mark.parametrize("name", ["deep", "explore", "mistakes"])
def test_a_page_is_refused_in_the_language_of_its_reader(
    ada: User, trio: list[Version], client: Client, name: str
) -> None:
    running(ada, trio[:2], pairs=1, variant="crapette")
    address = f"/games/{Game.objects.first().pk}/{name}.json"  # type: ignore[union-attr]

    said = {code: client.get(address, headers={"Accept-Language": code}) for code in ("en", "it")}

    assert {answer.status_code for answer in said.values()} == {409}
    assert said["it"]["Content-Language"] == "it"
    assert said["it"].json()["error"]["message"] != said["en"].json()["error"]["message"]


def test_one_game_at_a_time_for_each_and_few_for_all(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(depth(1), ADA)
    with pytest.raises(Busy, match="another game for you"):
        ask(depth(2), ADA)
    assert requests.ahead(ask(depth(2), BOB)) == 1

    monkeypatch.setattr(requests, "DEEP_WAITING", 2)
    with pytest.raises(Busy, match="2 games are already waiting"):
        ask(depth(3), Asker("user-3", "c"))

    Analysis.objects.update(status="done")
    monkeypatch.setattr(requests, "DEEP_AN_HOUR", 1)
    with pytest.raises(Busy, match=r"1 games in the last hour\. Try again in \d+ min"):
        ask(depth(4), ADA)
    assert ask(depth(1), ADA).status == "done", "what is known is told however often"


def test_games_that_were_left_cannot_all_be_asked_for_at_once(db: None) -> None:
    for number in (1, 2):
        ask(depth(number), ADA)
        Analysis.objects.update(wanted_until=timezone.now() - timedelta(seconds=1))
    ask(depth(1), ADA)
    with pytest.raises(Busy, match="another game for you"):
        ask(depth(2), ADA)


def test_a_game_that_nobody_waits_for_is_not_judged_and_the_progress_is_told(db: None) -> None:
    row = ask(depth(1), ADA)
    claimed = leases.claim("a", arena=False, deep=True)
    assert claimed is not None
    leases.report(claimed, 0.42)
    assert ask(depth(1), ADA).progress == 42

    Analysis.objects.filter(pk=row.pk).update(wanted_until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(leases.Unwanted):
        leases.renew(claimed)
    leases.drop(claimed)
    assert not Analysis.objects.exists()


def test_a_broken_record_is_told_and_not_tried_again(ada: User, trio: list[Version], client: Client) -> None:
    running(ada, trio[:2], pairs=1, variant="crapette")
    address = f"/games/{finish(broken=20).pk}/deep.json?ask=1"
    client.get(address)
    assert work_one("a", ANSWERS, deep=True)

    assert client.get(address).status_code == 409
    assert work_off(ANSWERS, deep=True) == 0
