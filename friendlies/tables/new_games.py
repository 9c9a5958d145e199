"""Starts games: decides who may play whom, how many games at once, and which deal."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.translation import gettext

import engine
from analysis.errors import InvalidFriendly
from analysis.formats import committed_seeds
from arena.web.database import database_clock
from bots.house import HOUSE_BOTS, LEVELS, levels_of
from bots.models import PLAYABLE, Bot, Language, Version, VersionQuerySet
from friendlies.games.ticks import PersonTickTable
from friendlies.games.turns import BOTS_TURN, SEATS, PersonTable
from friendlies.models import Daily, Friendly
from friendlies.tables.remote_places import take_place
from friendlies.tables.store import answer_on_commit
from referee.job import REMOTE_CLOCK
from tournaments.models import Rating

if TYPE_CHECKING:
    from friendlies.tables.people import Person
    from tournaments.models import Game

BOT_BANK_MS = 60_000
BOT_INCREMENT_MS = 500
AT_ONCE = 10
GUEST_AT_ONCE = 3
ADDRESS_AT_ONCE = 12
ADDRESS_A_DAY = 200
LEVELED = [slug for bot in HOUSE_BOTS.values() if bot.levels for slug in (bot.name, f"house-{bot.name}")]
"""The slugs that a house bot with levels may have on a site."""
GAMES_LOOKED_AT = 300
"""A person's last games at levels: enough to tell which were beaten."""
ADDRESS_A_DEAL = 30
"""So many guests of one network play a daily deal: a class does, and no board lists them."""
EVERYBODY_AT_ONCE = 1000
CLOCKS: dict[str, tuple[int, int] | None] = {
    "none": None,
    "5+5": (300_000, 5_000),
    "10+10": (600_000, 10_000),
    "20+20": (1_200_000, 20_000),
}
"""Clocks that a person may choose for themselves: a bank and what each turn adds, in milliseconds."""


PACES: dict[str, int] = {"wait": 0, "1": 1000, "2": 2000, "3": 3000, "5": 5000, "10": 10_000}
"""How long a tick lasts against a person, in milliseconds; 0 waits for the person."""


@dataclass(frozen=True, slots=True)
class NewFriendly:
    """What the person wants to play; ``seat`` None is left to chance, ``clock`` a name of `CLOCKS` (games of
    turns), ``pace`` one of `PACES` (the game in ticks). A ``rated`` game counts for the person's rating.
    ``level`` is one of `levels`, None for full strength."""

    variant: str
    version: int
    seat: int | None = None
    clock: str = "none"
    pace: str = "5"
    rated: bool = False
    level: int | None = None


def variants() -> dict[str, engine.Variant]:
    """The variants of two seats."""
    return {name: variant for name, variant in engine.VARIANTS.items() if 2 in variant.players}


def opponents(player: Person) -> VersionQuerySet:
    """Versions that the person may play: active ones of house bots, and their own that passed."""
    house = Q(bot__is_house=True, pk__in=Version.objects.active())
    allowed = house if player.user is None else house | Q(bot__in=Bot.objects.of(player.user))
    found = Version.objects.filter(allowed, status__in=PLAYABLE, bot__withdrawn_at=None)
    found = found.exclude(language=Language.REMOTE)
    return found.select_related("bot").order_by("-bot__is_house", "bot__name", "-number")


def choices(player: Person) -> VersionQuerySet:
    """Versions that the person may choose now: their `opponents`, and remote bots that are online and play
    against people in turns: an answer from far away is too late for a tick.

    Whether one has a free place is asked when the person sits down: games change that all the time, and the
    page of choices is shared.
    """
    boards = [name for name, one in variants().items() if not one.in_ticks]
    remote = Version.objects.online().filter(bot__presence__people=True)
    remote = remote.filter(trials__board__in=boards, trials__verdict="passed")
    found = Version.objects.filter(
        Q(pk__in=opponents(player).order_by().values("pk")) | Q(pk__in=remote.order_by().values("pk"))
    )
    return found.select_related("bot").order_by("-bot__is_house", "bot__name", "-number")


def cannot_be_played() -> str:
    """What is said of a bot that went away meanwhile."""
    return gettext("This bot can’t be played now. Choose another one.")


def levels(version: Version) -> tuple[int, ...]:
    """About what rating a version has at each level of strength, from level 1 on, the last of which is its
    full strength; none if it knows no levels. Only house bots do."""
    return levels_of(version.bot.slug) if version.bot.is_house else ()


def find_leveled(player: Person) -> Version | None:
    """Return the house bot that plays at levels, if the site has it."""
    return opponents(player).filter(bot__is_house=True, bot__slug__in=LEVELED).first()


def next_level(player: Person) -> int:
    """Return the level of strength after the highest that a person has beaten, at most full strength."""
    games = player.games().filter(status=Friendly.Status.FINISHED, version__bot__is_house=True)
    games = games.filter(version__bot__slug__in=LEVELED).order_by("-finished_at")
    told = games.values_list("level", "seat", "result")[:GAMES_LOOKED_AT]
    full = len(LEVELS)
    beaten = [
        level or full for level, seat, result in told if (result or {}).get("ranking", [])[:1] == [[seat]]
    ]
    return min(max(beaten, default=0) + 1, full)


