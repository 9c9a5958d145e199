"""The arena's check and the author's command say the same of a bot: whether it passes, and what to do."""

import json
from pathlib import Path

import pytest

from bots import bots
from bots.models import Trial
from bots.playing import trials
from bots.uploads import Submission, create_bot
from kit.local import check_bot
from sandbox import uploads
from tests.factories.accounts import author

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HEAD = "from crapette import run\n"
LAST = "    return turn.legal[0]\n\n\nrun(choose)\n"


def choosing(*lines: str) -> bytes:
    """A bot that does this before it answers."""
    return (HEAD + "def choose(turn):\n" + "".join(f"    {line}\n" for line in lines) + LAST).encode()


STAYS = (
    HEAD
    + """\
import atexit, signal
atexit.register(print, "{}", flush=True)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def choose(turn):
"""
)
BOTS = {
    "memory": (choosing("held = bytearray(900 << 20)"), "A bot has 512 MB of memory"),
    "looks under a card": (
        choosing("game = turn.game()", "if 'draw' in turn.legal: game.push('draw')"),
        "Nobody knows the card",
    ),
    "plays ticks alone": (
        b"from crapette import run\nrun(None, tick=lambda tick: tick.legal[0], plays=['vitesse'])\n",
        "",
    ),
    "answers the end and ignores SIGTERM": ((STAYS + LAST).encode(), ""),
}


@pytest.mark.parametrize("name", BOTS)
def test_check_bot_and_the_site_agree(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, words = BOTS[name]
    monkeypatch.setattr(trials, "BUDGET_SECONDS", 2.0)
    monkeypatch.setattr(check_bot, "TRIAL_SECONDS", 2.0)
    boards = ("crapaud", "vitesse") if b"plays" in source else ("crapaud",)
    monkeypatch.setattr(check_bot, "BOARDS", boards)
    file = Submission(uploads.inspect("bot.py", source), "bot.py")
    found = trials.try_boards(create_bot(author(), bots.BotDetails("Subject"), file), boards)
    report = next((one for one in found if one.verdict != Trial.Verdict.LEFT_OUT), found[0])
    assert (report.verdict == Trial.Verdict.PASSED) is (not words), report.log
    (tmp_path / "bot.py").write_bytes(source)
    status = check_bot.main([str(tmp_path / "bot.py"), "--json"])
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == bool(words), steps
    if words:
        assert report.record is not None, "its owner can look at what it did"
        assert report.record["evidence"]
        assert words in report.log
        assert words in steps[-1]["hint"]
        assert steps[-1]["hint"].partition("(")[0] in report.log, "in the same words"
