"""``crapette sprt NEW OLD``: finds out whether a bot is better than another, in as few games as it takes."""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

import engine
from analysis.errors import InvalidTournament
from analysis.sequential_standing import ELO, MOST_PAIRS, RISK, check, count_pairs
from analysis.verdicts.lengths import forecast
from analysis.verdicts.sequential import (
    MARGINS,
    MEASURES,
    RESULTS,
    UNLIKE,
    WINS,
    SequentialEvidence,
)
from analysis.verdicts.sprt import MANY, Hypotheses
from engine import words_of
from kit.bot.entrants import Contestant, find_all
from kit.console.command import INTERRUPTED, BadUsage, Parser, clock, count, run_command
from kit.console.output_files import writable_file
from kit.console.screen import Screen
from kit.local import play_progress
from kit.local.pool import Pool, handling
from kit.local.record import as_played
from kit.local.saved_games import SAVE_EVERY, agree, free_file, keep, load_saved
from kit.local.sequential_test import JudgedGame, SequentialTest
from kit.local.series import SeriesPlan, seed_of
from kit.runners.choice import add_options, bots_of
from referee.job import Job

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from analysis.sequential_standing import SequentialStanding
    from analysis.verdicts.sprt import Verdict
    from kit.local.series import Fixture

PROG: Final = "crapette sprt"
STATUSES: Final = {"H1": 0, "H0": 1, "": 3}
USUAL: Final[dict[str, Any]] = {
    "variant": "crapaud",
    "elo0": 0.0,
    "elo1": 20.0,
    "risk": 0.05,
    "normalised": False,
    "by": WINS,
    "clock": "60+0.5",
}
"""Settings that are neither given nor in the file of ``--save``."""
NAMES: Final = {WINS: "wins", RESULTS: "luck-adjusted wins", MARGINS: "luck-adjusted margins"}


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Find out whether one bot is better than another, in as few games as possible.",
        epilog="""\
The test plays every deal twice, with the seats swapped, and stops by itself as soon as the evidence is strong
enough. It is the same test as on the site: a generalised SPRT on pairs (pentanomial). --by results takes the
luck of the cards out of the results. The question stays the same, but fewer games answer it.

examples:
  crapette sprt mybot mybot-before
  crapette sprt mybot mybot-before --by results            far fewer games
  crapette sprt mybot planner --elo0 -10 --elo1 0          is it at least no worse?
  crapette sprt mybot mybot-before --save test.json        after Ctrl-C, repeat the command to continue
  crapette sprt . ../before --pairs 200 --json             in continuous integration

exit status:
  0  accepted: NEW is better      1  rejected      3  undecided after --pairs
  2  wrong arguments             75  this machine failed      130  interrupted""",
    )
    made.add_argument(
        "new", metavar="NEW", help="the bot that you hope is better: a file, folder or house bot"
    )
    made.add_argument("old", metavar="OLD", help="the bot it is compared with")
    made.add_argument("--variant", help=f"one of {', '.join(engine.VARIANTS)} (default: {USUAL['variant']})")
    bound = f"a number from {ELO[0]:.0f} to {ELO[1]:.0f}"
    made.add_argument(
        "--elo0", type=float, metavar="ELO", help=f"reject a bot only this much better, {bound} (0)"
    )
    made.add_argument("--elo1", type=float, metavar="ELO", help="accept a bot this much better (20)")
    made.add_argument(
        "--normalised",
        action="store_true",
        default=None,
        help="the bounds are normalised Elo, in standard deviations of a game",
    )
    made.add_argument(
        "--risk", type=float, metavar="P", help=f"chance of a wrong decision, {RISK[0]} to {RISK[1]} (0.05)"
    )
    made.add_argument(
        "--by",
        choices=MEASURES,
        help="what ends the test: wins, results without luck, or margins without luck, which are not wins"
        f" (default: {USUAL['by']})",
    )
    made.add_argument(
        "--pairs", type=count, default=MOST_PAIRS, metavar="N", help="play at most N pairs (%(default)s)"
    )
    made.add_seed()
    made.add_argument("--clock", type=_clock, help="seconds of CPU time per game + per turn (60+0.5)")
    made.add_jobs()
    made.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="keep all games in this file, and continue from those already in it",
    )
    made.add_argument("--json", action="store_true", help="print the verdict as JSON")
    add_options(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the test; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _Command(given).run())


def _clock(text: str) -> str:
    """A clock as it was given, if it is one."""
    clock(text)
    return text


