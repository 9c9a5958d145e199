"""A knock-out's bracket as its page draws it: rounds, matches with byes, and why a level match was won."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from analysis.formats.groups import draw, letter
from arena.web.i18n.phrases import count_noun
from tournaments.events.brackets import DecidedBy, current_bracket
from tournaments.events.standings import points_text
from tournaments.models import Pairing, Tournament
from tournaments.pages.events.meetings import meeting_url, sheet_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrOrPromise

    from analysis.formats.bracket import Node, Source
    from analysis.formats.groups import GroupSlot
    from tournaments.events.brackets import Bracket
    from tournaments.models import Entry

PARTS = {
    "W": gettext_lazy("Winners’ bracket"),
    "L": gettext_lazy("Losers’ bracket"),
    "G": gettext_lazy("Grand final"),
}


BY_WORDS: Final[Mapping[DecidedBy, StrOrPromise]] = {
    DecidedBy.MARGIN: pgettext_lazy("how a level match was won", "on margin"),
    DecidedBy.GROUP_PLACE: pgettext_lazy("how a level match was won", "on the better place in the group"),
    DecidedBy.SEEDING: pgettext_lazy("how a level match was won", "on seeding"),
}
"""How a level match was won."""
LEVEL: Final = {
    DecidedBy.MARGIN: gettext_lazy("Level after %(count)s extra pairs: the larger margin advances"),
    DecidedBy.GROUP_PLACE: gettext_lazy(
        "Level after %(count)s extra pairs: the better place in the group advances"
    ),
    DecidedBy.SEEDING: gettext_lazy("Level after %(count)s extra pairs: the better seed advances"),
}
DRAWN: Final = {
    DecidedBy.MARGIN: gettext_lazy("Drawn: more points advance"),
    DecidedBy.GROUP_PLACE: gettext_lazy("Drawn: the better place in the group advances"),
    DecidedBy.SEEDING: gettext_lazy("Drawn: the better seed advances"),
}
"""The same of a drawn match to points."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match; `text` says where it comes from while nobody is known, and is empty for a bye.

    After groups `seed` is the place there: ``A1``.
    """

    text: str
    url: str = ""
    points: str = ""
    seed: int | str = 0
    won: bool = False
    lost: bool = False
    remote: bool = False


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match. `state` is bye, upcoming, playing or played; `tie` says how a level one was won, and `by` so
    in two words. `earlier` says that a pair was voided since, and it ended otherwise.
    """

    label: str
    sides: list[BracketSide]
    state: str
    url: str = ""
    tie: str = ""
    progress: str = ""
    by: StrOrPromise = ""
    earlier: bool = False

    @property
    def words(self) -> str:
        """The match in a line: ``Sampler v1 beat Planner v1 3–1``, or who plays whom."""
        one, other = self.sides
        if other.won:
            one, other = other, one
        if self.earlier:
            return f"{one.text} – {other.text}: {self.tie}"
        if one.won:
            score = f"{one.points or '0'}–{other.points or '0'}"
            values = {"winner": one.text, "loser": other.text, "score": score}
            if self.by:
                words = gettext("%(winner)s prevailed over %(loser)s after a level %(score)s, %(by)s")
                return words % {**values, "by": self.by}
            return gettext("%(winner)s beat %(loser)s %(score)s") % values
        values = {"one": one.text, "other": other.text, "progress": self.progress}
        if self.progress:
            return gettext("%(one)s plays %(other)s, %(progress)s") % values
        return gettext("%(one)s plays %(other)s") % values


@dataclass(frozen=True, slots=True)
class Column:
    """A round; `joins` is whether two neighbours meet in the next one, `leads` whether any does."""

    title: str
    stage: str
    matches: list[BracketMatch]
    joins: bool = False
    leads: bool = False


