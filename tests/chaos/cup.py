"""House tournaments of games that last for seconds and need little work, to be disturbed while they last."""

from collections.abc import Callable, Sequence
from pathlib import Path

NAPPER = """
import random
import time

from crapette import Answer, run

SECONDS, MOVES = 0.3, 10
plies = []


def choose(turn):
    time.sleep(SECONDS)
    plies.append(turn.ply)
    return random.choice(turn.legal) if len(plies) < MOVES else Answer(resign=True)


run(choose)
"""
"""Its games last three seconds, on a busy machine a little longer. It plays at random: when a game is played
again, another result must come, as the same one is taken from whoever delivers it."""
START = """
from pathlib import Path
from bots import house_bots
from bots.house import HouseBot
from tournaments.events.house_tournaments import start_house_tournament

napper = HouseBot("napper", Path({folder!r}), "python", "bot.py", "Napper", "It naps.")
house_bots.HOUSE_BOTS = {{napper.name: napper}}
house_bots.register_house_bots()
assert start_house_tournament("crapaud", {pairs}, ["napper", *{others!r}], again=True)
"""


def start_cup(manage: Callable[..., str], folder: Path, pairs: int, others: Sequence[str]) -> None:
    """Start a tournament of the napper and other house bots, by the management commands of a site.

    The napper's files are put into the folder.
    """
    napper = folder / "napper"
    napper.mkdir(exist_ok=True)
    (napper / "bot.py").write_text(NAPPER)
    started = START.format(folder=str(napper), pairs=pairs, others=tuple(others))
    manage("shell", "--no-imports", "-c", started)
