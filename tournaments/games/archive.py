"""Moves the records of old games from the database to files of the archive, and back.

A file is written, read back and compared before any row changes; then one transaction points the rows to it
and empties them. Whatever interrupts this, each record is whole in the database or in a sealed file. What an
interrupted run leaves is an unsealed file to which nothing points; a later run removes it. Whoever is
interrupted between removing a file's row and the file leaves an orphan. The night's run tells of those, and
`remove_orphans` removes them: only an operator knows that no other site has its files in the same place.
"""

from __future__ import annotations

import hashlib
import io
import logging
import struct
import uuid
import zipfile
import zlib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from django.core.files import File
from django.db import transaction
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Length

from analysis import event_log
from arena.web import limits
from arena.web.database import database_clock
from arena.web.processes.alarms import clear_alarm, raise_alarm
from arena.web.storage.archives import NAME, ArchiveUnreadable, archives, digest_of
from tournaments.models import Alarm, Game, Record, RecordArchive
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.messages import RecordEvent

Form = TypeVar("Form")

RAW: Final = -zlib.MAX_WBITS
"""A Deflate stream without a header, as ZIP files have it."""


@dataclass(frozen=True, slots=True)
class ArchivedMonth:
    """The records of one month in the archive."""

    month: str
    files: int
    games: int
    bytes: int


@dataclass(frozen=True, slots=True)
class OrphanFile:
    """A file of the archive that the database does not know."""

    name: str
    bytes: int


def events(record: Record) -> list[RecordEvent]:
    """All events of a record. Raises ArchiveUnreadable."""
    return _read(record, event_log.unpack, event_log.parse)


def lines(record: Record) -> bytes:
    """The events of a record as JSON lines. Raises ArchiveUnreadable."""
    return _read(record, event_log.unpack_lines, bytes)


def _read(record: Record, packed: Callable[[bytes], Form], archived: Callable[[bytes], Form]) -> Form:
    """What is in the row, or what is in the archive, in the form asked for. Raises ArchiveUnreadable."""
    try:
        piece = _piece(record)
    except ArchiveUnreadable:
        # It may have been brought back since the row was read.
        now = Record.objects.select_related("archive").filter(pk=record.pk).first()
        if now is None or now.archive_id == record.archive_id:
            raise
        record, piece = now, _piece(now)
    return packed(bytes(record.data)) if piece is None else archived(piece)


def _piece(record: Record) -> bytes | None:
    """The lines of the row as it was read that are in the archive, or None. Raises ArchiveUnreadable."""
    if record.archive is None or record.start is None or record.length is None:
        return None
    name = record.archive.name
    piece = archives().piece(name, record.start, record.length)
    if hashlib.sha256(piece).digest() != bytes(record.digest or b""):
        raise ArchiveUnreadable(f"{name}: the record of game {record.game_id} is damaged")
    return zlib.decompress(piece, RAW)


def by_month() -> Sequence[ArchivedMonth]:
    """The sealed files by month, oldest first."""
    months = (
        RecordArchive.objects.filter(sealed_at__isnull=False)
        .values("month")
        .annotate(files=Count("pk"), all_games=Sum("games"), all_bytes=Sum("bytes"))
        .order_by("month")
    )
    return [ArchivedMonth(one["month"], one["files"], one["all_games"], one["all_bytes"]) for one in months]


def orphans() -> Sequence[OrphanFile]:
    """The files of the archive that no row of the database names. Raises ArchiveUnreadable and OSError."""
    store = archives()
    # Files first: a row is there before its file, and goes before it.
    names = [
        name
        for month in _listed("records")[0]
        for file in _listed(f"records/{month}")[1]
        if NAME.fullmatch(name := f"records/{month}/{file}")
    ]
    known = set(RecordArchive.objects.values_list("name", flat=True))
    return [OrphanFile(name, store.size(name)) for name in sorted(set(names) - known)]


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """The folders and files below a folder of the archive; none if there is no such folder."""
    try:
        return archives().listdir(folder)
    except FileNotFoundError:
        return [], []


