"""What `crapette new` makes, in every language: it builds, its own test passes, and so does its check."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from kit.local import check_bot, new
from kit.local.new import LANGUAGES
from sandbox.staging import wheels
from tests.programs import answers, clang_makes_wasm

ROOT = Path(__file__).parents[3]
NEEDS: Final = {
    "python": (),
    "python-onnx": (),
    "javascript": ("node",),
    "c": ("make", "cc"),
    "rust": ("make", "rustc"),
    "wasm": ("make", "node"),
}
MAY_LACK: Final = frozenset({"rust", "wasm"})
"""`./crapette test` installs no compiler of 400 MB; without one, it says which template is not tested."""


def there(language: str) -> bool:
    """Whether this machine has what a language is built and run with."""
    return all(answers(program) for program in NEEDS[language]) and (language != "wasm" or clang_makes_wasm())


HERE: Final = [language for language in LANGUAGES if language not in MAY_LACK or there(language)]


def run(folder: Path, command: str) -> None:
    """Run a command of the template in its folder, as its author would after installing the kit."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    modules = os.pathsep.join((str(ROOT / "kit" / "sdk"), str(ROOT), *wheels.places()))
    done = subprocess.run(
        ["/bin/sh", "-ec", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": modules},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def made(folder: Path, *words: str) -> Path:
    """A new bot."""
    assert new.main([str(folder), *words]) == 0
    return folder


def test_every_language_has_what_its_template_needs_or_may_lack_it() -> None:
    assert set(NEEDS) == set(LANGUAGES)
    assert [one for one in LANGUAGES if one not in MAY_LACK and not there(one)] == []


@pytest.mark.parametrize("language", HERE)
def test_a_new_bot_builds_passes_its_own_test_and_the_check(
    tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path / "mybot", "--language", language)
    one = LANGUAGES[language]
    run(folder, f"{one.build or ':'}\n{one.tests}")
    boards: Sequence[str] = ("--variant", "crapaud", "--variant", "vitesse")
    assert check_bot.main([str(folder), *boards]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert "✗" not in said
    assert "✓ plays a game of vitesse" in said
