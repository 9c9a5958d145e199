"""What ``./crapette play`` shows: a progress bar with the live score, then a summary."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kit.console.screen import plain
from kit.local.series import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kit.console.screen import Screen
    from kit.local.matches import LocalMatch
    from kit.local.series import SeriesPlan, SeriesTally


FIRST_LINE_S: Final = 10.0
LINES_APART_S: Final = 60.0
"""Without a terminal, a line is printed after ten seconds. The wait then doubles each time, up to this."""


@contextlib.contextmanager
def progress(
    console: Screen, plan: SeriesPlan, tally: SeriesTally, match: LocalMatch | None = None
) -> Iterator[Callable[[SeriesTally], None]]:
    """Show a bar with the live score, and yield a function to call after each game."""

    def done(now: SeriesTally) -> tuple[int, int]:
        return match.progress(now) if match else (len(now.games), plan.deals * plan.players)

    def words(now: SeriesTally) -> str:
        return match.live(now) if match else live(now)

    with bar(console, lambda: (*done(tally), words(tally))) as told:
        yield lambda _: told()


@contextlib.contextmanager
def bar(console: Screen, state: Callable[[], tuple[int, int, str]]) -> Iterator[Callable[[], None]]:
    """Show a bar, and yield a function to call after each change.

    `state` says how much is done, of how much, and in words what is known by now.
    """
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    if not console.is_interactive:
        with _lines(console, state) as told:
            yield told
        return
    with Progress(*columns, console=console) as shown:
        done, total, words = state()
        task = shown.add_task(plain(words), total=total, completed=done)

        def show() -> None:
            done, total, words = state()
            shown.update(task, completed=done, total=total, description=plain(words))

        yield show


@contextlib.contextmanager
def _lines(console: Screen, state: Callable[[], tuple[int, int, str]]) -> Iterator[Callable[[], None]]:
    """Without a terminal for a bar, print a line now and then, even while no game ends."""
    begun = time.monotonic()
    ended = threading.Event()
    latest = [state()]

    def tell() -> None:
        wait = FIRST_LINE_S
        while not ended.wait(wait):
            played, of, words = latest[0]
            console.say(f"{played} of {of} after {_duration(time.monotonic() - begun)}: {words}")
            wait = min(2 * wait, LINES_APART_S)

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield lambda: latest.__setitem__(0, state())
    finally:
        ended.set()
        teller.join()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def live(tally: SeriesTally) -> str:
    """Return the current score with its error bar, in one line."""
    if len(tally.names) == 2:
        first, second = tally.names
        standing = next(each for each in tally.standings() if each.name == first)
        verdict = tally.verdict()
        sure = f"  {verdict.words}" if verdict else ""
        return f"{first} +{standing.won} ={standing.shared} -{standing.lost} {second}{sure}"
    return "  ".join(f"{each.name} {each.score.value:.0%}" for each in tally.standings())


def summary(console: Screen, plan: SeriesPlan, tally: SeriesTally, match: LocalMatch | None = None) -> None:
    """Print the score sheet of a match, the table, the verdict, and the bots' faults."""
    if match is not None:
        match.show(console, tally)
    deals = len({game.seed for game in tally.games})
    of = "1 deal" if deals == 1 else f"{deals} deals"
    table = Table(title=f"{plan.variant}, {len(tally.games)} games of {of}, seed {plan.seed[:16]}…")
    table.add_column("bot")
    middle = "drawn" if len(tally.names) == 2 else "between"
    for heading in ("score", "95 %", "won", middle, "lost", "points"):
        table.add_column(heading, justify="right")
    for each in tally.standings():
        table.add_row(
            each.name,
            f"{each.score.value:.1%}",
            f"{each.score.low:.1%} – {each.score.high:.1%}",
            str(each.won),
            str(each.shared),
            str(each.lost),
            str(each.points),
        )
    console.print(table)
    verdict = tally.verdict()
    if verdict is not None:
        console.say(describe(verdict, *tally.names))
    elif len(tally.names) > 2 and tally.whole:
        console.say(_first_and_second(tally))
    else:
        console.say("No deal has been played from every seat yet, so there is no verdict.")
    ends = Counter(game.termination for game in tally.games)
    console.say("Ended by: ", ", ".join(f"{name} {count}" for name, count in ends.most_common()))
    for game in tally.games:
        if game.seat is not None:
            console.say(f"  {game.game} {game.seats[game.seat]}: {game.detail}")


def as_dict(tally: SeriesTally) -> dict[str, Any]:
    """Return the summary as JSON."""
    verdict = tally.verdict()
    return {
        "games": len(tally.games),
        "deals": len(tally.whole),
        "standings": [
            {
                "bot": each.name,
                "score": round(each.score.value, 6),
                "low": round(each.score.low, 6),
                "high": round(each.score.high, 6),
                "won": each.won,
                "drawn": each.shared,
                "lost": each.lost,
                "points": each.points,
            }
            for each in tally.standings()
        ],
        "verdict": None if verdict is None else verdict.as_dict(),
    }


def _first_and_second(tally: SeriesTally) -> str:
    """Say whether the best of several bots is certainly better: whether the intervals overlap."""
    first, second, *_ = tally.standings()
    if first.score.low > second.score.high:
        return f"{first.name} is better than all others: the 95 % intervals do not overlap."
    if round(first.score.value - second.score.value, 9) == 0:
        return f"Undecided: {first.name} and {second.name} are level so far."
    return f"Undecided: {first.name} is ahead, but its 95 % interval overlaps that of {second.name}."
