"""Deals follow from one committed seed."""

import hashlib

import engine
from analysis.formats.seeds import commitment, deal_seed, leg_suits, round_seed

SEED = "00" * 31 + "01"


def test_a_deal_can_be_recomputed_from_the_tournaments_seed_that_was_committed_to() -> None:
    assert commitment(SEED) == hashlib.sha256(bytes(31) + b"\x01").hexdigest()
    parent = hashlib.sha256(bytes.fromhex(SEED) + b"/round/3").digest()
    assert round_seed(SEED, 3) == parent.hex()
    assert deal_seed(SEED, 3, 7) == hashlib.sha256(parent + b"/deal/7").hexdigest()


def test_legs_have_different_suits_that_keep_the_colours_apart_and_each_relabelling_comes() -> None:
    found = [
        [leg_suits(deal_seed(SEED, 1, number), leg, engine.SUIT_RELABELLINGS) for leg in range(4)]
        for number in range(200)
    ]
    for suits in found:
        assert suits[0] == "SHDC"
        assert len(set(suits)) == 4
        assert all({letters[0], letters[3]} in ({"S", "C"}, {"H", "D"}) for letters in suits)
    assert {suits[1] for suits in found} == set(engine.SUIT_RELABELLINGS[1:])
