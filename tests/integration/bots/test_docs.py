"""Documentation for authors, and the kit it hands out."""

import io
import zipfile

from django.test import Client

from bots.pages.docs import FIRST_BOT, PROTOCOL
from bots.pages.docs import kit_archive as make_kit


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
