"""One running site a data folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.run.embedded.folder import DataFolder, FolderTaken, FolderUnusable

HOLD = """
import sys
from pathlib import Path
from arena.run.embedded.folder import DataFolder
folder = DataFolder(Path(sys.argv[1]))
folder.take()
folder.describe("process 7, http://127.0.0.1:8000/")
print("held", flush=True)
sys.stdin.read()
"""
ROOT = Path(__file__).resolve().parents[5]


def test_a_second_site_learns_who_holds_the_folder_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FolderTaken) as caught:
            DataFolder(tmp_path).take()
        holder.kill()
        holder.wait(10)
    assert str(caught.value) == (
        f"Crapette Arena already runs on {tmp_path}: process 7, http://127.0.0.1:8000/. "
        "Stop it first, or choose another folder with CRAPETTE_DATA."
    )
    next_one = DataFolder(tmp_path)
    next_one.take()
    next_one.release()


def test_a_folder_whose_database_belongs_to_another_user_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "arena.sqlite3").touch()
    # Root may write everything, so the kernel's answer is given here as another user would get it.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "arena.sqlite3")
    with pytest.raises(FolderUnusable) as caught:
        DataFolder(tmp_path).take()
    assert str(caught.value) == (
        f"CRAPETTE_DATA: expected a writable folder, but cannot use '{tmp_path}': "
        f"Permission denied ('{tmp_path}/arena.sqlite3')."
    )
    assert not (tmp_path / "running").exists()
