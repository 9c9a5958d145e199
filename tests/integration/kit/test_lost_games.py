"""What a bot's owner learns of lost games from the commands: its output, its worst turns, rows of games."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from arena.run.analysis.worker import ANSWERS
from kit import cli
from kit.site import client
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot
from tests.factories.games import played
from tests.factories.ratings import rating
from tests.factories.results import accept_result, lease
from tests.factories.tournaments import running
from tournaments.models import Game, Tournament
from tournaments.questions.worker import work_off

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


@pytest.fixture
def arena(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A ladder on which Ada's bot and Bob's have played; its analysis process works while others wait."""
    ada = author("ada")
    versions = [accepted_bot(ada, "ada-s"), accepted_bot(author("bob"), "bob-s")]
    ladder = running(None, versions, pairs=1)
    for _ in range(2):
        held = lease()
        game = played(held.game, plies=150)
        accept_result(held, replace(game, evidence=[{"stderr": "So I lost.", "exit": ""}] * 2))
    Tournament.objects.filter(pk=ladder.pk).update(format=Tournament.Format.LADDER)
    for version in versions:
        rating(version)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CRAPETTE_SITE", live_server.url)
    monkeypatch.setenv("CRAPETTE_TOKEN", token(ada))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=lambda _: work_off(ANSWERS)))
    return live_server.url


def test_an_owner_reads_what_the_bot_wrote_in_the_games_it_lost(
    arena: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = []
    for game in Game.objects.filter(status=Game.Status.FINISHED).order_by("-started_at", "-order"):
        if game.seats.get(version__bot__slug="ada-s").seat not in game.result.ranking[0]:
            lost.append(f"{arena}{game.get_absolute_url()}")
    assert cli.main(["logs", "--bot", "ada-s", "--json"]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["game"] for one in shown] == lost
    assert {one["stderr"] for one in shown} <= {"So I lost."}


def test_the_worst_turns_come_with_the_command_that_puts_the_bot_there_again(
    arena: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["losses", "--bot", "ada-s", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 2
    turns = found["turns"]
    assert turns == sorted(turns, key=lambda one: -one["cost"])
    assert 0 < len(turns) <= 10
    for one in turns:
        game = Game.objects.get(pk=one["game"].rstrip("/").rpartition("/")[2])
        assert game.seats.get(seat=one["seat"]).version.bot.slug == "ada-s"
        words = shlex.split(one["rerun"])
        assert words[:3] == ["crapette", "rerun", one["game"]]
        assert words[4:] == ["--ply", str(one["ply"]), "--seat", str(one["seat"])]


def test_the_games_of_the_best_bots_become_rows(
    arena: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "best.jsonl"
    assert cli.main(["rows", arena, "--best", "2", "--to", str(target), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rows: list[dict[str, Any]] = [json.loads(line) for line in target.read_text().splitlines()]
    assert said["games"] == len({row["game"] for row in rows}) == 2
    assert said["rows"] == len(rows) == sum(game.result.plies for game in Game.objects.all())