def start(player: Person, new: NewFriendly) -> Friendly:
    """Deal and start a game. Raises InvalidFriendly."""
    if new.variant not in variants():
        raise InvalidFriendly(gettext("Choose a game from the list."), "variant")
    version = choices(player).filter(pk=new.version).first()
    if version is None and Version.objects.filter(pk=new.version, language=Language.REMOTE).exists():
        raise InvalidFriendly(cannot_be_played(), "version")
    if version is None:
        raise InvalidFriendly(
            gettext("Choose a house bot, or one of your own bots that has passed its check."), "version"
        )
    rules = variants()[new.variant]
    playing = Version.objects.playing(new.variant).filter(pk=version.pk)
    if version.is_remote and (rules.in_ticks or not playing.exists()):
        raise InvalidFriendly(
            gettext("%(bot)s does not play %(game)s against people.")
            % {"bot": version.bot.name, "game": rules.title},
            "version",
        )
    if not playing.exists():
        raise InvalidFriendly(
            gettext("%(version)s has not passed the check for %(game)s.")
            % {"version": version, "game": rules.title},
            "version",
        )
    if new.clock not in CLOCKS:
        raise InvalidFriendly(gettext("Choose a clock from the list."), "clock")
    if new.pace not in PACES:
        raise InvalidFriendly(gettext("Choose a tick length from the list."), "pace")
    level = _level_below_full(version, new.level)
    if new.rated:
        _assert_may_be_rated(player, version, new.variant, level)
    line = str(engine.deal(new.variant, committed_seeds.new_seed()))
    seat = secrets.randbelow(2) if new.seat is None else new.seat
    more: dict[str, Any] = {"tick_ms": PACES[new.pace]} if rules.in_ticks else {"clock": CLOCKS[new.clock]}
    try:
        return _seat(player, line, seat, version, **more, rated=new.rated, level=level)
    except IntegrityError:
        raise InvalidFriendly(_one_at_a_time(), "rated") from None


def _level_below_full(version: Version, level: int | None) -> int | None:
    """The level as a game keeps it: None for full strength. Raises InvalidFriendly."""
    known = len(levels(version))
    if level is None or level == known:
        return None
    if not known:
        raise InvalidFriendly(
            gettext("%(version)s always plays at full strength.") % {"version": version}, "level"
        )
    if not 1 <= level < known:
        raise InvalidFriendly(gettext("Choose a level from the list."), "level")
    return level


def _assert_may_be_rated(player: Person, version: Version, variant: str, level: int | None) -> None:
    """Raise InvalidFriendly unless a game would count. Its cards are not dealt yet."""
    if player.user is None:
        raise InvalidFriendly(gettext("Sign in to play rated games."), "rated")
    if not version.bot.is_house:
        raise InvalidFriendly(gettext("Only games against house bots can be rated."), "rated")
    if level is not None:
        raise InvalidFriendly(gettext("Only games at full strength can be rated."), "rated")
    if not Rating.objects.filter(version=version, variant=variant, anchored=True, games__gt=0).exists():
        raise InvalidFriendly(
            gettext("%(version)s has no rating in this game yet, so the game can’t be rated.")
            % {"version": version},
            "rated",
        )
    running = player.games().filter(rated=True, status=Friendly.Status.RUNNING)
    if running.exists():
        raise InvalidFriendly(_one_at_a_time(), "rated")


def _too_many_guests() -> str:
    return gettext("Too many guests are playing from your network. Sign in to play.")


def _one_at_a_time() -> str:
    return gettext("You are already playing a rated game. Finish it first.")


def start_duplicate(player: Person, game: Game, seat: int) -> Friendly:
    """Play the deal of a finished game from one of its seats: against the bot that sat opposite if the person
    may play it, else against a house bot; in ticks that wait for the person. Raises InvalidFriendly."""
    if game.tournament.players != SEATS or seat not in range(SEATS):
        raise InvalidFriendly(gettext("Only two-player deals can be played here."))
    if game.status != game.Status.FINISHED:
        raise InvalidFriendly(gettext("This deal stays secret until its game is over."))
    opposite = game.seats.get(seat=1 - seat).version_id
    known = opponents(player).playing(game.tournament.variant)
    version = known.filter(pk=opposite).first() or known.filter(bot__slug="planner").first() or known.first()
    if version is None:
        raise InvalidFriendly(gettext("There is no bot to play against."))
    tick_ms = PACES["wait"] if variants()[game.tournament.variant].in_ticks else None
    # Where remote bots play, no other game has this deal: there is nothing to compare with.
    pair = None if game.tournament.admits_remote else game.pair_id
    return _seat(player, game.start, seat, version, tick_ms=tick_ms, pair_id=pair, leg=game.leg)


