"""Inspections: they wait their turn, and whatever comes between leaves none of them behind."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest
from django.utils import timezone

from arena.accounts.models import User
from bots import bots, checks
from bots.check_queue import CHECK_LEASE, check_queue, checks_before
from bots.checks import TrialReport, check_next
from bots.files import SentFile
from bots.models import Bot, CheckReport, PendingFile, Status, Trial, Version
from bots.playing import trials
from bots.playing.game_process import sandbox_stands
from bots.uploads import Submission, inspect_file, submit_bot, submit_version
from people.deletion import delete_account
from people.moderation import decisions
from people.moderation.decisions import Why
from sandbox import Stage, errand, inspections, uploads
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, python_bot, shared, upload
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tournaments.models import Alarm
from tournaments.operation.recovery import recover

pytestmark = pytest.mark.django_db
OPEN: Final = (Status.UPLOADED, Status.CHECKING)


@pytest.fixture(autouse=True)
def quick_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions pass their trials without playing, and the sandbox is probed once."""

    def passed(_version: Version, boards: Sequence[str]) -> list[TrialReport]:
        return [TrialReport(board, Trial.Verdict.PASSED, "It played.") for board in boards]

    monkeypatch.setattr(trials, "try_boards", passed)
    monkeypatch.setattr(trials, "sandbox_stands", cache(sandbox_stands))


def file(comment: str) -> SentFile:
    return SentFile("bot.py", python_bot(comment))


def sent(owner: User, name: str) -> Version:
    """The first version of a new bot, whose file was only received."""
    return submit_bot(owner, bots.BotDetails(name), Submission(file(name), "bot.py"))


def check_all() -> None:
    while check_next(trials.examine):
        pass


def assert_nothing_is_left() -> None:
    """Nothing waits, and no file that was sent is kept."""
    assert not Version.objects.filter(status__in=OPEN).exists()
    assert not PendingFile.objects.exists()


def test_whoever_sends_takes_turns_and_the_place_in_the_queue_is_told() -> None:
    ada, bob = author("ada"), author("bob")
    first, second, third = (sent(ada, f"Of Ada {number}") for number in range(3))
    of_bob = sent(bob, "Of Bob")
    assert check_queue() == [first.pk, of_bob.pk, second.pk, third.pk]
    assert checks.claim_next_check() == first
    assert check_queue() == [of_bob.pk, second.pk, third.pk]
    assert [checks_before(one) for one in (of_bob, second, third)] == [1, 2, 3]


def test_a_file_of_a_worker_that_was_lost_is_inspected_by_the_next_one_and_stored_once() -> None:
    version = sent(author("ada"), "Heron")
    late = checks.claim_check(version.pk)
    assert late is not None
    assert Version.objects.get().status == Status.CHECKING
    assert checks.claim_check(version.pk) is None
    assert not check_next(trials.examine)
    Version.objects.update(check_started_at=timezone.now() - CHECK_LEASE * 2)
    assert checks.claim_check(version.pk)
    # It was only slow: what it found is not wanted while another has the claim, nor afterwards.
    assert not inspect_file(late)
    assert not Version.objects.get().is_inspected
    assert PendingFile.objects.exists()
    # The site ends meanwhile: its next start has it made.
    recover(alone=True)
    check_all()
    assert_nothing_is_left()
    assert not inspect_file(late)
    assert Version.objects.get().status == Status.ACCEPTED
    assert CheckReport.objects.count() == 1


def test_without_a_sandbox_a_file_waits_and_nobody_is_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    version = sent(author("ada"), "Heron")
    with monkeypatch.context() as broken:
        broken.setenv("CRAPETTE_STAGE", "/proc/nowhere")
        assert not check_next(trials.examine)
    version.refresh_from_db()
    assert (version.status, version.check_failures) == (Status.UPLOADED, 1)
    Alarm.objects.all().delete()
    Version.objects.update(check_not_before=None)
    check_all()
    assert_nothing_is_left()


def expired(version: Version) -> None:
    """Its check is claimed, and the process that claimed it dies."""
    assert checks.claim_check(version.pk)
    Version.objects.update(check_started_at=timezone.now() - CHECK_LEASE * 2)


def restarted(version: Version) -> None:
    """Its check is claimed, and the whole site dies and starts again."""
    assert checks.claim_check(version.pk)
    recover(alone=True)


