"""How alike house bots and their copies play: asked as the site asks every version, each in its sandbox."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, combinations, zip_longest
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import engine
from analysis.likeness import (
    LEAST_COMMON,
    THRESHOLD,
    TIMES,
    Budget,
    Likeness,
    find_contested,
    likeness,
    probes_of,
    steady_choice,
)
from analysis.training.selfplay import play
from bots.house import HOUSE_BOTS
from engine.policies import bots
from engine.turns.moves import STOP
from referee.job import Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox import Stage
from tools.bench.tables import Table, say

if TYPE_CHECKING:
    from analysis.likeness import Probe

NODES = 500
"""Positions that the planner looks at."""
CHOOSE, DECIDE = "choose", "decide_upon"
SHAKY = """
import random

def shaky(turn):
    return random.choice(turn.legal) if random.random() < {share} else {choose}(turn)

run(shaky"""

COPIES = {
    "greedy, renamed": ("greedy", 0.0),
    "greedy, 3 % at random": ("greedy", 0.03),
    "planner, renamed": ("planner", 0.0),
    "planner, 3 % at random": ("planner", 0.03),
    "sampler, another seed": ("sampler", 0.0),
    "oracle, another seed": ("oracle", 0.0),
}
"""Copies by name: of which house bot, and which share of its decisions is random."""
HOUSE = ("greedy", "cautious", "planner", "sampler", "oracle")


def twins(games: int, each: int, at_once: int, table: Table) -> None:
    """Ask house bots and copies the same questions, and compare every two of them."""
    questions = _questions(games, each)
    table.title(f"Near-twins: alike in {len(questions)} positions")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        named = {name: _copy(root / name.replace(" ", "_"), name, 0.0) for name in HOUSE}
        named |= {
            name: _copy(root / name.replace(" ", "_"), of, share, renamed=True)
            for name, (of, share) in COPIES.items()
        }
        with ThreadPoolExecutor(at_once) as threads:
            found = dict(zip(named, threads.map(partial(_asked, questions), named.values()), strict=True))
    copied = {frozenset((name, of)) for name, (of, _) in COPIES.items()}
    couples = list(combinations(found, 2))
    for one, other in sorted(couples, key=lambda two: frozenset(two) not in copied):
        alike = likeness(found[one], found[other])
        if frozenset((one, other)) in copied:
            _line(table, f"{one} and {other}", alike, twins=True)
        elif one in HOUSE and other in HOUSE:
            _line(table, f"{one} and {other}", alike, twins=False)
    say(f"  {time.monotonic() - began:.0f} seconds for {len(found)} bots")


def _line(table: Table, couple: str, alike: Likeness, *, twins: bool) -> None:
    wanted = f"{'≥' if twins else '<'} {100 * THRESHOLD:.0f} %"
    seen = f"{100 * alike.share:.0f} % of {alike.common}"
    if not twins and alike.common < LEAST_COMMON:
        table.line(couple, f"{seen}, too few", "", True)  # says nothing
        return
    table.line(couple, seen, wanted, alike.near_twins is twins)


def _questions(games: int, each: int) -> list[Probe]:
    """Positions of games between the planner and the greedy bot, variants in turn."""
    dice, by_game = Random(), []
    for rules in engine.VARIANTS.values():
        if rules.in_ticks:
            continue
        how = bots(rules, NODES)
        for number in range(games):
            start = engine.deal(rules.name, f"{dice.getrandbits(256):064x}")
            seats = [how.planner, how.greedy]
            words = play(start, seats if number % 2 else seats[::-1]).words
            events = [{"type": "stop"} if word == STOP else {"type": "move", "move": word} for word in words]
            by_game.append(probes_of(str(start), events, find_contested(str(start), events, each)))
    return [one for one in chain.from_iterable(zip_longest(*by_game)) if one is not None]


def _copy(folder: Path, of: str, share: float, *, renamed: bool = False) -> Path:
    """A house bot's files as an author might copy them."""
    shutil.copytree(HOUSE_BOTS[of].directory, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "bot.py").read_text()
    if renamed:
        text = text.replace(CHOOSE, DECIDE)
    if share:
        text = text.replace(f"run({DECIDE}", SHAKY.format(share=share, choose=DECIDE).lstrip("\n"))
    (folder / "bot.py").write_text(text)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def _asked(questions: list[Probe], folder: Path) -> dict[str, str]:
    """What a bot chose each time it was asked, by number of the question."""
    process = PlayingProcess(Stage.ensure(), "friendlies.opponent.position_moves")
    stdin = process.popen.stdin
    assert stdin is not None
    found: dict[str, str] = {}
    try:
        job = Job("crapaud", "-", (SeatJob(str(folder), "python", "bot.py"),))
        stdin.write(job.line().encode() + b"\n")
        budget = Budget()
        for number, probe in enumerate(questions):
            given = list[str]()
            while len(given) < TIMES and len(set(given)) < 2:
                stdin.write(json.dumps(probe.as_dict()).encode() + b"\n")
                said = _read(process)
                given.append(str(said.get("choice", "")))
                budget.spend(int(said["cpu_ms"]))
            if choice := steady_choice(given):
                found[str(number)] = choice
            if budget.is_spent(len(found)):
                break
    finally:
        process.kill()
    return found


def _read(process: PlayingProcess) -> dict[str, Any]:
    while True:
        said = process.read(1.0)
        if said is None:
            raise RuntimeError(process.last_words())
        if said:
            answer: dict[str, Any] = said[0]
            return answer
