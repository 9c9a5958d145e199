"""What a tournament's page says about how much is played, and a form about how long it takes."""

import pytest

from analysis.formats.matches import MatchRule
from analysis.formats.plans import Size
from arena.web.templatetags.site import lasting
from tournaments.events.estimates import estimate_words
from tournaments.models import Tournament
from tournaments.pages.events.event_story import match_length, schedule_words

MATCH = MatchRule("points", 300, 20)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"format": "round-robin", "pairs_per_pairing": 1}, "1 pair of games for every two bots"),
        ({"format": "gauntlet", "cycles": 2}, "10 pairs of games for every two bots, 2 times"),
        ({"format": "swiss"}, "10 pairs of games for every pairing"),
        ({"format": "sprt", "pairs_per_pairing": 2000}, "up to 2,000 pairs of games"),
        ({"format": "ladder"}, "never ends"),
        ({"format": "swiss", "options": MATCH.as_options()}, "matches to 300 points"),
        (
            {"players": 3, "pairs_per_pairing": 2},
            "2 deals for every 3 bots, each played 3 times with seats rotated",
        ),
    ],
)
def test_the_page_says_how_much_is_played(fields: dict[str, object], said: str) -> None:
    assert schedule_words(Tournament(**fields)) == said


@pytest.mark.parametrize(
    ("kind", "match", "numbers"),
    [
        ("round-robin", None, "12 games in 3 rounds"),
        ("single-elimination", None, "at most 12 games in 3 rounds"),
        ("double-elimination", MATCH, "at most about 12 games in 3 rounds"),
    ],
)
def test_the_form_says_how_many_games_and_when_a_match_ends(
    kind: str, match: MatchRule | None, numbers: str
) -> None:
    size = Size(rounds=3, pairings=3, pairs=6, games=12)
    found = estimate_words(size, 60.0, 2, kind=kind, open_to_all=False, match=match, deals=4)
    assert numbers in found[0]
    assert "1 minute" in found[0]
    later = estimate_words(size, 60.0, 2, kind=kind, open_to_all=False, match=match, deals=4, before=1_200)
    assert f"about {lasting(60.0 * (12 + 1_200) / 12)}," in later[0]
    assert "1,200 games from the queue" in later[0]
    assert [str(MatchRule("points", 300, 20).most) in one for one in found[1:]] == [True] * bool(match)


def test_the_length_of_a_match_stands_behind_the_word() -> None:
    assert [match_length(MATCH), match_length(MatchRule("deals", 1, 20))] == ["to 300 points", "of 1 deal"]
