"""What an author follows of a bot: first steps, losses to fix, worst turns; and that nobody else sees it."""

import csv
import io
import json
import zlib
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from bots.bots import withdraw_bot
from bots.models import Bot, Version
from tests.factories.results import play_all
from tests.factories.tournaments import running
from tournaments.models import Analysis, Game, Result, Seat
from tournaments.pages.ratings import diary
from tournaments.questions.question_types import mistakes

pytestmark = pytest.mark.django_db


def judge_game(game: Game, seat: int, cost: float, words: str) -> None:
    """Store what the planner found: one bad turn of a seat."""
    line = {"move": "t1-t2", "words": words}
    found = {"at": 7, "ply": 6, "seat": seat, "cost": cost, "proved": False}
    answer = {"mistakes": [{**found, "played": [line], "better": [{**line, "words": "better"}]}]}
    done = {
        "status": Analysis.Status.DONE,
        "finished_at": timezone.now(),
        "answer": zlib.compress(json.dumps(answer).encode()),
    }
    question = mistakes(game)
    known = {"kind": question.kind, "arguments": dict(question.arguments), "asked_at": timezone.now()}
    Analysis.objects.create(key=question.key, **known, **done)


def lose(bot: Bot, game: Game) -> int:
    """Let a bot lose a game; its seat."""
    seat = Seat.objects.get(game=game, version__bot=bot).seat
    Result.objects.filter(game=game).update(ranking=[[1 - seat], [seat]], termination="win", culprit=None)
    return seat


@pytest.fixture
def pair(trio: list[Version]) -> list[Version]:
    return trio[:2]


@pytest.fixture
def lost(ada: User, pair: list[Version]) -> list[Game]:
    play_all(running(ada, pair, pairs=2))
    games = list(Game.objects.order_by("finished_at"))
    for game in games:
        lose(pair[0].bot, game)
    return games


def page(client: Client, name: str, *of: object, **query: Any) -> str:
    answer = client.get(reverse(f"tournaments:{name}", args=of), query)
    assert answer.status_code == 200, (name, answer.status_code)
    return answer.content.decode()


def test_the_costliest_turns_are_told(
    client: Client, ada: User, pair: list[Version], lost: list[Game]
) -> None:
    bot = pair[0].bot
    client.force_login(ada)

    for number, game in enumerate(lost[:3]):
        judge_game(game, lose(bot, game), 0.1 * (number + 1), f"line {number}")
    culprit = lose(bot, lost[3])
    Result.objects.filter(game=lost[3]).update(termination="timeout", culprit=culprit)
    text = page(client, "diary", bot.slug)
    assert "line 0" not in text, "three losses, those that cost most"
    assert text.index("out of time") < text.index("line 2") < text.index("line 1")
    seat = Seat.objects.get(game=lost[2], version__bot=bot).seat
    assert f"/games/{lost[2].pk}/ {bot.slug} --ply 6 --seat {seat}" in text
    assert f"/games/{lost[3].pk}/ {bot.slug}</code>" in text, "a fault is found by the command itself"


def test_worst_turns_are_narrowed_exported_and_seen_by_owners_alone_without_hidden_or_void_games(
    client: Client, ada: User, bob: User, pair: list[Version], lost: list[Game]
) -> None:
    bot, other = (version.bot for version in pair)
    other.name = "=1+1"
    other.save()
    for game in lost:
        judge_game(game, lose(bot, game), 0.25, "Q♠ house 1 → house 2")
    names = (("diary", bot.slug), ("worst-turns", bot.slug), ("first-steps", bot.slug, 1))
    addresses = [reverse(f"tournaments:{name}", args=of) for name, *of in names]
    assert {client.get(address).status_code for address in addresses} == {302}
    client.force_login(bob)
    assert {client.get(address).status_code for address in addresses} == {404}
    client.force_login(ada)
    rows = list(csv.DictReader(io.StringIO(page(client, "worst-turns", bot.slug, format="csv"))))
    told = {(row["opponent"], row["cost"], row["ply"], row["played"]) for row in rows}
    assert told == {("'=1+1", "0.250", "6", "Q♠ house 1 → house 2")}
    assert len(rows) == 4
    assert page(client, "worst-turns", bot.slug, opponent="=1+1").count("crapette rerun") == 4

    Game.objects.filter(pk=lost[0].pk).update(hidden=True)
    Game.objects.filter(pk=lost[1].pk).update(status=Game.Status.VOID)
    withdraw_bot(other)
    text = page(client, "worst-turns", bot.slug, format="csv")
    assert [str(game.pk) in text for game in lost] == [False, False, True, True]
    assert lost[0].pk not in {one.key for one in diary.last_games(bot)}
