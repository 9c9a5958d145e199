"""What can be downloaded and verified offline: a game with its proof, a tournament, a leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from analysis import game_record, verifiable_bundle
from analysis.formats import committed_seeds
from analysis.ratings import elo
from analysis.ratings.inputs import FitInputs, count_orders, unpack
from analysis.ratings.match_arrays import Match
from arena.web.database.snapshot import consistent_reads
from tournaments.events.standings import group_results, tournament_standings
from tournaments.games import records
from tournaments.models import Game, Pair, Rating, RatingInputs, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.matches import open_rounds
from tournaments.pairing.planning import has_new_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from analysis.game_record import Proved
    from tournaments.models import Entry, Pairing

    Rate = Callable[[FitInputs], Callable[[], Mapping[int, elo.Estimate]]]
    """Begins to rate, and returns what gives the ratings once they are needed."""

CHUNK = 50
ANCHOR = "greedy"
LIVE = (Pair.Status.QUEUED, Pair.Status.RUNNING, Pair.Status.STUCK)


def proved_record(game: Game) -> Mapping[str, Any]:
    """The record of a game; once it is over with the proof that it is what was played on the deal it says."""
    if records.stored_record(game) is None:
        return records.record(game)
    return prove_game(game, revealed_seeds(game.tournament, {game.pair.batch}), game.pair, game.pair.pairing)


def _rate_here(inputs: FitInputs) -> Callable[[], Mapping[int, elo.Estimate]]:
    """Rate in this process, which must not be one that serves pages."""
    return inputs.estimates


def tournament_lines(tournament: Tournament, rate: Rate = _rate_here) -> Iterator[bytes]:
    """A tournament's bundle line by line, games last but for standings and ratings.

    Deals, seeds and pairs are as of now; a tournament that goes on gives a longer bundle later. `rate` begins
    before the first line, and its ratings are the last lines.
    """
    out = verifiable_bundle.BundleWriter()
    with consistent_reads():
        tournament.refresh_from_db()
        pairings = {one.pk: one for one in tournament.pairings.order_by("round", "table")}
        pairs = _all_pairs(tournament)
        entries = {entry.pk: entry for entry in tournament.entries.select_related("version__bot__owner")}
        revealed = revealed_seeds(tournament, _batches(tournament, pairs))
        table = tournament_standings(tournament)
        inputs = _inputs(tournament, pairings.values(), entries)
    ratings = rate(inputs)
    yield out.line("tournament", _head(tournament, entries))
    for number in sorted(revealed):
        commitment = committed_seeds.commitment(committed_seeds.round_seed(tournament.seed, number))
        yield out.line("batch", {"batch": number, "commitment": commitment, "seed": revealed[number]})
    for entry in sorted(entries.values(), key=lambda one: one.number):
        yield out.line("entrant", _entrant(entry))
    for pairing in pairings.values():
        yield out.line("pairing", _pairing(pairing, entries) | _match(tournament, pairing))
    for pair in pairs:
        points = {"points": [pair.points_first, pair.points_second]} if tournament.match_rule else {}
        yield out.line("pair", _pair(pair, pairings[pair.pairing_id], revealed) | points)
    for games in _games(tournament, pairs):
        for game in games:
            yield out.line("game", prove_game(game, revealed, game.pair, pairings[game.pair.pairing_id]))
    for one in table:
        yield out.line("standing", _standing(one.entry.number, one.row))
    for match in inputs.matches:
        yield out.line("met", {"first": match.first, "second": match.second, "penta": list(match.penta)})
    for key, estimate in sorted(ratings().items()):
        yield out.line(
            "rating",
            {
                "entrant": key,
                "elo": verifiable_bundle.round_measured(estimate.elo),
                "error": verifiable_bundle.round_measured(estimate.error),
                "anchored": estimate.anchored,
            },
        )
    yield out.end()


def ratings_lines(board: str, variant: str, players: int) -> Iterator[bytes]:
    """A leaderboard's bundle: the ratings that the board shows, and all that they were computed from.

    Both were stored in one transaction and are read at one moment. Pairs accepted since the last computation
    are in neither. On open boards, `fair` is the sum of the first's scores without luck and of their squares.
    """
    with consistent_reads():
        stored = RatingInputs.objects.filter(board=board).first()
        rated = list(
            Rating.every.filter(variant=board).select_related("version__bot").order_by("-elo", "version")
            if stored
            else ()
        )
    inputs = unpack(bytes(stored.data)) if stored else FitInputs()
    out = verifiable_bundle.BundleWriter()
    yield out.line(
        "ratings",
        {
            "format": verifiable_bundle.FORMAT,
            "board": board,
            "variant": variant,
            "players": players,
            "anchors": [
                {"entrant": key, "elo": verifiable_bundle.round_measured(elo)}
                for key, elo in inputs.anchors.items()
            ],
            "computed_at": stored.computed_at.isoformat() if stored else None,
        },
    )
    numbers = {owner: number for number, owner in enumerate(sorted({0, *inputs.owners.values()}, key=abs))}
    for key, owner in inputs.owners.items():
        yield out.line("owner", {"entrant": key, "owner": numbers[owner]})
    for key, record in inputs.records.items():
        yield out.line("record", {"entrant": key, "of": record})
    for match in inputs.matches:
        fair = {"fair": list(match.fair)} if match.fair else {}
        met = {"first": match.first, "second": match.second, "penta": list(match.penta)}
        yield out.line("met", met | fair)
    for deal, times in inputs.rankings:
        yield out.line(
            "ranked", {"rankings": [verifiable_bundle.groups(one) for one in deal], "deals": times}
        )
    for row in rated:
        yield out.line(
            "rating",
            {
                "entrant": row.version_id,
                "bot": row.version.bot.name,
                "version": row.version.number,
                "sha256": row.version.sha256,
                "elo": verifiable_bundle.round_measured(row.elo),
                "error": verifiable_bundle.round_measured(row.error),
                "low": verifiable_bundle.round_measured(row.low),
                "high": verifiable_bundle.round_measured(row.high),
                "anchored": row.anchored,
            },
        )
    yield out.end()


def _all_pairs(tournament: Tournament) -> list[Pair]:
    return list(
        Pair.objects.filter(pairing__tournament=tournament).order_by(
            "pairing__round", "pairing__table", "number", "run"
        )
    )


def _batches(tournament: Tournament, pairs: Sequence[Pair]) -> set[int]:
    """The batches that were begun, and the next, to which is committed before anybody is paired for it."""
    last = max((pair.batch for pair in pairs), default=0)
    more = 0 if tournament.is_over else 1
    return {pair.batch for pair in pairs} | set(range(1, last + 1 + more))


def revealed_seeds(tournament: Tournament, batches: set[int]) -> dict[int, str | None]:
    """The seeds of batches whose pairs are over, None for the others.

    A batch is over when all its pairs, hidden ones too, are accepted or void, its matches decided, and a
    later one was begun or the tournament is over: until then deals of it may still be given out.
    """
    if tournament.is_over:
        return {number: committed_seeds.round_seed(tournament.seed, number) for number in batches}
    with seeing_hidden():
        pairs = Pair.objects.filter(pairing__tournament=tournament, status__in=LIVE)
        live = {*pairs.values_list("batch", flat=True).distinct(), *open_rounds(tournament)}
    shown = Pair.objects.filter(pairing__tournament=tournament)
    last = shown.order_by("-batch").values_list("batch", flat=True).first() or 0
    return {
        number: committed_seeds.round_seed(tournament.seed, number)
        if number < last and number not in live
        else None
        for number in batches
    }


def _head(tournament: Tournament, entries: dict[int, Entry]) -> dict[str, Any]:
    """The tournament's own line; the seed only when it is over."""

    def at(moment: Any) -> str | None:
        return moment.isoformat() if moment else None

    return {
        "format": verifiable_bundle.FORMAT,
        "statistics": verifiable_bundle.STATISTICS,
        "rules": engine.RULES_VERSION,
        "slug": tournament.slug,
        "name": tournament.name,
        "owner": tournament.owner.get_username() if tournament.owner else None,
        "variant": tournament.variant,
        "players": tournament.players,
        "format_name": tournament.format,
        "cycles": tournament.cycles,
        "rounds": tournament.rounds,
        "pairs_per_pairing": tournament.pairs_per_pairing,
        "clock": {"bank_ms": tournament.bank_ms, "increment_ms": tournament.increment_ms},
        "rated": tournament.rated,
        "unrated_because": tournament.unrated_because,
        "options": tournament.options,
        "status": tournament.status,
        "note": tournament.note,
        "seed_commitment": tournament.seed_commitment,
        "seed": tournament.seed if tournament.is_over else None,
        "anchor": _anchor(entries),
        "created_at": at(tournament.created_at),
        "started_at": at(tournament.started_at),
        "finished_at": at(tournament.finished_at),
    }