class _Command:
    """One run of the command."""

    def __init__(self, given: argparse.Namespace) -> None:
        # With --json, standard output is for programs.
        self._screen = Screen(errors=given.json)
        self._given = given
        before = load_saved(given.save, f"{PROG} --save", _check)
        self._settings = _settings(given, before)
        self._asked = _asked(self._settings)
        if given.save is not None:
            writable_file("--save", given.save)
        self._bots = bots_of(given)
        self._entrants = find_all([given.new, given.old], self._bots.inspect)
        self._settings["bots"] = [_identity(entrant) for entrant in self._entrants]
        self._settings["level"] = self._bots.level
        if before is not None:
            agree(given.save, before["test"], self._settings)
        self._test = SequentialTest(
            SeriesPlan(self._settings["variant"], 2, given.pairs, seed_of(self._settings["seed"])),
            [entrant.name.partition(" #")[0] if entrant.house else None for entrant in self._entrants],
            self._asked,
            self._settings["by"],
        )
        for fields in before["games"] if before else ():
            self._test.add(JudgedGame.from_dict(fields))
        self._kept: Path | None = given.save

    def run(self) -> int:
        """Play until the test is over; show the verdict and return the exit status."""
        self._tell_what_comes()
        interrupted = False
        try:
            self._play()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            if (self._kept is not None or not self._test.over) and self._test.games:
                self._save()
        self._show()
        if interrupted and not self._test.over:
            again = f" To continue, run the same command with --save {self._kept}" if self._kept else ""
            self._screen.say(f"Interrupted.{again}")
            return INTERRUPTED
        return STATUSES[self._test.standing.decision]

    def _play(self) -> None:
        """Play until the test is over. Raises KeyboardInterrupt, Infrastructure."""
        test, given = self._test, self._given
        if test.over:
            return
        seats = [entrant.seat(self._bots) for entrant in self._entrants]
        rule = clock(self._settings["clock"])

        def job(fixture: Fixture) -> Job:
            own = tuple(seats[bot] for bot in fixture.seats())
            return Job(test.plan.variant, fixture.start(), own, rule, self._bots.level)

        pool = Pool(min(given.jobs, 2 * given.pairs), self._bots.start)
        games = pool.play([list(test.missing())], job)
        names = [entrant.name for entrant in self._entrants]
        with play_progress.bar(self._screen, self._progress) as show, handling(pool.interrupt):
            try:
                for number, one in enumerate(games, start=1):
                    seated = [names[bot] for bot in one.fixture.seats()]
                    test.add(JudgedGame(as_played(one, seated), words_of(one.events)))
                    show()
                    if test.over:
                        break
                    if number % SAVE_EVERY == 0 and self._kept is not None:
                        self._save()
            finally:
                games.close()

    def _progress(self) -> tuple[int, int, str]:
        found = self._test.standing
        by = found.by[found.stop_by]
        words = f"LLR {by.llr:+z.2f} ({by.lower:.2f} to {by.upper:.2f})"
        if found.pairs:
            words += f", {found.wins.difference.words}"
        return found.pairs, self._test.plan.deals, f"pairs, {words}"

    def _tell_what_comes(self) -> None:
        new, old = (entrant.name for entrant in self._entrants)
        asked, by = self._asked, NAMES[self._test.stop_by]
        between = f"{asked.elo1 + 0:+g} {asked.unit} or only {asked.elo0 + 0:+g}"
        self._screen.say(f"Testing {new} against {old} in {self._test.plan.variant}, by {by}: {between}?")
        if self._test.stop_by == WINS and not self._test.games:
            self._screen.say(describe_length(asked, self._test.plan.deals))

    def _show(self) -> None:
        """Show the verdict, and what each measure says."""
        found, new = self._test.standing, self._entrants[0].name
        if self._given.json:
            sys.stdout.write(json.dumps(_as_dict(self._settings, self._test), indent=1) + "\n")
            return
        table = Table("", "pairs", "LLR", "bounds", "decision")
        for name, by in found.by.items():
            if name == WINS or found.measured:
                bounds = f"{by.lower:.2f} to {by.upper:.2f}"
                said = {"H1": "accepted", "H0": "rejected", "": "undecided"}[by.decision]
                table.add_row(NAMES[name], str(by.pairs), f"{by.llr:+z.2f}", bounds, said)
        self._screen.print(table)
        for name, by in found.by.items():
            if by.early and (name == WINS or found.measured):
                self._screen.say(describe_wait(name, by))
        counts = [found.scores.count(score) for score in range(5)]
        words = ("2 losses", "1 loss and 1 draw", "level", "1 win and 1 draw", "2 wins")
        told = ", ".join(f"{word} {number}" for word, number in zip(words, counts, strict=True))
        self._screen.say(f"Pairs of {new}: {told}.")
        for game in self._test.games.values():
            if game.played.seat is not None:
                one = game.played
                self._screen.say(f"  {one.game} {one.seats[one.seat or 0]}: {one.detail}")
        self._screen.say((f"{new}: {found.words}", "bold"))

    def _save(self) -> None:
        """Write the file of ``--save``; a test that was broken off has one in any case."""
        if self._kept is None:
            self._kept = free_file(f"sprt-{'-'.join(entrant.name for entrant in self._entrants)}")
        games = [game.as_dict() for _, game in sorted(self._test.games.items())]
        keep(self._kept, {"test": self._settings, "games": games})


