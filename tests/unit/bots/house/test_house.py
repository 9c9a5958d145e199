"""The registry of the house bots, and their set-up."""

import os

import pytest

from bots.house import HOUSE_BOTS, LEVELS, SPARRING, build, levels_of

LENGTHS = {
    "random": 12,
    "cautious": 45,
    "greedy": 45,
    "planner": 76,
    "sampler": 70,
    "oracle": 100,
    "random-js": 25,
    "greedy-js": 60,
    "random-c": 65,
    "greedy-c": 120,
}


def test_there_is_a_bot_for_every_language() -> None:
    assert {bot.language for bot in HOUSE_BOTS.values()} == {"python", "javascript", "native"}
    assert [bot.name for bot in HOUSE_BOTS.values()] == list(HOUSE_BOTS)


def test_the_native_bot_is_compiled_once_and_again_when_its_source_is_newer() -> None:
    build.build()
    assert all(bot.built for bot in HOUSE_BOTS.values())
    assert build.build() == []
    source = HOUSE_BOTS["random-c"].directory / "bot.c"
    target = source.with_suffix("")
    newer = target.stat().st_mtime + 1
    before = source.stat().st_mtime
    os.utime(source, (newer, newer))
    try:
        assert build.build() == ["compiled bots/house/random_c/bot.c"]
    finally:
        os.utime(source, (before, before))


def test_random_players_spar_and_no_other_does() -> None:
    assert {bot.name for bot in HOUSE_BOTS.values() if bot.spars} == {"random", "random-js", "random-c"}
    assert {"random", "house-random-js"} < SPARRING


def test_oracle_plays_at_levels_whatever_it_is_called_on_a_site() -> None:
    assert [bot.name for bot in HOUSE_BOTS.values() if bot.levels] == ["oracle"]
    assert levels_of("oracle") == levels_of("house-oracle") == LEVELS
    assert levels_of("greedy") == levels_of("of-somebody") == ()
    assert list(LEVELS) == sorted(LEVELS)


@pytest.mark.parametrize("name", list(HOUSE_BOTS))
def test_a_bot_to_copy_from_stays_short(name: str) -> None:
    bot = HOUSE_BOTS[name]
    source = bot.directory / ("bot.c" if bot.language == "native" else bot.entry)
    assert len(source.read_text().splitlines()) <= LENGTHS[name]