def _anchor(entries: dict[int, Entry]) -> int | None:
    """The number of the entrant that stands at 1500, if the anchor bot takes part."""
    found = [
        one.number for one in entries.values() if one.version.bot.slug == ANCHOR and one.version.bot.is_house
    ]
    return found[0] if found else None


def _fixed(entries: dict[int, Entry]) -> dict[int, float]:
    """The anchor bot at its rating, if it takes part."""
    anchor = _anchor(entries)
    return {} if anchor is None else {anchor: elo.ANCHOR_ELO}


def _entrant(entry: Entry) -> dict[str, Any]:
    bot = entry.version.bot
    return {
        "number": entry.number,
        "bot": bot.name,
        "version": entry.version.number,
        "owner": bot.owner.get_username() if bot.owner else None,
        "house": bot.is_house,
        "sha256": entry.version.sha256,
        "withdrawn": entry.withdrawn,
    }


def _pairing(pairing: Pairing, entries: dict[int, Entry]) -> dict[str, Any]:
    return {
        "round": pairing.round,
        "table": pairing.table,
        "label": pairing.label,
        "entrants": [entries[key].number for key in pairing.entry_ids],
        "planned": pairing.pairs_planned,
        "done": pairing.pairs_done,
        "wins": pairing.wins,
        "draws": pairing.draws,
        "losses": pairing.losses,
        "penta": list(pairing.penta),
        "margin_sum": verifiable_bundle.round_measured(pairing.margin_sum),
        "forfeited": pairing.pairs_forfeited,
        "forfeited_by": None if pairing.forfeited_by_id is None else entries[pairing.forfeited_by_id].number,
    }


