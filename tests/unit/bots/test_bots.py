"""Bots as their owners handle them: names, files, versions, tokens, and those of the house."""

import secrets
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from bots import bots, checks, files, limits, tokens, uploads
from bots.errors import FilesMissing, LimitReached, NameRefused, NotActivatable, TokenRefused, UploadRefused
from bots.house import HOUSE_BOTS
from bots.house_bots import register_house_bots
from bots.models import Archive, Bot, CheckReport, ImmutableVersion, Status, Token, Version
from bots.tokens import authenticate, create_token, revoke_token, tokens_of
from bots.versions import activate_version
from people.deletion import delete_account
from sandbox import Stage
from sandbox.uploads import Upload, digest
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, judge, new_bot, python_bot, upload

pytestmark = pytest.mark.django_db


REFUSED = {
    "x" * 41: "A name has 1 to 40 characters. This one has 41.",
    "a\u202eb": "A name must not contain invisible characters, such as U+202E here.",
    "!?": "A name needs at least one letter or digit.",
    "new": "The name new is taken.",
    "House special": "The name House special is taken.",
    "Departed b0t 7": "The name Departed b0t 7 looks too much like an existing one.",
    "Adas First": "The name Adas First is taken.",
}


@pytest.mark.any_database
def test_a_name_that_cannot_be_is_refused_with_a_sentence_and_nothing_is_stored() -> None:
    owner = author()
    new_bot(owner)
    for name, sentence in REFUSED.items():
        with pytest.raises(NameRefused) as refused:
            new_bot(owner, name)
        assert (str(refused.value), refused.value.field) == (sentence, "name")
    assert (Bot.objects.count(), Version.objects.count(), Archive.objects.count()) == (1, 1, 1)


def test_a_bot_more_than_one_may_have_is_refused_until_one_is_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "BOTS_PER_USER", 2)
    owner = author()
    first, _second = new_bot(owner, "one").bot, new_bot(owner, "two").bot
    with pytest.raises(LimitReached) as refused:
        new_bot(owner, "three")
    assert str(refused.value) == (
        "You already have 2 bots, the most one account can have. Withdraw one of them first."
    )
    bots.withdraw_bot(first)
    new_bot(owner, "three")
    new_bot(author("bob"), "four")
    with pytest.raises(LimitReached):
        bots.restore_bot(first)
    assert first.is_withdrawn


def test_the_owner_decides_who_may_enter_a_bot_and_nobody_enters_a_withdrawn_one() -> None:
    owner, other = author(), author("bob")
    version = new_bot(owner, open_to_all=False)
    assert not Bot.objects.all().enterable_by(owner).exists(), "its version is not accepted yet"
    judge(version, True, "")
    assert Bot.objects.all().enterable_by(owner).exists()
    assert not Bot.objects.all().enterable_by(other).exists()
    bots.edit_bot(version.bot, bots.BotDetails("Ada's", description="", open_to_all=True))
    bots.withdraw_bot(version.bot)
    assert not Bot.objects.all().enterable_by(owner).exists()
    bots.restore_bot(version.bot)
    assert Bot.objects.all().enterable_by(other).get() == version.bot


@pytest.mark.any_database
def test_a_version_is_unpacked_on_the_stage_once_and_files_that_are_not_those_of_the_hash_never() -> None:
    name, stage = secrets.token_hex(8), Stage.ensure()  # content that nobody has unpacked there
    version = new_bot(author(), name)
    directory = files.materialise(version, stage)
    assert directory == stage.bot_directory(version.sha256)
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == {"bot.py": python_bot(name)}
    assert directory.stat().st_mode & 0o777 == 0o555
    Archive.objects.update(data=files.archive_of({"bot.py": b"print('something else')"}))
    assert files.materialise(version, stage) == directory
    with pytest.raises(FilesMissing, match=f"with sha256 '{version.sha256}', got '[0-9a-f]{{64}}'"):
        files.read_archive(version)


def test_versions_are_numbered_and_only_the_content_of_the_newest_is_refused() -> None:
    bot = new_bot(author(), "x").bot
    second = uploads.upload_version(bot, uploads.Submission(upload("y"), "bot.py", note=" faster "))
    assert (second.number, second.note) == (2, "faster")
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
            activate_version(version)
        assert str(refused.value) == f"Version 1 is {label}. Only an accepted version can be active."
        judge(version, False)
        version.refresh_from_db()
    good = accepted_bot(author("bob"), "Good")
    bots.withdraw_bot(good.bot)
    with pytest.raises(NotActivatable, match=r"^Good is withdrawn\. Restore it first\.$"):
        activate_version(good)
    with pytest.raises(UploadRefused) as late:
        uploads.upload_version(good.bot, uploads.Submission(upload("two"), "bot.py"))
    assert str(late.value) == "Good is withdrawn. Restore it before you upload a version."


