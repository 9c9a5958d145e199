"""Open boards: where remote bots and uploaded ones meet, one ladder a board, rated in a pool of its own.

They exist once a remote bot that plays the board was online, and make games only while one is. A remote bot
sits in each game: uploaded bots meet each other on the sandboxed ladders. Who plays is chosen as there, by
what a pair tells for its cost, among those that are online and have a place free. Uploaded bots take part if
their owners let others enter them.

No two games share a deal (`analysis.formats.committed_seeds.own_seed`). `./crapette bench paired` shows what
a program gains otherwise.

Tells remote bots that are online what they are rated at on open boards, once that was computed.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q

from analysis.ratings.scheduling import Places
from arena.web import limits
from arena.web.database import database_clock
from arena.web.variants import OPEN
from bots.house import SPARRING
from bots.models import Language, RemotePresence, Version
from bots.remote.bridge import bridge
from bots.remote.connections import may_connect
from tournaments.models import Game, Pair, Rating, Seat, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.finish import void_pairs
from tournaments.pairing.row_locks import lock_together
from tournaments.ratings.leaderboards import board_of
from tournaments.ratings.ratings import boards
from tournaments.ratings.twins import shadowed_versions

WAITS: Final = timedelta(minutes=2)
"""A pair that has not begun waits so long for a bot that went offline; then it is void, and nobody lost."""

NOT_THERE: Final = "A remote bot went offline before the first game."
SWITCHED_OFF: Final = "Remote bots were switched off."
LIVE: Final = (Game.Status.QUEUED, Game.Status.RUNNING)


def entrants(ladder: Tournament) -> set[int]:
    """The versions that may be paired on an open board now: those that are online, and uploaded ones of the
    house and of owners who let others enter them."""
    board = board_of(ladder)
    here = Version.objects.active_on(board)
    uploaded = (
        here.filter(pk__in=Version.objects.fit().values("pk"))
        .filter(Q(bot__is_house=True) | Q(bot__open_to_all=True))
        .exclude(bot__is_house=True, bot__slug__in=SPARRING)
        .exclude(pk__in=shadowed_versions(board))
    )
    online = here.filter(pk__in=Version.objects.online().values("pk"))
    return {key for found in (uploaded, online) for key in found.values_list("pk", flat=True)}


@seeing_hidden()
def free_places(ladder: Tournament) -> Places:
    """For each remote bot's entry on an open board, how many pairs it can begin now.

    At most as many games as its program asks for, as one account may have, and as all may.
    """
    remote = ladder.entries.filter(withdrawn=False, version__language=Language.REMOTE)
    rows = list(remote.values_list("pk", "version", "version__bot__owner", "version__bot__presence__games"))
    live = Seat.objects.filter(game__status__in=LIVE, version__language=Language.REMOTE)
    busy = Counter(live.values_list("version", flat=True))
    of_owner = Counter(live.values_list("version__bot__owner", flat=True))
    games = live.values("game").distinct().count()
    left = max(0, limits.value("remote_games") - games)
    most = limits.value("remote_games_per_user")
    return Places(
        {entry: _pairs(asked - busy[version], ladder.players) for entry, version, _, asked in rows},
        {entry: owner for entry, _, owner, _ in rows},
        {owner: _pairs(most - of_owner[owner], ladder.players) for _, _, owner, _ in rows},
        _pairs(left, ladder.players),
    )


def _pairs(games: int, players: int) -> int:
    """How many pairs are begun for so many games: the last of them may have to wait for a place."""
    return max(0, -(-games // players))


@seeing_hidden()
def void_abandoned() -> int:
    """Void the pairs of open boards that have not begun and wait for a bot that is away; how many.

    Once one of its games was played, a pair goes on, and a bot that stays away loses the other: otherwise
    whoever lost the first would leave before the second. Where remote bots are switched off nobody can come
    back, and nobody loses.
    """
    now, on = database_clock.now(), may_connect()
    away = RemotePresence.objects.exclude(bot__versions__in=Version.objects.online()).values("bot")
    waiting = Pair.objects.filter(
        status__in=(Pair.Status.QUEUED, Pair.Status.RUNNING),
        created_at__lt=now - WAITS,
        pairing__tournament__format=Tournament.Format.LADDER,
        pairing__tournament__admits_remote=True,
        pairing__tournament__status=Tournament.Status.RUNNING,
        games__seats__version__bot__in=away,
    )
    keys = list(waiting.distinct().values_list("pk", flat=True))
    if keys:
        with transaction.atomic():
            games = Game.objects.filter(pair__in=keys)
            _, locked = lock_together(games.order_by(), Pair.objects.filter(pk__in=keys).order_by())
            begun = games.exclude(status=Game.Status.QUEUED)
            if not on:
                begun = games.filter(status=Game.Status.RUNNING)
            goes_on = set(begun.values_list("pair", flat=True))
            void_pairs(set(locked) - goes_on, NOT_THERE if on else SWITCHED_OFF)
    return len(keys)


def tell_ratings(pool: str) -> int:
    """Send each remote bot that is online its ratings in an open pool; how many were sent."""
    if not pool.startswith(OPEN):
        return 0
    rows = Rating.every.filter(
        variant__in=boards(pool), games__gt=0, version__in=Version.objects.online().values("pk")
    )
    told = list(rows.values_list("version__bot", "variant", "elo", "error", "games"))
    for bot, board, elo, error, games in told:
        frame = {"type": "rating", "board": board.removeprefix(OPEN), "elo": round(elo)}
        bridge().say(bot, {**frame, "error": round(error), "games": games})
    return len(told)
