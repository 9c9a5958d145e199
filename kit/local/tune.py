"""``crapette tune``: improves the numbers that a bot declares, by playing it against itself (SPSA)."""

from __future__ import annotations

import json
import math
import os
import secrets
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

import engine
from analysis.sequential_standing import count_pairs
from kit.bot.entrants import Contestant, find
from kit.console.command import INTERRUPTED, BadUsage, Parser, count, run_command
from kit.console.output_files import writable_file, write_whole
from kit.console.screen import Screen
from kit.local import play_progress
from kit.local.pool import Pool, handling
from kit.local.record import as_played
from kit.local.saved_games import agree, keep, load_saved
from kit.local.series import Fixture, SeriesPlan, seed_of
from kit.runners.choice import add_options, bots_of
from referee.job import Job
from sandbox.uploads import digest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from referee.job import SeatJob

PROG: Final = "crapette tune"
FILE: Final = "parameters.json"
"""What a bot reads its parameters from, in its own folder."""
ALPHA, GAMMA, STABLE = 0.602, 0.101, 0.1
"""How steps and perturbations shrink, and the share of the pairs before which steps shrink slowly: J. Spall,
"Implementation of the simultaneous perturbation algorithm" (IEEE Transactions on Aerospace and Electronic
Systems 34, 1998)."""
SIDES: Final = ("plus", "minus")
RATE: Final = 0.3
"""The first step after a pair that was won twice, in perturbations."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Tune a bot's parameters by playing it against itself.",
        epilog="""\
Declare the parameters in crapette.toml, beside the bot. step is a change that you would notice:

  [tune]
  reserve = { value = 6.0, low = 0, high = 20, step = 2.0 }
  loaded  = { value = 2.0, low = 0, high = 10, step = 1.0 }

The bot reads their values from parameters.json in its own folder, for instance in Python:

  import json, pathlib
  file = pathlib.Path(__file__).with_name("parameters.json")
  values = json.loads(file.read_text()) if file.exists() else {"reserve": 6.0, "loaded": 2.0}

Two copies of the bot play each pair of games. One has every parameter moved a step up or down at random, the
other has each moved the opposite way (SPSA). The values then move towards the winner's. Play at least a few
hundred pairs, and test the result with crapette sprt.

examples:
  crapette tune mybot --pairs 2000 --save tune.json      after Ctrl-C, repeat the command to continue
  crapette tune mybot --pairs 4000 --save tune.json --jobs 8    goes on, with four pairs at a time
  crapette tune mybot --pairs 2000 --save tune.json --write    put the values into mybot/parameters.json

exit status:
  0  done      2  wrong arguments      75  this machine failed      130  interrupted""",
    )
    made.add_argument(
        "bot", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="default: this folder"
    )
    made.add_argument("--variant", default="crapaud", help="the game (default: %(default)s)")
    made.add_argument("--pairs", type=count, default=1000, metavar="N", help="pairs of games (%(default)s)")
    made.add_seed()
    made.add_clock("10+0.1")
    made.add_argument(
        "--jobs",
        type=count,
        default=min(2, os.cpu_count() or 1),
        help="games played at the same time; of more than two, some pairs are played before the values move"
        " (default: %(default)s)",
    )
    made.add_argument("--save", type=Path, metavar="FILE", help="keep the state here, and continue from it")
    made.add_argument("--write", action="store_true", help=f"write the values into the bot's {FILE}")
    made.add_argument("--json", action="store_true", help="print the values as JSON")
    add_options(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _Tuning(given).run())


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of a bot: where it starts, its range, and a change that matters."""

    value: float
    low: float
    high: float
    step: float


def read_declared(folder: Path) -> dict[str, Parameter]:
    """The parameters in the folder's crapette.toml. Raises BadUsage."""
    file = folder / "crapette.toml"
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("tune")
    except (OSError, ValueError) as error:
        raise BadUsage(f"cannot read {file}: {error}") from None
    if not isinstance(table, dict) or not table:
        raise BadUsage(f"expected a table [tune] with parameters in {file} (see --help)")
    return {str(name): _parameter(name, fields) for name, fields in table.items()}


