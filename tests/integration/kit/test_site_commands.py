"""The commands that talk to a site, against a real server."""

import hashlib
import io
import json
import os
import re
import shlex
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from arena.run.analysis.worker import ANSWERS
from bots import files
from bots.models import Bot, Version
from bots.pages import docs
from bots.versions import activate_version
from kit import cli
from kit.site import arena_sprt, client, login, token_file
from kit.site import upload as upload_command
from tests.factories.accounts import author, token
from tests.factories.bots import (
    accepted_bot,
    inspect,
    judge,
    let_play_everywhere,
    new_bot,
    python_bot,
    same_files,
)
from tests.factories.games import played
from tests.factories.ratings import rating
from tests.factories.results import accept_result, delivery, lease
from tests.factories.tournaments import running
from tools.run.steps import ROOT
from tournaments.games.claims import claim_next
from tournaments.models import Analysis, Game, Tournament
from tournaments.pairing.progress import advance
from tournaments.questions.worker import work_off

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


@pytest.fixture
def site(live_server: LiveServer, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A site where Ada has a bot and a token."""
    settings.SITE_URL = live_server.url
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CRAPETTE_SITE", raising=False)
    ada = author("ada")
    new_bot(ada, "first")
    monkeypatch.setenv("CRAPETTE_TOKEN", token(ada))
    return live_server.url


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A folder with a bot, and with what belongs to nobody's bot."""
    folder = tmp_path / "mine"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"\0")
    (folder / "bot.py").write_bytes(python_bot("two"))
    (folder / "book.txt").write_text("7-f")
    return folder


