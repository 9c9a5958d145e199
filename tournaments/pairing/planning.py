"""From a tournament's format and rules to pairings, from pairings to games, a window at a time.

Pairings are made when the rounds they belong to are known, all at once for a round-robin. Pairs and games
are made only as they come near: a queue of 400,000 rows would help nobody.
"""

from __future__ import annotations

import secrets
from collections import Counter
from functools import lru_cache
from itertools import combinations, islice
from typing import TYPE_CHECKING

from django.db.models import F

import engine
from analysis.formats import circle, committed_seeds, groups
from analysis.formats.matches import DEALS
from analysis.formats.swiss import pair_round
from analysis.serving_guard import thinks
from arena.web.processes.capacity import games_at_once_lately
from tournaments.events.brackets import current_bracket
from tournaments.events.standings import tournament_standings
from tournaments.game_messages import play_on_commit
from tournaments.models import Entry, Game, Pair, Pairing, Seat, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import hide_planned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WINDOW = 40
"""Pairs that may wait or run at a time in one tournament; it is filled up when half of it is done."""


FIXED = (Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET, Tournament.Format.SWISS)
"""Formats whose rounds have a fixed number of pairs."""
Format = Tournament.Format


@seeing_hidden()
def fill_window(tournament: Tournament) -> int:
    """Make pairs and their games up to the window and return how many games. Call with the row locked."""
    window = _window(tournament)
    room = window - _outstanding(tournament)
    if room < window // 2:
        return 0
    pairs = list(islice(_next_pairs(tournament), room))
    if not pairs:
        return 0
    Pair.objects.bulk_create(pairs)
    made = Counter(pair.pairing_id for pair in pairs)
    for count in set(made.values()):
        same = [key for key, number in made.items() if number == count]
        Pairing.objects.filter(pk__in=same).update(pairs_made=F("pairs_made") + count)
    return make_games(tournament, pairs)


@seeing_hidden()
def needs_no_more(tournament: Tournament) -> bool:
    """Whether more than half of the window waits or runs: then nothing is to be made, planned or decided.

    Only where each pair tells nothing about the next. Two that ask at once may both see too many: another
    pair is accepted after them, and it asks again.
    """
    if tournament.format not in FIXED or tournament.match_rule is not None:
        return False
    return _outstanding(tournament) > _window(tournament) // 2 + 1


def _window(tournament: Tournament) -> int:
    """How many pairs may wait or run at a time."""
    # A sequential test may stop at any pair, and what runs then was played in vain.
    least = 4 if tournament.format == Tournament.Format.SPRT else WINDOW
    return max(least, 2 * games_at_once_lately())


@seeing_hidden()
def make_games(tournament: Tournament, pairs: Sequence[Pair]) -> int:
    """Make the games of new pairs, one a seating, enqueue them and return how many."""
    entries = {entry.pk: entry for entry in tournament.entries.all()}
    last = tournament.games.order_by("-order").values_list("order", flat=True).first()
    order = 0 if last is None else last + 1
    games: list[Game] = []
    seats: list[Seat] = []
    for pair in pairs:
        players = pair.pairing.entry_ids
        for leg, seated in enumerate(circle.rotations(players)):
            seed = pair.deal_seed
            if tournament.admits_remote:
                seed = committed_seeds.own_seed(seed, pair.pairing.table, pair.run, leg)
            suits = committed_seeds.leg_suits(seed, leg, engine.SUIT_RELABELLINGS)
            game = Game(tournament=tournament, pair=pair, leg=leg, suits=suits, order=order + len(games))
            game.hidden = pair.pairing.hidden
            game.start = start_line(tournament.variant, tournament.players, seed, suits)
            games.append(game)
            seats += [
                Seat(game=game, seat=seat, entry=entries[key], version_id=entries[key].version_id)
                for seat, key in enumerate(seated)
            ]
    Game.objects.bulk_create(games)
    Seat.objects.bulk_create(seats)
    play_on_commit(len(games))
    return len(games)


@lru_cache(maxsize=256)
def start_line(variant: str, players: int, seed: str, suits: str) -> str:
    """The full position line of a deal with its suits relabelled; the pairings of a round share deals."""
    return str(engine.deal(variant, seed, players).relabelled(suits))


def _outstanding(tournament: Tournament) -> int:
    waiting = (Pair.Status.QUEUED, Pair.Status.RUNNING)
    return Pair.objects.filter(pairing__tournament=tournament, status__in=waiting).count()


def _next_pairs(tournament: Tournament) -> Iterable[Pair]:
    """The pairs not yet made, round by round, in a round deal by deal: the tables advance together."""
    unfinished = tournament.pairings.filter(pairs_made__lt=F("pairs_planned")).order_by("round", "table")
    first = unfinished.first()
    if first is None:
        return
    rounds = unfinished.values_list("round", flat=True).distinct().order_by("round")
    for number in rounds.iterator():
        tables = list(unfinished.filter(round=number))
        yield from _round_pairs(tournament, tables)


def new_deal_seed(tournament: Tournament, batch: int, number: int) -> str:
    """The seed of a deal that is to be played: that committed to, unless a remote bot might know it.

    That a pair was voided after it counted can tell the seeds of its batch, and those of an event that was
    over tell all. Then nothing else is committed to, and the deal is new (`has_new_deal`).
    """
    voided = Pair.objects.filter(
        pairing__tournament=tournament, status=Pair.Status.VOID, accepted_at__isnull=False
    )
    if tournament.format == Tournament.Format.LADDER:
        voided = voided.filter(batch=batch)
    if tournament.admits_remote and voided.exists():
        return secrets.token_hex(32)
    return committed_seeds.deal_seed(tournament.seed, batch, number)


def has_new_deal(tournament: Tournament, pair: Pair) -> bool:
    """Whether the deal of a pair does not follow from the tournament's seed."""
    return pair.deal_seed != committed_seeds.deal_seed(tournament.seed, pair.batch, pair.deal)


def _round_pairs(tournament: Tournament, tables: Sequence[Pairing]) -> Iterable[Pair]:
    for number in range(1, max(table.pairs_planned for table in tables) + 1):
        test = tournament.format == Tournament.Format.SPRT
        batch = committed_seeds.batch_of(number) if test else tables[0].round
        seed = new_deal_seed(tournament, batch, number)
        for table in tables:
            if table.pairs_made < number <= table.pairs_planned:
                yield Pair(pairing=table, number=number, batch=batch, deal=number, deal_seed=seed)


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
