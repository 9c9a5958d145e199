"""Counted things, lists of names and days in sentences."""

from arena.web.i18n import phrases
from engine.variants import VARIANTS


def test_things_are_counted_and_names_listed_as_a_sentence_does() -> None:
    for number, words in ((0, "0 pairs"), (1, "1 pair"), (2_000, "2,000 pairs")):
        assert phrases.count_noun(number, "pair") == words
    for names, words in (
        (["Ada"], "Ada"),
        (["Ada", "Bob"], "Ada and Bob"),
        (["Ada", "Bob", "Cy"], "Ada, Bob and Cy"),
    ):
        assert phrases.list_names(names) == words
    assert phrases.either(["2", "3", "4"]) == "2 or 3 or 4"
    assert phrases.long(214, VARIANTS["crapaud"]) == "214 plies"
    assert phrases.long(97, VARIANTS["vitesse"]) == "97 ticks"
