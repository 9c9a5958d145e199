"""Tournaments as their pages show them: progress, standings, crosstable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from analysis.formats.standings import Meeting, Row, crosstable
from analysis.intervals import ALPHA, FIRST, anytime_score
from arena.web.cache.values import shared_rows
from arena.web.paths import path
from arena.web.variants import board_title
from tournaments.events.standings import (
    ProgressShown,
    count,
    meetings,
    points_text,
    progress,
    round_results,
    tournament_standings,
)
from tournaments.events.winners import duel, is_duel_format
from tournaments.models import Rating, Tournament
from tournaments.pages.events.meetings import MatchCell, match_cells
from tournaments.pages.ratings.rating_rows import interval_words
from tournaments.questions.performances import MOST_COMPARED, event_performances
from tournaments.ratings.leaderboards import board_of, list_tournaments, rated_board

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.events.standings import RoundResult, Standing
    from tournaments.events.winners import EventEnding
    from tournaments.models import Entry
    from tournaments.questions.performances import Performances


@dataclass(frozen=True, slots=True)
class Cell:
    """A row's result against a column: points of so many games, and the score with its 95 % interval.

    `percent` is the score of pairs, `low` and `high` are the ends of its interval; `kind` is good or poor
    only where an even score is outside. Of matches `score` are the points of the sheets, and `kind` is open
    before the first is over.
    """

    kind: str
    points: str = ""
    detail: str = ""
    games: int = 0
    percent: int = 0
    low: int = 0
    high: int = 0
    url: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class RoundCell:
    """What an entrant made in a round of a Swiss, and the place of whom it met; `kind` is bye, none where it
    did not play, or as of a `Cell`."""

    kind: str
    points: str = ""
    opponent: str = ""
    place: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class ByChance:
    """How many meetings of a crosstable have enough pairs to be coloured, and how many of them chance alone
    would colour, on average, if all bots were equal."""

    meetings: int
    coloured: float


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One entrant's line of the standings, with its cells of the crosstable.

    `bye_rounds` is when it had byes, and `rounds` is what it made in each round of a Swiss. `reached` is how
    far it came, in events with groups, and `rounds_won` how many matches of a bracket it won, on a podium.
    """

    row: Row
    bot: str
    slug: str
    version: int
    url: str
    remote: bool
    label: str
    points: str
    rate: float
    cells: list[Cell]
    performance: str
    interval: str
    rounds: Sequence[RoundCell] = ()
    bye_rounds: Sequence[int] = ()
    reached: str = ""
    rounds_won: int | None = None

    @property
    def place(self) -> int:
        """Its place, from 1."""
        return self.row.place

    @property
    def amount(self) -> float:
        """Its points as a number."""
        return self.row.points


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in a list."""

    tournament: Tournament
    variant: str
    entrants: int
    progress: ProgressShown
    idle: bool = False
    """Whether it is a ladder that waits for the first bot of an author."""
    waiting: bool = False
    """Whether a game of it waits to be played."""

    @property
    def is_duel(self) -> bool:
        """Whether two bots meet in it and nothing else is decided."""
        return self.entrants == 2 and is_duel_format(self.tournament)

    @property
    def is_idle(self) -> bool:
        """Whether no game of it is played or waits."""
        return not (self.progress.running or self.waiting)


def rows(tournaments: list[Tournament]) -> list[TournamentRow]:
    """Rows for tournaments of `list_tournaments`; the same few queries for all of them."""
    counted = count(tournaments)
    return [
        TournamentRow(
            one,
            board_title(board_of(one)),
            one.entrants,  # type: ignore[attr-defined]  # annotated by listed()
            progress(one, counted[one.pk], one.entrants),  # type: ignore[attr-defined]
            one.idle,  # type: ignore[attr-defined]
            counted[one.pk].queued > 0,
        )
        for one in tournaments
    ]


@shared_rows
def _running(limit: int) -> tuple[list[Tournament], list[Tournament]]:
    """The newest running events, and every running ladder. Their games are counted elsewhere: they change all
    the time."""
    running = list_tournaments(status=Tournament.Status.RUNNING)
    events = running.exclude(format=Tournament.Format.LADDER)[:limit]
    return list(events), list(running.filter(format=Tournament.Format.LADDER))


@dataclass(frozen=True, slots=True)
class Rest:
    """How many ladders that are not shown play, wait to play, and are idle."""

    playing: int
    queued: int
    idle: int


def going_on(limit: int) -> tuple[list[TournamentRow], Rest]:
    """The newest running events, then ladders that play or wait to, at most `limit` in all but one ladder at
    least; and how the other ladders are."""
    events, every_ladder = _running(limit)
    found = rows([*events, *every_ladder])
    ladders = [one for one in found[len(events) :] if not one.is_idle]
    ladders.sort(key=lambda one: not one.progress.running)
    shown, others = ladders[: (most := max(1, limit - len(events)))], ladders[most:]
    playing = sum(one.progress.running > 0 for one in others)
    idle = len(found) - len(events) - len(ladders)
    return [*found[: len(events)], *shown], Rest(playing, len(others) - playing, idle)


LINES = MOST_COMPARED
"""Entrants on one page; a crosstable of more has cells that nobody can tell apart."""


class StandingsTable:
    """The standings of a tournament with their crosstable, of which a page shows some lines."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._played = meetings(tournament)
        self._ordered = tournament_standings(tournament, self._played)
        if tournament.format == Tournament.Format.LADDER:
            self._ordered = _by_rating(tournament, self._ordered)
        self._asked = False
        self._performances: Performances | None = None

    @property
    def entrants(self) -> int:
        """How many there are."""
        return len(self._ordered)

    @property
    def duel(self) -> EventEnding | None:
        """How it stands, if it is a duel."""
        return duel(self._tournament, self._ordered)

    @cached_property
    def _rounds(self) -> list[dict[int, RoundResult]]:
        return round_results(self._tournament)

    @property
    def rounds(self) -> Sequence[int]:
        """The numbers of the rounds of a Swiss that have begun; nothing in other formats."""
        swiss = self._tournament.format == Tournament.Format.SWISS
        return range(1, len(self._rounds) + 1) if swiss else ()

    def performances(self) -> Performances | None:
        """What is known of how each entrant did in this event alone (`event_performances`)."""
        if not self._asked:
            self._asked = True
            entries = [one.entry for one in self._ordered]
            self._performances = event_performances(self._tournament, self._played, entries)
        return self._performances

    def lines(self, start: int = 0, most: int = LINES) -> list[StandingsLine]:
        """Lines best first from place `start` (from 0) on, with the crosstable among them."""
        tournament = self._tournament
        entries = {one.entry.pk: one.entry for one in self._ordered}
        page = self._ordered[start : start + most]
        shown = [one.row for one in page]
        if tournament.format == Tournament.Format.GROUPS:
            # Two may meet in their group and in the knock-out: each group has a crosstable of its own.
            return [self._line(one, []) for one in page]
        if tournament.format == Tournament.Format.SWISS:
            played, places = self._rounds, {one.row.entrant: one.row.place for one in self._ordered}
            return [
                self._line(one, [], round_cells(tournament, entries, places, played, one.entry.pk))
                for one in page
            ]
        sheets = match_cells(tournament, entries) if tournament.match_rule else {}
        cells = Cells(tournament, entries, crosstable(self._played), sheets)
        return [self._line(one, cells.of(one.row.entrant, shown)) for one in page]

    def _line(self, one: Standing, cells: list[Cell], rounds: Sequence[RoundCell] = ()) -> StandingsLine:
        """An entrant's line with its cells against those shown."""
        row, entry = one.row, one.entry
        found = self.performances()
        performed = found.rows.get(row.entrant) if found else None
        return StandingsLine(
            row=row,
            bot=entry.version.bot.name,
            slug=entry.version.bot.slug,
            version=entry.version.number,
            url=entry.version.bot.get_absolute_url(),
            remote=entry.version.is_remote,
            label=entry.version.bot.label,
            points=points_text(row.points),
            rate=row.rate if row.games else 0,
            cells=cells,
            performance=f"{performed[0]:.0f}" if performed else "",
            interval=interval_words(*performed[1:]) if performed else "",
            rounds=rounds,
            bye_rounds=one.byes,
        )