@dataclass(frozen=True, slots=True)
class BracketPart:
    """The winners' or losers' bracket or the grand final; a single elimination's one part has no title."""

    title: str
    columns: list[Column]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A bracket with its champion, whose name is empty while it is open."""

    parts: list[BracketPart]
    champion: str = ""
    left: list[str] = field(default_factory=list)
    rounds_won: dict[int, int] = field(default_factory=dict)
    """By the key of the entrant."""

    @property
    def matches(self) -> list[BracketMatch]:
        """All matches between two, in the order of the rounds."""
        return [
            match
            for part in self.parts
            for column in part.columns
            for match in column.matches
            if match.state != "bye"
        ]


def drawing(tournament: Tournament) -> Drawing | None:
    """The bracket of a knock-out with at least two entrants."""
    entries = {
        entry.pk: entry for entry in tournament.entries.select_related("version__bot").order_by("number")
    }
    if len(entries) < 2:
        return None
    found = current_bracket(tournament, list(entries.values()))
    if tournament.format == Tournament.Format.GROUPS and found.stage is None:
        return None  # who is in which group is known once it starts
    known = tournament.pairings.select_related("forfeited_by__version__bot")
    made = {pairing.label: pairing for pairing in known}
    columns: dict[str, list[BracketMatch]] = {}
    for node in found.nodes:
        if node.label == "GF2" and node.label not in found.state.sides:
            continue
        columns.setdefault(node.stage, []).append(_match(tournament, node, made, entries, found))
    out = {key for group in found.state.places for key in group}
    inside = set(found.stage.decided) if found.stage else set(entries)
    champion = found.state.champion
    return Drawing(
        _parts(columns),
        entries[champion].version.bot.name if champion is not None else "",
        [entry.version.bot.name for key, entry in entries.items() if key in inside - out],
        found.rounds_won(),
    )


def _parts(columns: dict[str, list[BracketMatch]]) -> list[BracketPart]:
    double = "GF" in columns
    last = max(int(stage[1:]) for stage in columns if stage[0] == "W")
    parts: dict[str, list[Column]] = {}
    stages = list(columns)
    for stage, matches in columns.items():
        if all(match.state == "bye" and not any(side.text for side in match.sides) for match in matches):
            continue
        index = stages.index(stage)
        following = next((one for one in stages[index + 1 :] if one[0] == stage[0]), "")
        column = Column(
            _title(stage, last, double=double),
            stage,
            matches,
            joins=bool(following) and len(columns[following]) < len(matches),
            leads=bool(following),
        )
        parts.setdefault(stage[0], []).append(column)
    return [BracketPart(str(PARTS[key]) if double else "", found) for key, found in parts.items()]


def _title(stage: str, last: int, *, double: bool) -> str:
    if stage in ("GF", "GF2"):
        return gettext("Grand final") if stage == "GF" else gettext("Decider")
    number = int(stage[1:])
    if stage[0] == "W" and not double and number > last - 2:
        return gettext("Final") if number == last else gettext("Semi-finals")
    if stage[0] == "W" and double and number == last:
        return gettext("Winners’ final")
    return gettext("Round %(number)s") % {"number": number}


def _match(
    tournament: Tournament, node: Node, made: dict[str, Pairing], entries: dict[int, Entry], found: Bracket
) -> BracketMatch:
    pairing = made.get(node.label)
    known = found.state.sides.get(node.label)
    if known is not None and None in known:
        sides = [_side(entries[key], found) if key is not None else BracketSide("") for key in known]
        return BracketMatch(node.label, sorted(sides, key=lambda side: not side.text), "bye")
    if pairing is None or pairing.second_id is None:
        sources = (node.first, node.second)
        waiting = [
            _waiting(source, entries, found) if key is None else _side(entries[key], found)
            for key, source in zip(known or (None, None), sources, strict=True)
        ]
        bye = any(not side.text for side in waiting)
        return BracketMatch(node.label, waiting, "bye" if bye else "upcoming")
    return _paired(tournament, pairing, entries, found)


def _paired(
    tournament: Tournament, pairing: Pairing, entries: dict[int, Entry], found: Bracket
) -> BracketMatch:
    winner = found.winners.get(pairing.label)
    members = [entries[key] for key in pairing.entry_ids]
    if tournament.match_rule is not None:
        url, points = sheet_url(tournament, pairing), [pairing.points_first, pairing.points_second]
        texts = [str(one) for one in points]
        progress = f"{texts[0]}–{texts[1]}" if pairing.pairs_done else ""
    else:
        url = meeting_url(tournament, members[0], members[1])
        halves = [pairing.wins + pairing.draws / 2, pairing.losses + pairing.draws / 2]
        texts = [points_text(one) or "0" for one in halves] if pairing.pairs_done else ["", ""]
        progress = gettext("%(done)s of %(pairs)s") % {
            "done": pairing.pairs_done,
            "pairs": count_noun(pairing.pairs_planned, "pair"),
        }
    sides = [
        _side(one, found, points=text, won=one.pk == winner, lost=winner not in (None, one.pk))
        for one, text in zip(members, texts, strict=True)
    ]
    state = "played" if winner is not None else "playing" if pairing.pairs_done else "upcoming"
    by = found.decided_by(tournament, pairing)
    tie, progress = (_tie(tournament, pairing, by), "") if by else ("", progress)
    words = BY_WORDS.get(by, "") if by else ""
    earlier = by == DecidedBy.EARLIER
    return BracketMatch(pairing.label, sides, state, url, tie, progress, words, earlier)


def _tie(tournament: Tournament, pairing: Pairing, by: DecidedBy) -> str:
    """Why a match went longer than planned, or who advanced from a level one, or without a match."""
    if by == DecidedBy.EARLIER:
        return gettext("Decided before a pair was voided and replayed")
    if pairing.forfeited_by is not None:
        return gettext("%(bot)s left the event") % {"bot": pairing.forfeited_by.version}
    extra = pairing.pairs_planned - tournament.knockout_pairs
    if by == DecidedBy.EXTRA_PAIRS:
        return gettext("Decided by %(extra_pairs)s") % {"extra_pairs": count_noun(extra, "extra pair")}
    if by not in BY_WORDS:
        return ""
    if tournament.match_rule is not None:
        return str(DRAWN[by])
    return str(LEVEL[by]) % {"count": extra}


def _waiting(source: Source, entries: dict[int, Entry], found: Bracket) -> BracketSide:
    """A side that is not settled: who is known to come, or from where; empty for a bye."""
    if source.kind == "winner":
        return BracketSide(gettext("winner of %(match)s") % {"match": source.match})
    if source.kind == "loser":
        return BracketSide(gettext("loser of %(match)s") % {"match": source.match})
    if source.seed >= len(found.seeds):
        return BracketSide("")
    key = found.seeds[source.seed]
    if key is not None:
        return _side(entries[key], found)
    slot = draw(found.stage.rule.groups, found.stage.rule.advance)[source.seed] if found.stage else None
    return BracketSide(place_words(slot) if slot else "", seed=place_name(slot) if slot else 0)


def place_name(slot: GroupSlot) -> str:
    """A place in a group: ``A1``."""
    return f"{letter(slot.group)}{slot.place + 1}"


def place_words(slot: GroupSlot) -> str:
    """The same in words: ``winner of group A``."""
    words = {
        0: gettext("winner of group %(group)s"),
        1: gettext("runner-up of group %(group)s"),
        2: gettext("third of group %(group)s"),
        3: gettext("fourth of group %(group)s"),
    }
    return words[slot.place] % {"group": letter(slot.group)}


def _side(
    entry: Entry, found: Bracket, *, points: str = "", won: bool = False, lost: bool = False
) -> BracketSide:
    slot = found.stage.slots.get(entry.pk) if found.stage else None
    seed = place_name(slot) if slot else entry.number
    version = entry.version
    url = version.bot.get_absolute_url()
    text = version.bot.name if version.is_remote else str(version)
    return BracketSide(text, url, points, seed, won, lost, version.is_remote)
