"""Records of old games move to files of the archive and are read from there; nothing on the way loses one."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from arena.routing import websockets
from arena.web.cache import values
from arena.web.models import Limit
from arena.web.storage import archives
from arena.web.storage.archives import ArchiveUnreadable, FolderArchives
from tests.factories.accounts import sign_in_operator
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tests.watcher import Watcher
from tournaments.games import archive, records
from tournaments.games.bundles import tournament_lines
from tournaments.games.record_lines import record_lines
from tournaments.games.search import Wanted
from tournaments.models import Alarm, Game, Record, RecordArchive, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    place = tmp_path / "archive"
    backend = {"BACKEND": "arena.web.storage.archives.FolderArchives", "OPTIONS": {"location": str(place)}}
    settings.STORAGES = {**settings.STORAGES, archives.ALIAS: backend}
    return place


@pytest.fixture
def games(folder: Path) -> list[Game]:
    """Games that finished in January and February 2026, half of them in each."""
    tournament = running(None, rivals(2), pairs=2)
    assert play_all(tournament) == 4
    found = list(Game.objects.order_by("pk"))
    for number, game in enumerate(found):
        at = datetime(2026, 1 + number % 2, 20, 12, tzinfo=UTC)
        Game.objects.filter(pk=game.pk).update(finished_at=at)
    return found


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def exports(client: Client) -> list[bytes]:
    """All that shows records: replay, API, bundle and the list of records."""
    found = []
    for game in Game.objects.order_by("pk"):
        for address in (f"/games/{game.pk}/record.json", f"/api/v1/games/{game.pk}/record/"):
            answer = client.get(address)
            assert answer.status_code == 200
            found.append(answer.content)
        found.append(json.dumps(records.events(records.find_game(game.pk) or game)).encode())
    return [*found, *tournament_lines(Tournament.objects.get()), *record_lines(Wanted())]


def test_archived_games_are_shown_and_exported_byte_for_byte_as_before(
    games: list[Game], folder: Path, client: Client
) -> None:
    before = exports(client)
    assert archive.archive_records(days=30) == 4
    assert not any(bytes(one.data) for one in Record.objects.all())
    assert [path.parent.name for path in files(folder)] == ["2026-01", "2026-02"]
    assert exports(client) == before
    assert archive.archive_records(days=30) == 0
    # Anyone can open a file without this program.
    with zipfile.ZipFile(files(folder)[0]) as opened:
        assert opened.testzip() is None
        key = opened.namelist()[0].removesuffix(".jsonl")
        lines = opened.read(f"{key}.jsonl").splitlines()
    game = records.find_game(key)
    assert game is not None
    assert [json.loads(line) for line in lines] == records.events(game)


def test_records_come_back_as_they_were(games: list[Game], folder: Path, client: Client) -> None:
    before = dict(Record.objects.values_list("pk", "data"))
    shown = exports(client)
    archive.archive_records(days=30)
    call_command("archive", bring_back="2026-01", stdout=io.StringIO())
    assert [path.parent.name for path in files(folder)] == ["2026-02"]
    assert exports(client) == shown
    call_command("archive", bring_back="2026-02", stdout=io.StringIO())
    assert {key: bytes(data) for key, data in Record.objects.values_list("pk", "data")} == {
        key: bytes(data) for key, data in before.items()
    }
    assert (files(folder), RecordArchive.objects.count()) == ([], 0)


def test_whoever_read_the_row_before_it_was_brought_back_sees_the_record(
    games: list[Game], folder: Path
) -> None:
    archive.archive_records(days=30)
    found = [records.find_game(game.pk) or game for game in games]
    call_command("archive", bring_back="2026-01", stdout=io.StringIO())
    assert all(records.events(game) for game in found)


def test_only_what_is_older_than_the_limit_moves_and_nothing_by_default(
    games: list[Game], folder: Path
) -> None:
    archive.archive_nightly()
    assert files(folder) == []
    Game.objects.filter(pk=games[0].pk).update(finished_at=timezone.now() - timedelta(days=29))
    Limit.objects.create(name=archive.LIMIT, value=30)
    values.forget_all()
    assert archive.waiting().games == 3
    archive.archive_nightly()
    assert (archive.waiting().games, Record.objects.filter(archive=None).get().pk) == (0, games[0].pk)


class Stopped(BaseException):
    """A kill -9: nothing after it runs."""


@pytest.mark.parametrize("point", ["_pack", "digest_of", "_seal", "_store"])
def test_an_interrupted_run_loses_nothing_and_is_done_again(
    point: str, games: list[Game], folder: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exports(client)

    def stop(*_: object) -> None:
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(archive, point, stop)
        with pytest.raises(Stopped):
            archive.archive_records(days=30)
    assert exports(client) == before
    assert not Record.objects.exclude(archive=None).exists()
    assert archive.archive_records(days=30) == 4
    # What the interrupted run left goes once nobody can be writing it any more.
    assert RecordArchive.objects.filter(sealed_at=None).count() == 1
    RecordArchive.objects.filter(sealed_at=None).update(begun_at=timezone.now() - 2 * archive.ABANDONED)
    assert archive.archive_records(days=30) == 0
    assert len(files(folder)) == RecordArchive.objects.count() == 2
    assert exports(client) == before


def test_an_interrupted_return_goes_on_where_it_was(
    games: list[Game], folder: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exports(client)
    archive.archive_records(days=30)
    monkeypatch.setattr(archive, "ROWS", 1)
    put_back = archive._put_back

    def once(*given: Any) -> int:
        monkeypatch.setattr(archive, "_put_back", stop)
        return put_back(*given)

    def stop(*_: object) -> int:
        raise Stopped

    monkeypatch.setattr(archive, "_put_back", once)
    with pytest.raises(Stopped):
        call_command("archive", bring_back="2026-01", stdout=io.StringIO())
    january = RecordArchive.objects.get(month="2026-01")
    assert (january.games, january.records.count()) == (1, 1)
    assert exports(client) == before
    monkeypatch.setattr(archive, "_put_back", put_back)
    said = io.StringIO()
    call_command("archive", bring_back="2026-01", stdout=said)
    assert "1 records of 2026-01 are in the database again." in said.getvalue()
    assert exports(client) == before
    assert [path.parent.name for path in files(folder)] == ["2026-02"]


def test_what_an_interrupted_removal_leaves_is_told_and_removed_on_request(
    games: list[Game],
    folder: Path,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    before = exports(client)
    archive.archive_records(days=30)
    with monkeypatch.context() as patch:
        patch.setattr(FolderArchives, "delete", stop)
        with pytest.raises(Stopped):
            call_command("archive", bring_back="2026-01", stdout=io.StringIO())
    (folder / "records" / "2026-01" / "notes.txt").write_text("an operator's own")
    archive.archive_nightly()
    assert "the archive has 1 files that no record needs" in caplog.text
    said = io.StringIO()
    call_command("archive", stdout=said)
    assert "1 files, 0.0 MB, belong to no record" in said.getvalue()
    assert len(files(folder)) == 3, "to look removes nothing"
    call_command("archive", remove_orphans=True, stdout=said)
    assert "1 files removed" in said.getvalue()
    assert next(path.name for path in files(folder)) == "notes.txt"
    assert len(files(folder)) == 2
    assert exports(client) == before


def test_of_two_runs_at_once_one_moves_a_record(
    games: list[Game], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = archive._pack

    def other_first(rows: Any) -> bytes:
        monkeypatch.setattr(archive, "_pack", pack)
        assert archive.archive_records(days=30) == 4
        return pack(rows)

    monkeypatch.setattr(archive, "_pack", other_first)
    assert archive.archive_records(days=30) == 0
    assert len(files(folder)) == RecordArchive.objects.count() == 2


def test_a_full_disk_leaves_the_database_as_it_was_and_raises_an_alarm(
    games: list[Game], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Limit.objects.create(name=archive.LIMIT, value=30)
    values.forget_all()
    save = FolderArchives._save

    def full(self: FolderArchives, name: str, content: Any) -> str:
        save(self, name, content)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(FolderArchives, "_save", full)
        archive.archive_nightly()
    assert "No space left" in Alarm.objects.get(kind="archive", cleared_at=None).detail
    assert (files(folder), RecordArchive.objects.count()) == ([], 0)
    archive.archive_nightly()
    assert not Alarm.objects.filter(cleared_at=None).exists()
    assert not Record.objects.filter(archive=None).exists()


@pytest.mark.parametrize("damage", ["missing", "changed", "cut off"])
def test_a_damaged_file_is_never_shown_as_a_record(
    damage: str, games: list[Game], folder: Path, client: Client
) -> None:
    archive.archive_records(days=30)
    for path in files(folder):
        whole = path.read_bytes()
        if damage == "missing":
            path.unlink()
        elif damage == "cut off":
            path.write_bytes(whole[:60])
        else:
            path.write_bytes(bytes(byte ^ 1 for byte in whole))
    with pytest.raises(ArchiveUnreadable):
        records.events(records.find_game(games[0].pk) or games[0])
    for address in (f"/games/{games[0].pk}/record.json", f"/api/v1/games/{games[0].pk}/record/"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["code"]) == (503, "archive")
    with pytest.raises(CommandError, match="records/2026-01"):
        call_command("archive", check=True, stdout=io.StringIO())
    if damage != "changed":
        archive.archive_nightly()
        assert Alarm.objects.filter(kind="archive", cleared_at=None).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
def test_whoever_watches_a_game_whose_file_is_gone_is_told_what_the_page_says(
    games: list[Game], folder: Path
) -> None:
    archive.archive_records(days=30)
    for path in files(folder):
        path.unlink()

    async def told() -> tuple[Any, dict[str, Any]]:
        watcher = await Watcher(websockets, f"/ws/games/{games[0].pk}/").connect()
        said = await watcher.receive(), await watcher.output()
        await watcher.disconnect()
        return said

    message, end = async_to_sync(told)()

    assert message == {"type": "error", "code": "archive", "message": str(ArchiveUnreadable.sentence)}
    assert end == {"type": "websocket.close", "code": 1011}


def test_files_go_when_their_games_are_deleted(games: list[Game], folder: Path) -> None:
    archive.archive_records(days=30)
    Record.objects.all().delete()
    archive.archive_records(days=30)
    assert (files(folder), RecordArchive.objects.count()) == ([], 0)


def test_operators_see_what_would_move_and_what_is_there(
    games: list[Game], folder: Path, client: Client
) -> None:
    Limit.objects.create(name=archive.LIMIT, value=30)
    values.forget_all()
    said = io.StringIO()
    call_command("retention", stdout=said)
    assert "4 records" in said.getvalue()
    call_command("archive", now=True, stdout=said)
    call_command("archive", check=True, stdout=said)
    assert "4 records moved" in said.getvalue()
    assert "2026-02           2 games" in said.getvalue()
    sign_in_operator(client)
    page = client.get("/admin/overview/").content.decode()
    assert "<td>2026-01</td>" in page
