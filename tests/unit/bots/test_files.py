"""A version's files: packed the same every time, and compared with their hash before they are played."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots import files
from bots.errors import FilesMissing
from bots.models import Archive
from sandbox import Stage
from tests.factories.accounts import author
from tests.factories.bots import new_bot, python_bot

pytestmark = pytest.mark.django_db


def test_files_that_are_not_those_of_the_hash_are_not_played() -> None:
    version = new_bot(author())
    Archive.objects.update(data=files.archive_of({"bot.py": b"print('something else')"}))
    with pytest.raises(FilesMissing, match=f"with sha256 '{version.sha256}', got '[0-9a-f]{{64}}'"):
        files.read_archive(version)


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A stage of its own, in a place that the uid which plays can reach (pytest's folders are not)."""
    with tempfile.TemporaryDirectory(prefix="crapette-stage-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Stage.ensure(Path(folder) / "stage")


@pytest.mark.any_database
def test_a_version_is_unpacked_on_the_stage_once(stage: Stage) -> None:
    version = new_bot(author())
    directory = files.materialise(version, stage)
    assert directory == stage.bot_directory(version.sha256)
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == {
        "bot.py": python_bot("Ada's first")
    }
    assert directory.stat().st_mode & 0o777 == 0o555
    Archive.objects.update(data=b"")
    assert files.materialise(version, stage) == directory
