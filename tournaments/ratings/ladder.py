"""Ladders: one for each board. They never end, and every version that is active on the board is entered.

Pairs are chosen for how much they tell about the ratings. A ladder with only house bots is idle: it makes no
games until the field changes. The one exception is the ladder of a new site's first start, which plays until
the house bots are rated.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import Avg, Max, Sum

from analysis.formats import committed_seeds
from analysis.lazy_numpy import np
from analysis.ratings.group_pools import choose_groups
from analysis.ratings.inputs import unpack, unpack_covariance
from analysis.ratings.pools import HOUSE
from analysis.ratings.scheduling import UNKNOWN_ERROR, Candidate, choose
from arena.web.database import database_clock
from arena.web.processes.capacity import games_at_once
from arena.web.worker_messages import send
from bots.house import SPARRING
from bots.models import ActiveVersion, Version
from bots.remote.connections import disconnect_lost
from engine.boards import BOARDS, board_title, parse_board
from tournaments.events.creation import new_seed
from tournaments.game_messages import ADVANCE, advance_on_commit
from tournaments.models import (
    Entry,
    Game,
    Pair,
    Pairing,
    Rating,
    RatingAnchor,
    RatingInputs,
    Seat,
    Tournament,
)
from tournaments.pairing.planning import make_games
from tournaments.ratings.leaderboards import (
    MEASURES_HOUSE,
    asleep,
    board_of,
    ladder_slug,
    open_boards,
    open_slug,
    rated_board,
    running_ladders,
)
from tournaments.ratings.linked_owners import owners_of
from tournaments.ratings.open_boards import entrants as open_entrants
from tournaments.ratings.open_boards import free_places, void_abandoned
from tournaments.ratings.twins import shadowed_versions, to_compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LADDER = Tournament.Format.LADDER
RECENT = timedelta(hours=1)
MEASURED = timedelta(days=1)


def ensure_ladder(board: str, *, measures_house: bool = False, is_open: bool = False) -> Tournament:
    """The ladder of a board, created and started if it is missing; a new one may play with house bots alone.

    `is_open` is that of the open board. Raises UnknownVariant.
    """
    variant, players = parse_board(board)
    with transaction.atomic():
        ladder, made = Tournament.objects.get_or_create(
            slug=open_slug(board) if is_open else ladder_slug(board),
            defaults={
                "name": f"{'Open board' if is_open else 'Ladder'}: {board_title(board)}",
                "admits_remote": is_open,
                "variant": variant,
                "players": players,
                "format": LADDER,
                "pairs_per_pairing": 1,
                "options": {MEASURES_HOUSE: True} if measures_house else {},
                "status": Tournament.Status.RUNNING,
                "started_at": database_clock.now(),
                **new_seed(),
            },
        )
        if made:
            advance_on_commit(ladder.pk)
    return ladder


def ensure_ladders() -> int:
    """Create missing ladders, and return how many were created."""
    known = set(Tournament.objects.filter(format=LADDER).values_list("slug", flat=True))
    missing = [board for board in BOARDS if ladder_slug(board) not in known]
    for board in missing:
        ensure_ladder(board)
    return len(missing)


def advance_ladders() -> None:
    """Let every running ladder look for new versions, once the transaction is committed."""
    for ladders in (running_ladders(), open_boards()):
        for key in ladders.values_list("pk", flat=True):
            advance_on_commit(key)


def tend_open_boards() -> None:
    """Take remote bots offline whose server died, void what waits for bots that are away, create the open
    boards that are missing, and let those make games on which somebody is online. The sweep calls it."""
    disconnect_lost()
    void_abandoned()
    if not settings.REMOTE:
        return
    online = ActiveVersion.objects.filter(version__in=Version.objects.online())
    boards = set(online.values_list("board", flat=True).distinct())
    for board in filter(boards.__contains__, BOARDS):
        send(ADVANCE, ensure_ladder(board, is_open=True).pk)


def fill_ladder(ladder: Tournament) -> int:
    """Bring the entrants up to date and make the next pairs. Call with the ladder's row locked."""
    enter_active_versions(ladder)
    if Tournament.objects.filter(asleep(), pk=ladder.pk).exists():
        return 0
    waiting = Pair.objects.filter(
        pairing__tournament=ladder, status__in=(Pair.Status.QUEUED, Pair.Status.RUNNING)
    ).count()
    places = free_places(ladder) if ladder.admits_remote else None
    room = games_at_once() + 1 - waiting if places is None else places.left
    if room <= 0:
        return 0
    field, used = candidates(ladder), used_lately(ladder)
    groups: Sequence[tuple[int, ...]]
    covariance, met = known_together(ladder, field)
    if ladder.players == 2:
        groups = choose(field, used, room, covariance, met, places=places)
    else:
        groups = choose_groups(field, used, room, ladder.players, covariance, places=places)
    pairs = [_next_pair(ladder, group) for group in groups]
    return make_games(ladder, pairs) if pairs else 0


