"""``crapette challenge`` against a real server: asks, lists, answers, waits, and says what is wrong."""

import json
import re
import shlex
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from bots import tokens
from bots.models import Bot, Scope, Version
from kit.site import challenge as command
from kit.site.client import Site
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot
from tools.run.steps import ROOT
from tournaments.challenges.models import Challenge
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


@pytest.fixture
def versions(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> tuple[Version, Version]:
    """Ada's version, whose folder is where the command runs, and Bob's."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CRAPETTE_SITE", live_server.url)
    ada = author("ada")
    monkeypatch.setenv("CRAPETTE_TOKEN", tokens.create_token(ada, "laptop", Scope.values)[1])
    (tmp_path / "mybot").mkdir()
    monkeypatch.chdir(tmp_path / "mybot")
    return accepted_bot(ada, "mybot"), accepted_bot(author("bob"), "Rival")


def test_the_commands_of_the_documents_ask_and_list(
    versions: tuple[Version, Version], capsys: pytest.CaptureFixture[str]
) -> None:
    Bot.objects.filter(name="Rival").update(slug="planner", owner=None, is_house=True)
    text = (ROOT / "docs" / "author" / "search-bot.md").read_text()
    listing = re.search(r"```sh\n(crapette challenge .*?)```", text, re.DOTALL)
    assert listing is not None
    for line in listing[1].splitlines():
        assert command.main(shlex.split(line)[2:]) == 0
    asked, games, listed, came = capsys.readouterr().out.splitlines()
    event = Tournament.objects.get()
    assert (event.pairs_per_pairing, event.variant) == (20, "crapaud")
    assert (
        asked
        == listed
        == f"{Challenge.objects.get().pk}  accepted  to house: mybot v1 against Rival v1, 20 pairs of crapaud"
    )
    assert games.endswith(f"/tournaments/{event.slug}/")
    assert came.split() == [event.status, games.split()[-1]]


def test_an_owner_answers_by_number_and_whoever_waits_is_told(
    versions: tuple[Version, Version], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "ASK_EVERY_SECONDS", 0.01)
    assert command.main(["mybot:1", "rival", "--pairs", "3", "--clock", "5+0.1", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["type"], made["status"]) == ("challenge", "open")
    assert made["clock"] == {"bank_ms": 5000, "increment_ms": 100}
    adas, bob = Site.choose(), versions[1].bot.owner
    assert bob is not None
    monkeypatch.setenv("CRAPETTE_TOKEN", token(bob))
    assert command.main(["--decline", str(made["id"])]) == 0
    assert command.main(["--accept", str(made["id"])]) == 2
    assert "This challenge is declined. It can no longer be answered." in capsys.readouterr().err
    assert command._followed(adas, made, wait=True, as_json=False) == 1
    assert "The challenge is declined." in capsys.readouterr().out
