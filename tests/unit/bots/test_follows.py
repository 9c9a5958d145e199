"""What followers read of release notes."""

from bots.follows import NOTES_SHOWN, told_notes


def test_release_notes_are_told_on_one_line_and_cut_off_where_they_are_long() -> None:
    assert told_notes("") == ""
    assert told_notes(" Looks further\n\nahead. ") == "Looks further ahead."
    long = told_notes("ahead " * 100)
    assert len(long) <= NOTES_SHOWN
    assert long.endswith("…")