def enter_active_versions(ladder: Tournament) -> None:
    """Enter every version that is active on the board, and the anchors; withdraw all other versions.

    The house's sparring partners stay out: they play at random, and beating them tells nothing.
    """
    keys = open_entrants(ladder) if ladder.admits_remote else _entrants(ladder)
    entered = dict(ladder.entries.values_list("version", "withdrawn"))
    last = ladder.entries.aggregate(last=Max("number"))["last"] or 0
    Entry.objects.bulk_create(
        Entry(tournament=ladder, version_id=key, number=number)
        for number, key in enumerate(sorted(keys - entered.keys()), start=last + 1)
    )
    ladder.entries.filter(version__in=keys, withdrawn=True).update(withdrawn=False)
    ladder.entries.filter(withdrawn=False).exclude(version__in=keys).update(withdrawn=True)


def _entrants(ladder: Tournament) -> set[int]:
    """The versions that play on a sandboxed ladder."""
    board = board_of(ladder)
    active = (
        Version.objects.fit()
        .active_on(board)
        .exclude(bot__is_house=True, bot__slug__in=SPARRING)
        .exclude(pk__in=shadowed_versions(board))
    )
    # Anchors stay, so that new bots are measured against what does not change.
    frozen = RatingAnchor.objects.filter(variant=ladder.variant).values("version")
    anchors = Version.objects.fit().playing(board).filter(pk__in=frozen)
    return set(active.values_list("pk", flat=True)) | set(anchors.values_list("pk", flat=True))


def candidates(ladder: Tournament) -> list[Candidate]:
    """The versions on a ladder, with their ratings and the CPU time of a game."""
    ratings = {row.version_id: row for row in Rating.every.filter(variant=rated_board(ladder))}
    entries = list(ladder.entries.filter(withdrawn=False).select_related("version__bot"))
    cost = dict(
        Seat.objects.filter(
            version__in=[entry.version_id for entry in entries],
            game__tournament=ladder,
            game__status=Game.Status.FINISHED,
            game__finished_at__gt=database_clock.now() - MEASURED,
        )
        .values("version")
        .annotate(mean=Avg("cpu_ms"))
        .values_list("version", "mean")
    )
    waiting = _waiting_pairs(ladder)
    owners = owners_of(entry.version_id for entry in entries)
    unclear = to_compare([entry.version_id for entry in entries])
    alone = None if ladder.players == 2 or ladder.admits_remote else _made_by_house(ladder)
    found = []
    for entry in entries:
        known, waits = waiting.get(entry.pk, 0), entry.version_id in unclear
        one = Candidate(entry.pk, owners[entry.version_id], known=known, waits=waits)
        rating = ratings.get(entry.version_id)
        if rating is not None:
            one = replace(one, elo=rating.elo, error=rating.error, known=rating.pairs + known)
        if alone is not None and one.owner == HOUSE:
            one = replace(one, known=alone.get(entry.pk, 0))
        mean = cost.get(entry.version_id)
        found.append(one if mean is None else replace(one, seconds=max(mean / 1000, 0.05)))
    return found


