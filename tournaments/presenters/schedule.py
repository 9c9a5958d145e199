"""Who meets whom: a tournament's rounds, and a knock-out's bracket, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Pairing, Tournament
from tournaments.presenters.addresses import meeting_url, sheet_url
from tournaments.presenters.tables import points_text
from tournaments.selectors.brackets import KNOCK_OUT, current_bracket

if TYPE_CHECKING:
    from analysis.formats.bracket import Node, Source
    from tournaments.models import Entry
    from tournaments.selectors.brackets import Bracket

ROUNDED = (*KNOCK_OUT, Tournament.Format.SWISS, Tournament.Format.ROUND_ROBIN)
"""Formats whose rounds say something: who met when, or on the same deals."""

_STAGES = {"W": "Round", "L": "Losers’ round"}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a meeting; `won` in a knock-out, `text` where nobody is known yet."""

    text: str
    url: str = ""
    points: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two (or a group) who meet: pairs done of those planned; `url` leads to its games.

    Of a match (`sheet`) the sides' points are those of its score sheet; `over` is whether it is decided.
    """

    label: str
    sides: list[Side]
    done: int
    planned: int
    url: str = ""
    sheet: bool = False
    over: bool = False

    @property
    def state(self) -> str:
        """Whether it is over, in play or still to come."""
        if not self.planned:
            return "bye" if self.label == "bye" else "upcoming"
        if self.sheet:
            return "score sheet" if self.over else "in progress" if self.done else "upcoming"
        return "played" if self.done >= self.planned else "in progress" if self.done else "upcoming"


@dataclass(frozen=True, slots=True)
class Column:
    """A round of a bracket."""

    title: str
    matches: list[Meeting]


def rounds(tournament: Tournament) -> list[int]:
    """The numbers of the rounds made so far."""
    return list(tournament.pairings.values_list("round", flat=True).distinct().order_by("round"))


def round_meetings(tournament: Tournament, number: int) -> list[Meeting]:
    """The meetings of a round, in two queries."""
    entries = _entries(tournament)
    return [_meeting(tournament, one, entries) for one in tournament.pairings.filter(round=number)]


def bracket_columns(tournament: Tournament) -> list[Column]:
    """A knock-out's bracket, a column a round; byes are left out, matches to come name their sources."""
    entries = _entries(tournament)
    if len(entries) < 2:
        return []
    found = current_bracket(tournament, sorted(entries.values(), key=lambda one: one.number))
    made = {pairing.label: pairing for pairing in tournament.pairings.all()}
    columns: dict[str, list[Meeting]] = {}
    for node in found.nodes:
        if None in found.state.sides.get(node.label, ()):
            continue
        if node.label == "GF2" and node.label not in found.state.sides:
            continue
        columns.setdefault(node.stage, []).append(_match(tournament, node, made, entries, found))
    last = max((int(stage[1:]) for stage in columns if stage[0] == "W"), default=0)
    return [Column(_stage(stage, last, found), matches) for stage, matches in columns.items()]


def _stage(stage: str, last: int, found: Bracket) -> str:
    if stage in ("GF", "GF2"):
        return "Grand final" if stage == "GF" else "Decider"
    double = any(node.label == "GF" for node in found.nodes)
    if stage[0] == "W" and not double and int(stage[1:]) > last - 2:
        return "Final" if int(stage[1:]) == last else "Semi-finals"
    return f"{_STAGES[stage[0]]} {stage[1:]}"


def _match(
    tournament: Tournament, node: Node, made: dict[str, Pairing], entries: dict[int, Entry], found: Bracket
) -> Meeting:
    pairing = made.get(node.label)
    if pairing is not None:
        return _meeting(tournament, pairing, entries, found.winners.get(node.label))
    known = found.state.sides.get(node.label, (None, None))
    sides = [
        Side(_source(source, entries)) if key is None else _side(entries[key])
        for key, source in zip(known, (node.first, node.second), strict=True)
    ]
    return Meeting(node.label, sides, 0, 0)


def _source(source: Source, entries: dict[int, Entry]) -> str:
    if source.kind == "seed":
        by_number = {entry.number: entry for entry in entries.values()}
        return str(by_number[source.seed + 1].version)
    return f"{source.kind} of {source.match}"


def _entries(tournament: Tournament) -> dict[int, Entry]:
    return {entry.pk: entry for entry in tournament.entries.select_related("version__bot").order_by("number")}


def _meeting(
    tournament: Tournament, pairing: Pairing, entries: dict[int, Entry], winner: int | None = None
) -> Meeting:
    members = [entries[key] for key in pairing.entry_ids]
    points = ["", ""]
    url = ""
    sheet = tournament.match_rule is not None and len(members) == 2
    if sheet:
        url, points = sheet_url(tournament, pairing), [str(pairing.points_first), str(pairing.points_second)]
        if pairing.match and winner is None:
            winner = {"first": pairing.first_id, "second": pairing.second_id}.get(pairing.match)
    elif len(members) == 2:
        url = meeting_url(tournament, members[0], members[1])
        if pairing.pairs_done:
            points = [
                points_text(pairing.wins + pairing.draws / 2),
                points_text(pairing.losses + pairing.draws / 2),
            ]
    texts = [*points, "", ""]
    sides = [_side(one, points=texts[place], won=one.pk == winner) for place, one in enumerate(members)]
    return Meeting(
        pairing.label,
        sides,
        pairing.pairs_done,
        pairing.pairs_planned,
        url,
        sheet=sheet,
        over=bool(pairing.match),
    )


def _side(entry: Entry, *, points: str = "", won: bool = False) -> Side:
    return Side(str(entry.version), entry.version.bot.get_absolute_url(), points, won)
