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


class ChoosingByNet(unittest.TestCase):
    def test_the_net_puts_a_card_on_a_foundation_first(self):
        table = "0 1 2 3 KH/./KH/./KH/./KH/."
        turn = mock.Mock(position=table, legal=["d-t1", "draw", "h-d1", "pass", "r-t1", "t1-t2", "t3-f"])
        self.assertEqual(bot.choose(turn), "t3-f")

    def test_it_plays_a_whole_game_by_the_rules(self):
        for variant in ("crapaud", "crapette", "vitesse"):
            with self.subTest(variant):
                play(variant, "a seed", [bot.choose, bot.choose])


if __name__ == "__main__":
    unittest.main()
