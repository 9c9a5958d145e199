"""``crapette test NEW OLD``: an arena's sequential test of two versions, from the command line."""

from __future__ import annotations

import json
import sys
import time
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.sequential_standing import MOST_PAIRS
from analysis.verdicts.sequential import MEASURES, WINS
from kit.console.command import INTERRUPTED, Parser, count, run_command
from kit.console.screen import Screen, show_waiting
from kit.site.own_bot import NAMED, find_entrants

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from kit.site.client import Site

PROG: Final = "crapette test"
ASK_EVERY_SECONDS: Final = 2.0
STATUSES: Final = {"H1": 0, "H0": 1, "": 3}
OVER: Final = frozenset({"finished", "cancelled"})


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Test one version against another on an arena, and let the better one play.",
        epilog=f"""\
The arena plays pairs until the evidence is strong enough: the test of crapette sprt, on the arena's machines.
With --promote, NEW becomes the version that plays if it is accepted: upload it with --no-activate. Your token
needs the scopes read and compete.

{NAMED}

In a clone of the arena, give --site: ./crapette test without it runs the clone's own checks.

examples:
  crapette upload mybot --no-activate && crapette test mybot:4 mybot --promote --site
  crapette test mybot:4 planner --elo0 -10 --elo1 0 --site https://arena.example

exit status:
  0  accepted: NEW is better; with --no-wait: begun      1  rejected      3  undecided, or cancelled
  2  wrong arguments, or the site refused      75  the site did not answer
  130  Ctrl-C (the test goes on)""",
    )
    made.add_argument("new", metavar="NEW", help="the version that you hope is better")
    made.add_argument("old", metavar="OLD", help="the version it is compared with")
    made.add_argument(
        "--variant", choices=list(engine.VARIANTS), default="crapaud", help="default: %(default)s"
    )
    made.add_argument(
        "--elo0", type=float, default=0.0, metavar="ELO", help="reject if only this much better (0)"
    )
    made.add_argument(
        "--elo1", type=float, default=20.0, metavar="ELO", help="accept if this much better (20)"
    )
    made.add_argument("--normalised", action="store_true", help="the bounds are normalised Elo")
    made.add_argument("--risk", type=float, default=0.05, metavar="P", help="of a wrong decision (0.05)")
    made.add_argument(
        "--by", choices=MEASURES, default=WINS, help="what ends the test (default: %(default)s)"
    )
    made.add_argument(
        "--pairs", type=count, default=MOST_PAIRS, metavar="N", help="play at most N pairs (%(default)s)"
    )
    made.add_argument("--promote", action="store_true", help="let NEW play on the ladders if it is accepted")
    made.add_argument(
        "--site",
        nargs="?",
        metavar="ADDRESS",
        help="address of the arena (default: where you logged in last)",
    )
    made.add_argument("--no-wait", action="store_true", help="only begin it")
    made.add_argument("--json", action="store_true", help="print the site's last answer as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Begin the test and follow it; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    site, (new, old) = find_entrants(given.site, given.new, given.old)
    wish = {
        "tested": new,
        "against": old,
        "variant": given.variant,
        "elo0": given.elo0,
        "elo1": given.elo1,
        "normalised": given.normalised,
        "risk": given.risk,
        "pairs": given.pairs,
        "stop_by": given.by,
        "promote": given.promote,
    }
    test = site.post("/api/v1/tests/", "application/json", json.dumps(wish).encode())
    screen = Screen(errors=given.json)
    screen.say(f"{test['test']['name']}: {site.origin}{test['test']['url']}")
    if not given.no_wait:
        try:
            test = _followed(site, test)
        except KeyboardInterrupt:
            screen.say("Interrupted. The test goes on; its page shows how it stands.")
            return INTERRUPTED
        _show(screen, test)
    if given.json:
        sys.stdout.write(json.dumps(test, indent=1) + "\n")
    return 0 if given.no_wait else STATUSES[test["decision"]]


def _followed(site: Site, test: dict[str, Any]) -> dict[str, Any]:
    """Wait until the test is over; how it stands then. Raises Refused."""
    path = f"/api/v1/tests/{urllib.parse.quote(test['test']['tournament'])}/"
    with show_waiting(Screen(errors=True), "the arena plays") as say:
        while test["test"]["status"] not in OVER:
            by = test[test["stop_by"]]
            say(f"{test['pairs']} pairs, LLR {by['llr']:+z.2f} ({by['lower']:.2f} to {by['upper']:.2f})")
            time.sleep(ASK_EVERY_SECONDS)
            test = site.follow(path)
    return test


def _show(screen: Screen, test: dict[str, Any]) -> None:
    """Say what the test decided."""
    new, old = (f"{test[side]['name']} v{test[side]['version']}" for side in ("tested", "against"))
    pairs = "1 pair" if test["pairs"] == 1 else f"{test['pairs']} pairs"
    said = {"H1": f"{new} is better than {old}", "H0": f"{new} is not better than {old}", "": "Undecided"}
    elo = test["elo"]
    difference = ""
    if elo is not None:
        low, high = ("…" if end is None else f"{end:+z.0f}" for end in (elo["low"], elo["high"]))
        difference = f": {elo['elo']:+z.0f} Elo ({low} to {high})"
    screen.say((f"{said[test['decision']]} after {pairs}{difference}.", "bold"))
    if test["promote"] and test["decision"] == "H1":
        screen.say(f"{new} plays on the ladders now.")


if __name__ == "__main__":
    sys.exit(main())
