"""Records of old games move to the archive, a folder or a bucket, and are read from there; none is lost."""

import hashlib
import http.server
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from arena import env
from arena.web.cache import values
from arena.web.models import Limit
from arena.web.storage import archives
from arena.web.storage.archives import ArchiveUnreadable
from tests.conftest import ForAllTests
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tournaments.games import archive, records
from tournaments.games.archive import faults, orphans
from tournaments.games.bundles import tournament_lines
from tournaments.games.records import record_lines
from tournaments.games.search import Wanted
from tournaments.models import Alarm, Game, Record, RecordArchive, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    place = tmp_path / "archive"
    backend = {"BACKEND": "arena.web.storage.archives.FolderArchives", "OPTIONS": {"location": str(place)}}
    settings.STORAGES = {**settings.STORAGES, archives.ALIAS: backend}
    return place


def finished() -> list[Game]:
    """Games that finished in January and February 2026, half of them in each."""
    assert play_all(running(None, rivals(2), pairs=2)) == 4
    found = list(Game.objects.order_by("pk"))
    for number, game in enumerate(found):
        at = datetime(2026, 1 + number % 2, 20, 12, tzinfo=UTC)
        Game.objects.filter(pk=game.pk).update(finished_at=at)
    return found


@pytest.fixture(scope="module")
def games(for_all_tests: ForAllTests[list[Game]]) -> list[Game]:
    return for_all_tests(finished)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def exports(client: Client) -> list[bytes]:
    """All that shows records: replay, bundle and the list of records."""
    addresses = [f"/games/{game.pk}/record.json" for game in Game.objects.order_by("pk")]
    replays = [client.get(address).content for address in addresses]
    return [*replays, *tournament_lines(Tournament.objects.get()), *record_lines(Wanted())]


def command(**how: Any) -> str:
    said = io.StringIO()
    call_command("archive", stdout=said, **how)
    return said.getvalue()


class Stopped(BaseException):
    """A kill -9: nothing after it runs."""


def stop(*_: object) -> Any:
    raise Stopped


def test_archived_games_are_shown_byte_for_byte(games: list[Game], folder: Path, client: Client) -> None:
    rows = {key: bytes(data) for key, data in Record.objects.values_list("pk", "data")}
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

    command(bring_back="2026-01")
    assert [path.parent.name for path in files(folder)] == ["2026-02"]
    assert exports(client) == before
    command(bring_back="2026-02")
    assert {key: bytes(data) for key, data in Record.objects.values_list("pk", "data")} == rows
    assert (files(folder), RecordArchive.objects.count()) == ([], 0)


def test_only_what_is_older_than_the_limit_moves(games: list[Game], folder: Path) -> None:
    archive.archive_nightly()
    assert files(folder) == []
    Game.objects.filter(pk=games[0].pk).update(finished_at=timezone.now() - timedelta(days=29))
    Limit.objects.create(name=archive.LIMIT, value=30)
    values.forget_all()
    assert "3 records moved" in command(now=True)
    assert Record.objects.filter(archive=None).get().pk == games[0].pk
    # Files go when their games are deleted.
    Record.objects.all().delete()
    archive.archive_records(days=30)
    assert (files(folder), RecordArchive.objects.count()) == ([], 0)


