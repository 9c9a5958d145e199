"""What pages are made of, and where their files lie."""

import base64
import errno
import hashlib
import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import translation

from arena.web import worker_messages
from arena.web.cache.values import kept_for
from arena.web.deck.__main__ import TARGET
from arena.web.deck.frame import Scene, frame
from arena.web.deck.picture import svg
from arena.web.deck.piles import carry_out, piles_of
from arena.web.deck.png import png
from arena.web.deck.sprite import sprite
from arena.web.http import security_headers
from arena.web.i18n.messages import STORED, reword
from arena.web.i18n.reasons import SEATS, SENTENCES, knows, tell_reason
from arena.web.storage import private_files
from arena.web.templatetags import site
from arena.web.templatetags.site import in_language
from tests.factories.accounts import author
from tests.factories.records import in_ticks, played
from tests.factories.tournaments import entrants
from tests.site import ROOT
from tests.variants import IN_TURNS
from tools.run.ending_phrases import refused, said
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.ratings.ladder import ensure_ladder


def test_the_file_that_is_served_is_what_the_program_draws_now() -> None:
    assert TARGET.read_text(encoding="utf-8") == sprite(), "run python -m arena.web.deck"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Test", "NEW", "Bot panel", "Ladder crapaud"])
def test_a_tournament_named_like_a_page_is_shown_at_an_address_of_its_own(name: str, client: Client) -> None:
    ada = author()
    tournament = create_tournament(NewTournament(name, tuple(one.pk for one in entrants(ada, 2))), ada)
    for page in ("detail", "live"):
        answer = client.get(reverse(f"tournaments:{page}", args=[tournament.slug]))
        assert answer.context["tournament"] == tournament
    assert ensure_ladder("crapaud") != tournament


@pytest.mark.django_db(transaction=True)
def test_a_name_that_several_give_at_once_gets_several_addresses() -> None:
    ada = author()
    asked = NewTournament("Cup", tuple(one.pk for one in entrants(ada, 2)))

    def create(_: int) -> str:
        try:
            return create_tournament(asked, None).slug
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        slugs = list(pool.map(create, range(6)))
    assert sorted(slugs) == ["cup", "cup-2", "cup-3", "cup-4", "cup-5", "cup-6"]


def test_a_broker_that_does_not_answer_keeps_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, sent = threading.Event(), threading.Semaphore(0)
    got: list[str] = []

    def send(task: str, _arguments: list[Any], _delay: float) -> None:
        assert answers.wait(60)
        got.append(task)
        sent.release()
        if task == "first":
            raise ConnectionError("lost")

    monkeypatch.setattr(worker_messages, "_send", send)
    monkeypatch.setattr(worker_messages._Carrier, "carrier", None)
    worker_messages.send_behind()
    for task in ("first", "second"):
        worker_messages.send(task)
    assert got == []
    answers.set()
    for _ in range(2):
        assert sent.acquire(timeout=60)
    assert got == ["first", "second"]


def test_those_who_ask_while_an_old_answer_is_renewed_get_the_old_one() -> None:
    asked = []
    renewing, go_on = threading.Event(), threading.Event()

    @kept_for(0)
    def answer() -> int:
        asked.append(1)
        if len(asked) == 2:
            renewing.set()
            assert go_on.wait(60)
        return len(asked)

    assert answer() == 1
    other = threading.Thread(target=answer)
    other.start()
    assert renewing.wait(60)
    assert answer() == 1
    go_on.set()
    other.join()
    assert answer() == 3


def test_a_name_is_text_and_a_long_one_is_cut() -> None:
    piles = piles_of(played("crapette", 2, seed=5).start)
    text = frame(piles, Scene(["<b>&", "n" * 40], frozenset(), (), (), "0 / 9"))
    assert "&lt;b&gt;&amp;" in text
    assert "n" * 40 not in text
    assert "n…</text>" in text


def test_what_nobody_could_see_is_drawn_as_a_back() -> None:
    game = played("crapette", 2, seed=5, public=True)
    piles = piles_of(game.start)
    carry_out(piles, game.events[:200])
    assert piles["h0"][-1] == "??"
    assert png(svg(piles, 2)).startswith(b"\x89PNG")


@pytest.mark.parametrize("variant", IN_TURNS)
def test_events_carried_out_without_rules_lead_to_the_engines_position(variant: str) -> None:
    game = played(variant, 2, seed=5)
    piles = piles_of(game.start)
    for event, line in zip(game.events, game.lines, strict=True):
        carry_out(piles, [event])
        # A drawn card lies on its own pile here, and within the position there.
        assert {name: pile for name, pile in piles.items() if name != "x"} == {
            name: pile for name, pile in piles_of(line).items() if name != "x"
        }