def _match(tournament: Tournament, pairing: Pairing) -> dict[str, Any]:
    """The score of a match to points, where that is what is played."""
    if tournament.match_rule is None:
        return {}
    return {"points": [pairing.points_first, pairing.points_second], "match": pairing.match}


def _pair(pair: Pair, pairing: Pairing, revealed: dict[int, str | None]) -> dict[str, Any]:
    """A pair; its deal is shown when it was played, or its batch is over, for other games may wait whose own
    deals follow from it."""
    played = pair.status == Pair.Status.ACCEPTED and not pairing.tournament.admits_remote
    played = played or revealed[pair.batch] is not None
    return {
        "round": pairing.round,
        "table": pairing.table,
        "number": pair.number,
        "run": pair.run,
        "batch": pair.batch,
        "deal": pair.deal,
        "deal_seed": pair.deal_seed if played else None,
        **({"new_deal": True} if has_new_deal(pairing.tournament, pair) else {}),
        "status": pair.status,
        "score": pair.score,
        "margin": verifiable_bundle.round_measured(pair.margin),
        "void_reason": pair.void_reason,
    }


def _games(tournament: Tournament, pairs: Sequence[Pair]) -> Iterator[list[Game]]:
    """The games with records of the pairs that are over, a few at a time.

    They are read after everything else, but a record never changes; tournament, pair and status are made to
    be what they were when the rest was read.
    """
    over = {pair.pk: pair for pair in pairs if pair.status in (Pair.Status.ACCEPTED, Pair.Status.VOID)}
    keys = list(over)
    for start in range(0, len(keys), CHUNK):
        games = list(
            Game.objects.filter(pair__in=keys[start : start + CHUNK], record__isnull=False)
            .select_related("result", "record__archive")
            .prefetch_related(records.seats_with("version__bot__owner"))
            .order_by("pair__pairing__round", "pair__pairing__table", "pair__number", "pair__run", "leg")
        )
        for game in games:
            game.tournament, game.pair = tournament, over[game.pair_id]
            void = game.pair.status == Pair.Status.VOID
            game.status = Game.Status.VOID if void else Game.Status.FINISHED
        yield games


