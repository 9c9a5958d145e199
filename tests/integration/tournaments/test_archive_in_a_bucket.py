"""The archive in a bucket: Django's storage and boto3 against a server that speaks enough of S3."""

import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured

from arena import env
from arena.web.storage import archives
from arena.web.storage.archives import ArchiveUnreadable
from tests.factories.results import play_one
from tests.factories.tournaments import rivals, running
from tournaments.games import archive, records
from tournaments.games.archive import faults, orphans
from tournaments.models import Alarm, Game, Record

PREFIX: Final = "/games/arena/"
REFUSED: Final = b"<Error><Code>AccessDenied</Code></Error>"


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

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self, status: int, body: bytes = b"", length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("Last-Modified", "Sun, 22 Nov 2026 12:00:00 GMT")
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()[:32]}"')
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self) -> None:
        """Keep an object; boto3 may send it in chunks with their lengths."""
        assert self.headers["Authorization"].startswith("AWS4-HMAC-SHA256")
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.down:
            return self._answer(403, REFUSED)
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            size, _, rest = body.partition(b"\r\n")
            body = rest[: int(size.partition(b";")[0], 16)]
        self.server.objects[self.path] = body
        return self._answer(200)

    def do_GET(self) -> None:
        if self.server.down:
            return self._answer(403, REFUSED)
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
        asked = parse_qs(urlsplit(self.path).query)
        assert asked["delimiter"] == ["/"]
        prefix = asked["prefix"][0]
        start = f"/games/{prefix}"
        inside = [name.removeprefix(start) for name in self.server.objects if name.startswith(start)]
        found = [f"<Contents><Key>{prefix}{name}</Key></Contents>" for name in inside if "/" not in name]
        folders = {name.partition("/")[0] for name in inside if "/" in name}
        found += [f"<CommonPrefixes><Prefix>{prefix}{one}/</Prefix></CommonPrefixes>" for one in folders]
        return f"<ListBucketResult>{''.join(found)}</ListBucketResult>".encode()

    def do_HEAD(self) -> None:
        found = self.server.objects.get(self.path)
        status = 403 if self.server.down else 404 if found is None else 200
        self._answer(status, length=len(found or b""))

    def do_DELETE(self) -> None:
        if self.server.down:
            return self._answer(403, REFUSED)
        self.server.objects.pop(self.path, None)
        return self._answer(204)


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


@pytest.mark.django_db
@pytest.mark.any_database
def test_a_record_in_a_bucket_is_one_request_for_a_range(bucket: Bucket) -> None:
    running(None, rivals(2), pairs=1)
    played = Game.objects.get(pk=play_one().game)
    Game.objects.update(finished_at="2026-01-20T12:00:00Z")
    before = records.events(played)
    assert archive.archive_records(days=30) == 1
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
    with pytest.raises(ArchiveUnreadable, match="AccessDenied"):
        records.events(found)
    with pytest.raises(ArchiveUnreadable, match="AccessDenied"):
        orphans()


@pytest.mark.parametrize("value", ["archive", "ftp://x/y", "s3://", "s3://bucket?secret_key=x"])
def test_a_wrong_place_of_the_archive_is_refused_at_the_start(value: str, tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="CRAPETTE_ARCHIVES: expected"):
        env.archives("CRAPETTE_ARCHIVES", tmp_path, environ={"CRAPETTE_ARCHIVES": value})


@pytest.mark.django_db
@pytest.mark.any_database
def test_a_bucket_that_refuses_everything_raises_an_alarm_and_moves_nothing(bucket: Bucket) -> None:
    running(None, rivals(2), pairs=1)
    play_one()
    Game.objects.update(finished_at="2026-01-20T12:00:00Z")
    bucket.down = True
    with pytest.raises(ArchiveUnreadable):
        archive.archive_records(days=30)
    assert not Record.objects.exclude(archive=None).exists()
    bucket.down = False
    assert archive.archive_records(days=30) == 1
    bucket.down = True
    assert list(faults(thorough=True))
    archive.archive_nightly()
    assert Alarm.objects.filter(kind="archive", cleared_at=None).count() == 1