def lost_helper(version: Version) -> None:
    """The process dies in which its file would be opened; the one that waits for it lives."""
    Version.objects.update(check_not_before=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(errand, "MODULE", "sandbox.not_there")
        assert check_next(trials.examine) == (Version.objects.get(pk=version.pk).status == Status.REJECTED)


@pytest.mark.parametrize("dies", [expired, restarted, lost_helper], ids=lambda dies: dies.__name__)
def test_a_file_that_killed_three_inspections_is_refused(dies: Callable[[Version], None]) -> None:
    version = sent(author("ada"), "Heron")
    for _ in range(checks.TRIES - 1):
        dies(version)
        version.refresh_from_db()
        assert not version.is_checked
    dies(version)
    check_all()
    assert_nothing_is_left()
    version.refresh_from_db()
    assert (version.status, version.is_inspected) == (Status.REJECTED, False)
    assert version.check_report.log == (
        "The inspection of this file crashed 3 times. Change the file, and upload it again."
    )
    assert not Alarm.objects.filter(kind=Alarm.Kind.SANDBOX).exists(), "the sandbox stands"


def test_a_large_file_that_waits_for_another_holds_up_no_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_COMPRESSED_BYTES", 200)
    monkeypatch.setattr(inspections, "LARGE", f"large-{os.getpid()}")  # no other test's
    more = Submission(SentFile("bot.zip", b"x" * 500), "bot.zip")
    large = submit_bot(author("ada"), bots.BotDetails("Large"), more)
    small = sent(author("bob"), "Small")
    with inspections.place(Stage.ensure().root, 0.0, large=True):
        assert check_next(trials.examine)
        small.refresh_from_db()
        large.refresh_from_db()
        assert (small.status, large.status, large.check_failures) == (Status.ACCEPTED, Status.UPLOADED, 0)
    Version.objects.update(check_not_before=None)
    check_all()
    assert_nothing_is_left()


def deleted(bot: Bot) -> None:
    """Its owner, whose bots never played, deletes the account."""
    delete_account(User.objects.get(bots=bot))


def played_and_deleted(bot: Bot) -> None:
    """Its owner deletes the account; the bot has played, so its row stays."""
    version = accepted_bot(User.objects.get(bots=bot), "Played")
    play_all(running(None, [version, *rivals(1)], pairs=1))
    Version.objects.filter(pk=version.pk).update(bot=bot, number=99)
    deleted(bot)


def handed_over(bot: Bot) -> None:
    """Its owner deletes the account, and a co-owner inherits it."""
    shared(bot, author("heir"))
    deleted(bot)


def banned(bot: Bot) -> None:
    """Moderators suspend its owner."""
    staff = User.objects.create_user("mod", is_staff=True)
    decisions.ban(staff, bot.owner_id or 0, 3, Why("spam", ""))


def left_by_its_sender(bot: Bot) -> None:
    """The co-owner who sent the file deletes the account."""
    sender = author("sender")
    shared(bot, sender)
    Version.objects.filter(bot=bot).update(uploaded_by=sender)
    delete_account(sender)


def sent_again(bot: Bot) -> None:
    submit_version(bot, Submission(file("newer"), "bot.py"))


EVENTS: Final[list[Callable[[Bot], None]]] = [
    *(bots.withdraw_bot, deleted, played_and_deleted, handed_over, banned),
    *(left_by_its_sender, sent_again),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_whatever_happens_while_it_runs_no_inspection_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, event: Callable[[Bot], None]
) -> None:
    bot = sent(author("ada"), "Heron").bot
    waiting = sent(author("bob"), "Of Bob")
    events, found = [event], upload()

    def meanwhile(_name: str, data: bytes, **_: Any) -> uploads.Upload:
        """What the sandbox would find, after the event."""
        while events:
            events.pop()(Bot.objects.get(pk=bot.pk))
        files = {"bot.py": data}
        return replace(found, files=files, sha256=uploads.digest(files))

    monkeypatch.setattr(uploads, "inspect", meanwhile)
    check_all()
    assert_nothing_is_left()
    waiting.refresh_from_db()
    assert waiting.status == Status.ACCEPTED
    versions = Version.objects.filter(bot=bot.pk).exclude(number=99)
    if event is sent_again:
        assert [one.bot.active_version == one for one in versions.order_by("number")] == [False, True]
    elif event in (deleted, played_and_deleted):
        assert not versions.filter(status=Status.ACCEPTED).exists()
    else:
        assert versions.get().status == Status.ACCEPTED