def test_ticks_carried_out_without_rules_lead_to_the_engines_position() -> None:
    game = in_ticks(5)
    piles = piles_of(game.start)
    for event, line in zip(game.events, game.lines, strict=True):
        carry_out(piles, [event])
        assert piles == piles_of(line)


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A static folder with two modules and another file."""
    (tmp_path / "js" / "viewer").mkdir(parents=True)
    (tmp_path / "js" / "main.js").touch()
    (tmp_path / "js" / "viewer" / "state.js").touch()
    (tmp_path / "js" / "viewer" / "notes.txt").touch()
    monkeypatch.setattr(security_headers, "STATIC", tmp_path)
    return tmp_path


def test_a_name_cannot_close_the_script_element(modules: Path) -> None:
    (modules / "js" / "a<b.js").touch()
    assert "<" not in security_headers.render_import_map()
    assert "arena/a<b" in json.loads(security_headers.render_import_map())["imports"]


def test_the_policy_allows_exactly_the_map_that_pages_carry() -> None:
    digest = base64.b64encode(hashlib.sha256(security_headers.import_map()[0].encode()).digest()).decode()
    directives = dict(part.split(" ", 1) for part in security_headers.content_policy().split("; "))
    assert directives["script-src"] == f"'self' 'sha256-{digest}'"
    assert "unsafe" not in security_headers.content_policy()


def test_what_the_arena_stored_is_said_in_the_language_of_the_reader() -> None:
    with translation.override("fr"):
        assert reword("Stopped without a verdict: Ada v2 was benched.", STORED).startswith("Arrêté sans")
        assert "5 dernières" in in_language("It crashed in its last 5 games.")
        assert in_language("the test was decided") != "the test was decided"
        assert in_language("") == ""
        assert in_language("What a person wrote.") == "What a person wrote."


CODES = ("fr", "it", "pt-br")


@pytest.mark.parametrize("code", CODES)
def test_all_that_is_said_of_an_end_is_told_in_the_readers_language(code: str) -> None:
    found = said()
    assert len(found) > 60
    with translation.override(code):
        assert sorted(text for text in found if tell_reason(text) == text) == []


def test_every_refusal_of_an_upload_can_be_told_in_the_readers_language() -> None:
    found = refused()
    assert len(found) > 35
    assert sorted(text for text in found if not knows(text)) == []


def test_the_words_for_a_seat_stand_in_every_translation_as_scripts_look_for_them() -> None:
    for code in CODES:
        with translation.override(code):
            seats = [translation.gettext(one).partition("%(seat)s") for one in SEATS]
            for pattern in (one for one in SENTENCES if "%(seat)s" in one):
                text = translation.gettext(pattern)
                assert any(f"{before}%(seat)s{after}" in text for before, _, after in seats), text


def test_what_nobody_knows_and_what_a_bot_wrote_stay_as_they_are() -> None:
    move = "'x': expected one of y. Seat 0 resigned.'"
    with translation.override("fr"):
        assert tell_reason("Seat 1 did something that nobody has done before.").startswith("Seat 1")
        assert tell_reason("Seat 1 was not ready to play: it danced.").startswith("Seat 1")
        assert tell_reason("") == ""
        found = tell_reason(f"Seat 1 played {move} at ply 3: expected one of h-d, draw.")
        assert move in found
        assert not found.startswith("Seat 1 played")
    with translation.override("en-gb"):
        assert tell_reason("Seat 1 resigned.") == "Seat 1 resigned."


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def started(data: Path) -> subprocess.CompletedProcess[str]:
    """A process that reads the settings with this data folder, under the usual umask."""
    command = [sys.executable, "-c", "import os; os.umask(0o022); from arena import settings"]
    environment = {"PATH": os.environ["PATH"], "CRAPETTE_DATA": str(data)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_new_site_keeps_its_folder_database_and_secret_to_itself(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert started(data).returncode == 0
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE passwords (hash text)")
        beside = {path.name: mode(path) for path in data.iterdir() if path.is_file()}
    names = ("arena.sqlite3", "arena.sqlite3-shm", "arena.sqlite3-wal", "secret-key")
    assert beside == dict.fromkeys(names, 0o600)
    assert mode(data) == 0o700


def test_a_site_that_was_open_to_others_is_closed_at_its_next_start_also_where_links_lead(
    tmp_path: Path,
) -> None:
    disk, data = tmp_path / "disk", tmp_path / "data"
    disk.mkdir(mode=0o755)
    data.mkdir(mode=0o755)
    (data / "running").touch(mode=0o644)
    for name in ("arena.sqlite3", "arena.sqlite3-wal", "arena.sqlite3-shm", "secret-key"):
        (disk / name).write_text("x" * 60 if name == "secret-key" else "")
        (disk / name).chmod(0o644)
        if name in ("arena.sqlite3", "secret-key"):
            (data / name).symlink_to(disk / name)
    assert started(data).returncode == 0
    assert {mode(path) for path in (*disk.iterdir(), data / "running")} == {0o600}
    assert (mode(disk), mode(data)) == (0o755, 0o700)


def test_a_folder_that_stays_open_ends_the_start_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    tmp_path.chmod(0o750)
    # Root may change every mode, so the kernel's answer is given here as another user would get it.
    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(ImproperlyConfigured) as caught:
        private_files.close_folder(tmp_path, "CRAPETTE_DATA")
    assert str(caught.value) == (
        f"CRAPETTE_DATA: other accounts of this machine can reach '{tmp_path}' (mode 750), and this one"
        " cannot stop them: Operation not permitted. Run chmod 700 on it, or choose another folder."
    )


def test_a_part_is_rendered_once_for_each_value_and_language(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, object]] = []

    def render(name: str, values: dict[str, object]) -> str:
        made.append((str(translation.get_language()), values["row"]))
        return f"<b>{values['row']}</b>"

    monkeypatch.setattr(site, "render_to_string", render)
    site._kept.cache_clear()
    for language in ("en-gb", "fr", "en-gb"):
        with translation.override(language):
            assert [site.cached_part("x.html", row=row) for row in ((1, 2), (3,), (1, 2))] == [
                "<b>(1, 2)</b>",
                "<b>(3,)</b>",
                "<b>(1, 2)</b>",
            ]
    assert made == [("en-gb", (1, 2)), ("en-gb", (3,)), ("fr", (1, 2)), ("fr", (3,))]
    site._kept.cache_clear()
