"""What may be asked for when a tournament is created, and what one gets."""

from typing import Any

import pytest

from analysis.errors import InvalidTournament
from analysis.formats.seeds import commitment
from arena.accounts.models import User
from bots import bots
from bots.models import Version
from tests.factories.bots import accepted_bot, judge, let_play_everywhere, new_bot, same_files
from tests.factories.tournaments import entrants, wanted
from tournaments.events.creation import create_tournament, enterable
from tournaments.models import Pairing, Tournament
from tournaments.pairing.progress import start_tournament


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"name": "  a "}, "name", "A name has 3 to 60 characters. This one has 1."),
        ({"name": "x" * 61}, "name", "A name has 3 to 60 characters. This one has 61."),
        ({"name": "cup\u0000"}, "name", "The name has characters that cannot be displayed."),
        ({"players": 3}, "players", "Crapaud has 2 seats, not 3."),
        ({"bank_ms": 10}, "bank_ms", "The time bank must be from 1,000 to 600,000 ms. You asked for 10."),
        (
            {"increment_ms": 99_999},
            "increment_ms",
            "The increment must be from 0 to 10,000 ms. You asked for 99,999.",
        ),
        (
            {"pairs_per_pairing": 0},
            "pairs_per_pairing",
            "The number of pairs must be from 1 to 200. You asked for 0.",
        ),
        ({"cycles": 9}, "cycles", "The number of cycles must be from 1 to 8. You asked for 9."),
        ({"format": "chess"}, "format", ""),
        ({"variant": "whist"}, "variant", "Choose a game from the list."),
        ({"versions": [0]}, "versions", "at least 2 bots"),
        ({"versions": [0, 1, 2, 0]}, "versions", "A version can enter only once."),
    ],
)
def test_a_bad_wish_is_answered_with_a_sentence_and_its_field(
    trio: list[Version], ada: User, changes: dict[str, Any], field: str, sentence: str
) -> None:
    versions = [trio[place] for place in changes.pop("versions", range(3))]
    with pytest.raises(InvalidTournament) as refused:
        create_tournament(wanted(versions, **changes), ada)
    assert refused.value.field == field
    assert sentence in str(refused.value)
    assert not Tournament.objects.exists()


def test_too_many_games_are_refused_before_anything_is_stored(trio: list[Version], ada: User) -> None:
    more = [same_files(trio[0], number) for number in range(2, 19)]
    let_play_everywhere(more)
    wish = wanted([*trio, *more], pairs_per_pairing=100)
    with pytest.raises(InvalidTournament) as refused:
        create_tournament(wish, ada)
    assert str(refused.value) == (
        "This would be 38,000 games. The limit is 20,000: choose fewer entrants or pairs."
    )


def test_nobody_has_more_than_three_unfinished_tournaments(trio: list[Version], ada: User) -> None:
    for number in range(3):
        create_tournament(wanted(trio, name=f"Cup {number}"), ada)
    with pytest.raises(InvalidTournament) as refused:
        create_tournament(wanted(trio), ada)
    assert str(refused.value) == (
        "You already have 3 unfinished tournaments, the most one account can have. "
        "Wait for one to finish, or cancel one."
    )
    create_tournament(wanted(trio), None)


def test_only_accepted_versions_that_one_may_enter_can_be_entered(ada: User, bob: User) -> None:
    own = accepted_bot(ada, "Own")
    unchecked = new_bot(ada, "Unchecked")
    opened = accepted_bot(bob, "Open")
    closed = new_bot(bob, "Closed", open_to_all=False)
    judge(closed, True, "fine")
    withdrawn = accepted_bot(bob, "Withdrawn")
    bots.withdraw_bot(withdrawn.bot)
    assert set(enterable(ada)) == {own, opened}
    assert set(enterable(bob)) == {own, opened, closed}
    assert set(enterable(None)) == {own, opened, closed}
    with pytest.raises(InvalidTournament) as refused:
        create_tournament(wanted([own, unchecked, opened, closed]), ada)
    assert str(refused.value) == (
        "2 of the chosen versions cannot enter. Each must have passed its check, and be yours, "
        "a house bot, or the active version of a bot that is open to all."
    )


def test_the_seed_is_committed_to_and_slugs_do_not_collide(trio: list[Version], ada: User) -> None:
    first = create_tournament(wanted(trio), ada)
    second = create_tournament(wanted(trio), ada)
    assert (first.slug, second.slug) == ("test-cup", "test-cup-2")
    assert first.seed_commitment == commitment(first.seed)
    assert first.seed != second.seed
    assert create_tournament(wanted(trio, name="New"), ada).slug == "new-tournament"


def test_a_started_round_robin_has_all_pairings_and_the_same_deals_in_a_round(ada: User) -> None:
    versions = entrants(ada, 4)
    tournament = create_tournament(wanted(versions, pairs_per_pairing=3), ada)
    start_tournament(tournament)
    assert tournament.pairings.count() == 6
    assert tournament.games.count() == 6 * 3 * 2
    for number in (1, 2, 3):
        deals = [
            list(pairing.pairs.order_by("number").values_list("deal_seed", flat=True))
            for pairing in Pairing.objects.filter(tournament=tournament, round=number)
        ]
        assert len(deals) == 2
        assert deals[0] == deals[1]
        assert len(set(deals[0])) == 3


def test_the_legs_of_a_pair_swap_seats_and_suits_on_one_deal(trio: list[Version], ada: User) -> None:
    tournament = create_tournament(wanted(trio), ada)
    start_tournament(tournament)
    games = list(tournament.games.filter(pair__pairing__round=1, pair__number=1).order_by("leg"))
    one, other = games
    assert [seat.version_id for seat in one.seats.all()] == [
        seat.version_id for seat in reversed(other.seats.all())
    ]
    assert one.suits == "SHDC"
    assert other.suits != "SHDC"
    swapped = one.start.translate(str.maketrans("SHDC", other.suits))
    assert sorted(swapped.split()[4].split("/")) == sorted(other.start.split()[4].split("/"))


def test_a_large_tournament_makes_games_only_as_they_come_near(ada: User, trio: list[Version]) -> None:
    tournament = create_tournament(wanted(trio, pairs_per_pairing=200), ada)
    start_tournament(tournament)
    assert tournament.games.count() == 80
    assert sum(pairing.pairs_made for pairing in tournament.pairings.all()) == 40
