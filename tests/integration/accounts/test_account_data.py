"""An account's data: all of it in one zip for its owner, and none of it left once the account is deleted."""

import io
import json
import zipfile
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import ForeignKey, Model, OneToOneField
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.notices.models import Notice, Webhook, Wishes
from bots import tokens
from bots.models import CheckReport, UploadAttempt
from friendlies.puzzles.models import Solver
from people.account_data import BLOCK, FILE_NAMES, LEFT_OUT, OWNED, pieces, rows_of
from people.deletion import delete_account
from tests.conftest import ForAllTests
from tests.factories.accounts import PASSWORD, author
from tests.factories.bots import accepted_bot
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tests.integration.bots.test_co_owners import everything
from tournaments.challenges.models import Block
from tournaments.models import Evidence, Seat

MARK = "zanzibar"
"""Stands in whatever the account ever wrote."""


def points_to(model: type[Model], targets: set[type[Model]]) -> bool:
    fields = model._meta.concrete_fields
    return any(isinstance(one, ForeignKey | OneToOneField) and one.related_model in targets for one in fields)


def test_every_table_that_points_to_an_account_or_its_bots_is_exported_or_left_out_for_a_reason() -> None:
    personal = {
        apps.get_model(label)
        for label in ("accounts.User", "bots.Bot", "bots.Version", "notices.Notice", "puzzles.Solver")
    }
    found = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if points_to(model, personal) or model in personal
    }
    assert found == OWNED.keys() | LEFT_OUT.keys()
    assert not OWNED.keys() & LEFT_OUT.keys()


def filled() -> User:
    """A user with something in every table."""
    user = author(f"{MARK}user")
    other = author("other")
    EmailAddress.objects.create(user=user, email=f"{MARK}@arena.example", verified=True)
    version = accepted_bot(user, f"{MARK} bot")
    type(version).objects.filter(pk=version.pk).update(note=f"{MARK} note", release_notes=f"{MARK} news")
    version.bot.description = f"{MARK} words"
    version.bot.save()
    CheckReport.objects.update_or_create(version=version, defaults={"log": f"{MARK} log"})
    tokens.create_token(user, f"{MARK} token", [], None)
    UploadAttempt.objects.create(owner=user, at=timezone.now())
    Notice.objects.create(user=user, kind="over", key="x", text=f"{MARK} told", url="/", at=timezone.now())
    Wishes.objects.create(user=user)
    Webhook.objects.create(owner=user, url=f"https://{MARK}.example/")
    Block.objects.create(owner=user, blocked=other)
    Solver.objects.create(user=user)
    tournament = running(None, [version, *rivals(1)], pairs=1)
    play_all(tournament)
    for one in Evidence.objects.all():
        seats: list[Any] = [{"stderr": "other"}] * 2
        seats[Seat.objects.get(game=one.pk, version=version).seat] = {"stderr": f"{MARK} printed"}
        one.pack(seats, {}).save()
    return user


@pytest.fixture(scope="module")
def made(for_all_tests: ForAllTests[User]) -> User:
    return for_all_tests(filled)


@pytest.fixture
def full(made: User, db: None) -> User:
    return User.objects.get(pk=made.pk)


def exported(user: User) -> zipfile.ZipFile:
    sent = list(pieces(user))
    assert all(len(piece) >= BLOCK for piece in sent[:-1]), "each costs the way to a thread and back"
    return zipfile.ZipFile(io.BytesIO(b"".join(sent)))


def test_an_owner_gets_everything_and_nothing_of_others_nor_any_secret(full: User) -> None:
    with exported(full) as found:
        assert found.testzip() is None
        texts = {name: found.read(name) for name in found.namelist()}
    tables = {name.removesuffix(".jsonl"): text for name, text in texts.items() if name[0] != "b"}
    for label in OWNED:
        name = f"{FILE_NAMES.get(label, label)}.jsonl"
        assert len(texts[name].splitlines()) == rows_of(label, full).count()
    assert {"bots.BotDeed.jsonl", "tournaments.Deed.jsonl", "series.SeriesDeed.jsonl"} < texts.keys(), (
        "as before"
    )
    for label in ("bots.Bot", "bots.Version", "bots.CheckReport", "bots.Token", "notices.Webhook"):
        assert MARK in texts[f"{label}.jsonl"].decode()
    assert b"rival" not in b"".join(tables.values()).lower()
    (version,) = [json.loads(line) for line in texts["bots.Version.jsonl"].splitlines()]
    with zipfile.ZipFile(io.BytesIO(texts[f"bots/{MARK}-bot/{version['number']}.zip"])) as files:
        assert b"def choose" in files.read("bot.py")
    wrote = [json.loads(line)["wrote"] for line in texts["what-bots-wrote.jsonl"].splitlines()]
    assert wrote == [{"stderr": f"{MARK} printed"}] * 2
    everything = b"".join(texts.values())
    for secret in (full.password, Wishes.objects.get().secret, Webhook.objects.get().secret):
        assert secret.encode() not in everything


def test_only_the_owner_with_a_fresh_password_gets_the_zip(full: User, client: Client) -> None:
    assert client.get("/accounts/data/").status_code == 302
    client.force_login(full)
    asked = client.get("/accounts/data/")
    assert (asked.status_code, "reauthenticate" in asked["Location"]) == (302, True)
    client.post(asked["Location"], {"password": PASSWORD})
    answer = client.get("/accounts/data/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert "no-store" in answer["Cache-Control"]
    body = answer.getvalue()
    assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None


def test_after_a_deletion_no_table_has_a_word(full: User, django_capture_on_commit_callbacks: Any) -> None:
    assert MARK in everything()
    key = full.pk
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(full)
    assert MARK not in everything()
    gone = get_user_model()(pk=key)
    for label in OWNED:
        assert not rows_of(label, gone).exists()
