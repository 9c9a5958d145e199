"""Tests of the bot, run with: python -m unittest discover tests"""

import unittest
from pathlib import Path
from unittest import mock

from crapette.local import load, play

BOT = load(Path(__file__).resolve().parents[1] / "bot.py")


class ChoosingByNet(unittest.TestCase):
    def test_the_net_puts_a_card_on_a_foundation_first(self):
        table = "0 1 2 3 KH/./KH/./KH/./KH/."
        turn = mock.Mock(position=table, legal=["d-t1", "draw", "h-d1", "pass", "r-t1", "t1-t2", "t3-f"])
        self.assertEqual(BOT.choose(turn), "t3-f")

    def test_it_plays_whole_games_by_the_rules(self):
        for board in ("crapaud", "crapette", "vitesse"):
            if BOT.takes_part(board):
                with self.subTest(board):
                    play(board, "a seed", [BOT, BOT])


if __name__ == "__main__":
    unittest.main()
