"""The files of the archive in a backup."""

import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from arena.operate.backups.backup import Archived, Manifest
from arena.operate.backups.errors import KeepingError
from arena.operate.backups.restore import _put_archives
from arena.web.storage import archives

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
