"""Settings, the environment, what is deployed, captchas, and files in a backup."""

import configparser
import hashlib
import io
import json
import os
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured

from arena import env
from arena.accounts import captcha_services
from arena.operate.backups import KeepingError
from arena.operate.backups.backup import Archived, Manifest
from arena.operate.backups.restore import _put_archives
from arena.web.storage import archives
from tests.site import ROOT


def refusal(read: Callable[..., object], *arguments: Any, **more: Any) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        read(*arguments, **more)
    return str(caught.value)


def test_what_does_not_do_is_quoted_with_what_was_expected(tmp_path: Path) -> None:
    assert refusal(env.text, "KEY", environ={"KEY": " "}) == "KEY must be set, but it is missing or empty."
    assert refusal(env.boolean, "X", False, environ={"X": "maybe"}).endswith("off, got 'maybe'.")
    assert refusal(env.some, "L", ("en", "fr"), "en", environ={"L": "fr,de"}).endswith("en, fr, got 'de'.")
    for word in ("0", "2.5", "257", "99999999999999999999", "²"):
        said = f"N: expected a whole number from 1 to 256, got {word!r}."
        assert refusal(env.integer, "N", 2, least=1, most=256, environ={"N": word}) == said
    (tmp_path / "file").touch()
    assert refusal(env.make_folder, tmp_path / "file/data", "DATA").endswith("Not a directory.")


def test_an_address_of_the_site_is_whole() -> None:
    assert env.site("X", "", environ={"X": "https://arena.example/"}) == "https://arena.example"
    for text in ("arena.example", "//arena.example", "ftp://arena.example", "https://", "http://h:x"):
        assert refusal(env.site, "CRAPETTE_URL", "", environ={"CRAPETTE_URL": text})


def test_the_first_caller_makes_a_secret_that_the_next_reads_and_only_the_owner_can(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret-key"
    first = env.kept_secret(path)
    assert len(first) >= 50
    assert env.kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]
    path.write_text("short")
    said = f"{str(path)!r}: expected a secret of at least 50 characters; remove the file."
    assert refusal(env.kept_secret, path) == said


def test_a_postgresql_url_is_taken_apart() -> None:
    usual = {"options": "-c idle_in_transaction_session_timeout=30s"}
    assert env.database("postgresql://ann:p%40ss@db.example:5433/arena?sslmode=require") == {
        **{"ENGINE": "arena.web.database.postgresql", "NAME": "arena", "USER": "ann", "PASSWORD": "p@ss"},
        **{"HOST": "db.example", "PORT": "5433", "CONN_HEALTH_CHECKS": True},
        "OPTIONS": {**env.LINK, **usual, "sslmode": "require"},
    }
    # It may name the folder of a socket, and have session options of its own.
    entry = env.database("postgresql://arena@/arena?host=/run/postgresql")
    assert (entry["HOST"], entry["PORT"]) == ("/run/postgresql", "")
    entry = env.database("postgresql://arena@/arena?options=-c%20statement_timeout%3D9s")
    assert entry["OPTIONS"] == {**env.LINK, "options": "-c statement_timeout=9s"}
    entry = env.database("postgresql://arena@/arena?tcp_user_timeout=5000")
    assert entry["OPTIONS"]["tcp_user_timeout"] == "5000"


def test_an_url_that_does_not_do_is_refused_without_its_password() -> None:
    for url, words in (
        ("mysql://ann:secret@db/arena", "expected postgresql://… or sqlite:///…, got the scheme 'mysql'."),
        ("postgresql://ann:secret@db/", "expected the name of a database after the host, got none."),
        ("postgresql://ann:secret@db:port/arena", "Port could not be cast to integer value as 'port'."),
        ("sqlite:///arena.sqlite3", "expected an absolute path of an SQLite file, got 'arena.sqlite3'."),
    ):
        assert refusal(env.database, url) == f"DATABASE_URL: {words}"
    said = "REDIS_URL: expected redis://, rediss:// or unix://, got the scheme 'amqp'."
    assert refusal(env.redis, "amqp://ann:secret@broker") == said


READ = """
import json
from arena import settings
names = ("DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "CELERY_BROKER_URL")
print(json.dumps({name: getattr(settings, name) for name in names}))
"""
PRODUCTION = {
    "CRAPETTE_MODE": "production",
    "CRAPETTE_SECRET_KEY": "x" * 60,
    "CRAPETTE_HOSTS": "arena.example",
    "DATABASE_URL": "postgresql://arena@localhost/arena",
    "REDIS_URL": "redis://localhost/0",
}


def read(environment: dict[str, str], data: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {**kept, "CRAPETTE_DATA": str(data), **environment}
    command = [sys.executable, "-c", READ]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_any_variable_the_site_is_for_this_machine_only_and_production_is_https_only(
    tmp_path: Path,
) -> None:
    assert json.loads(read({}, tmp_path).stdout) == {
        **{"DEBUG": False, "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"]},
        **{"SESSION_COOKIE_SECURE": False, "SECURE_SSL_REDIRECT": False},
        "CELERY_BROKER_URL": "memory://localhost/",
    }
    assert json.loads(read({**PRODUCTION, "CRAPETTE_DEBUG": "1"}, tmp_path).stdout) == {
        **{"DEBUG": False, "ALLOWED_HOSTS": ["arena.example"]},
        **{"SESSION_COOKIE_SECURE": True, "SECURE_SSL_REDIRECT": True},
        "CELERY_BROKER_URL": "redis://localhost/0",
    }