def describe_length(asked: Hypotheses, most: int) -> str:
    """Say how long a test by wins will take."""
    longest = max(forecast(asked, most), key=lambda one: one.pairs)
    if longest.undecided > 0.5:
        return f"If they are close, it is likely to be undecided after {count_pairs(most)} of games."
    return f"If they are close, this takes about {count_pairs(max(1, round(longest.pairs)))} of games."


def describe_wait(name: str, by: Verdict | SequentialEvidence) -> str:
    """Say why a measure whose ratio is beyond its bound has decided nothing."""
    so_far = f"so far {count_pairs(by.pairs)}, {by.unlike} uneven (one version did better)."
    if isinstance(by, SequentialEvidence):
        least = f"before {by.first} pairs, at least {UNLIKE} of them uneven"
        return f"By {NAMES[name]} nothing is decided {least}: {so_far}"
    return f"By {NAMES[name]} more evidence is needed with fewer than {MANY} uneven pairs: {so_far}"


def _identity(entrant: Contestant) -> dict[str, str]:
    return {"name": entrant.name, "sha256": entrant.upload.sha256}


def _check(document: dict[str, Any]) -> None:
    """Raise what comes of it unless the file has all that a test needs."""
    for fields in document["games"]:
        JudgedGame.from_dict(fields)
    if set(document["test"]) != {*USUAL, "seed", "bots", "level", "rules"}:
        raise ValueError("other settings")


def _settings(given: argparse.Namespace, document: dict[str, Any] | None) -> dict[str, Any]:
    """What decides the games and the verdict: as given, else as in the file, else as usual."""
    before = document["test"] if document else {**USUAL, "seed": secrets.token_hex(32)}
    found = {name: before[name] if (one := getattr(given, name)) is None else one for name in USUAL}
    seed = before["seed"] if given.seed is None else seed_of(given.seed)
    return {**found, "seed": seed, "rules": engine.RULES_VERSION}


def _asked(settings: dict[str, Any]) -> Hypotheses:
    """The hypotheses. Raises BadUsage, UnknownVariant."""
    variant = engine.variant(settings["variant"])
    if 2 not in variant.players:
        raise BadUsage(f"expected a game for two, got {variant.name}")
    risk = settings["risk"]
    asked = Hypotheses(settings["elo0"], settings["elo1"], risk, risk, settings["normalised"])
    try:
        check(asked, settings["by"], variant.name)
    except InvalidTournament as error:
        option = {"elo1": "--elo1", "stop_by": "--by"}.get(error.field, "--risk")
        raise BadUsage(f"{option}: {error}") from None
    return asked


def _as_dict(settings: dict[str, Any], test: SequentialTest) -> dict[str, Any]:
    """The verdict as JSON."""
    found: SequentialStanding = test.standing
    evidence: Callable[[Any], dict[str, Any]] = lambda by: {  # noqa: E731
        "pairs": by.pairs,
        "llr": round(by.llr, 4),
        "lower": round(by.lower, 4),
        "upper": round(by.upper, 4),
        "decision": by.decision,
        "early": by.early,
    }
    return {
        **settings,
        "decision": found.decision,
        "words": found.words,
        "pairs": found.pairs,
        "penta": [found.scores.count(score) for score in range(5)],
        "measures": {name: evidence(by) for name, by in found.by.items() if name == WINS or found.measured},
        "elo": found.wins.difference.as_dict() if found.pairs else None,
        "forfeits": [
            {"game": one.played.game, "bot": one.played.seats[one.played.seat], "detail": one.played.detail}
            for one in test.games.values()
            if one.played.seat is not None
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
