"""Versions: stored once, checked once, and one of them plays."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from bots import activation, bots, checks, limits, uploads
from bots.check_queue import CHECK_LEASE
from bots.errors import LimitReached, NotActivatable, UploadRefused
from bots.models import Archive, CheckReport, ImmutableVersion, Status, Version
from sandbox.uploads import Upload, digest
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, judge, new_bot, upload
from tests.queues import checks_sent

pytestmark = pytest.mark.django_db


def test_versions_are_numbered_and_checked_and_only_the_content_of_the_newest_is_refused(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    bot = new_bot(author(), "x").bot
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        second = uploads.upload_version(bot, uploads.Submission(upload("y"), "bot.py", note=" faster "))
    assert (second.number, second.note) == (2, "faster")
    assert checks_sent() == [[second.pk]]
    with pytest.raises(UploadRefused) as refused:
        uploads.upload_version(bot, uploads.Submission(upload("y"), "other.py"))
    assert str(refused.value) == ("Version 2 has exactly the same files. Upload something new.")
    assert refused.value.field == "file"
    third = uploads.upload_version(bot, uploads.Submission(upload("x"), "bot.py"))
    assert third.number == 3
    assert Archive.objects.count() == 2, "the same content is stored once"


def test_more_uploads_than_a_day_allows_are_refused_until_the_oldest_is_a_day_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "UPLOADS_PER_DAY", 2)
    first = new_bot(author())
    uploads.upload_version(first.bot, uploads.Submission(upload("two"), "bot.py"))
    with pytest.raises(LimitReached) as refused:
        uploads.upload_version(first.bot, uploads.Submission(upload("three"), "bot.py"))
    assert str(refused.value) == (
        "You uploaded 2 files in 24 hours, the most one account can. Try again in 24 hours."
    )
    assert refused.value.retry_after is not None
    assert 86_000 < refused.value.retry_after <= 86_400
    Version.objects.filter(pk=first.pk).update(created_at=first.created_at - timedelta(hours=25))
    uploads.upload_version(first.bot, uploads.Submission(upload("three"), "bot.py"))


def test_what_one_account_stores_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.limits.value", lambda name: {"stored_mb_per_user": 2}[name])
    first = new_bot(author())
    for number in (1, 2):
        large = {"bot.py": b"1", "net": bytes([number]) * (3 << 19)}
        content = Upload(large, "python", "bot.py", digest(large))
        if number == 1:
            uploads.upload_version(first.bot, uploads.Submission(content, "a.zip"))
            uploads.upload_version(first.bot, uploads.Submission(upload("two"), "bot.py"))
            uploads.upload_version(first.bot, uploads.Submission(content, "a.zip"))
    with pytest.raises(LimitReached) as refused:
        uploads.upload_version(first.bot, uploads.Submission(content, "b.zip"))
    assert str(refused.value) == (
        "With this file, your versions would take 4 MB. One account can store 2 MB."
    )


def test_a_stored_version_cannot_be_saved_again_and_its_number_is_given_once() -> None:
    version = new_bot(author())
    fields = {"sha256": "0" * 64, "language": "python", "entry": "bot.py", "size": 1, "file_count": 1}
    with pytest.raises(IntegrityError), transaction.atomic():
        Version(bot=version.bot, number=1, **fields).save()
    version.entry = "other.py"
    with pytest.raises(ImmutableVersion, match="expected a new version, got <Version: Ada's first v1>"):
        version.save()
    version.refresh_from_db()
    assert version.entry == "bot.py"


def test_a_check_is_claimed_by_one_and_again_once_its_worker_died() -> None:
    version = new_bot(author())
    assert checks.claim_check(version.pk) == version
    assert checks.claim_check(version.pk) is None
    version.refresh_from_db()
    assert version.status == Status.CHECKING
    long_ago = timezone.now() - CHECK_LEASE - timedelta(seconds=1)
    Version.objects.filter(pk=version.pk).update(check_started_at=long_ago)
    assert checks.claim_check(version.pk) == version


def test_a_check_that_could_not_be_made_is_made_later_and_later() -> None:
    version = new_bot(author())
    pauses = []
    for _ in range(6):
        claimed = checks.claim_check(version.pk)
        assert claimed is not None
        checks.release_check(claimed)
        assert checks.claim_check(version.pk) is None, "not before its pause is over"
        claimed.refresh_from_db()
        assert claimed.check_not_before is not None
        pauses.append((claimed.check_not_before - timezone.now()).total_seconds())
        Version.objects.update(check_not_before=timezone.now())
    assert [round(pause) for pause in pauses] == [15, 60, 240, 960, 3600, 3600]


def test_the_first_verdict_is_kept() -> None:
    version = new_bot(author())
    assert judge(version, True, "Well played.", {"events": []}) is True
    assert judge(version, False, "It crashed.") is False
    report = CheckReport.objects.get(version=version)
    assert (report.accepted, report.log, report.record) == (True, "Well played.", {"events": []})
    version.bot.refresh_from_db()
    assert version.bot.active_version == version


def test_only_an_accepted_version_of_a_bot_in_play_can_be_made_to_play() -> None:
    version = new_bot(author())
    for label in ("waiting for its check", "rejected"):
        with pytest.raises(NotActivatable) as refused:
            activation.activate_version(version)
        assert str(refused.value) == f"Version 1 is {label}. Only an accepted version can be active."
        judge(version, False)
        version.refresh_from_db()
    good = accepted_bot(author("bob"), "Good")
    bots.withdraw_bot(good.bot)
    with pytest.raises(NotActivatable, match=r"^Good is withdrawn\. Restore it first\.$"):
        activation.activate_version(good)
    with pytest.raises(UploadRefused) as late:
        uploads.upload_version(good.bot, uploads.Submission(upload("two"), "bot.py"))
    assert str(late.value) == "Good is withdrawn. Restore it before you upload a version."
