"""Checks, benches and comparisons that something broke into."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.accounts.models import User
from bots import checks
from bots.check_queue import versions_to_check
from bots.models import Status, Trial, Version
from engine.boards import BOARDS
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, check, new_bot, same_files
from tests.factories.tournaments import entrants, running
from tournaments.models import NearTwin, ProbeAnswers, ProbeSet
from tournaments.ratings import twin_search as twins

pytestmark = pytest.mark.django_db


def unknown(owner: User, name: str) -> Version:
    """An active version that was never tried on one of the boards."""
    version = accepted_bot(owner, name)
    Trial.objects.filter(version=version, board=BOARDS[-1]).delete()
    return version


def test_an_owner_who_leaves_holds_up_nobodys_check() -> None:
    ada, waiting = author("ada"), unknown(author("bob"), "Of Bob")
    played = entrants(ada, 2)
    running(ada, played, pairs=1)
    uploaded = same_files(played[0], 2, Status.UPLOADED)
    Version.objects.filter(pk=played[1].pk).update(trial_asked_at=timezone.now())
    assert checks.ask_next_unknown() is None
    delete_account(ada)
    uploaded.refresh_from_db()
    assert uploaded.status == Status.REJECTED
    assert not versions_to_check(timezone.now() + timedelta(days=1)).exists()
    assert checks.ask_next_unknown() == waiting


def test_a_check_without_files_is_given_back_and_not_left_claimed() -> None:
    version = new_bot(author("ada"))
    Version.objects.filter(pk=version.pk).update(archive=None)
    assert not check(version.pk)
    version.refresh_from_db()
    assert version.status == Status.UPLOADED


def answered(version: Version, probe_set: ProbeSet, choices: Sequence[str]) -> None:
    """Store what a version chose at the questions, one after the other."""
    twins._store(version, probe_set, {str(number): choice for number, choice in enumerate(choices)})


def test_a_twin_is_found_though_the_first_was_withdrawn_and_whatever_the_bots_are_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(twins, "OWN_COMPARED", 3)
    ada, same = author("ada"), ["t1-f"] * 40
    probe_set = ProbeSet.objects.create(edition=1, games=[])
    first = accepted_bot(ada, "Zebra")
    answered(first, probe_set, same)
    for number in range(5):
        answered(same_files(first, 10 + number, Status.ACCEPTED), probe_set, [f"t{number}-x"] * 40)
    first.bot.withdrawn_at = timezone.now()
    first.bot.save(update_fields=["withdrawn_at"])
    copy = accepted_bot(ada, "Aardvark")
    answered(copy, probe_set, same)
    assert NearTwin.objects.filter(one=first, other=copy).exists()
    assert ProbeAnswers.objects.count() == 7
