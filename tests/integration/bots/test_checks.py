"""Checks: from the form through real games on every board to what an owner reads, as `crapette` says it."""

import io
import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from arena.accounts.models import User
from arena.web import worker_messages
from bots import bots, checks, tasks
from bots.check_results import passed_boards
from bots.errors import LimitReached, NotActivatable, Unplayable
from bots.house import HOUSE_BOTS
from bots.house.build import build
from bots.models import Bot, Status, Trial, Version
from bots.pages.docs import FIRST_BOT
from bots.playing import trials
from bots.playing.game_process import DeliveredGame, play
from bots.tasks import check_version
from bots.uploads import Submission, create_bot
from engine.boards import BOARDS
from kit.local import check_bot
from kit.local.new import TEMPLATES
from referee.trial import CUT_SHORT
from sandbox import uploads
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, check, judge, new_bot
from tests.wat import assemble
from tournaments.operation import recovery

pytestmark = pytest.mark.django_db


WASM = Path(__file__).parents[2] / "wasm"


def checked(client: Client, content: bytes, name: str = "bot.py") -> tuple[Version, str]:
    """Upload a bot and let it be checked; the version and its page."""
    client.post("/bots/new/", {"name": "subject", "file": SimpleUploadedFile(name, content)})
    version = Version.objects.get(bot__slug="subject")
    for _ in range(trials.BUSY_TRIES + 1):  # while other tests keep the host busy, a check is put off
        Version.objects.update(check_not_before=None)
        check_version(version.pk)
        version.refresh_from_db()
        if version.status != Status.UPLOADED:
            break
    return version, client.get("/bots/subject/versions/1/").content.decode()


@pytest.mark.any_database
def test_a_good_bot_is_accepted_and_plays_and_its_owner_gets_the_game(as_ada: Client) -> None:
    version, page = checked(as_ada, FIRST_BOT.read_bytes())
    assert version.status == Status.ACCEPTED, page
    version.bot.refresh_from_db()
    assert version.bot.active_version == version
    record = as_ada.get("/bots/subject/versions/1/check.json").json()
    assert [event["n"] for event in record["events"]] == list(range(len(record["events"])))
    assert record["events"][-1]["type"] == "end"
    assert len(record["evidence"]) == 2


@pytest.mark.any_database
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


@pytest.mark.any_database
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


DECLARES = b"""\
from crapette import run
run(lambda turn: turn.legal[0], plays=["crapo", "crapette/3", "go", "vitesse"])
"""
NO_THREE = b"""\
from crapette import run
def choose(turn):
    if turn.hello["players"] == 3:
        raise RuntimeError("three is a crowd")
    return turn.legal[0]
run(choose)
"""
SLOW_AFTER_ONE = b"""\
from crapette import run
asked = []
def choose(turn):
    if asked:
        sum(range(10**10))
    asked.append(turn)
    return turn.legal[0]
run(choose, plays=["crapaud"])
"""
SLOW_START = b"""\
import time
from crapette import run
time.sleep(%d)
run(lambda turn: turn.legal[0])
"""
ASLEEP = b"""\
import time
from crapette import run
def choose(turn):
    time.sleep(30)
run(choose, plays=["crapaud", "vitesse"], tick=choose)
"""


def verdicts(version: Version, verdict: str) -> set[str]:
    return set(version.trials.filter(verdict=verdict).values_list("board", flat=True))


@pytest.mark.any_database
def test_a_bot_that_names_what_it_plays_is_tried_on_that_alone(as_ada: Client) -> None:
    version, page = checked(as_ada, DECLARES)
    assert version.status == Status.PARTLY, page
    assert verdicts(version, "passed") == {"crapo", "crapette/3"}
    # It names a game of ticks without playing in ticks: that is a fault, not a choice.
    assert verdicts(version, "failed") == {"vitesse"}
    assert version.trials.count() == len(BOARDS)
    assert "Crapô, Crapette, 3 seats" in page


@pytest.mark.any_database
def test_failing_in_one_game_changes_nothing_in_the_others(as_ada: Client) -> None:
    version, page = checked(as_ada, NO_THREE)
    assert passed_boards(version) == [one for one in BOARDS if one not in ("crapette/3", "vitesse")]
    assert "three is a crowd" in page
    assert version.check_report.record is not None
    assert version.check_report.record["players"] == 3
    assert version.trials.get(board="crapette/3").log.startswith("A game against itself ended by crash")


@pytest.mark.any_database
def test_a_slow_bot_passes_by_its_first_moves_and_one_that_never_moves_fails(
    as_ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "BUDGET_SECONDS", 2.0)
    version, page = checked(as_ada, SLOW_AFTER_ONE)
    assert passed_boards(version) == ["crapaud"], page
    assert "without a mistake before its time was up." in page
    Bot.objects.update(slug="older", name="older", look="older")
    asleep, page = checked(as_ada, ASLEEP)
    assert asleep.status == Status.REJECTED
    assert verdicts(asleep, "failed") == {"crapaud", "vitesse"}
    assert "It slept or waited" in page


