"""What every move of a game with turns runs through: what `setup.py` compiles of the parts, as one module."""

from __future__ import annotations

from referee.turns.fast_game import RefereeTable
from referee.turns.rally import QuickSeat, play_on
from referee.turns.stepper import NotLegal, Stepper

__all__ = ["NotLegal", "QuickSeat", "RefereeTable", "Stepper", "play_on"]
