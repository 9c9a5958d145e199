"""The kit that the documentation hands out."""

import io
import zipfile

from django.test import Client

from bots.pages.docs import FIRST_BOT, PROTOCOL
from bots.pages.docs import kit_archive as make_kit


def test_the_kit_has_the_sdk_the_protocol_and_examples_in_every_language(client: Client) -> None:
    answer = client.get("/docs/crapette-kit.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as kit:
        names = set(kit.namelist())
        assert kit.read("crapette-kit/bot.py") == FIRST_BOT.read_bytes()
        assert kit.read("crapette-kit/README.md") == PROTOCOL.read_bytes()
    examples = ("random/bot.py", "planner/bot.py", "random_js/bot.js", "random_c/bot.c", "sampler/ticks.py")
    wanted = ("crapette.py", "remote-client.mjs", *(f"examples/{one}" for one in examples))
    assert {f"crapette-kit/{one}" for one in wanted} <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith("_c/bot")]
    make_kit.cache_clear()
    assert make_kit() == answer.content, "it is the same every time"
