"""The shell script ``crapette`` as somebody calls it from a folder of theirs."""

import os
import subprocess
import sys
from pathlib import Path

from tests.site import ROOT


def test_files_are_looked_for_where_the_caller_is_and_nothing_is_imported_from_there(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("nothing\n")
    (tmp_path / "json.py").write_text("raise SystemExit('imported')\n")
    done = subprocess.run(
        [ROOT / "crapette", "verify", "mine.json"],
        cwd=tmp_path,
        env=os.environ | {"CRAPETTE_VENV": sys.prefix},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == "crapette verify: The first line is not JSON at byte 1: Expecting value.\n"
    assert done.returncode == 2
