"""``crapette completion``: what makes shells complete the commands."""

import json
import subprocess
from pathlib import Path

import pytest

from kit.cli import COMMANDS, main

ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
_crapette
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    capsys.readouterr()
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_bash_completes_commands_options_choices_house_bots_and_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "completion.bash"
    file.write_text(script(capsys, "bash"))
    (tmp_path / "mybot").mkdir()

    def asked(*words: str) -> set[str]:
        command = ["bash", "-c", ASK, "bash", str(file), "crapette", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return set(done.stdout.split())

    assert asked("") == {command.name for command in COMMANDS}
    assert asked("re") == {"rerun", "replay", "results"}
    assert asked("sprt", "--sa") == {"--save"}
    assert asked("sprt", "a", "b", "--by", "") >= {"wins", "results", "margins"}
    assert asked("play", "m") == {"mybot"}
    assert asked("play", "planner") == {"planner"}
    assert asked("new", "x", "--language", "ru") == {"rust"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_option_is_in_the_other_scripts(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    text = script(capsys, shell)
    assert main(["completion", shell, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["script"] == text
    assert [command["name"] for command in told["commands"]] == [command.name for command in COMMANDS]
    for command in told["commands"]:
        options = {name for option in command["options"] for name in option["names"]}
        assert {"--json", "--help"} <= options
        for name in {command["name"], *options}:
            assert (name if shell == "zsh" else name.lstrip("-")) in text
