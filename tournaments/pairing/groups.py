"""Groups before a knock-out: as a new event asks for them, where they stand, and who advances."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from analysis.errors import InvalidTournament
from analysis.formats.bracket import bracket
from analysis.formats.groups import (
    ADVANCING,
    MOST_GROUPS,
    GroupRule,
    advancing,
    check,
    draw,
    letter,
    meetings_of,
    rule_of,
    seedings,
    snake,
)
from analysis.formats.standings import Meeting, forfeit, match_as_game, standings
from arena.web.i18n.phrases import count_noun, either
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.formats.groups import GroupSlot
    from analysis.formats.standings import Row
    from tournaments.events.creation import NewTournament
    from tournaments.models import Entry, Pairing

MOST_KNOCKOUT_PAIRS: Final = 200


def with_groups(new: NewTournament, number: int, advance: int, knockout_pairs: int) -> NewTournament:
    """The same, with so many groups (0: of about four bots) from each of which so many advance.

    A match of the knock-out has so many pairs (0: as many as in the groups); matches to points have none.
    """
    pairs = 0 if "match" in new.options else knockout_pairs
    rule = GroupRule(number, advance, pairs)
    return replace(new, options={**new.options, **rule.as_options()})


def with_settled_groups(new: NewTournament) -> NewTournament:
    """The same with the number of groups that fits its entrants, if none was asked for."""
    rule = rule_of(new.options)
    if rule is None:
        return new
    return replace(new, options={**new.options, **rule.for_entrants(len(new.versions)).as_options()})


def group_rule(new: NewTournament) -> GroupRule | None:
    """How many groups an event asks for, None in all other formats. Raises InvalidTournament."""
    if new.format != Tournament.Format.GROUPS:
        return None
    rule = rule_of(new.options)
    if rule is None:
        raise InvalidTournament(gettext("Choose how many bots of each group advance."), "advance")
    if rule.advance not in ADVANCING:
        words = gettext("%(allowed)s bots of each group can advance, not %(asked)s.")
        allowed = either([str(one) for one in ADVANCING])
        raise InvalidTournament(words % {"allowed": allowed, "asked": rule.advance}, "advance")
    if not 0 <= rule.groups <= MOST_GROUPS:
        words = gettext("There can be 1 to %(most)s groups. You asked for %(asked)s.")
        raise InvalidTournament(words % {"most": MOST_GROUPS, "asked": rule.groups}, "groups")
    if rule.groups * rule.advance == 1:
        raise InvalidTournament(gettext("From a single group, at least two bots must advance."), "advance")
    if not 0 <= rule.knockout_pairs <= MOST_KNOCKOUT_PAIRS:
        words = gettext("The number of pairs must be from 1 to %(most)s. You asked for %(asked)s.")
        values = {"most": MOST_KNOCKOUT_PAIRS, "asked": rule.knockout_pairs}
        raise InvalidTournament(words % values, "knockout_pairs")
    return rule


def assert_enough(rule: GroupRule, entrants: int) -> None:
    """Raise InvalidTournament if a group would have nobody who is left behind."""
    settled = rule.for_entrants(entrants)
    if entrants >= settled.least:
        return
    words = gettext(
        "With %(groups)s and %(advance)s advancing from each, choose at least %(least)s bots, so that "
        "each group has someone to eliminate. You chose %(count)s."
    )
    raise InvalidTournament(
        words
        % {
            "groups": count_noun(settled.groups, "group"),
            "advance": settled.advance,
            "least": settled.least,
            "count": entrants,
        },
        "groups" if rule.groups else "versions",
    )


@dataclass(frozen=True, slots=True)
class GroupState:
    """A group with its table, best first, and what its members made against each other there.

    `done` of `planned` pairs are played, and `left` are the points that each entrant (by key) can still make.
    """

    name: str
    table: list[Row]
    met: list[Meeting]
    done: int
    planned: int
    over: bool
    left: dict[int, float]

    def place_of(self, entrant: int) -> int:
        """The place of an entrant of this group."""
        return next(row.place for row in self.table if row.entrant == entrant)


@dataclass(frozen=True, slots=True)
class GroupStage:
    """The groups, and the entries' keys by their seeds in the bracket, None where a group is not over.

    Once it is `drawn` the seeds are those of the stored matches: a pair that is voided later changes a
    group's table, but not who plays in the knock-out. `better` decides level matches, smaller being better.
    """

    rule: GroupRule
    groups: list[GroupState]
    seeds: list[int | None]
    better: dict[int, int]
    drawn: bool

    def group_of(self, entrant: int) -> GroupState:
        """The group of an entrant."""
        return next(group for group in self.groups if any(row.entrant == entrant for row in group.table))

    def has_advanced(self, entrant: int) -> bool | None:
        """Whether an entrant plays in the knock-out, None while its group is not over."""
        if entrant in self.slots:
            return True
        return False if self.drawn or self.group_of(entrant).over else None

    @property
    def decided(self) -> list[int]:
        """Who plays in the knock-out, by seed; nobody while any of them is not known."""
        found = [one for one in self.seeds if one is not None]
        return found if len(found) == len(self.seeds) else []

    @property
    def slots(self) -> dict[int, GroupSlot]:
        """Everybody who is known to play in the knock-out, with the place in a group that led there."""
        places = draw(self.rule.groups, self.rule.advance)
        return {one: slot for one, slot in zip(self.seeds, places, strict=True) if one is not None}


def group_stage(tournament: Tournament, entries: Sequence[Entry]) -> GroupStage | None:
    """Where the groups stand; `entries` in the order of their seeds. None before the start, and without any.

    Who is in which group follows from the order of the entries, which nobody changes after the start.
    """
    rule = tournament.group_rule
    if rule is None or tournament.status == tournament.Status.DRAFT:
        return None
    rule = rule.for_entrants(len(entries))
    try:
        check(rule, len(entries))
    except InvalidTournament:
        return None  # cancelled because too few entered
    met: dict[str, list[Pairing]] = {}
    for pairing in tournament.pairings.all():
        met.setdefault(pairing.label, []).append(pairing)
    members = snake([entry.pk for entry in entries], rule.groups)
    groups = [
        _group(tournament, letter(index), keys, met.get(letter(index), []))
        for index, keys in enumerate(members)
    ]
    tables = [[row.entrant for row in group.table] if group.over else None for group in groups]
    drawn = _drawn(met, rule)
    seeds = [drawn.get(seed, one) for seed, one in enumerate(advancing(tables, rule.advance))]
    return GroupStage(
        rule,
        groups,
        seeds,
        seedings(seeds, rule.groups, [entry.pk for entry in entries]),
        drawn=bool(drawn),
    )


def pairing_meetings(tournament: Tournament, pairing: Pairing) -> list[Meeting]:
    """What two made against each other, played and forfeited; nothing if nothing counts yet, and of a bye."""
    if pairing.second_id is None:
        return []
    if tournament.match_rule is not None:
        return match_meetings(pairing)
    counts = (pairing.wins, pairing.draws, pairing.losses)
    played = Meeting(pairing.first_id, pairing.second_id, *counts, pairing.penta, 2 * pairing.margin_sum)
    return [*([played] if pairing.pairs_done else []), *forfeits(tournament, pairing)]


def match_meetings(pairing: Pairing) -> list[Meeting]:
    """A match to points that is over, counted as one game; the margin is that of its sheet."""
    if pairing.forfeited_by_id is not None:
        return forfeit(pairing.entry_ids, pairing.forfeited_by_id, 1)
    if pairing.second_id is None or not pairing.match:
        return []
    margin = pairing.points_first - pairing.points_second
    return [match_as_game(pairing.first_id, pairing.second_id, pairing.match, margin)]


def forfeits(tournament: Tournament, pairing: Pairing) -> list[Meeting]:
    """The games of a pairing that were not played because one of its entrants left."""
    if pairing.forfeited_by_id is None:
        return []
    return forfeit(pairing.entry_ids, pairing.forfeited_by_id, tournament.players * pairing.pairs_forfeited)


def _group(tournament: Tournament, name: str, keys: Sequence[int], pairings: Sequence[Pairing]) -> GroupState:
    met = [found for one in pairings for found in pairing_meetings(tournament, one)]
    table = standings(keys, met)
    left: dict[int, float] = {}
    for pairing in pairings:
        for key in () if _over(tournament, pairing) else pairing.entry_ids:
            to_come = 1.0 if tournament.match_rule else 2.0 * (pairing.pairs_planned - pairing.pairs_done)
            left[key] = left.get(key, 0.0) + to_come
    made = meetings_of(len(keys), tournament.cycles)
    return GroupState(
        name,
        table,
        met,
        sum(pairing.pairs_done for pairing in pairings),
        sum(pairing.pairs_planned for pairing in pairings),
        # Of a group that hides meetings nobody can tell how it ended.
        over=len(pairings) == made and not left,
        left=left,
    )


def _over(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether a meeting is decided."""
    if tournament.match_rule is not None:
        return bool(pairing.match) and pairing.pairs_done >= pairing.pairs_planned
    return pairing.pairs_done >= pairing.pairs_planned


def _drawn(met: Mapping[str, Sequence[Pairing]], rule: GroupRule) -> dict[int, int]:
    """Entrants by seed, from the stored matches and byes of the bracket's first round; empty before those."""
    found: dict[int, int] = {}
    for node in bracket(rule.qualifiers):
        seeds = (node.first.seed, node.second.seed)
        for pairing in met.get(node.label, ()) if node.stage == "W1" else ():
            bye = pairing.second_id is None  # of the better seed, as the other one is missing
            found.update(zip((min(seeds),) if bye else seeds, pairing.entry_ids, strict=True))
    return found
