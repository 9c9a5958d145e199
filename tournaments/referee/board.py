"""What ``./crapette play`` shows: the bar and live score while it runs, the summary at its end."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from tournaments.referee.matches import Match
    from tournaments.referee.series import Plan, Tally


@contextlib.contextmanager
def progress(
    console: Console, plan: Plan, tally: Tally, match: Match | None = None
) -> Iterator[Callable[[Tally], None]]:
    """Show a bar with the live score; yields what to call after each game. A match goes on to its target."""

    def done(now: Tally) -> tuple[int, int]:
        return match.progress(now) if match else (len(now.games), plan.deals * plan.players)

    def words(now: Tally) -> str:
        return match.live(now) if match else live(now)

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(words(tally), total=done(tally)[1], completed=done(tally)[0])

        def show(now: Tally) -> None:
            bar.update(task, completed=done(now)[0], description=words(now))

        yield show


def live(tally: Tally) -> str:
    """Return the score so far in one line, with its error bar."""
    if len(tally.names) == 2:
        first, second = tally.names
        standing = next(each for each in tally.standings() if each.name == first)
        verdict = tally.verdict()
        sure = f"  {verdict.elo:+.0f} ± {verdict.error95:.0f} Elo" if verdict else ""
        return f"{first} +{standing.won} ={standing.shared} -{standing.lost} {second}{sure}"
    return "  ".join(f"{each.name} {each.score.value:.0%}" for each in tally.standings())


def summary(console: Console, plan: Plan, tally: Tally, match: Match | None = None) -> None:
    """Print the score sheet of a match, the table, the verdict, and what went wrong."""
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
        console.print(verdict.words(*tally.names), markup=False, soft_wrap=True)
    elif len(tally.names) > 2 and tally.whole:
        console.print(_first_and_second(tally), markup=False, soft_wrap=True)
    else:
        console.print(
            "No deal was played from every seat yet: nothing can be said.", markup=False, soft_wrap=True
        )
    ends = Counter(game.termination for game in tally.games)
    console.print(
        "Ended by: " + ", ".join(f"{name} {count}" for name, count in ends.most_common()), markup=False
    )
    for game in tally.games:
        if game.seat is not None:
            console.print(
                f"  {game.game} {game.seats[game.seat]}: {game.detail}", markup=False, soft_wrap=True
            )


def as_dict(tally: Tally) -> dict[str, Any]:
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
        "verdict": None
        if verdict is None
        else {
            "elo": round(verdict.elo, 2),
            "error95": round(verdict.error95, 2),
            "superiority": round(verdict.superiority, 6),
        },
    }


def _first_and_second(tally: Tally) -> str:
    """Say whether the first of several is ahead for sure: by whether the intervals overlap."""
    first, second, *_ = tally.standings()
    if first.score.low > second.score.high:
        return f"{first.name} is ahead of all others: the 95 % intervals do not overlap."
    return f"Not decided: {first.name} is ahead, but its 95 % interval overlaps that of {second.name}."
