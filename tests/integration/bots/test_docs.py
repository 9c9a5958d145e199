"""Documentation for authors, and the kit it hands out."""

import io
import zipfile

import pytest
from django.test import Client

from bots import limits
from bots.pages.docs import FIRST_BOT, PROTOCOL
from bots.pages.docs import kit_archive as make_kit


@pytest.mark.django_db
def test_the_first_bot_is_on_the_page_as_it_is_in_the_kit(client: Client) -> None:
    page = client.get("/docs/").content.decode()
    assert "def choose(turn):" in page
    assert f"{limits.UPLOADS_PER_DAY} uploads in 24 hours" in page
    assert f"{limits.BOTS_PER_USER} bots in play" in page
    assert "http://testserver/api/v1/bots/first/versions/" in page


def test_the_kit_has_the_sdk_the_protocol_and_examples_in_every_language(client: Client) -> None:
    answer = client.get("/docs/crapette-kit.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="crapette-kit.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as kit:
        names = set(kit.namelist())
        assert kit.read("crapette-kit/bot.py") == FIRST_BOT.read_bytes()
        assert kit.read("crapette-kit/README.md") == PROTOCOL.read_bytes()
    assert {
        "crapette-kit/crapette.py",
        "crapette-kit/remote-client.mjs",
        "crapette-kit/examples/random/bot.py",
        "crapette-kit/examples/planner/bot.py",
        "crapette-kit/examples/random_js/bot.js",
        "crapette-kit/examples/random_c/bot.c",
        "crapette-kit/examples/sampler/bot.py",
        "crapette-kit/examples/sampler/ticks.py",
    } <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith("_c/bot")]
    make_kit.cache_clear()
    assert make_kit() == answer.content, "it is the same every time"


@pytest.mark.django_db
def test_the_protocol_is_shown_from_the_one_document(client: Client) -> None:
    page = client.get("/docs/protocol/").content.decode()
    title = next(line for line in PROTOCOL.read_text().splitlines() if line.startswith("# "))
    assert title.removeprefix("# ") in page
    assert 'href="/docs/rules/"' in page
    assert "&lt;!--" not in page
    assert "rules.md" not in page.replace("docs/rules/rules.md</a>", "")
    assert '<h2 id="clocks">Clocks</h2>' in page
    assert '<a href="#clocks">Clocks</a>' in page
