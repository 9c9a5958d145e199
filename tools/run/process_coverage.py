"""Measures what playing processes cover, as a plugin of pytest: ``-p tools.run.process_coverage``.

A playing process runs from the stage, as a user of its own and with an environment of its own, so no
measurement reaches it. With this plugin it does all that too, but coverage runs it. The environment of bots
stays as it is.
Only runs that measure load the plugin: in all others, games are played just as on a site.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import coverage

from sandbox import Stage
from tools.run.coverage_floor import DATA

if TYPE_CHECKING:
    import pytest

MODULE: Final = "referee"
SETTINGS: Final = """
[run]
branch = true
parallel = true
source_pkgs = {module}
data_file = {data}
"""
plain_command, plain_environment = Stage.command, vars(Stage)["environment"].fget


class Measuring:
    """Coverage, and a place for what it finds, which the user that plays games can reach."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="crapette-measuring-"))
        self.folder.chmod(0o755)
        self.settings = self.folder / "settings"
        data = Path(os.environ[DATA])
        data.parent.chmod(0o1777)
        self.settings.write_text(SETTINGS.format(module=MODULE, data=data))
        shutil.copytree(Path(coverage.__file__).parent, self.folder / "coverage")

    def command(self, stage: Stage, module: str, *arguments: str) -> list[str]:
        """Return the argv that runs a module from the stage; the playing process is measured."""
        argv = plain_command(stage, module, *arguments)
        if module != MODULE:
            return argv
        place = argv.index("-m")
        return [*argv[:place], "-m", "coverage", "run", f"--rcfile={self.settings}", *argv[place:]]

    def environment(self, stage: Stage) -> dict[str, str]:
        """Return the environment of the playing process, in which coverage is found."""
        known: dict[str, str] = plain_environment(stage)
        return {**known, "PYTHONPATH": f"{known['PYTHONPATH']}:{self.folder}"}


def pytest_configure(config: pytest.Config) -> None:
    """Have playing processes measured until the run ends."""
    measuring = Measuring()
    config.add_cleanup(lambda: shutil.rmtree(measuring.folder))
    patched: Any = Stage

    def command(stage: Stage, module: str, *arguments: str) -> list[str]:
        return measuring.command(stage, module, *arguments)

    patched.command = command  # a function, so that it is bound to the stage
    patched.environment = property(measuring.environment)
