"""The pairings of each format, as far as they can be known."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from django.db.models import F

from analysis.formats import circle, groups
from analysis.formats.matches import DEALS
from analysis.formats.swiss import pair_round
from analysis.serving_guard import thinks
from tournaments.events.brackets import current_bracket
from tournaments.events.standings import tournament_standings
from tournaments.models import Entry, Pairing, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import hide_planned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Format = Tournament.Format


@thinks
@seeing_hidden()
def plan_rounds(tournament: Tournament) -> int:
    """Make the pairings that can be known now and return how many; 0 when nothing is left to play.

    Call with the tournament's row locked, when all pairings made so far are done.
    """
    number = _rounds_made(tournament)
    made = _plan(tournament, number)
    if made:
        hide_planned(tournament, after=number)
    return made


def _plan(tournament: Tournament, number: int) -> int:
    """Make the pairings after `number` rounds."""
    entries = list(tournament.entries.order_by("number"))
    match tournament.format:
        case Format.SWISS:
            here = [one for one in entries if not one.withdrawn]
            over = number >= tournament.rounds or len(here) < 2
            tables = [] if over else _swiss(tournament, here, number + 1)
        case Format.SINGLE_ELIMINATION | Format.DOUBLE_ELIMINATION:
            return _knockout(tournament, entries, number + 1)
        case Format.GROUPS if number:
            return _knockout(tournament, entries, number + 1)
        case Format.GROUPS:
            tables = list(_groups(tournament, entries))
        case Format.GAUNTLET:
            tables = [] if number else list(_gauntlet(tournament, entries))
        case _:
            tables = [] if number else list(_round_robin(tournament, entries))
    by_key = {entry.pk: entry for entry in entries}
    for pairing in tables:
        _forfeit_at_once(pairing, by_key)
    return len(Pairing.objects.bulk_create(tables, batch_size=1000))


def _rounds_made(tournament: Tournament) -> int:
    return tournament.pairings.order_by("-round").values_list("round", flat=True).first() or 0


def _pairing(tournament: Tournament, number: int, table: int, *members: Entry, label: str = "") -> Pairing:
    seats = dict(zip(("first", "second", "third", "fourth"), members, strict=False))
    pairs = _first_pairs(tournament, label) if len(members) > 1 else 0
    return Pairing(
        tournament=tournament, round=number, table=table, label=label, pairs_planned=pairs, **seats
    )


def _first_pairs(tournament: Tournament, label: str) -> int:
    """The pairs that two who meet play in any case: of a match to points one, then it is looked again."""
    rule = tournament.match_rule
    if rule is None:
        in_group = groups.in_group(label)
        return tournament.pairs_per_pairing if in_group or not label else tournament.knockout_pairs
    return rule.target if rule.kind == DEALS else 1


def _round_robin(tournament: Tournament, entries: Sequence[Entry]) -> Iterable[Pairing]:
    """Everyone meets everyone; with several seats every group of that many meets, one a round."""
    if tournament.players > 2:
        groups = list(combinations(entries, tournament.players)) * tournament.cycles
        for number, group in enumerate(groups, start=1):
            yield _pairing(tournament, number, 1, *group)
        return
    for number, tables in enumerate(circle.circle(len(entries), tournament.cycles), start=1):
        for table, (first, second) in enumerate(tables, start=1):
            yield _pairing(tournament, number, table, entries[first], entries[second])


def _groups(tournament: Tournament, entries: Sequence[Entry]) -> Iterable[Pairing]:
    """In each group everyone meets everyone; all groups play a round at the same time, on the same deals."""
    rule = tournament.group_rule
    if rule is None:
        raise ValueError(f"expected a rule of groups in the options, got {tournament.options!r}")
    by_key = {entry.pk: entry for entry in entries}
    number = rule.for_entrants(len(entries)).groups
    for one in groups.schedule(list(by_key), number, tournament.cycles):
        label = groups.letter(one.group)
        yield _pairing(tournament, one.round, one.table, by_key[one.first], by_key[one.second], label=label)


def _gauntlet(tournament: Tournament, entries: Sequence[Entry]) -> Iterable[Pairing]:
    """The first entrant meets all others, on the same deals."""
    for number in range(1, tournament.cycles + 1):
        for table, other in enumerate(entries[1:], start=1):
            yield _pairing(tournament, number, table, entries[0], other)


def _swiss(tournament: Tournament, entries: Sequence[Entry], number: int) -> list[Pairing]:
    """The next Swiss round of these entrants by the standings so far; a bye is a pairing of one."""
    by_key = {entry.pk: entry for entry in entries}
    rows = [one.row for one in tournament_standings(tournament) if one.entry.pk in by_key]
    met = list(tournament.pairings.all())
    # Who won without playing counts as one who sat out.
    unplayed = [one.won_by_forfeit for one in met if not one.pairs_done and one.won_by_forfeit is not None]
    found = pair_round(
        [row.entrant for row in rows],
        {row.entrant: row.points for row in rows},
        [frozenset(one.entry_ids) for one in met if one.second_id is not None],
        [*(one.first_id for one in met if one.second_id is None), *unplayed],
        followed=number < tournament.rounds,
    )
    tables = [
        _pairing(tournament, number, table, by_key[one], by_key[other])
        for table, (one, other) in enumerate(found.tables, start=1)
    ]
    if found.bye is not None:
        tables.append(_pairing(tournament, number, len(tables) + 1, by_key[found.bye], label="bye"))
    return tables


def _knockout(tournament: Tournament, entries: Sequence[Entry], number: int) -> int:
    """The matches of a bracket that can be played now, or another pair for those that are level.

    A match of an entrant that has left is stored, too, as won by the other one.
    After groups, the byes of the first round are stored with its matches: so they hold the whole draw, which
    stands even if a pair of a group is voided and ends otherwise.
    """
    found = current_bracket(tournament, entries)
    if found.stage and not found.stage.decided:
        raise ValueError(f"expected the tables of all groups of {tournament.slug}, got {found.stage.seeds}")
    by_key = {entry.pk: entry for entry in entries}
    if found.level:
        Pairing.objects.filter(pk__in=found.level).update(pairs_planned=F("pairs_planned") + 1)
        for pairing in Pairing.objects.filter(pk__in=found.level):
            _forfeit_at_once(pairing, by_key)
            pairing.save(update_fields=["pairs_planned", "pairs_forfeited", "forfeited_by"])
        return len(found.level)
    tables = [
        _pairing(tournament, number, table, by_key[one], by_key[other], label=label)
        for table, (label, one, other) in enumerate(found.state.ready, start=1)
    ]
    for pairing in tables:
        _forfeit_at_once(pairing, by_key)
    if found.stage and not found.stage.drawn:
        for label, (one, other) in found.state.sides.items():
            byes = [key for key in (one, other) if key is not None]
            if label.startswith("W1.") and len(byes) == 1:
                tables.append(_pairing(tournament, number, len(tables) + 1, by_key[byes[0]], label=label))
    return len(Pairing.objects.bulk_create(tables))


def _forfeit_at_once(pairing: Pairing, entries: Mapping[int, Entry]) -> None:
    """Have an entrant that has left forfeit the match that it would play now; of two, the second one."""
    out = [key for key in pairing.entry_ids if entries[key].withdrawn]
    if not out or len(pairing.entry_ids) == 1:
        return
    pairing.forfeited_by_id = out[-1]
    pairing.pairs_forfeited = pairing.pairs_planned - pairing.pairs_done
    pairing.pairs_planned = pairing.pairs_done
    if pairing.tournament.match_rule is not None:
        pairing.pairs_forfeited = 1
        first = pairing.won_by_forfeit == pairing.first_id
        pairing.match = Pairing.Match.FIRST if first else Pairing.Match.SECOND
