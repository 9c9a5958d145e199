"""A version is tried on every board, and plays where it passed: nowhere else, and wherever it did."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from arena.accounts.models import User
from arena.web import worker_messages
from bots import checks, tasks
from bots.check_results import passed_boards
from bots.errors import LimitReached, NotActivatable, Unplayable
from bots.models import Bot, Status, Trial, Version
from bots.playing import trials
from engine.boards import BOARDS
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, check, judge, new_bot
from tournaments.operation import recovery

pytestmark = pytest.mark.django_db

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
ASLEEP = b"""\
import time
from crapette import run
def choose(turn):
    time.sleep(30)
run(choose, plays=["crapaud", "vitesse"], tick=choose)
"""


def checked(client: Client, content: bytes) -> tuple[Version, str]:
    """Upload a bot and have it checked; the version and its page."""
    client.post("/bots/new/", {"name": "subject", "file": SimpleUploadedFile("bot.py", content)})
    version = Version.objects.get(bot__slug="subject")
    tasks.check_version(version.pk)
    version.refresh_from_db()
    return version, client.get("/bots/subject/versions/1/").content.decode()


def verdicts(version: Version, verdict: str) -> set[str]:
    """The boards with this verdict."""
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