def faults(*, thorough: bool) -> Iterator[str]:
    """A sentence about each sealed file that is missing or has another size; if `thorough`, another hash."""
    for one in RecordArchive.objects.filter(sealed_at__isnull=False).iterator():
        try:
            if thorough:
                found: tuple[str, int] = digest_of(one.name)
                same = found == (one.sha256, one.bytes)
            else:
                same = archives().exists(one.name) and archives().size(one.name) == one.bytes
        except (ArchiveUnreadable, OSError) as error:
            yield str(error)
            continue
        if not same:
            yield f"{one.name} is missing or is not what was written"


if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    _Records = QuerySet[Record]

log = logging.getLogger(__name__)

LIMIT: Final = "archive_records_days"
GAMES: Final = 1_000
"""Games in a file: as many rows change in one transaction."""
MOST_FILES: Final = 100
"""Files written in one night; the next night goes on."""
ABANDONED: Final = timedelta(hours=1)
"""After so long nobody is still writing a file."""
ROWS: Final = 200
EPOCH: Final = (1980, 1, 1, 0, 0, 0)
LOCAL_HEADER: Final = struct.Struct("<26xHH")
"""A ZIP file's local header (APPNOTE 4.3.7), as far as name and extra field: it ends with their lengths."""


class TakenMeanwhile(Exception):
    """Another run moved one of these records first."""


@dataclass(frozen=True, slots=True)
class OldRecords:
    """What would move to the archive now."""

    days: int
    games: int
    bytes: int


def waiting() -> OldRecords:
    """How many records are old enough to move, and their bytes in the database."""
    days = limits.value(LIMIT)
    if not days:
        return OldRecords(0, 0, 0)
    found = _old(_before(days)).aggregate(bytes=Sum(Length("data")))
    return OldRecords(days, _old(_before(days)).count(), found["bytes"] or 0)


def archive_records(days: int | None = None, most_files: int = MOST_FILES) -> int:
    """Move records older than `days`, or than the limit says, oldest first; return how many moved.

    A limit of 0 days moves none; `days` of 0 moves those of all games that are over.
    Raises OSError or ArchiveUnreadable if the storage cannot be written; the database is unchanged then.
    """
    _remove_abandoned()
    _remove_unused()
    if days is None:
        days = limits.value(LIMIT)
        if not days:
            return 0
    moved, rest = 0, _old(_before(days))
    for _ in range(most_files):
        batch = _next(rest)
        if not batch:
            break
        last = batch[-1].game
        moved += _move(batch)
        # From there on: whatever was moved before need not be looked at again.
        rest = _old(_before(days)).filter(
            Q(game__finished_at__gt=last.finished_at) | Q(game__finished_at=last.finished_at, pk__gt=last.pk)
        )
    return moved


def archive_nightly() -> None:
    """Move what is old enough, then see whether every file is there; raise or clear the alarm."""
    problem = ""
    try:
        archive_records()
        problem = next(faults(thorough=False), "")
    except (ArchiveUnreadable, OSError) as error:
        problem = str(error)
    try:
        if left := orphans():
            log.warning("the archive has %d files that no record needs: manage.py archive", len(left))
    except (ArchiveUnreadable, OSError) as error:
        # Not every site may list its bucket; no record is missing for that.
        log.warning("the files of the archive cannot be listed: %s", error)
    if problem:
        raise_alarm(Alarm.Kind.ARCHIVE, "", problem)
    else:
        clear_alarm(Alarm.Kind.ARCHIVE, "")


@seeing_hidden()
def bring_back(archive: RecordArchive) -> int:
    """Put the records of a file back into the database and remove the file; return how many came back.

    A batch at a time: after an interruption the same call goes on with the rest. Raises ArchiveUnreadable.
    """
    count = 0
    while batch := list(Record.objects.filter(archive=archive).order_by("pk")[:ROWS]):
        # Read before rows are locked: a bucket may take its time.
        read = {row.pk: event_log.pack_columns(events(row)) for row in batch}
        count += _put_back(archive, read)
    _remove(archive)
    return count


@transaction.atomic
def _put_back(archive: RecordArchive, read: dict[UUID, bytes]) -> int:
    """Store these records in their rows again, but those that another run has put back; return how many."""
    rows = list(Record.objects.select_for_update().filter(archive=archive, pk__in=list(read)).order_by("pk"))
    for row in rows:
        row.data = read[row.pk]
        row.archive = row.start = row.length = row.digest = None
    _store(rows)
    RecordArchive.objects.filter(pk=archive.pk).update(games=F("games") - len(rows))
    return len(rows)


