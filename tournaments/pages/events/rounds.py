"""Who meets whom, round by round, as pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils.translation import gettext

from analysis.formats.groups import in_group
from tournaments.events.brackets import BRACKETED
from tournaments.events.standings import bye_worth, points_text
from tournaments.models import Pairing, Tournament
from tournaments.pages.events.meetings import meeting_url, sheet_url

if TYPE_CHECKING:
    from tournaments.models import Entry

ROUNDED = (*BRACKETED, Tournament.Format.SWISS, Tournament.Format.ROUND_ROBIN)
"""Formats whose rounds say something: who met when, or on the same deals."""


@dataclass(frozen=True, slots=True)
class MeetingSide:
    """One side of a meeting; `won` in a knock-out, `text` where nobody is known yet."""

    text: str
    url: str = ""
    points: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class ScheduledMeeting:
    """Two (or a group) who meet: pairs done of those planned; `url` leads to its games.

    `label` is the group or the match of the bracket. Of a match (`sheet`) the sides' points are those of its
    score sheet; `over` is whether it is decided.
    """

    label: str
    sides: list[MeetingSide]
    done: int
    planned: int
    url: str = ""
    sheet: bool = False
    over: bool = False
    lead: float | None = None
    """The first side's share of the points, in percent; None before there are any."""

    @property
    def state(self) -> str:
        """Whether it is over, in play or still to come, in words."""
        if not self.planned and len(self.sides) == 1:
            return gettext("bye")
        if self.planned and self.sheet and self.over:
            return gettext("score sheet")
        if self.planned and not self.sheet and self.done >= self.planned:
            return gettext("played")
        return gettext("in progress") if self.planned and self.done else gettext("upcoming")


def rounds(tournament: Tournament) -> list[int]:
    """The numbers of the rounds made so far."""
    return list(tournament.pairings.values_list("round", flat=True).distinct().order_by("round"))


def current_round(tournament: Tournament) -> int:
    """The first round that is not over, else the last one; 0 before any is made."""
    made = tournament.pairings.order_by("round").values_list("round", flat=True)
    open_ones = made.filter(pairs_done__lt=F("pairs_planned"))
    return open_ones.first() or made.last() or 0


def round_meetings(tournament: Tournament, number: int) -> list[ScheduledMeeting]:
    """The meetings of a round, in a few queries, and who has none in it."""
    entries = _entries(tournament)
    met = list(tournament.pairings.filter(round=number))
    meetings = [_meeting(tournament, one, entries) for one in met]
    for label, members in _everyone(tournament, entries).items():
        playing = {key for one in met if one.label == label for key in one.entry_ids}
        # With more than one missing, tables of the round are hidden, or a smaller group is over.
        if playing and len(members - playing) == 1:
            meetings.append(
                ScheduledMeeting(label, [_side(entries[members.difference(playing).pop()])], 0, 0)
            )
    return meetings


def _everyone(tournament: Tournament, entries: dict[int, Entry]) -> dict[str, set[int]]:
    """The entries that meet each other in turn, by the label of their pairings: one sits out if they are odd.

    The byes of other formats are pairings.
    """
    if tournament.format == Tournament.Format.ROUND_ROBIN and tournament.players == 2:
        return {"": set(entries)}
    found: dict[str, set[int]] = {}
    if tournament.format == Tournament.Format.GROUPS:
        for label, *keys in tournament.pairings.values_list("label", "first", "second"):
            if in_group(label):
                found.setdefault(label, set()).update(keys)
    return found


def _entries(tournament: Tournament) -> dict[int, Entry]:
    return {entry.pk: entry for entry in tournament.entries.select_related("version__bot").order_by("number")}


def _meeting(tournament: Tournament, pairing: Pairing, entries: dict[int, Entry]) -> ScheduledMeeting:
    members = [entries[key] for key in pairing.entry_ids]
    points = ["", ""]
    url = ""
    winner: int | None = None
    sheet = tournament.match_rule is not None and len(members) == 2
    if len(members) == 1 and (worth := bye_worth(tournament)):
        points = [f"+{points_text(worth)}", ""]
    if sheet:
        url, points = sheet_url(tournament, pairing), [str(pairing.points_first), str(pairing.points_second)]
        if pairing.match:
            winner = {"first": pairing.first_id, "second": pairing.second_id}.get(pairing.match)
    elif len(members) == 2:
        url = meeting_url(tournament, members[0], members[1])
        if pairing.pairs_done:
            points = [
                points_text(pairing.wins + pairing.draws / 2),
                points_text(pairing.losses + pairing.draws / 2),
            ]
    texts = [*points, "", ""]
    got = (pairing.points_first, pairing.points_second) if sheet else (pairing.wins, pairing.losses)
    sides = [_side(one, points=texts[place], won=one.pk == winner) for place, one in enumerate(members)]
    return ScheduledMeeting(
        pairing.label,
        sides,
        pairing.pairs_done,
        pairing.pairs_planned,
        url,
        sheet=sheet,
        over=bool(pairing.match),
        lead=_share(*got, 0 if sheet else pairing.draws) if len(members) == 2 else None,
    )


def _share(first: float, second: float, level: float) -> float | None:
    """How much of the points the first side has, in percent; what was level is shared."""
    whole = first + second + level
    return round(100 * (first + level / 2) / whole, 1) if whole > 0 else None


def _side(entry: Entry, *, points: str = "", won: bool = False) -> MeetingSide:
    return MeetingSide(str(entry.version), entry.version.bot.get_absolute_url(), points, won)