def _parameter(name: str, fields: Any) -> Parameter:
    wanted = ("value", "low", "high", "step")
    numbers = [fields.get(key) if isinstance(fields, dict) else None for key in wanted]
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in numbers):
        raise BadUsage(
            f"expected {name} = {{ value = …, low = …, high = …, step = … }} with numbers, got {fields!r}"
        )
    found = Parameter(*(float(one) for one in numbers if one is not None))
    if not (found.low <= found.value <= found.high and 0 < found.step <= found.high - found.low < math.inf):
        raise BadUsage(f"expected low ≤ value ≤ high and 0 < step ≤ high - low of {name}, got {fields!r}")
    return found


class Spsa:
    """The values, and how a pair's result moves them."""

    def __init__(self, parameters: Mapping[str, Parameter], pairs: int, seed: str) -> None:
        self.parameters = dict(parameters)
        self.values = {name: one.value for name, one in parameters.items()}
        self._pairs = pairs
        self._seed = seed

    def sides(self, pair: int) -> tuple[dict[str, float], dict[str, float]]:
        """The values of both copies in a pair (from 0): some moved up, the others down; and the opposite."""
        size = self._size(pair)
        moved: list[dict[str, float]] = []
        for sign in (1, -1):
            moved.append(
                {
                    name: self._kept(name, value + sign * self._direction(pair)[name] * size * one.step)
                    for (name, one), value in zip(self.parameters.items(), self.values.values(), strict=True)
                }
            )
        return moved[0], moved[1]

    def learn(self, pair: int, score: float) -> None:
        """Move the values towards the winner; `score` is what the first copy made, 0 to 1."""
        stable = STABLE * self._pairs
        rate = RATE * ((stable + 1) / (stable + 1 + pair)) ** ALPHA
        for name, one in self.parameters.items():
            pull = rate * (2 * score - 1) * self._direction(pair)[name] * one.step
            self.values[name] = self._kept(name, self.values[name] + pull)

    def _size(self, pair: int) -> float:
        return float((pair + 1) ** -GAMMA)

    def _direction(self, pair: int) -> dict[str, int]:
        """Up or down for each parameter: the same whenever it is asked."""
        dice = Random(f"{self._seed}/{pair}")  # noqa: S311 (no secret)
        return {name: dice.choice((-1, 1)) for name in self.parameters}

    def _kept(self, name: str, value: float) -> float:
        one = self.parameters[name]
        return min(max(value, one.low), one.high)


