"""Tests of the bot, run with: python -m unittest discover tests"""

import sys
import unittest
from pathlib import Path
from unittest import mock

import crapette
from crapette.local import play

sys.path.insert(0, str(Path(__file__).parent.parent))
with mock.patch.object(crapette, "run"):  # the game that the bot begins when it is started
    import bot


class Choosing(unittest.TestCase):
    def test_a_card_goes_to_a_foundation_first(self):
        houses = ["KH", "."] * 4
        moves = ["pass", "draw", "t1-t2", "d-t1", "h-d1", "r-t1", "t3-f"]
        self.assertEqual(min(moves, key=lambda move: bot.rank(move, houses)), "t3-f")

    def test_it_plays_a_whole_game_by_the_rules(self):
        for variant in ("crapaud", "crapette", "vitesse"):
            with self.subTest(variant):
                play(variant, "a seed", [bot.choose, bot.choose])


if __name__ == "__main__":
    unittest.main()
