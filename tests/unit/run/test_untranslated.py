"""The check that finds texts in Python and in scripts that nobody marked for translation."""

import pytest

from tools.run.untranslated import HOLE, in_python, in_script


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('raise Refused("This game is over.")', ["This game is over."]),
        ('raise Refused(gettext("This game is over."))', []),
        ('raise ValueError("This game is over.")', []),
        ('words = f"It crashed in {n} games."', [f"It crashed in {HOLE} games."]),
    ],
)
def test_a_sentence_in_python_is_found_unless_it_is_marked(code: str, found: list[str]) -> None:
    assert [text for _, text in in_python(code)] == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('status.textContent = "The game is over";', ["The game is over"]),
        ('status.textContent = gettext("The game is over");', []),
        ("say(`${name} wins the game`);", [f"{HOLE} wins the game"]),
    ],
)
def test_a_sentence_in_a_script_is_found_unless_it_is_marked(code: str, found: list[str]) -> None:
    assert [text for _, text in in_script(code)] == found
