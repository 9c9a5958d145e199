"""Which version of a bot plays on which board, and what else that decides; the bots that tests begin with."""

from collections.abc import Collection, Sequence
from typing import Any

import pytest
from django.forms.models import model_to_dict
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.notices.models import Notice
from bots import checks, uploads
from bots.errors import NotActivatable
from bots.models import ActiveVersion, Bot, BotAuditEntry, CheckReport, Status, Trial, Version
from bots.versions import (
    LostBoard,
    activate_version,
    active_on,
    choose_active,
    deactivate_version,
    lost_boards,
)
from engine.boards import BOARDS
from tests.factories.accounts import author, token
from tests.factories.bots import PASSED, accepted_bot, judge, new_bot, upload
from tests.racing import at_once
from tournaments.challenges import requests
from tournaments.challenges.models import Terms
from tournaments.events.creation import enterable
from tournaments.operation.benchings import bench
from tournaments.pairing.progress import advance
from tournaments.ratings.ladder import ensure_ladder

pytestmark = pytest.mark.django_db


OTHERS = tuple(board for board in BOARDS if board != "vitesse")


def uploaded(bot: Bot, comment: str, **more: Any) -> Version:
    return uploads.upload_version(bot, uploads.Submission(upload(comment), "bot.py", **more))


def reports(passed: Collection[str], left_out: Collection[str] = ()) -> list[checks.TrialReport]:
    """What a check shows that failed on all other boards."""
    verdicts = dict.fromkeys(BOARDS, Trial.Verdict.FAILED)
    verdicts |= dict.fromkeys(passed, Trial.Verdict.PASSED) | dict.fromkeys(left_out, Trial.Verdict.LEFT_OUT)
    return [checks.TrialReport(board, verdict, f"It {verdict}.") for board, verdict in verdicts.items()]


def judged(version: Version, passed: Collection[str], left_out: Collection[str] = ()) -> Version:
    assert checks.record_check(version, reports(passed, left_out), "")
    return version


def rechecked(version: Version, passed: Sequence[str], failed: Sequence[str] = ()) -> None:
    Version.objects.filter(pk=version.pk).update(trial_asked_at=timezone.now())
    found = [one for one in reports(passed) if one.board in (*passed, *failed)]
    assert checks.record_trials(Version.objects.get(pk=version.pk), found)


def playing(bot: Bot) -> dict[int, set[str]]:
    """The boards of each version that plays, by its number."""
    found: dict[int, set[str]] = {}
    for board, version in active_on(Bot.objects.get(pk=bot.pk)).items():
        found.setdefault(version.number, set()).add(board)
    return found


def on_ladder(bot: Bot, board: str) -> list[int]:
    """The versions of a bot that the ladder of a board pairs."""
    ladder = ensure_ladder(board)
    advance(ladder.pk)
    entries = ladder.entries.filter(withdrawn=False, version__bot=bot)
    return list(entries.values_list("version__number", flat=True))


def broken_upload(ada: User) -> tuple[Version, Version]:
    first = accepted_bot(ada)
    return first, judged(uploaded(first.bot, "two"), ["vitesse"])


def test_a_broken_upload_takes_only_boards_on_which_it_passed(ada: User, bob: User, client: Client) -> None:
    first, second = broken_upload(ada)
    accepted_bot(bob, "Bob's first")
    assert second.status == Status.PARTLY
    assert playing(first.bot) == {1: set(OTHERS), 2: {"vitesse"}}
    assert on_ladder(first.bot, "crapaud") == [1]
    assert on_ladder(first.bot, "vitesse") == [2]
    version = client.get("/api/v1/bots/adas-first/versions/2/", headers=bearer(ada)).json()
    assert (version["status"], version["active"], version["active_on"]) == ("partly", True, ["vitesse"])
    assert version["lost"] == [{"board": board, "version": 1} for board in OTHERS]


@pytest.mark.any_database
def test_what_a_version_loses_is_what_an_earlier_one_still_plays(ada: User) -> None:
    first = judged(new_bot(ada, "One"), OTHERS[:2])
    lost = lost_boards(first)
    assert {one.board for one in lost} == set(BOARDS) - set(OTHERS[:2])
    assert {one.number for one in lost} == {None}
    # What the version before did not play either is no loss; what it leaves out by its own word is one.
    same = judged(uploaded(first.bot, "two"), OTHERS[:2])
    assert lost_boards(Version.objects.get(pk=same.pk)) == []
    fewer = judged(uploaded(first.bot, "three"), OTHERS[:1], left_out=OTHERS[1:])
    assert lost_boards(Version.objects.get(pk=fewer.pk)) == [LostBoard(OTHERS[1], 2)]
    assert playing(first.bot) == {3: {OTHERS[0]}, 2: {OTHERS[1]}}


def test_a_late_verdict_on_an_older_upload_takes_nothing_from_a_newer_one(ada: User) -> None:
    first = accepted_bot(ada, boards=OTHERS)
    second, third = uploaded(first.bot, "two"), uploaded(first.bot, "three")
    judged(third, OTHERS[:2])
    judged(second, OTHERS[:3])
    assert playing(first.bot) == {3: set(OTHERS[:2]), 2: {OTHERS[2]}, 1: set(OTHERS[3:])}


