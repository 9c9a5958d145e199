"""A version's files: stored as one zip in the database, and unpacked to the stage for playing."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bots.errors import FilesMissing
from bots.models import Archive, Version
from sandbox import uploads
from sandbox.staging import store
from sandbox.staging.stage import BOTS, default_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sandbox import Stage

# Zip wants a date; a fixed one makes the same files the same bytes.
ZIP_DATE = (2026, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class SentFile:
    """A file as it was sent, not inspected yet."""

    filename: str
    data: bytes

    @cached_property
    def sha256(self) -> str:
        """The hash of its bytes, whatever is in them."""
        return hashlib.sha256(self.data).hexdigest()


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """Pack ``files`` (path to content); the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in sorted(files.items()):
            entry = zipfile.ZipInfo(path, ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return packed.getvalue()


def read_archive(version: Version) -> dict[str, bytes]:
    """Return the files of ``version``. Raises :class:`FilesMissing` if they do not match its hash."""
    archive = Archive.objects.filter(versions=version).first()
    if archive is None:
        raise FilesMissing(f"Expected the files of {version}, got none: they went with its owner.")
    with zipfile.ZipFile(io.BytesIO(bytes(archive.data))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    got = uploads.digest(files)
    if got != version.sha256:
        raise FilesMissing(f"Expected the files of {version} with sha256 {version.sha256!r}, got {got!r}.")
    return files


def remove_unpacked(contents: Iterable[str]) -> None:
    """Remove the given contents (hashes), whose owners have left, from this host's stage."""
    bots = store.closed_folder(default_root(os.environ), BOTS)
    # What was never inspected has no hash. Without one, the folder would be that of all bots.
    for content in filter(None, contents):
        store.remove_tree(bots / content)


def remove_forgotten() -> None:
    """Do the same for every owner who ever left, perhaps on another host."""
    kept = Archive.objects.values("sha256")
    gone = Version.objects.filter(archive=None).exclude(sha256__in=kept)
    remove_unpacked(set(gone.values_list("sha256", flat=True)))


def materialise(version: Version, stage: Stage) -> Path:
    """Unpack ``version`` on ``stage`` if it is not there yet, and return its directory, which is read-only.

    Unpacking is atomic; files are compared with the hash before they are written. Raises
    :class:`FilesMissing`.
    """
    directory = stage.bot_directory(version.sha256)
    try:
        os.utime(directory)  # what is played was used: the stage's cleaning goes by this time
    except FileNotFoundError:
        return stage.store_bot(version.sha256, read_archive(version), version.entry)
    return directory
