"""A data folder as a site's first start leaves it, made once and copied to the sites that tests start.

Making its tables, collecting its files, registering the house bots and writing the API's document is most of
a site's first start. Tests of the first start itself give their site an empty folder.

The folder holds a set of probes without a question. Otherwise the first upload to each site would have it
start some two thousand sandboxes, to ask the new bot and every house bot about near-twins. The tests in
`integration/tournaments/test_twins.py` ask real bots real questions.
"""

import fcntl
import shutil
from pathlib import Path
from typing import Final

from tests.site import manage

SHARED: Final = "CRAPETTE_TEST_SHARED"
"""The variable that names a folder which all steps of a run of the tests share."""
MAKE: Final = """
from arena.api.document_cache import document
from arena.run.embedded import preparation
from tournaments.models import ProbeSet
preparation.migrate()
preparation.collect_static()
preparation.register_bots()
ProbeSet.objects.create(edition=1, games=[])
document()
"""
OWN: Final = ("running", "secret-key")
"""What each site makes for itself."""


class Prepared:
    """The data folder, made in a place when it is first wanted; another process may have made it there."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._data = place / "data"

    def copy(self, to: Path) -> Path:
        """Copy everything to a new folder; return the folder."""
        self._make()
        shutil.copytree(self._data, to, ignore=shutil.ignore_patterns(*OWN))
        to.chmod(0o700)
        return to

    def _make(self) -> None:
        with (self._place / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (self._place / "made").exists():
                return
            shutil.rmtree(self._data, ignore_errors=True)
            self._data.mkdir(mode=0o700)
            manage(self._data, "shell", "--no-imports", "-c", MAKE)
            (self._place / "made").touch()
