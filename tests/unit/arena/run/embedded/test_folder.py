"""One running site a data folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.run.embedded.folder import DataFolder, FolderTaken

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