def test_a_folder_becomes_a_version(site: str, bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = ["--note", "näxt", "--notes", "Plays\nnäxt."]
    assert upload_command.main([str(bot), "--bot", "first", *said, "--site", site, "--no-wait"]) == 0
    version = Version.objects.get(number=2)
    assert capsys.readouterr().out == f"first version 2: {site}/bots/first/versions/2/\n"
    assert (version.filename, version.note, version.release_notes) == ("mine.zip", "näxt", "Plays\nnäxt.")
    assert files.read_archive(inspect(version)) == {"bot.py": python_bot("two"), "book.txt": b"7-f"}
    assert upload_command.main([str(bot / "bot.py"), "--new", "Second", "--site", site, "--no-wait"]) == 0
    assert Version.objects.get(bot__slug="second").filename == "bot.py"


def test_a_version_is_tested_before_it_plays_and_taken_back(
    site: str, bot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(Version.objects.get(), accepted=True)
    mine = Version.objects.get().bot
    Bot.objects.update(slug="mybot", name="mybot")
    for number in (2, 3):
        let_play_everywhere([same_files(Version.objects.get(number=1), number)])
    activate_version(Version.objects.get(number=3), by=mine.owner)
    monkeypatch.chdir(bot.rename(bot.with_name("mybot")).parent)
    monkeypatch.setenv("CRAPETTE_SITE", site)
    text = (ROOT / "docs" / "author" / "commands.md").read_text()
    (listing,) = re.findall(r"```\n(crapette upload mybot --no-activate.*?)```", text, re.DOTALL)
    upload, test, rollback = (shlex.split(line, comments=True)[1:] for line in listing.splitlines())
    arena = SimpleNamespace(sleep=lambda _: _checked_and_played())
    monkeypatch.setattr(upload_command, "time", arena)
    monkeypatch.setattr(arena_sprt, "time", arena)
    assert cli.main(upload) == 0
    assert "plays on the ladders" not in capsys.readouterr().out
    # A wide bound, so that fewer games decide.
    assert cli.main([*test, "--elo1", "200"]) == 0
    held = Tournament.objects.get()
    assert [one.version.number for one in held.entries.order_by("number")] == [4, 3]
    said = capsys.readouterr().out
    assert f"{site}{held.get_absolute_url()}" in said
    assert "mybot v4 is better than mybot v3 after " in said
    assert said.endswith("mybot v4 plays on the ladders now.\n")
    for command, number in ((rollback, 3), (["activate", "mybot"], 4)):
        mine.refresh_from_db()
        assert mine.active_version_id != Version.objects.get(number=number).pk
        assert cli.main(command) == 0
        assert capsys.readouterr().out.startswith(f"Version {number} plays on the ladders of crapaud, ")


def _checked_and_played() -> None:
    """What an arena does while a command waits: it checks uploads, and plays games. The first wins them."""
    for version in Version.objects.filter(status="uploaded"):
        judge(inspect(version), accepted=True)
    for held in Tournament.objects.filter(status="running"):
        advance(held.pk)
    while (found := claim_next("a worker")) is not None:
        first = Game.objects.get(pk=found.game).seats.get(entry__number=1)
        accept_result(found, delivery(found.game, seat=first.seat))
        advance(first.game.tournament_id)


def test_what_is_there_already_is_not_sent_again_and_answers_as_it_did(
    site: str, bot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a workflow does after a push that changes only a README."""
    for number, accepted, status in ((2, True, 0), (3, False, 1)):
        (bot / "bot.py").write_bytes(python_bot(str(number)))
        assert upload_command.main([str(bot), "--bot", "first", "--site", site, "--no-wait"]) == 0
        judge(inspect(Version.objects.get(number=number)), accepted, "Played.")
        (bot / "README.md").write_text(f"New words {number}.")
        capsys.readouterr()
        packed = bot.with_suffix(".zip")  # as somebody else would have zipped it
        with zipfile.ZipFile(packed, "w") as archive:
            for name in ("book.txt", "bot.py"):
                archive.write(bot / name, f"mine/{name}")
        for path in (bot, packed):
            assert upload_command.main([str(path), "--bot", "first", "--site", site]) == status
            said = capsys.readouterr()
            assert said.err == f"Version {number} has exactly these files, so nothing is uploaded.\n"
            address, verdict, *_ = said.out.splitlines()
            assert address == f"first version {number}: {site}/bots/first/versions/{number}/"
            assert verdict == ("accepted. Played." if accepted else "rejected. Played.")
    assert Version.objects.count() == 3


def test_login_tries_a_token_and_keeps_it_where_only_its_owner_can_read_it(
    site: str, bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = os.environ["CRAPETTE_TOKEN"]
    monkeypatch.delenv("CRAPETTE_TOKEN")
    monkeypatch.setattr(sys, "stdin", io.StringIO("crapette_wrong\n"))
    assert login.main([site]) == 2
    assert not token_file.tokens_file().exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{secret}\n"))
    assert login.main([f"{site}/bots/account/"]) == 0
    assert token_file.tokens_file().stat().st_mode & 0o777 == 0o600
    assert secret not in "".join(capsys.readouterr())
    # The site of the last login is the one meant, and the folder's name is the bot's.
    assert upload_command.main([str(bot), "--no-wait"]) == 0
    assert Version.objects.get(number=1, bot__slug="mine").filename == "mine.zip"
    assert login.main(["--forget", site]) == 0
    assert token_file.token_for(site) is None


def test_the_page_of_the_kit_is_what_pip_reads_and_the_files_keep_for_ever(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs, "FOLDER", tmp_path / "missing")
    assert "being built" in client.get("/kit/").content.decode()
    name = "crapette-1.0+5-cp311-abi3-manylinux_2_17_x86_64.whl"
    (tmp_path / name).write_bytes(b"wheel")
    (tmp_path / "DIGEST").write_bytes(b"secret")
    monkeypatch.setattr(docs, "FOLDER", tmp_path)
    page = client.get("/kit/").content.decode()
    assert f'href="/kit/{name}#sha256={hashlib.sha256(b"wheel").hexdigest()}"' in page
    assert "manylinux 2 17 x86 64, Python 3.11 and later" in page
    file = client.get(f"/kit/{name.replace('+', '%2B')}")
    assert b"".join(cast("StreamingHttpResponse", file).streaming_content) == b"wheel"  # type: ignore[arg-type]
    assert "immutable" in file.headers["Cache-Control"]
    assert client.get("/kit/DIGEST").status_code == 404
    assert client.get("/kit/..%2FDIGEST").status_code == 404


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


def test_an_owner_reads_what_the_bot_wrote_in_lost_games(
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
    judged = Analysis.objects.filter(kind="mistakes").first()
    assert judged is not None
    failed = {"status": Analysis.Status.FAILED, "cause": Analysis.Cause.TIME, "finished_at": timezone.now()}
    Analysis.objects.filter(pk=judged.pk).update(**failed)
    assert cli.main(["losses", "--bot", "ada-s", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 1


def test_the_best_bots_games_become_rows(
    arena: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "best.jsonl"
    assert cli.main(["rows", arena, "--best", "2", "--to", str(target), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rows: list[dict[str, Any]] = [json.loads(line) for line in target.read_text().splitlines()]
    assert said["games"] == len({row["game"] for row in rows}) == 2
    assert said["rows"] == len(rows) == sum(game.result.plies for game in Game.objects.all())