def test_production_starts_with_nothing_left_out(tmp_path: Path) -> None:
    for name in ("CRAPETTE_SECRET_KEY", "DATABASE_URL"):
        result = read({**PRODUCTION, name: ""}, tmp_path)
        said = f"{name} must be set, but it is missing or empty.\n"
        assert (result.returncode, result.stderr) == (1, said)
    result = read({**PRODUCTION, "CRAPETTE_SECRET_KEY": "guessed"}, tmp_path)
    sentence = "CRAPETTE_SECRET_KEY: expected a secret of at least 50 characters, got 7.\n"
    assert (result.returncode, result.stderr) == (1, sentence)
    assert not (tmp_path / "secret-key").exists()


UNITS = sorted((ROOT / "deploy/systemd").iterdir())
LINES = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
STARTED = LINES.keys() - {"worker"}
"""The process `worker` stands for three of the others."""


def test_every_process_of_the_procfile_has_a_unit_that_runs_its_line() -> None:
    assert {unit.stem for unit in UNITS} == {f"crapette-{name}" for name in STARTED} | {"crapette"}
    for name in STARTED:
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read(ROOT / f"deploy/systemd/crapette-{name}.service")
        line = LINES[name].replace("$", "$$")
        assert unit["Service"]["ExecStart"] == f'/bin/sh -c "{line}"'
        assert ("Delegate" in unit["Service"]) == (name in {"games", "control"})


def test_the_compose_file_starts_every_process() -> None:
    found = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    services = found["services"]
    assert services.keys() == STARTED | {"database", "redis"}
    for name in STARTED:
        assert services[name]["command"] == ["sh", "-c", LINES[name].replace("$", "$$")]
        assert services[name]["environment"]["DATABASE_URL"].startswith("postgresql://")
    for name in STARTED - {"release"}:
        assert services[name]["depends_on"] == {"release": {"condition": "service_completed_successfully"}}
    used = {volume.split(":")[0] for one in services.values() for volume in one.get("volumes", ())}
    assert used == set(found["volumes"])


KEYS = {"CRAPETTE_CAPTCHA_SITE_KEY": "site", "CRAPETTE_CAPTCHA_SECRET": "secret"}
MOVED = {
    **KEYS,
    "CRAPETTE_CAPTCHA": "turnstile",
    "CRAPETTE_CAPTCHA_SCRIPT_URL": "https://captcha.example:8443/widget.js?x=1",
    "CRAPETTE_CAPTCHA_VERIFY_URL": "http://127.0.0.1:9/siteverify",
}


def test_there_is_none_unless_named_and_one_behind_other_addresses_is_opened_for_their_origin_alone() -> None:
    assert captcha_services.from_environment({}) is None
    assert captcha_services.from_environment({**KEYS, "CRAPETTE_CAPTCHA": "off"}) is None
    found = captcha_services.from_environment(MOVED)
    assert found is not None
    assert found.verify_url == "http://127.0.0.1:9/siteverify"
    assert found.sources == ("https://captcha.example:8443",)


@pytest.mark.parametrize(
    "address",
    [
        *("http://captcha.example/api.js", "//captcha.example/api.js", "https:///api.js"),
        *("https://captcha.example:0/api.js", "https://captcha.example:x/api.js", "https://cäptcha.example/"),
        *(
            "https://captcha.example;script-src *",
            "https://captcha.example/a b",
            "https://ann@captcha.example/",
        ),
    ],
)
def test_an_address_that_is_not_https_or_would_change_the_policy_is_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CRAPETTE_CAPTCHA_SCRIPT_URL: expected https://host/path"):
        captcha_services.from_environment({**MOVED, "CRAPETTE_CAPTCHA_SCRIPT_URL": address})


NAME = f"records/2026-01/{'a' * 32}.zip"
WHOLE = b"every record"


@pytest.mark.parametrize("packed", [WHOLE, b"every rec", b"other record"])
def test_only_a_whole_file_takes_the_place_of_a_damaged_one(
    packed: bytes, tmp_path: Path, settings: Any
) -> None:
    there = tmp_path / "archive" / NAME
    there.parent.mkdir(parents=True)
    there.write_bytes(b"some record")
    options = {"location": str(tmp_path / "archive")}
    backend = {"BACKEND": "arena.web.storage.archives.FolderArchives", "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, archives.ALIAS: backend}
    backup = tmp_path / "backup.tar"
    with tarfile.open(backup, "w") as target:
        member = tarfile.TarInfo(NAME)
        member.size = len(packed)
        target.addfile(member, io.BytesIO(packed))
    one = Archived(NAME, hashlib.sha256(WHOLE).hexdigest(), len(WHOLE))
    manifest = Manifest(1, "", 1, "sqlite", "", "", [], [one])
    if packed == WHOLE:
        _put_archives(backup, manifest)
    else:
        with pytest.raises(KeepingError, match="damaged"):
            _put_archives(backup, manifest)
    assert there.read_bytes() == (WHOLE if packed == WHOLE else b"some record")
