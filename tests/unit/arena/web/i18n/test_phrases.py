"""Counted things, lists of names and days in sentences."""

from datetime import UTC, datetime

import pytest
from django.utils import translation
from django.utils.translation import gettext_lazy

from arena.web.i18n import phrases
from engine.variants import VARIANTS

MOMENT = datetime(2026, 3, 1, 14, 5, tzinfo=UTC)


@pytest.mark.parametrize(("number", "words"), [(0, "0 pairs"), (1, "1 pair"), (2_000, "2,000 pairs")])
def test_things_are_counted_with_the_right_number(number: int, words: str) -> None:
    assert phrases.count_noun(number, "pair") == words


@pytest.mark.parametrize(
    ("names", "words"),
    [(["Ada"], "Ada"), (["Ada", "Bob"], "Ada and Bob"), (["Ada", "Bob", "Cy"], "Ada, Bob and Cy")],
)
def test_names_are_listed_as_a_sentence_lists_them(names: list[str], words: str) -> None:
    assert phrases.list_names(names) == words


def test_alternatives_are_listed_with_or() -> None:
    assert phrases.either(["2", "3", "4"]) == "2 or 3 or 4"


def test_days_and_times_are_written_out() -> None:
    assert phrases.day(MOMENT) == "1 March"
    assert phrases.day_and_time(MOMENT) == "1 Mar, 14:05"
    assert phrases.day_year_and_time(MOMENT) == "1 Mar 2026, 14:05"
    assert phrases.whole_day(MOMENT) == "01 March 2026"


def test_words_with_values_wait_for_the_language_of_the_reader() -> None:
    text = phrases.fill(gettext_lazy("%(count)s pair"), count="100 %")
    with translation.override("en"):
        assert str(text) == "100 % pair"
    assert not isinstance(text, str)


@pytest.mark.parametrize(("language", "words"), [("en", "-1.83"), ("fr", "-1,83")])
def test_decimals_are_written_as_the_reader_writes_them(language: str, words: str) -> None:
    with translation.override(language):
        assert phrases.decimal(-1.834) == words


def test_a_sign_stands_before_what_is_above_zero() -> None:
    assert [phrases.decimal(number, 1, signed=True) for number in (2, 0, -2)] == ["+2.0", "0.0", "-2.0"]


@pytest.mark.parametrize(("language", "words"), [("en", "1 Mar"), ("fr", "1 mars"), ("it", "1 mar")])
def test_short_days_have_the_months_of_the_language(language: str, words: str) -> None:
    with translation.override(language):
        assert phrases.short_day(MOMENT) == words


def test_games_are_as_long_as_their_plies_or_ticks() -> None:
    assert phrases.long(214, VARIANTS["crapaud"]) == "214 plies"
    assert phrases.long(97, VARIANTS["vitesse"]) == "97 ticks"
