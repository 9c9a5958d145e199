"""``./crapette test --only training``: the example with PyTorch trains a bot that plays, from the package.

Installs the package with its extras into an empty environment; PyTorch is too heavy for every run. Set
CRAPETTE_TORCH to what pip is to install first, such as a build for the CPU alone. What pip needs comes from
the index that it is set up to use.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from kit.package.wheel_build import build

LIMIT_S = 1800.0
SMALL = ("--games", "8", "--every", "1", "--pairs", "4")


def run(*words: str | Path, folder: Path) -> None:
    """Run a command. Raises CalledProcessError: it failed."""
    subprocess.run([str(word) for word in words], cwd=folder, check=True, timeout=LIMIT_S)


def main() -> int:
    """Build, install, train for two updates and go on for one, and let the bot play; 0 if all went well."""
    with tempfile.TemporaryDirectory(prefix="crapette-training-") as scratch:
        folder = Path(scratch)
        build(folder / "kit", "1.0")
        run(sys.executable, "-m", "venv", "venv", folder=folder)
        python = folder / "venv" / "bin" / "python"
        pip = (python, "-m", "pip", "install", "-q")
        run(*pip, os.environ.get("CRAPETTE_TORCH", "torch"), folder=folder)
        run(*pip, "--find-links", folder / "kit", "crapette[onnx,torch]", folder=folder)
        train = (python, "-m", "crapette.examples.ppo", *SMALL)
        run(*train, "--updates", "2", folder=folder)
        run(*train, "--updates", "3", "--resume", folder=folder)
        with (folder / "ppo-run" / "log.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        updates = [row[0] for row in rows if row[2] == "entropy"]
        assert updates == ["1", "2", "3"], rows
        scores = {row[2] for row in rows if row[2].startswith("score_")}
        assert scores == {"score_random", "score_greedy", "score_planner"}, rows
        crapette = python.with_name("crapette")
        run(crapette, "play", "ppo", "random", "--pairs", "1", "--unsandboxed", folder=folder)
    sys.stdout.write("A bot was trained with PyTorch, and it plays.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