def test_house_bots_are_registered_active_and_open_to_everybody_beside_one_of_the_same_name() -> None:
    owner = author()
    new_bot(owner, "Greedy")
    registered = [one for one in register_house_bots() if one.version is not None]
    assert {"random", "greedy", "planner"} <= {one.name for one in registered}
    for bot in Bot.objects.filter(is_house=True):
        assert bot.active_version is not None
        assert bot.active_version.status == Status.ACCEPTED
        assert bot.owner is None
        taken = bot.slug == "house-greedy"
        assert bot.name == ("Greedy of the house" if taken else HOUSE_BOTS[bot.slug].title)
        assert files.read_archive(bot.active_version).keys() >= {bot.active_version.entry}
    assert Bot.objects.all().enterable_by(owner).count() == len(registered)
    # Other content is a new version, and plays.
    Version.objects.filter(bot__slug="random").update(sha256="0" * 64)
    said = StringIO()
    call_command("register_house_bots", stdout=said)
    assert said.getvalue().startswith("new: random v2")
    assert Bot.objects.get(slug="greedy").owner == owner
    numbers = dict(Bot.objects.filter(is_house=True).values_list("slug", "active_version__number"))
    assert (numbers.pop("random"), {*numbers.values()}, numbers["house-greedy"]) == (2, {1}, 1)


UNKNOWN = "Expected a valid token, got one that is unknown or revoked."


def test_a_token_opens_its_owners_account_and_its_secret_is_stored_nowhere() -> None:
    owner = author()
    with pytest.raises(TokenRefused, match=r"^A name has 1 to 60 characters\. This one has 0\.$"):
        create_token(owner, " ")
    token, secret = create_token(owner, "  my  laptop ")
    assert token.name == "my laptop"
    assert secret.startswith("crapette_")
    assert secret not in str(Token.objects.values_list().get())
    assert secret.startswith(token.hint)
    assert len(secret) - len(token.hint) > 32
    assert authenticate(secret).owner == owner


def test_an_unknown_token_a_revoked_one_an_expired_one_and_one_of_a_closed_account_open_nothing() -> None:
    owner = author()
    token, secret = create_token(owner, "laptop", lifetime=timedelta(days=1))
    assert authenticate(secret) == token
    Token.objects.update(expires_at=timezone.now())
    with pytest.raises(TokenRefused, match="expired on"):
        authenticate(secret)
    assert not tokens_of(owner), "it no longer counts"
    token, revoked = create_token(owner, "laptop")
    revoke_token(token)
    for secret in ("", "crapette_", "crapette_" + "x" * 43, revoked):
        with pytest.raises(TokenRefused, match=UNKNOWN):
            authenticate(secret)
    token, secret = create_token(owner, "laptop")
    assert authenticate(secret) == token
    owner.is_active = False
    owner.save()
    with pytest.raises(TokenRefused, match=UNKNOWN):
        authenticate(secret)


def test_a_token_may_do_what_was_asked_for_and_nothing_else() -> None:
    owner = author()
    assert create_token(owner, "as before")[0].scopes == ["read", "upload"]
    token, _ = create_token(owner, "narrow", ["compete"])
    assert (token.allows("compete"), token.allows("upload")) == (True, False)
    with pytest.raises(TokenRefused, match="no scope 'root'"):
        create_token(owner, "wide", ["root"])


def test_bots_that_never_played_leave_with_their_owner_but_for_files_that_others_uploaded_too() -> None:
    owner, bob = author(), author("bob")
    accepted_bot(owner, "one")
    same = {"bot.py": python_bot("same")}
    content = Upload(same, "python", "bot.py", digest(same))
    for person, name in ((owner, "two"), (bob, "Bob's")):
        kept = uploads.create_bot(person, bots.BotDetails(name), uploads.Submission(content, "bot.py"))
    tokens.create_token(owner, "laptop")
    delete_account(owner)
    assert [bot.name for bot in Bot.objects.all()] == ["Bob's"]
    assert [archive.sha256 for archive in Archive.objects.all()] == [kept.sha256]
    assert files.read_archive(kept)
    assert not Token.objects.exists()
    assert not type(owner).objects.filter(pk=owner.pk).exists()
