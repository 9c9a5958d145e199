"""The whole way of an upload: from the form through a real check game to what its owner reads."""

import io
import zipfile
from pathlib import Path
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bots.check_results import passed_boards
from bots.house import HOUSE_BOTS
from bots.house.build import build
from bots.models import Status, Version
from bots.pages.docs import FIRST_BOT
from bots.tasks import check_version
from kit.local.new import TEMPLATES
from tests.wat import assemble

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

WASM = Path(__file__).parents[2] / "wasm"


def checked(client: Client, content: bytes, name: str = "bot.py") -> tuple[Version, str]:
    """Upload a bot and let it be checked; the version and its page."""
    client.post("/bots/new/", {"name": "subject", "file": SimpleUploadedFile(name, content)})
    version = Version.objects.get()
    check_version(version.pk)
    version.refresh_from_db()
    return version, client.get("/bots/subject/versions/1/").content.decode()


def test_a_good_bot_is_accepted_and_plays_and_its_owner_gets_the_whole_check_game(
    as_ada: Client,
) -> None:
    version, page = checked(as_ada, FIRST_BOT.read_bytes())
    assert version.status == Status.ACCEPTED, page
    version.bot.refresh_from_db()
    assert version.bot.active_version == version
    record = as_ada.get("/bots/subject/versions/1/check.json").json()
    assert [event["n"] for event in record["events"]] == list(range(len(record["events"])))
    assert record["events"][-1]["type"] == "end"
    assert len(record["evidence"]) == 2


@pytest.mark.parametrize(("language", "said"), [("native", "Linux executable"), ("wasm", "WebAssembly")])
def test_other_programs_are_accepted_and_play_in_turns_and_in_ticks(
    as_ada: Client, language: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = ["crapaud", "crapette/3", "vitesse"]
    monkeypatch.setattr("bots.checks.BOARDS", boards)
    if language == "native":
        build()
        content, name = HOUSE_BOTS["random-c"].directory.joinpath("bot").read_bytes(), "bot"
    else:
        content, name = assemble((WASM / "first.wat").read_text()), "first.wasm"
    version, page = checked(as_ada, content, name)
    assert (version.language, version.status) == (language, Status.ACCEPTED), page
    assert said in page
    assert passed_boards(version) == boards


def test_a_bot_with_a_net_larger_than_other_bots_is_accepted_and_plays(as_ada: Client) -> None:
    """As `crapette new` makes it, with 5 MB more, for one game."""
    folder = TEMPLATES / "python-onnx"
    source = (folder / "bot.py").read_text().replace("tick=choose)", 'plays=["crapaud"])')
    sent = io.BytesIO()
    with zipfile.ZipFile(sent, "w") as archive:
        archive.writestr("bot.py", source)
        archive.writestr("weights.bin", Random(1).randbytes(5 << 20))
        for name in ("net.onnx", "requirements.txt"):
            archive.write(folder / name, name)
    version, page = checked(as_ada, sent.getvalue(), "net.zip")
    assert (version.language, version.status) == ("python-onnx", Status.ACCEPTED), page
    assert "Python with ONNX" in page
    assert passed_boards(version) == ["crapaud"]
    assert "Passed: " in page