def _by_rating(ladder: Tournament, ordered: list[Standing]) -> list[Standing]:
    """A ladder's entrants as its board ranks them: points say who was asked most, not who is better."""
    found = Rating.every.filter(variant=rated_board(ladder), games__gt=0)
    ranked = list(found.values_list("version", flat=True))
    ranks = {version: rank for rank, version in enumerate(ranked)}
    here = [one for one in ordered if not one.entry.withdrawn]
    here.sort(key=lambda one: ranks.get(one.entry.version_id, len(ranks)))
    for place, one in enumerate(here, start=1):
        one.row.place = place
    return here


def score_text(ending: EventEnding) -> str:
    """The score of a duel, ``2½–1½``; empty for all other events."""
    if ending.points is None:
        return ""
    return "–".join(points_text(one) or "0" for one in ending.points)


def table(tournament: Tournament, start: int = 0, most: int = LINES) -> list[StandingsLine]:
    """The lines of a tournament's `StandingsTable`."""
    return StandingsTable(tournament).lines(start, most)


@dataclass(frozen=True, slots=True)
class Cells:
    """What entrants made against each other (`met`, by row and column), as cells of a crosstable.

    Of matches to points, `sheets` has the scores.
    """

    tournament: Tournament
    entries: Mapping[int, Entry]
    met: Mapping[tuple[int, int], Meeting]
    sheets: Mapping[tuple[int, int], MatchCell]

    def of(self, entrant: int, others: Sequence[Row]) -> list[Cell]:
        """An entrant's cells against these."""
        return [self._cell(entrant, other.entrant) for other in others]

    def _cell(self, entrant: int, other: int) -> Cell:
        if entrant == other:
            return Cell("self")
        meeting, sheet = self.met.get((entrant, other)), self.sheets.get((entrant, other))
        if meeting is None:
            return Cell("open", score=sheet.score, url=sheet.url) if sheet else Cell("none")
        interval = anytime_score(meeting.penta)
        kind, percent, low, high = "even", 0, 0, 0
        if interval is not None:
            percent, low, high = (round(100 * one) for one in (interval.value, interval.low, interval.high))
            if interval.excludes(0.5):
                kind = "good" if interval.value > 0.5 else "poor"
        url = ""
        if self.tournament.players == 2:
            numbers = [self.entries[key].number for key in (entrant, other)]
            url = path("tournaments:meeting", self.tournament.slug, *numbers)
        return Cell(
            kind,
            points_text(meeting.wins + meeting.draws / 2),
            gettext("%(won)s won, %(drawn)s drawn, %(lost)s lost")
            % {"won": meeting.wins, "drawn": meeting.draws, "lost": meeting.losses},
            meeting.wins + meeting.draws + meeting.losses,
            percent,
            low,
            high,
            sheet.url if sheet else url,
            sheet.score if sheet else "",
        )


