"""Databases that earlier versions of the arena made are upgraded by `up` with everything intact.

Each database in `databases/` was made by a real site of that version: house bots, a round-robin and a ladder
under way with games played, an account, and four games of its owner against a bot. `first` is the first
version of the arena, `before-the-rooms` the one before people's games got an app of their own.
"""

from __future__ import annotations

import http.cookiejar
import json
import lzma
import re
import shutil
import sqlite3
import urllib.parse
import urllib.request
import uuid
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps

from kit.verify.__main__ import main as verify
from tests.site import RunningSite

if TYPE_CHECKING:
    from collections.abc import Iterator

DATABASES = Path(__file__).with_name("databases")
APPS = ("accounts", "common", "bots", "notices", "friendlies", "tournaments", "challenges")
PASSWORD = "nine of diamonds on ten of clubs"
# Answered questions are forgotten.
NOT_KEPT = frozenset(
    (
        "django_migrations",
        "django_content_type",
        "auth_permission",
        "django_session",
        "common_heartbeat",
        "tournaments_analysis",
    )
)


class Owner:
    """Ada with her browser: cookies and forms."""

    def __init__(self, site: RunningSite) -> None:
        self.site = site
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        page = self.get("accounts/login/")
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found is not None
        fields = {"csrfmiddlewaretoken": found[1], "login": "ada", "password": PASSWORD}
        with self.opener.open(
            f"{site.url}accounts/login/", urllib.parse.urlencode(fields).encode()
        ) as answer:
            assert "accounts/login" not in answer.url, "the old password no longer signs in"

    def get(self, path: str) -> str:
        """A page."""
        with self.opener.open(self.site.url + path, timeout=60) as answer:
            return str(answer.read().decode())

    def act(self, game: str, **what: Any) -> Any:
        """An action at a table."""
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        request = urllib.request.Request(
            f"{self.site.url}play/{game}/act/",
            json.dumps(what).encode(),
            {"Content-Type": "application/json", "X-CSRFToken": str(token), "Referer": self.site.url},
        )
        with self.opener.open(request, timeout=60) as answer:
            return json.load(answer)


def counts(file: Path) -> dict[str, int]:
    """How many rows each table has."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            table: database.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0] for (table,) in tables
        }


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query of the stored rows gives."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as database:
        return database.execute(query).fetchall()


KEPT = (
    "SELECT id, pair_id, leg FROM tournaments_game",
    "SELECT game_id, termination, ranking, points, plies, chain_sha256 FROM tournaments_result",
    "SELECT game_id, rules, count, data FROM tournaments_record",
    "SELECT id, owner_id, variant, seat, start FROM tournaments_friendly",
    "SELECT id, events, result FROM tournaments_friendly WHERE status = 'finished'",
    "SELECT id, username, password FROM accounts_user",
    "SELECT id, bot_id, number, sha256 FROM bots_version",
    "SELECT id, owner_id, slug, name FROM bots_bot",
    "SELECT id, slug, name, variant, players FROM tournaments_tournament",
    "SELECT id, tournament_id, version_id, number FROM tournaments_entry",
    "SELECT id, pairing_id, number, deal_seed FROM tournaments_pair",
    "SELECT id, game_id, version_id, seat FROM tournaments_seat",
)


def migrations() -> set[str]:
    """Every migration of our own, as app and name."""
    ours = (Path(apps.get_app_config(app).path) for app in APPS)
    return {
        f"{app} {file.stem}"
        for app, folder in zip(APPS, ours, strict=True)
        for file in (folder / "migrations").glob("0*.py")
    }


@pytest.fixture(params=sorted(path.name for path in DATABASES.glob("*.xz")))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A data folder with a database of an earlier version in it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with lzma.open(DATABASES / request.param) as packed, (data / "arena.sqlite3").open("wb") as file:
        shutil.copyfileobj(packed, file)
    (data / "arena.sqlite3").chmod(0o600)
    return data


@pytest.fixture
def site(old: Path) -> Iterator[RunningSite]:
    """The site of today on it."""
    running = RunningSite(old, {"GAMES_AT_ONCE": 1})
    try:
        yield running
    finally:
        running.kill()


def test_a_database_of_an_earlier_version_is_upgraded_and_played_on(
    old: Path, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = old / "arena.sqlite3"
    before, kept = counts(file), {query: rows(file, query) for query in KEPT}
    assert all(kept.values()), "the database holds nothing of a kind that is looked at"
    site: RunningSite = request.getfixturevalue("site")
    site.wait_until_ready()

    def finished() -> int:
        return int(rows(file, "SELECT COUNT(*) FROM tournaments_game WHERE status = 'finished'")[0][0])

    begun = finished()
    ada = Owner(site)
    for (key,) in rows(file, "SELECT id FROM tournaments_friendly"):
        assert ada.get(f"play/{uuid.UUID(key)}/")
    table = uuid.UUID(rows(file, "SELECT id FROM tournaments_friendly WHERE variant = 'vitesse'")[0][0])
    state = json.loads(ada.get(f"play/{table}/state.json"))
    over = ada.act(str(table), do="resign", revision=state["revision"])
    assert over["result"]["termination"] == "resignation", over
    site.until(lambda: finished() > begun, "a game after the upgrade")
    (game,) = rows(file, "SELECT game_id FROM tournaments_record")[0]
    record = tmp_path / "game.json"
    record.write_text(site.get(f"games/{uuid.UUID(game)}/record.json")[1])
    assert verify([str(record)]) == 0, capsys.readouterr().out
    assert site.stop() == 0

    applied = rows(file, "SELECT app || ' ' || name FROM django_migrations")
    assert {name for (name,) in applied} >= migrations()
    after = counts(file)
    gone = {name for name, count in before.items() if after.get(name, -1) < count}
    assert gone <= NOT_KEPT
    for query, stored in kept.items():
        now = {one[0]: one for one in rows(file, query)}
        changed = [one for one in stored if now.get(one[0]) != one]
        assert not changed, (query, changed[:1])