def prove_game(game: Game, revealed: dict[int, str | None], pair: Pair, pairing: Pairing) -> Proved:
    """A finished game's record with its proof, links and digests."""
    tournament, result = game.tournament, game.result
    batch_seed = committed_seeds.round_seed(tournament.seed, pair.batch)
    proof: game_record.ArenaProof = {
        "tournament": tournament.slug,
        "seed_commitment": tournament.seed_commitment,
        "seed": tournament.seed if tournament.is_over else None,
        "round": pairing.round,
        "table": pairing.table,
        "number": pair.number,
        "run": pair.run,
        "leg": game.leg,
        "batch": pair.batch,
        "batch_commitment": committed_seeds.commitment(batch_seed),
        "batch_seed": revealed[pair.batch],
        "deal": pair.deal,
        "deal_seed": pair.deal_seed,
        "suits": game.suits,
        "versions": [seat.version.sha256 for seat in game.seats.all()],
        "chain": result.chain_sha256,
        "body": result.body_sha256,
    }
    if has_new_deal(tournament, pair):
        proof["new_deal"] = True
    if tournament.admits_remote:
        proof["own_seed"] = committed_seeds.own_seed(pair.deal_seed, pairing.table, pair.run, game.leg)
        if revealed[pair.batch] is None:
            proof["deal_seed"] = None
    return game_record.add_proof(records.record(game), proof)


def _standing(number: int, row: Any) -> dict[str, Any]:
    names = ("points", "head_to_head", "sonneborn_berger", "buchholz", "margin")
    return {
        "place": row.place,
        "entrant": number,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        **{name: verifiable_bundle.round_measured(float(getattr(row, name))) for name in names},
    }


def _inputs(tournament: Tournament, pairings: Iterable[Pairing], entries: dict[int, Entry]) -> FitInputs:
    """What the tournament taken for itself says of strength; its players are the entrants' numbers."""
    number = {key: entry.number for key, entry in entries.items()}
    if tournament.players == 2:
        sums: dict[tuple[int, int], list[int]] = {}
        for pairing in pairings:
            if pairing.second_id is not None and pairing.pairs_done:
                couple = (number[pairing.first_id], number[pairing.second_id])
                counts = sums.setdefault(couple, [0] * 5)
                for index, count in enumerate(pairing.penta):
                    counts[index] += count
        met = tuple(Match(*couple, tuple(counts)) for couple, counts in sorted(sums.items()))  # type: ignore[arg-type]
        return FitInputs(_fixed(entries), met)
    deals: dict[str, list[list[list[int]]]] = {}
    for result in group_results(tournament):
        seats = {seat.seat: number[seat.entry_id] for seat in result.game.seats.all()}
        ranking = [[seats[seat] for seat in group] for group in result.ranking]
        deals.setdefault(result.game.pair.deal_seed, []).append(ranking)
    return FitInputs(_fixed(entries), rankings=count_orders(deals.values()))