def test_an_owner_goes_back_to_an_older_version_and_stops_one(ada: User, client: Client) -> None:
    first, second = broken_upload(ada)
    client.force_login(ada)
    client.post("/bots/adas-first/versions/1/activate/")
    assert playing(first.bot) == {1: set(BOARDS)}
    activate_version(second)
    assert playing(first.bot) == {1: set(OTHERS), 2: {"vitesse"}}
    client.post("/bots/adas-first/versions/1/deactivate/")
    assert playing(first.bot) == {2: {"vitesse"}}
    # What was stopped comes back by its owner's word alone.
    third = judged(uploaded(first.bot, "three"), ["vitesse"])
    assert playing(first.bot) == {3: {"vitesse"}}
    answer = client.post("/api/v1/bots/adas-first/versions/3/deactivate/", headers=bearer(ada))
    assert answer.json()["active_on"] == []
    assert playing(third.bot) == {2: {"vitesse"}}
    with pytest.raises(NotActivatable, match="Withdraw the bot"):
        deactivate_version(second)
    assert playing(third.bot) == {2: {"vitesse"}}


def bearer(user: User) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(user)}"}


def test_a_benched_version_makes_room_for_the_last_good_one(ada: User, client: Client) -> None:
    first, _ = broken_upload(ada)
    third = judged(uploaded(first.bot, "three"), OTHERS)
    assert playing(first.bot) == {3: set(OTHERS), 2: {"vitesse"}}
    bench(third, "It crashed in its last 5 games.")
    assert playing(first.bot) == {1: set(OTHERS), 2: {"vitesse"}}
    rechecked(third, OTHERS[:1], failed=OTHERS[1:])
    assert playing(first.bot) == {3: {OTHERS[0]}, 1: set(OTHERS[1:]), 2: {"vitesse"}}
    # Where there is no other, nothing plays, and the board is kept for the version's return.
    bench(Version.objects.get(bot=first.bot, number=2), "It crashed in its last 5 games.")
    bench(first, "It crashed in its last 5 games.")
    assert playing(first.bot) == {3: {OTHERS[0]}, 1: set(OTHERS[1:]), 2: {"vitesse"}}
    assert on_ladder(first.bot, "vitesse") == []
    assert not Version.objects.fit().active_on("vitesse").exists()


def test_boards_that_are_passed_later_go_to_the_version_activated_last(ada: User) -> None:
    first, second = broken_upload(ada)
    # A board was added since: neither was tried on it.
    Trial.objects.filter(board="crapo").delete()
    choose_active(first.bot_id)
    assert checks.ask_next_unknown() == first
    rechecked(first, ["crapo"])
    assert "crapo" in playing(first.bot)[1]
    rechecked(second, OTHERS)
    assert playing(first.bot) == {2: set(BOARDS)}
    assert Version.objects.get(pk=second.pk).status == Status.ACCEPTED
    rechecked(first, ["crapaud"])
    assert playing(first.bot) == {2: set(BOARDS)}


def test_others_enter_and_challenge_the_version_that_plays(ada: User, bob: User, client: Client) -> None:
    first, second = broken_upload(ada)
    mine = accepted_bot(bob, "Bob's first")
    assert set(enterable(bob, "crapaud")) == {mine, first}
    assert set(enterable(bob, "vitesse")) == {mine, second}
    assert set(enterable(bob)) == {mine, first, second}
    requests.set_terms(first.bot, Terms.Takes.AUTOMATIC, 5)
    wishes = {("crapaud", first): True, ("vitesse", first): False, ("vitesse", second): True}
    for (variant, theirs), automatic in wishes.items():
        asked = requests.ask(bob, requests.Wish(mine.pk, theirs.pk, variant, 1, 60_000, 500))
        assert asked.automatic is automatic, (variant, theirs)


@pytest.mark.django_db(transaction=True)
def test_two_verdicts_at_once_agree_on_what_plays() -> None:
    first = accepted_bot(author("ada"))
    versions = [uploaded(first.bot, "two"), uploaded(first.bot, "three")]
    at_once(lambda: judged(versions[0], BOARDS), lambda: judged(versions[1], OTHERS))
    assert playing(first.bot) == {3: set(OTHERS), 2: {"vitesse"}}


OWN = {
    *{"id", "bot", "owner", "version", "uploaded_by", "actor", "user", "key", "url", "at", "active_version"},
    *{"activated_at", "name", "slug", "look", "sha256", "archive", "text"},
}
"""Fields that say which row this is, whose, when, and of which bot."""
WHOSE = {
    **{Bot: "owner", ActiveVersion: "bot__owner", Version: "bot__owner", BotAuditEntry: "bot__owner"},
    **{CheckReport: "version__bot__owner", Trial: "version__bot__owner", Notice: "user"},
}


def left_by(owner: User) -> dict[str, list[dict[str, Any]]]:
    """All rows about a person's bots, without what no two have alike."""
    found = {}
    for kind, whose in WHOSE.items():
        rows = kind.objects.filter(**{whose: owner}).order_by("pk")  # type: ignore[attr-defined]
        told = [
            {name: value for name, value in model_to_dict(row).items() if name not in OWN} for row in rows
        ]
        found[kind.__name__] = sorted(told, key=str)
    return found


def test_a_bot_made_for_tests_leaves_the_same_rows_as_one_that_was_uploaded_and_checked() -> None:
    ada, bob = author("ada"), author("bob")
    judge(new_bot(ada, "Sprinter"), True, PASSED)
    made = accepted_bot(bob, "Sprintes")
    uploaded, prepared = left_by(ada), left_by(bob)
    assert all(uploaded.values()), "nothing to compare"
    assert prepared == uploaded
    assert (made.bot.active_version, made.bot.slug) == (made, "sprintes")
