"""Tests of the bot, run with: python -m unittest discover tests"""

import unittest
from pathlib import Path

from crapette.local import load, play

BOT = load(Path(__file__).resolve().parents[1] / "bot.py")


class WholeGames(unittest.TestCase):
    def test_it_plays_whole_games_by_the_rules(self):
        for board in ("crapaud", "crapette", "vitesse"):
            if BOT.takes_part(board):
                with self.subTest(board):
                    play(board, "a seed", [BOT, BOT])

    def test_it_beats_a_bot_that_plays_the_first_legal_move(self):
        ranking, _ = play("crapaud", "a seed", [BOT, lambda turn: turn.legal[0]])
        self.assertEqual(ranking[0], (0,))


if __name__ == "__main__":
    unittest.main()