def start_daily(player: Person, daily: Daily) -> Friendly:
    """Sit down to the deal of today, or go on with it: everybody has one try. Raises InvalidFriendly.

    A guest's game is on no board before it has an owner (`adopt`), and only the first one of a network can
    be: whoever clears a browser's cookies knows the cards.
    """
    mine = player.games().filter(daily=daily)
    if (begun := mine.first()) is not None:
        return begun
    if daily.is_over or not daily.has_begun:
        raise InvalidFriendly(gettext("This is not today’s deal. Play the one of today."))
    line = str(engine.deal(daily.variant, daily.seed))
    here = Friendly.objects.filter(daily=daily, owner=None, address=player.address).count()
    if player.user is None and here >= ADDRESS_A_DEAL:
        raise InvalidFriendly(_too_many_guests())
    unranked = player.user is None and here > 0
    try:
        return _seat(player, line, daily.seat, daily.version, daily=daily, unranked=unranked)
    except IntegrityError:
        # It was begun at the same moment, in another tab.
        return mine.get()


def rematch(player: Person, row: Friendly) -> Friendly:
    """Deal a new game like one that is over, with the seats swapped. Raises InvalidFriendly."""
    clock = (row.bank_ms, row.increment_ms) if row.bank_ms else None
    named = (name for name, one in CLOCKS.items() if one == clock)
    paced = (name for name, ms in PACES.items() if ms == row.tick_ms)
    return start(
        player,
        NewFriendly(
            row.variant,
            row.version_id,
            1 - row.seat,
            clock=next(named, "none"),
            pace=next(paced, "wait"),
            rated=row.rated,
            level=row.level,
        ),
    )


def adopt(player: Person) -> None:
    """Give a guest's games to the account they signed in to, but a daily deal that the account has played."""
    if player.user is None or not player.guest:
        return
    games = Friendly.objects.filter(owner=None, guest=player.guest)
    played = Friendly.objects.filter(owner=player.user, daily__isnull=False).values("daily")
    with suppress(IntegrityError), transaction.atomic():  # the same deal may be begun in another tab
        games.exclude(daily__in=played).update(owner=player.user, guest="", address="")


def count_hint(row: Friendly) -> None:
    """Note that the person asked for a hint; the list of games says how often."""
    Friendly.objects.filter(pk=row.pk).update(hints=F("hints") + 1)


@transaction.atomic
def _seat(
    player: Person,
    line: str,
    seat: int,
    version: Version,
    *,
    clock: tuple[int, int] | None = None,
    tick_ms: int | None = None,
    **more: Any,
) -> Friendly:
    _assert_room(player)
    bank, increment = BOT_BANK_MS, BOT_INCREMENT_MS
    if version.is_remote:
        bank, increment = REMOTE_CLOCK.bank_ms, REMOTE_CLOCK.increment_ms
    clocks: list[int | None] = [bank, bank]
    clocks[seat] = clock[0] if clock else None
    kind = PersonTable if tick_ms is None else PersonTickTable
    table = kind(start=line, person=seat, clocks=clocks)
    now = database_clock.now()
    row = Friendly.objects.create(
        owner=player.user,
        guest="" if player.user else player.guest,
        address="" if player.user else player.address,
        version=version,
        variant=table.game.variant.name,
        seat=seat,
        start=line,
        rules=engine.RULES_VERSION,
        awaits=table.awaited,
        clocks=clocks,
        bank_ms=clock[0] if clock else None,
        increment_ms=clock[1] if clock else increment,
        tick_ms=tick_ms,
        # A game in ticks begins when the person says so.
        clock_from=now if tick_ms is None else None,
        acted_at=now,
        **more,
    )
    if version.is_remote and not take_place(row):
        raise InvalidFriendly(cannot_be_played(), "version")
    if table.awaits in BOTS_TURN:
        answer_on_commit(row.pk)
    return row


def _assert_room(player: Person) -> None:
    """Raise InvalidFriendly if the person, their address, or the arena has enough games already."""
    running = Friendly.objects.filter(status=Friendly.Status.RUNNING)
    most = GUEST_AT_ONCE if player.user is None else AT_ONCE
    mine = player.games().filter(status=Friendly.Status.RUNNING).count()
    if mine >= most:
        raise InvalidFriendly(
            gettext("You already have %(count)s games in progress. Finish one of them first.")
            % {"count": mine}
        )
    if player.user is None:
        here = Friendly.objects.filter(owner=None, address=player.address)
        today = here.filter(created_at__gt=database_clock.now() - timedelta(days=1)).count()
        at_once = here.filter(status=Friendly.Status.RUNNING).count()
        if today >= ADDRESS_A_DAY or at_once >= ADDRESS_AT_ONCE:
            raise InvalidFriendly(_too_many_guests())
    if running.count() >= EVERYBODY_AT_ONCE:
        raise InvalidFriendly(gettext("All tables are taken. Try again in a few minutes."))