def round_cells(
    tournament: Tournament,
    entries: Mapping[int, Entry],
    places: Mapping[int, int],
    rounds: Sequence[Mapping[int, RoundResult]],
    entrant: int,
) -> list[RoundCell]:
    """What an entrant made in each of these rounds of a Swiss."""
    found = []
    for one in rounds:
        result = one.get(entrant)
        if result is None:
            found.append(RoundCell("none"))
            continue
        points = points_text(result.points) or "0"
        if result.opponent is None:
            found.append(RoundCell("bye", f"+{points}"))
            continue
        other = entries[result.opponent]
        url = path("tournaments:meeting", tournament.slug, entries[entrant].number, other.number)
        if not result.games:
            points, kind = "…", "open"
        else:
            ahead = 2 * result.points - result.games
            kind = "good" if ahead > 0 else "poor" if ahead < 0 else "even"
        found.append(RoundCell(kind, points, str(other.version), str(places[result.opponent]), url))
    return found


def by_chance(rows: Iterable[Sequence[Cell]]) -> ByChance:
    """What chance alone would colour in these rows of a crosstable."""
    told = sum(
        cell.kind in ("good", "poor", "even") and cell.games >= 2 * FIRST for cells in rows for cell in cells
    )
    return ByChance(told // 2, told / 2 * ALPHA)