@pytest.mark.parametrize("point", ["_pack", "_seal", "_store"])
def test_an_interrupted_run_loses_nothing_and_is_done_again(
    point: str, games: list[Game], folder: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exports(client)
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
    put_back = archive._put_back

    def once(*given: Any) -> int:
        monkeypatch.setattr(archive, "_put_back", stop)
        return put_back(*given)

    monkeypatch.setattr(archive, "ROWS", 1)
    monkeypatch.setattr(archive, "_put_back", once)
    with pytest.raises(Stopped):
        command(bring_back="2026-01")
    assert exports(client) == before
    monkeypatch.setattr(archive, "_put_back", put_back)
    command(bring_back="2026-01")
    assert exports(client) == before


def test_of_two_runs_one_moves_it(games: list[Game], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = archive._pack

    def other_first(rows: Any) -> bytes:
        monkeypatch.setattr(archive, "_pack", pack)
        assert archive.archive_records(days=30) == 4
        return pack(rows)

    monkeypatch.setattr(archive, "_pack", other_first)
    assert archive.archive_records(days=30) == 0
    assert len(files(folder)) == RecordArchive.objects.count() == 2


def test_a_damaged_file_is_no_record(games: list[Game], folder: Path, client: Client) -> None:
    archive.archive_records(days=30)
    for number, path in enumerate(files(folder)):
        whole = path.read_bytes()
        path.unlink()
        if number:
            path.write_bytes(bytes(byte ^ 1 for byte in whole))
    for game in games:
        with pytest.raises(ArchiveUnreadable):
            records.events(records.find_game(game.pk) or game)
        answer = client.get(f"/games/{game.pk}/record.json")
        assert (answer.status_code, answer.json()["code"]) == (503, "archive")
    with pytest.raises(CommandError, match="records/2026-01"):
        command(check=True)


PREFIX: Final = "/games/arena/"


class Bucket(http.server.ThreadingHTTPServer):
    """Objects by path, and the ranges that were asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Objects)
        self.objects: dict[str, bytes] = {}
        self.ranges: list[str] = []
        self.down = False


class Objects(http.server.BaseHTTPRequestHandler):
    server: Bucket

    def log_message(self, *_: object) -> None: ...

    def _answer(self, status: int, body: bytes = b"", length: int | None = None) -> None:
        if self.server.down:
            status, body = 403, b"<Error><Code>AccessDenied</Code></Error>"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()[:32]}"')
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self) -> None:
        """Keep an object; boto3 may send it in chunks with their lengths."""
        assert self.headers["Authorization"].startswith("AWS4-HMAC-SHA256")
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            size, _, rest = body.partition(b"\r\n")
            body = rest[: int(size.partition(b";")[0], 16)]
        if not self.server.down:
            self.server.objects[self.path] = body
        self._answer(200)

    def do_GET(self) -> None:
        if self.path.startswith("/games?"):
            return self._answer(200, self._listing())
        found = self.server.objects.get(self.path)
        if found is None:
            return self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        wanted = self.headers.get("Range")
        if wanted is None:
            return self._answer(200, found)
        self.server.ranges.append(wanted)
        first, last = wanted.removeprefix("bytes=").split("-")
        return self._answer(206, found[int(first) : int(last or len(found)) + 1])

    def _listing(self) -> bytes:
        prefix = parse_qs(urlsplit(self.path).query)["prefix"][0]
        start = f"/games/{prefix}"
        inside = [name.removeprefix(start) for name in self.server.objects if name.startswith(start)]
        found = [f"<Contents><Key>{prefix}{name}</Key></Contents>" for name in inside if "/" not in name]
        folders = {name.partition("/")[0] for name in inside if "/" in name}
        found += [f"<CommonPrefixes><Prefix>{prefix}{one}/</Prefix></CommonPrefixes>" for one in folders]
        return f"<ListBucketResult>{''.join(found)}</ListBucketResult>".encode()

    def do_HEAD(self) -> None:
        found = self.server.objects.get(self.path)
        self._answer(404 if found is None else 200, length=len(found or b""))

    def do_DELETE(self) -> None:
        if not self.server.down:
            self.server.objects.pop(self.path, None)
        self._answer(204)


@pytest.fixture
def bucket(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    server = Bucket()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    options = f"endpoint_url=http://127.0.0.1:{server.server_port}&region_name=here&addressing_style=path"
    variables = {"CRAPETTE_ARCHIVES": f"s3://games/arena?{options}"}
    backend = env.archives("CRAPETTE_ARCHIVES", settings.DATA_DIR, environ=variables)
    settings.STORAGES = {**settings.STORAGES, archives.ALIAS: backend}
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.any_database
def test_a_record_in_a_bucket_is_one_request_and_a_refusal_moves_nothing(
    games: list[Game], bucket: Bucket
) -> None:
    Game.objects.filter(finished_at__month=2).update(finished_at=timezone.now())
    played = games[0]
    before = records.events(played)
    bucket.down = True
    with pytest.raises(ArchiveUnreadable):
        archive.archive_records(days=30)
    assert not Record.objects.exclude(archive=None).exists()
    bucket.down = False
    assert archive.archive_records(days=30) == 2
    ((path, whole),) = bucket.objects.items()
    assert path.startswith(f"{PREFIX}records/2026-01/")
    assert list(faults(thorough=True)) == []
    bucket.ranges.clear()
    found = records.find_game(played.pk)
    assert found is not None
    assert records.events(found) == before
    assert len(bucket.ranges) == 1

    bucket.objects[path] = whole[:-1]
    assert len(list(faults(thorough=False))) == 1
    left = f"{PREFIX}records/2026-02/{'0' * 32}.zip"
    bucket.objects |= {left: b"left behind", path: whole}
    assert [one.name for one in orphans()] == [left.removeprefix(PREFIX)]
    assert archive.remove_orphans() == (1, len(b"left behind"))
    assert list(bucket.objects) == [path]

    bucket.down = True
    archive.archive_nightly()
    assert Alarm.objects.filter(kind="archive", cleared_at=None).count() == 1
