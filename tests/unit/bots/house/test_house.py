"""The registry of the house bots, and their set-up."""

import os

from bots.house import HOUSE_BOTS, LEVELS, build, levels_of


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


def test_oracle_plays_at_levels_whatever_it_is_called_on_a_site() -> None:
    assert [bot.name for bot in HOUSE_BOTS.values() if bot.levels] == ["oracle"]
    assert levels_of("oracle") == levels_of("house-oracle") == LEVELS
    assert levels_of("greedy") == levels_of("of-somebody") == ()
    assert list(LEVELS) == sorted(LEVELS)
