"""The check that finds texts in Python and in scripts that nobody marked for translation."""

import pytest

from tools.run.untranslated import HOLE, in_python, in_script


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('raise Refused("This game is over.")', ["This game is over."]),
        ('raise Refused(gettext("This game is over."))', []),
        ('raise ValueError("This game is over.")', []),
        ('"""This module says something."""', []),
        ('words = f"It crashed in {n} games."', [f"It crashed in {HOLE} games."]),
        ('form.add_error("name", "Choose another name.")', ["Choose another name."]),
        ('label = "Cancelled."', ["Cancelled."]),
        ('raise Refused("Expected a list of moves.")', []),
        ('kind: "Some kind of thing" = gettext_lazy("A kind of thing")', []),
    ],
)
def test_a_sentence_in_python_is_found_unless_it_is_marked(code: str, found: list[str]) -> None:
    assert [text for _, text in in_python(code)] == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('status.textContent = "The game is over";', ["The game is over"]),
        ('status.textContent = gettext("The game is over");', []),
        ('pgettext("of a game", "The game is over");', []),
        ("say(`${name} wins the game`);", [f"{HOLE} wins the game"]),
        ('say(`${gettext("This did not work.")} ${error.message}`);', []),
        ('throw new Error("expected a pile of this table");', []),
    ],
)
def test_a_sentence_in_a_script_is_found_unless_it_is_marked(code: str, found: list[str]) -> None:
    assert [text for _, text in in_script(code)] == found