class _Tuning:
    """One run of the command."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self._screen = Screen(errors=given.json)
        if 2 not in engine.variant(given.variant).players:
            raise BadUsage(f"expected a game for two, got {given.variant}")
        parameters = read_declared(given.bot)
        before = load_saved(given.save, f"{PROG} --save", _check)
        usual = before["seed"] if before else secrets.token_hex(32)
        seed = seed_of(given.seed) if given.seed else usual
        self._state = {
            "variant": given.variant,
            "seed": seed,
            "parameters": {
                name: [one.value, one.low, one.high, one.step] for name, one in parameters.items()
            },
        }
        if before is not None:
            agree(given.save, before, self._state)
        if given.save is not None:
            writable_file("--save", given.save)
        self._spsa = Spsa(parameters, given.pairs, seed)
        self._done = int(before["done"]) if before else 0
        if before:
            self._spsa.values = {name: float(before["values"][name]) for name in parameters}
        self._bots = bots_of(given)
        self._entrant = find(str(given.bot), self._bots.inspect)

    def run(self) -> int:
        """Play and learn; show the values and return the exit status."""
        status = 0
        try:
            self._play()
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:
            self._save()
        if self._given.write:
            text = json.dumps(self._rounded(), indent=1) + "\n"
            write_whole(self._given.bot / FILE, text.encode())
        self._show()
        if status:
            more = f"--save {self._given.save}" if self._given.save else "--save FILE next time"
            self._screen.say(f"Interrupted after {count_pairs(self._done)}. To continue, use {more}.")
        return status

    def _play(self) -> None:
        plan = SeriesPlan(self._given.variant, 2, self._given.pairs, str(self._state["seed"]))
        seats: dict[int, list[SeatJob]] = {}
        scores: dict[int, list[float]] = {}

        def job(fixture: Fixture) -> Job:
            own = tuple(seats[fixture.deal][bot] for bot in fixture.seats())
            return Job(plan.variant, fixture.start(), own, self._given.clock, self._bots.level)

        def pairs() -> Iterator[list[Fixture]]:
            # The next pairs are asked for once those before them were learnt from.
            at_once = max(1, self._given.jobs // 2)
            while self._done < self._given.pairs:
                numbers = range(self._done, min(self._done + at_once, self._given.pairs))
                seats.clear()
                for pair in numbers:
                    seats[pair] = [self._copy(values).seat(self._bots) for values in self._spsa.sides(pair)]
                scores.clear()
                yield [Fixture(plan, pair, leg) for pair in numbers for leg in (0, 1)]

        pool = Pool(self._given.jobs, self._bots.start)
        games = pool.play(pairs(), job)
        with play_progress.bar(self._screen, self._progress) as show, handling(pool.interrupt):
            try:
                for one in games:
                    names = [SIDES[bot] for bot in one.fixture.seats()]
                    scores.setdefault(one.fixture.deal, []).append(as_played(one, names).scores()[SIDES[0]])
                    # In the order of the pairs, whichever is over first: the same seed gives the same values.
                    while len(legs := scores.get(self._done, ())) == 2:
                        self._spsa.learn(self._done, sum(legs) / 2)
                        self._done += 1
                        show()
                        if self._done % 10 == 0:
                            self._save()
            finally:
                games.close()

    def _copy(self, values: Mapping[str, float]) -> Contestant:
        """The bot with these values in its file of parameters."""
        upload = self._entrant.upload
        files = {**upload.files, FILE: json.dumps(values).encode()}
        return replace(self._entrant, upload=replace(upload, files=files, sha256=digest(files)))

    def _progress(self) -> tuple[int, int, str]:
        values = ", ".join(f"{name} {value:g}" for name, value in self._rounded().items())
        return self._done, self._given.pairs, f"pairs: {values}"

    def _rounded(self) -> dict[str, float]:
        """The values, to a hundredth of a step."""
        found = {}
        for name, one in self._spsa.parameters.items():
            digits = max(0, 2 - math.floor(math.log10(one.step)))
            found[name] = round(self._spsa.values[name], digits)
        return found

    def _save(self) -> None:
        if self._given.save is not None:
            keep(self._given.save, {**self._state, "done": self._done, "values": self._spsa.values}, indent=1)

    def _show(self) -> None:
        values = self._rounded()
        if self._given.json:
            sys.stdout.write(json.dumps({"pairs": self._done, "values": values}) + "\n")
            return
        table = Table("parameter", "was", "is", "low", "high", title=f"After {count_pairs(self._done)}")
        for name, one in self._spsa.parameters.items():
            table.add_row(name, f"{one.value:g}", f"{values[name]:g}", f"{one.low:g}", f"{one.high:g}")
        self._screen.print(table)
        if self._given.write:
            self._screen.say(f"The values are in {self._given.bot / FILE}. Test them with crapette sprt.")


def _check(document: dict[str, Any]) -> None:
    """Raise what comes of it unless the file has all that a tuning run needs."""
    seed_of(document["seed"])
    values = document["values"]
    if set(values) != set(document["parameters"]) or not isinstance(document["done"], int):
        raise TypeError("other fields")
    if not all(isinstance(value, int | float) for value in values.values()):
        raise TypeError("values that are no numbers")


if __name__ == "__main__":
    sys.exit(main())
