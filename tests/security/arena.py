"""Lets the tests, root's included, have attacks run where they belong: on the stage, as the runner."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.sandbox import Level, Stage, runner_identity
from bots.sandbox.stage import PYTHON_FLAGS
from bots.uploads import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.security.corpus import Attack

DRIVER = Path(__file__).with_name("driver.py").read_text()
HONEST = b'import sys\n\nfor line in sys.stdin:\n    print("heard", line.strip())\n'
PATIENCE_SECONDS = 60.0


def store(stage: Stage, files: Mapping[str, bytes], entry: str) -> Path:
    """Put a bot on the stage without asking whether it is one."""
    return stage.store_bot(digest(files), files, entry)


def as_runner(
    stage: Stage, source: str, feed: str = "", *, environment: Mapping[str, str] | None = None
) -> str:
    """Run Python text from the stage as the runner; what it prints. Its standard error fails the test."""
    identity = runner_identity()
    dropped: dict[str, Any] = {}
    if identity is not None:
        dropped = {"user": identity[0], "group": identity[1], "extra_groups": []}
    done = subprocess.run(
        [str(stage.python), *PYTHON_FLAGS, "-c", source],
        input=feed,
        capture_output=True,
        text=True,
        env={**stage.environment, **(environment or {})},
        cwd="/",
        timeout=PATIENCE_SECONDS,
        check=False,
        **dropped,
    )
    assert done.stderr == "", done.stderr
    assert done.returncode == 0
    return str(done.stdout)


def try_attack(
    attack: Attack, level: Level, stage: Stage, without: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Run one attack beside an honest opponent; what `driver` saw."""
    directory = store(stage, {attack.entry: attack.path.read_bytes()}, attack.entry)
    return drive(
        stage,
        level=level.value,
        without=sorted(without),
        directory=str(directory),
        language=attack.language,
        entry=attack.entry,
        limits=attack.limits,
        seconds=attack.seconds,
        feed=attack.feed,
        lines=attack.lines,
        linger=attack.linger,
    )


def drive(stage: Stage, **job: Any) -> dict[str, Any]:
    """Have `driver` run a job."""
    defaults = {"without": [], "limits": {}, "seconds": 8.0, "feed": 0, "lines": 1, "linger": 0.0}
    honest = store(stage, {"bot.py": HONEST}, "bot.py")
    seen: dict[str, Any] = json.loads(
        as_runner(stage, DRIVER, json.dumps({**defaults, "honest": str(honest), **job}))
    )
    return seen
