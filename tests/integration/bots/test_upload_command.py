"""The author's upload program against a real server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bots import services
from bots.models import Version
from kit import upload as upload_command
from tests.authors import author, judge, new_bot, python_bot

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A site where Ada has a bot and a token."""
    ada = author("ada")
    new_bot(ada, "first")
    monkeypatch.setenv("CRAPETTE_TOKEN", services.create_token(ada, "laptop")[1])
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
    assert (
        upload_command.main([str(bot), "--bot", "first", "--note", "näxt", "--site", site, "--no-wait"]) == 0
    )
    version = Version.objects.get(number=2)
    assert capsys.readouterr().out == f"first version 2: {site}/bots/first/versions/2/\n"
    assert (version.filename, version.note) == ("mine.zip", "näxt")
    assert services.read_archive(version) == {"bot.py": python_bot("two"), "book.txt": b"7-f"}


def test_a_file_becomes_a_new_bot(site: str, bot: Path) -> None:
    assert upload_command.main([str(bot / "bot.py"), "--new", "Second", "--site", site, "--no-wait"]) == 0
    assert Version.objects.get(bot__slug="second").filename == "bot.py"


@pytest.mark.parametrize(
    ("accepted", "status", "words"),
    [(True, 0, "accepted. Well played.\n"), (False, 1, "rejected. Well played.\n")],
)
def test_the_command_waits_for_the_verdict_and_prints_it(
    site: str, capsys: pytest.CaptureFixture[str], accepted: bool, status: int, words: str
) -> None:
    version = Version.objects.get()
    judge(version, accepted, "Well played.")
    token = os.environ["CRAPETTE_TOKEN"]
    assert upload_command.wait(f"{site}/api/v1/bots/first/versions/1/", token) == status
    assert capsys.readouterr().out == words


def test_a_refusal_is_printed_in_the_sites_words(
    site: str, bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusal(*arguments: str) -> str:
        assert upload_command.main([*arguments, "--no-wait"]) == 2
        return capsys.readouterr().err

    empty = tmp_path / "empty.py"
    empty.touch()
    gone = tmp_path / "gone.py"
    assert refusal(str(empty), "--bot", "first", "--site", site) == ("This file is empty.\n")
    assert refusal(str(bot), "--bot", "nobody", "--site", site) == (
        "Expected a bot of yours, got 'nobody'.\n"
    )
    assert refusal(str(gone), "--bot", "first", "--site", site).startswith(
        f"Expected a readable file or folder, got '{gone}'"
    )
    assert refusal(str(bot), "--bot", "first", "--site", "ftp://x") == (
        "Expected an address that begins with http:// or https://, got 'ftp://x/api/v1/bots/first/versions/'.\n"
    )
    monkeypatch.delenv("CRAPETTE_TOKEN")
    assert refusal(str(bot), "--bot", "first", "--site", site) == (
        "Expected a token in the environment variable CRAPETTE_TOKEN, got none.\n"
    )