@pytest.mark.any_database
def test_a_bot_has_as_long_to_start_as_in_a_game_and_one_that_never_does_is_not_tried_everywhere(
    as_ada: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.GAMES_AT_ONCE = 1
    boards = ["crapaud", "crapette/3"]
    monkeypatch.setattr("bots.checks.BOARDS", boards)
    monkeypatch.setattr(trials, "BUDGET_SECONDS", 1.0)
    version, page = checked(as_ada, SLOW_START % 2)
    assert passed_boards(version) == boards, page
    Bot.objects.update(slug="older", name="older", look="older")
    monkeypatch.setattr(trials, "START_SECONDS", 1.0)
    played: list[str] = []

    def noted(start: str, variant: str, *given: Any, **named: Any) -> DeliveredGame:
        played.append(variant)
        return play(start, variant, *given, **named)

    monkeypatch.setattr(trials, "play", noted)
    stuck, page = checked(as_ada, SLOW_START % 60)
    assert (stuck.status, played) == (Status.REJECTED, ["crapaud"])
    assert verdicts(stuck, "failed") == set(boards)
    assert "was not ready after 1 seconds" in page


@pytest.mark.any_database
def test_no_version_is_checked_for_ever(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that meets an error that nobody foresaw, nor one in whose checks the process dies."""
    version = new_bot(ada, "Odd")

    def fails(error: Exception) -> None:
        def play(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr(trials, "play", play)

    fails(ValueError("invalid literal for int() with base 10: b'x'"))
    assert check(version.pk)
    version.refresh_from_db()
    assert version.status == Status.REJECTED
    assert "Its process: caused an error that the arena did not expect (ValueError: " in (
        version.check_report.log
    )
    deadly = new_bot(ada, "Deadly")
    fails(Unplayable("the playing process ended with status -9", died=True))
    for time_ in range(checks.TRIES):
        Version.objects.filter(pk=deadly.pk).update(check_not_before=None)
        assert check(deadly.pk) == (time_ == checks.TRIES - 1)
    deadly.refresh_from_db()
    assert deadly.status == Status.REJECTED
    assert "died in each of 3 checks" in deadly.check_report.log
    starved = new_bot(ada, "Starved")
    fails(Unplayable("the host is too busy", seat=0))
    for _ in range(checks.TRIES + 1):
        Version.objects.filter(pk=starved.pk).update(check_not_before=None)
        assert not check(starved.pk)
    starved.refresh_from_db()
    assert starved.status == Status.UPLOADED, "it is proved that the machine was at fault"
    crowded = new_bot(ada, "Crowded")
    took = {"wall_ms": 2000, "delayed_ms": 1900, "cpu_ms": 9}
    unanswered = {"termination": CUT_SHORT, "plies": 0, "cpu_ms": [9, 9], "took": took}
    monkeypatch.setattr(trials, "play", lambda *_, **__: DeliveredGame((), unanswered))
    for time_ in range(trials.BUSY_TRIES + 1):
        Version.objects.filter(pk=crowded.pk).update(check_not_before=None)
        assert check(crowded.pk) == (time_ == trials.BUSY_TRIES)
    crowded.refresh_from_db()
    assert (crowded.status, "the arena was busy" in crowded.check_report.log) == (Status.REJECTED, True)


@pytest.mark.any_database
def test_versions_of_before_are_tried_one_after_the_other_and_after_every_upload(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    legacy = [new_bot(ada, f"Legacy {number}") for number in range(2)]
    for version in legacy:
        judge(version, True, boards=["crapaud"])
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        worker_messages._Carrier, "carrier", lambda task, given, _: sent.append((task, given))
    )
    recovery.recover(alone=True)
    assert ("bots.check_unknown", []) in sent
    assert not any(task == "bots.check_version" for task, _ in sent), "no storm of checks"
    sent.clear()
    upload = new_bot(ada, "Upload")
    tasks.check_unknown()
    assert sent == [], "an upload waits, and goes first"
    judge(upload, True)
    tasks.check_unknown()
    tasks.check_unknown()
    assert sent == [("bots.check_version", [legacy[0].pk])], "one at a time"
    claimed = checks.claim_check(legacy[0].pk)
    assert claimed is not None
    assert claimed.status == Status.ACCEPTED, "it keeps its place meanwhile"
    untried = checks.boards_to_try(claimed)
    assert set(untried) == set(BOARDS) - {"crapaud"}
    reports = [checks.TrialReport(one, Trial.Verdict.FAILED, "no") for one in untried]
    assert [checks.record_trials(claimed, reports) for _ in range(2)] == [True, False], (
        "the first verdict stands"
    )
    assert passed_boards(claimed) == ["crapaud"]
    tasks.check_unknown()
    assert sent[1:] == [("bots.check_version", [legacy[1].pk])]


def test_only_the_owner_has_a_version_checked_again_and_not_without_end(
    as_ada: Client, as_bob: Client, ada: User
) -> None:
    version = new_bot(ada, "Partly")
    judge(version, True, boards=["crapaud"])
    address = "/bots/partly/versions/1/check-again/"
    assert as_bob.post(address).status_code == 404
    assert as_ada.get(address)["Location"] == "/bots/partly/versions/1/"
    assert "Check again" in as_ada.get("/bots/partly/versions/1/").content.decode()
    assert "Check again" not in as_bob.get("/bots/partly/versions/1/").content.decode()
    for _ in range(10):
        checks.ask_for_trials(version)
        Version.objects.update(trial_asked_at=None)
        version.refresh_from_db()
    with pytest.raises(LimitReached):
        checks.ask_for_trials(version)
    rejected = new_bot(author("carl"), "Rejected")
    judge(rejected, False)
    for nothing_to_check in (rejected, accepted_bot(author("dora"), "Everywhere")):
        with pytest.raises(NotActivatable, match="has nothing left to check"):
            checks.ask_for_trials(nothing_to_check)


HEAD = "from crapette import run\n"
LAST = "    return turn.legal[0]\n\n\nrun(choose)\n"


def choosing(*lines: str) -> bytes:
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


@pytest.mark.any_database
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
