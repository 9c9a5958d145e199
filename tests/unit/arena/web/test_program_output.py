"""In what a program wrote, the error and its place stand out, in every language that bots are written in."""

from arena.web.program_output import log_lines

PYTHON = """\
thinking
Traceback (most recent call last):
  File "/bot/bot.py", line 12, in choose
    return best(turns)
NameError: name 'turns' is not defined
"""


def test_a_traceback_of_python_has_its_place_and_its_error() -> None:
    found = [line.kind for line in log_lines(PYTHON)]
    assert found == ["", "", "place", "", "error"]


def test_other_languages_have_theirs_and_every_line_is_kept_with_its_spaces() -> None:
    for line, kind in (
        ("Uncaught TypeError: x is not a function", "error"),
        ("    at choose (/bot/bot.js:4:11)", "place"),
        ("thread 'main' panicked at src/main.rs:9:5:", "error"),
        ("json.decoder.JSONDecodeError: Expecting value: line 1", "error"),
        ("KeyboardInterrupt", "error"),
        ("error[E0425]: cannot find value `turns` in this scope", "error"),
        ("no error so far", ""),
        ("Errors: 0", ""),
        ("at 12:30 it drew", ""),
    ):
        assert [one.kind for one in log_lines(line)] == [kind]
    assert [line.text for line in log_lines("a\n\n  b\n")] == ["a", "", "  b"]