def known_together(
    ladder: Tournament, field: Sequence[Candidate]
) -> tuple[NDArray[np.float64], dict[tuple[int, int], int]]:
    """What the ratings say of the candidates together: their covariance in Elo², in their order, and by
    (entry, owner) the pairs between two seats that each has counted or waits for."""
    versions = dict(ladder.entries.values_list("version", "pk"))
    place = {one.entry: index for index, one in enumerate(field)}
    covariance = np.diag([one.error**2 for one in field])
    met: Counter[tuple[int, int]] = Counter()
    stored = RatingInputs.objects.filter(board=rated_board(ladder)).first()
    if stored is not None:
        inputs = unpack(bytes(stored.data))
        entries = {inputs.record_of(key): entry for key, entry in versions.items() if entry in place}
        players, known = unpack_covariance(bytes(stored.covariance))
        here = [
            (place[entries[key]], index)
            for index, key in enumerate(players)
            if key in entries and field[place[entries[key]]].error != UNKNOWN_ERROR
        ]
        mine, his = [one for one, _ in here], [other for _, other in here]
        covariance[np.ix_(mine, mine)] = known[np.ix_(his, his)]
        for match in inputs.matches:
            for key, other in ((match.first, match.second), (match.second, match.first)):
                if key in entries and inputs.owners:
                    met[entries[key], inputs.owners[other]] += match.pairs
    owner = {one.entry: one.owner for one in field}
    for one, other in _waiting_couples(ladder):
        if one in owner and other in owner:
            met[one, owner[other]] += 1
            met[other, owner[one]] += 1
    return covariance, met


def used_lately(ladder: Tournament) -> dict[int, float]:
    """CPU seconds that games on the ladder cost within the last hour, by owner of the versions."""
    rows = (
        Seat.objects.filter(
            game__tournament=ladder,
            game__status=Game.Status.FINISHED,
            game__finished_at__gt=database_clock.now() - RECENT,
        )
        .values("version")
        .annotate(total=Sum("cpu_ms"))
    )
    cost = {row["version"]: (row["total"] or 0) / 1000 for row in rows}
    found: dict[int, float] = {}
    for version, owner in owners_of(cost).items():
        found[owner] = found.get(owner, 0.0) + cost[version]
    return found


def _waiting_pairs(ladder: Tournament) -> dict[int, int]:
    """Pairs that wait or run, by entry: they will be known soon."""
    live = Pair.objects.filter(
        pairing__tournament=ladder, status__in=(Pair.Status.QUEUED, Pair.Status.RUNNING)
    ).select_related("pairing")
    return Counter(entry for pair in live for entry in pair.pairing.entry_ids)


def _made_by_house(ladder: Tournament) -> dict[int, int]:
    """Pairs among house bots on a ladder of several seats, by entry: no others tell anything about them."""
    seats = ("first", "second", "third", "fourth")[: ladder.players]
    tables = ladder.pairings.filter(**{f"{seat}__version__bot__is_house": True for seat in seats})
    found: Counter[int] = Counter()
    for *entries, made in tables.values_list(*seats, "pairs_made"):
        found.update(dict.fromkeys(entries, made))
    return found


def _waiting_couples(ladder: Tournament) -> list[tuple[int, int]]:
    """The entries of each pair that waits or runs."""
    live = Pair.objects.filter(
        pairing__tournament=ladder,
        pairing__second__isnull=False,
        status__in=(Pair.Status.QUEUED, Pair.Status.RUNNING),
    )
    return [(one, other) for one, other in live.values_list("pairing__first", "pairing__second")]


def _next_pair(ladder: Tournament, group: Sequence[int]) -> Pair:
    """Another pair of two entrants or more, on a deal nobody has played: what was played is public."""
    members = dict(zip(("first_id", "second_id", "third_id", "fourth_id"), sorted(group), strict=False))
    alone = {"third_id": None, "fourth_id": None, **members}
    pairing = Pairing.objects.filter(tournament=ladder, **alone).first()
    if pairing is None:
        table = (ladder.pairings.aggregate(last=Max("table"))["last"] or 0) + 1
        pairing = Pairing.objects.create(tournament=ladder, round=1, table=table, pairs_planned=0, **members)
    number = pairing.pairs_made + 1
    Pairing.objects.filter(pk=pairing.pk).update(pairs_made=number, pairs_planned=number)
    pairing.pairs_made = pairing.pairs_planned = number
    # Deals are counted over the whole ladder, so that each is committed to before anybody is paired for it.
    last = Pair.objects.filter(pairing__tournament=ladder).aggregate(last=Max("deal"))["last"] or 0
    batch = committed_seeds.batch_of(last + 1)
    return Pair.objects.create(
        pairing=pairing,
        number=number,
        batch=batch,
        deal=last + 1,
        deal_seed=committed_seeds.deal_seed(ladder.seed, batch, last + 1),
    )
