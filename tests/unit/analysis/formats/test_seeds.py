"""Deals follow from one committed seed."""

import hashlib

import engine
from analysis.formats.seeds import commitment, deal_seed, leg_suits, round_seed

SEED = "00" * 31 + "01"


def test_the_commitment_is_the_hash_of_the_seeds_bytes() -> None:
    assert commitment(SEED) == hashlib.sha256(bytes(31) + b"\x01").hexdigest()


def test_a_deal_can_be_recomputed_from_the_tournaments_seed() -> None:
    parent = hashlib.sha256(bytes.fromhex(SEED) + b"/round/3").digest()
    assert round_seed(SEED, 3) == parent.hex()
    assert deal_seed(SEED, 3, 7) == hashlib.sha256(parent + b"/deal/7").hexdigest()


def test_legs_have_different_suits_that_keep_the_colours_apart() -> None:
    for number in range(40):
        seed = deal_seed(SEED, 1, number)
        suits = [leg_suits(seed, leg, engine.SUIT_RELABELLINGS) for leg in range(4)]
        assert suits[0] == "SHDC"
        assert len(set(suits)) == 4
        for letters in suits:
            assert {letters[0], letters[3]} in ({"S", "C"}, {"H", "D"})


def test_the_second_leg_takes_every_relabelling_but_the_first_over_many_deals() -> None:
    seen = {leg_suits(deal_seed(SEED, 1, number), 1, engine.SUIT_RELABELLINGS) for number in range(200)}
    assert seen == set(engine.SUIT_RELABELLINGS[1:])