def remove_orphans() -> tuple[int, int]:
    """Remove the files that the database does not know; return how many there were, and their bytes."""
    found = orphans()
    if found and not RecordArchive.objects.exclude(sealed_at=None).exists():
        raise ArchiveUnreadable("Expected an archive of this site, but its database knows no file there.")
    for one in found:
        archives().delete(one.name)
    return len(found), sum(one.bytes for one in found)


def _before(days: int) -> datetime:
    return database_clock.now() - timedelta(days=days)


def _old(before: datetime) -> _Records:
    over = (Game.Status.FINISHED, Game.Status.VOID)
    return Record.objects.filter(archive=None, game__status__in=over, game__finished_at__lt=before)


def _next(rest: _Records) -> list[Record]:
    """The oldest records of `rest` that finished in one month."""
    rows = list(rest.select_related("game").order_by("game__finished_at", "pk")[:GAMES])
    return [row for row in rows if _month(row.game) == _month(rows[0].game)]


def _month(game: Game) -> str:
    if game.finished_at is None:
        raise ValueError(f"expected a game that is over, got {game.pk}")
    return f"{game.finished_at:%Y-%m}"


def _move(rows: Sequence[Record]) -> int:
    """Write a file with the records and point their rows to it."""
    month = _month(rows[0].game)
    archive = RecordArchive.objects.create(name=f"records/{month}/{uuid.uuid4().hex}.zip", month=month)
    try:
        packed = _pack(rows)
        sha256 = hashlib.sha256(packed).hexdigest()
        archives().save(archive.name, File(io.BytesIO(packed)))
        if digest_of(archive.name) != (sha256, len(packed)):
            raise ArchiveUnreadable(f"{archive.name}: what was written cannot be read again")
        _seal(archive, rows, sha256, len(packed))
    except TakenMeanwhile:
        _remove(archive)
        return 0
    except Exception:
        _remove(archive)
        raise
    return len(rows)


def _pack(rows: Sequence[Record]) -> bytes:
    """A ZIP file with one member a game; fills in where each record is in it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for row in rows:
            member = zipfile.ZipInfo(f"{row.game_id}.jsonl", EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(member, lines(row), compresslevel=9)
        members = file.infolist()
    packed = target.getvalue()
    for row, member in zip(rows, members, strict=True):
        name, extra = LOCAL_HEADER.unpack_from(packed, member.header_offset)
        row.start = member.header_offset + LOCAL_HEADER.size + name + extra
        row.length = member.compress_size
        row.digest = hashlib.sha256(packed[row.start : row.start + row.length]).digest()
    return packed


@seeing_hidden()
@transaction.atomic
def _seal(archive: RecordArchive, rows: Sequence[Record], sha256: str, size: int) -> None:
    """Seal the file and empty the rows, all or none. Raises TakenMeanwhile."""
    keys = [row.pk for row in rows]
    free = Record.objects.select_for_update().filter(pk__in=keys, archive=None).order_by("pk")
    if len(free.values_list("pk")) != len(keys):
        raise TakenMeanwhile
    sealed = RecordArchive.objects.filter(pk=archive.pk, sealed_at=None).update(
        sealed_at=database_clock.now(), games=len(rows), bytes=size, sha256=sha256
    )
    if not sealed:
        raise TakenMeanwhile
    for row in rows:
        row.archive, row.data = archive, b""
    _store(rows)


def _store(rows: Sequence[Record]) -> None:
    Record.objects.bulk_update(rows, ["data", "archive", "start", "length", "digest"], batch_size=ROWS)


def _remove_abandoned() -> None:
    """Remove files that a run began and did not seal."""
    for one in RecordArchive.objects.filter(sealed_at=None, begun_at__lt=database_clock.now() - ABANDONED):
        _remove(one)


def _remove_unused() -> None:
    """Remove files whose games have all been deleted."""
    for one in RecordArchive.objects.filter(sealed_at__isnull=False, records=None):
        _remove(one)


def _remove(archive: RecordArchive) -> None:
    """Remove a file to which no record points: its row first, so that nobody can seal it any more."""
    RecordArchive.objects.filter(pk=archive.pk, records=None).delete()
    if not RecordArchive.objects.filter(pk=archive.pk).exists():
        archives().delete(archive.name)
