"""The groups of an event as its page shows them: a table each, who advances, and what is still open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext, ngettext

from analysis.formats.standings import crosstable
from arena.web.i18n.phrases import count_noun, list_names
from tournaments.events.standings import entrants, points_text
from tournaments.pages.events.meetings import match_cells
from tournaments.pages.events.standings import Cells
from tournaments.pairing.groups import group_stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.formats.groups import GroupRule
    from analysis.formats.standings import Row
    from tournaments.models import Tournament
    from tournaments.pages.events.bracket import Drawing
    from tournaments.pages.events.standings import Cell, StandingsLine
    from tournaments.pairing.groups import GroupStage, GroupState


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A line of a group's table with its cells of the group's crosstable.

    It `advances`, or is `out`, once that is certain; `cut` is the last place that advances.
    """

    row: Row
    bot: str
    slug: str
    version: int
    url: str
    remote: bool
    points: str
    advances: bool
    out: bool
    cut: bool
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class GroupShown:
    """A group: its table, and how much of it is played, in words."""

    name: str
    lines: list[GroupLine]
    over: bool
    left: int
    state: str

    @property
    def advanced(self) -> list[str]:
        """The names of those who advance for certain, best first."""
        return [line.bot for line in self.lines if line.advances]


@dataclass(frozen=True, slots=True)
class GroupsShown:
    """All groups of an event; `drawn` is whether the matches of the knock-out are made."""

    rule: GroupRule
    groups: list[GroupShown]
    drawn: bool

    @property
    def over(self) -> int:
        """How many groups are over."""
        return sum(group.over for group in self.groups)

    @property
    def playing(self) -> bool:
        """Whether the groups are still played."""
        return not self.drawn and self.over < len(self.groups)

    @property
    def crosstables(self) -> list[list[Cell]]:
        """The rows of all groups' crosstables."""
        return [line.cells for group in self.groups for line in group.lines]

    @property
    def rule_words(self) -> str:
        """Who advances, in a sentence."""
        return advance_words(self.rule.advance)


def advance_words(advance: int) -> str:
    """Who advances from a group, in a sentence."""
    words = ngettext(
        "The winner of each group advances to the knock-out.",
        "The first %(count)s of each group advance to the knock-out.",
        advance,
    )
    return words % {"count": advance}


def group_tables(tournament: Tournament) -> GroupsShown | None:
    """The groups of an event that has started, None of one without groups."""
    entries = entrants(tournament.pk)
    stage = group_stage(tournament, list(entries.values()))
    if stage is None:
        return None
    # Of a table in which results are hidden nobody can tell what is certain.
    open_to_all = not tournament.hides_results
    names = [group.name for group in stage.groups]
    sheets = match_cells(tournament, entries, names) if tournament.match_rule else {}
    groups = [
        _shown(stage, group, Cells(tournament, entries, crosstable(group.met), sheets), certain=open_to_all)
        for group in stage.groups
    ]
    return GroupsShown(stage.rule, groups, stage.drawn)


def _shown(stage: GroupStage, group: GroupState, cells: Cells, *, certain: bool) -> GroupShown:
    entries = cells.entries
    advance = stage.rule.advance
    through, out = set(stage.slots), set[int]()
    mine = {row.entrant for row in group.table}
    if group.over or stage.drawn:
        out = mine - through
    elif certain:
        through |= {row.entrant for row in group.table if _is_through(row, group, advance)}
        out = {row.entrant for row in group.table if _is_out(row, group, advance)}
    lines = [
        GroupLine(
            row=row,
            bot=entries[row.entrant].version.bot.name,
            slug=entries[row.entrant].version.bot.slug,
            version=entries[row.entrant].version.number,
            url=entries[row.entrant].version.bot.get_absolute_url(),
            remote=entries[row.entrant].version.is_remote,
            points=points_text(row.points),
            advances=row.entrant in through,
            out=row.entrant in out,
            cut=index == advance,
            cells=cells.of(row.entrant, group.table),
        )
        for index, row in enumerate(group.table, start=1)
    ]
    left = max(0, group.planned - group.done)
    state = gettext("over") if group.over else counted_of(group.done, group.planned)
    return GroupShown(group.name, lines, group.over, left, state)


def counted_of(done: int, planned: int) -> str:
    """How much is played: ``3 of 12 pairs``."""
    return gettext("%(done)s of %(pairs)s") % {"done": done, "pairs": count_noun(planned, "pair")}


def _best(row: Row, group: GroupState) -> float:
    return row.points + group.left.get(row.entrant, 0.0)


def _is_through(row: Row, group: GroupState, advance: int) -> bool:
    """Whether too few others can still reach an entrant's points."""
    others = [one for one in group.table if one.entrant != row.entrant]
    return sum(_best(one, group) >= row.points for one in others) < advance


def _is_out(row: Row, group: GroupState, advance: int) -> bool:
    """Whether enough others have more points than an entrant can reach."""
    return sum(one.points > _best(row, group) for one in group.table) >= advance


def decided_words(groups: GroupsShown) -> list[str]:
    """Who advances for certain, a sentence for each group."""
    found = []
    for group in groups.groups:
        names = group.advanced
        if names:
            words = ngettext(
                "Group %(group)s: %(bots)s advances.", "Group %(group)s: %(bots)s advance.", len(names)
            )
            found.append(words % {"group": group.name, "bots": list_names(names)})
    return found


def open_words(groups: GroupsShown) -> list[str]:
    """What is left to play, a sentence for each group."""
    return [
        gettext("Group %(group)s: %(pairs)s still to play.")
        % {"group": group.name, "pairs": count_noun(group.left, "pair")}
        for group in groups.groups
        if not group.over
    ]


def with_stages(
    groups: GroupsShown, drawing: Drawing | None, lines: Sequence[StandingsLine]
) -> list[StandingsLine]:
    """The lines with how far each came: the last round of the bracket in which it has a match, or its group.

    A bracket names versions as ``Planner v1``.
    """
    found = {
        f"{line.bot} v{line.version}": gettext("Group %(name)s") % {"name": group.name}
        for group in groups.groups
        for line in group.lines
    }
    for part in drawing.parts if drawing else ():
        for column in part.columns:
            found |= {side.text: column.title for match in column.matches for side in match.sides}
    return [replace(line, reached=found.get(f"{line.bot} v{line.version}", "")) for line in lines]
