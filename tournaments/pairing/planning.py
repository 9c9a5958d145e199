"""From a tournament's rules to pairings, from pairings to games, a window at a time.

Pairings are made when the rounds they belong to are known, all at once for a round-robin. Pairs and games
are made only as they come near: a queue of 400,000 rows would help nobody.
"""

from __future__ import annotations

import secrets
from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from django.db.models import F

import engine
from analysis.formats import circle, committed_seeds
from arena.web.processes.capacity import games_at_once_lately
from tournaments.game_messages import play_on_commit
from tournaments.models import Game, Pair, Pairing, Seat, Tournament
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WINDOW = 40
"""Pairs that may wait or run at a time in one tournament; it is filled up when half of it is done."""


FIXED = (Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET, Tournament.Format.SWISS)
"""Formats whose rounds have a fixed number of pairs."""


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
