"""The events of a game, wherever its record is: in its row, or in a file of the archive."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from django.db.models import Count, Sum

from analysis import event_log
from arena.web.storage.archives import NAME, ArchiveUnreadable, archives, digest_of
from tournaments.models import Record, RecordArchive

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
