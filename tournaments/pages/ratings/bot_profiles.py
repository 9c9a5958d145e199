"""What a bot's page begins with: how strong it is, its best wins, and how it plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, F, FloatField, OuterRef, Q, Subquery
from django.utils.translation import gettext

import engine
from arena.web.i18n.phrases import decimal
from arena.web.storage.archives import ArchiveUnreadable
from arena.web.variants import variant_title
from tournaments.events.standings import points_text
from tournaments.games import archive as archived_events
from tournaments.models import Game, Pairing, Rating, Record, Seat
from tournaments.pages.events.meetings import meeting_url
from tournaments.pages.games.game_rows import rows as list_rows
from tournaments.pages.ratings.rating_rows import interval_words
from tournaments.ratings.leaderboards import BoardName, in_play
from tournaments.ratings.tallies import bot_ratings
from tournaments.ratings.twins import shadowed_versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.models import Bot
    from tournaments.pages.games.game_rows import GameRow

IN_TICKS: Final = [name for name, variant in engine.VARIANTS.items() if variant.in_ticks]
MOST_WINS: Final = 5
GAMES_LOOKED_AT: Final = 100
FIELD_LOOKED_AT: Final = 300
"""Seats of other bots that a bot's style is compared with."""
RECORDS_READ: Final = 5
"""Games of which the moves are counted: each takes some milliseconds to unpack."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating in words: ``1954``, ``1826 to 2317``; `place` and `of` are 0 where they were not looked up."""

    board: BoardName
    elo: str
    interval: str
    games: int
    place: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class BestWin:
    """A strong opponent that the bot beat in an event: its score in single games, and where."""

    opponent: str
    slug: str
    elo: str
    score: str
    url: str
    where: str


@dataclass(frozen=True, slots=True)
class Style:
    """How a bot plays: labels with its values and those of the field, from its last `games` in a variant.

    The field is all other bots in their last games there; empty where it has none.
    """

    variant: str
    games: int
    facts: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A game of a bot to look at, won or lost, and against whom."""

    row: GameRow
    won: bool
    opponent: str
    elo: str


@dataclass(frozen=True, slots=True)
class Profile:
    """The point of a bot's page: its headline rating first, its best wins, its style."""

    strengths: list[Strength]
    best_wins: list[BestWin]
    style: Style | None
    highlights: list[Highlight]


def profile(bot: Bot) -> Profile:
    """What a bot's page begins with."""
    ordered = bot_ratings([bot], on_open_boards=bot.is_remote).get(bot.pk, [])
    placed = not bot.is_remote  # who is online plays there, and others' places change with it
    strengths = [
        describe_strength(rating, placed=placed and not index) for index, rating in enumerate(ordered)
    ]
    return Profile(strengths, _best_wins(bot), _style(bot, strengths), _highlights(bot))


def _highlights(bot: Bot) -> list[Highlight]:
    """Of its last games: the win against the strongest bot, and the loss against the weakest."""
    shown = Game.objects.filter(status=Game.Status.FINISHED, tournament__players=2)
    mine = Seat.objects.filter(version__bot=bot, game__in=shown).order_by("-game__finished_at")
    seats = dict(mine.values_list("game", "seat")[:GAMES_LOOKED_AT])
    elo = Rating.objects.filter(version=OuterRef("version"), variant=OuterRef("game__tournament__variant"))
    facing = Seat.objects.filter(game__in=list(seats)).exclude(version__bot=bot)
    columns = ("game", "game__result__ranking", "version__bot__name", "met")
    rated = facing.annotate(met=Subquery(elo.values("elo")[:1], output_field=FloatField()))
    won: list[tuple[float, str, Any, str]] = []
    lost: list[tuple[float, str, Any, str]] = []
    for key, ranking, name, strength in rated.values_list(*columns):
        if not ranking or len(ranking) < 2 or strength is None:
            continue
        (won if seats[key] in ranking[0] else lost).append((strength, str(key), key, name))
    chosen = [(max(won), True)] if won else []
    chosen += [(min(lost), False)] if lost else []
    rows = {row.id: row for row in list_rows(Game.objects.filter(pk__in=[one[2] for one, _ in chosen]))}
    return [
        Highlight(rows[text], is_won, name, f"{strength:.0f}")
        for (strength, text, _, name), is_won in chosen
        if text in rows
    ]


def describe_strength(rating: Rating, *, placed: bool) -> Strength:
    """A rating in words; `placed` among those that play on its board."""
    place = of = 0
    if placed:
        rivals = Rating.objects.filter(
            in_play(shadowed_versions(rating.variant)), variant=rating.variant, games__gt=0
        )
        ahead = Q(elo__gt=rating.elo, provisional=rating.provisional)
        if rating.provisional:
            ahead |= Q(provisional=False)
        counts = rivals.aggregate(of=Count("pk"), ahead=Count("pk", filter=ahead))
        place, of = counts["ahead"] + 1, counts["of"]
    interval = (
        interval_words(rating.low, rating.high)
        if rating.error
        else gettext("fixed: others are measured by it")
    )
    return Strength(BoardName.parse(rating.variant), f"{rating.elo:.0f}", interval, rating.games, place, of)


def _best_wins(bot: Bot) -> list[BestWin]:
    """The strongest opponents that the bot beat over all pairs of an event, one line for each of them."""
    found: list[tuple[float, BestWin]] = []
    for side, other in (("first", "second"), ("second", "first")):
        elo = Rating.objects.filter(
            version=OuterRef(f"{other}__version"), variant=OuterRef("tournament__variant")
        ).values("elo")[:1]
        ahead = Q(wins__gt=F("losses")) if side == "first" else Q(losses__gt=F("wins"))
        met = (
            Pairing.objects.filter(ahead, **{f"{side}__version__bot": bot}, tournament__players=2)
            .exclude(**{f"{other}__version__bot": bot})
            .annotate(elo=Subquery(elo, output_field=FloatField()))
            .filter(elo__isnull=False)
            .select_related("tournament", "first__version__bot", "second__version__bot")
        )
        found += [_best_win(one, side) for one in met.order_by("-elo")[: 4 * MOST_WINS]]
    best: dict[str, BestWin] = {}
    for _, win in sorted(found, key=lambda one: -one[0]):
        best.setdefault(win.slug, win)
    return list(best.values())[:MOST_WINS]


def _best_win(pairing: Any, side: str) -> tuple[float, BestWin]:
    one, other = pairing.first, pairing.second
    won, lost = pairing.wins + pairing.draws / 2, pairing.losses + pairing.draws / 2
    if side == "second":
        one, other, won, lost = other, one, lost, won
    return pairing.elo, BestWin(
        str(other.version),
        other.version.bot.slug,
        f"{pairing.elo:.0f}",
        f"{points_text(won) or '0'}–{points_text(lost) or '0'}",
        meeting_url(pairing.tournament, one, other),
        pairing.tournament.name,
    )


def _style(bot: Bot, strengths: Sequence[Strength]) -> Style | None:
    """Turn length, CPU time, loads and how it wins, from its last games of turns between two: of its headline
    rating's variant, or of the last that it played."""
    seats = Seat.objects.filter(
        game__in=Game.objects.filter(status=Game.Status.FINISHED, tournament__players=2)
    ).exclude(game__tournament__variant__in=IN_TICKS)
    result = ("game__result__plies", "game__result__turns")
    columns = ("game", "seat", "cpu_ms", "game__tournament__variant", *result)
    own = seats.filter(version__bot=bot).order_by("-game__finished_at").values_list(*columns)
    headline = [one.board.variant for one in strengths[:1]]
    last = list(own.filter(game__tournament__variant__in=headline)[:GAMES_LOOKED_AT])
    last = last or list(own[:GAMES_LOOKED_AT])
    if not last:
        return None
    variant = last[0][3]
    here = [one for one in last if one[3] == variant and one[5]]
    if not here:
        return None
    others = seats.filter(game__tournament__variant=variant).exclude(version__bot=bot)
    field = others.order_by("-game__finished_at").values_list(*columns)[:FIELD_LOOKED_AT]
    mine, theirs = _figures(here), _figures([one for one in field if one[5]])
    try:
        seats_of = {one[0]: one[1] for one in here[:RECORDS_READ]}
        loads = _loads(seats_of), _loads({key: 1 - seat for key, seat in seats_of.items()})
    except ArchiveUnreadable:
        loads = None, None  # the rest of the page needs no record
    if loads[0] is not None and loads[1] is not None:
        label = gettext("Loads a game")
        mine[label], theirs[label] = (decimal(one, 1) for one in loads if one is not None)
    facts = [(label, value, theirs.get(label, "")) for label, value in mine.items()]
    return Style(variant_title(variant), len(here), facts)


def _figures(games: Sequence[Any]) -> dict[str, str]:
    """What games tell of whoever sat there: length of turns and games, CPU time; nothing without games."""
    if not games:
        return {}
    turns = sum(one[5] for one in games)
    cpu = [one[2] for one in games if one[2] is not None]
    found = {
        gettext("Moves a turn"): decimal(sum(one[4] for one in games) / turns, 1),
        gettext("Turns a game"): f"{turns / len(games):.0f}",
    }
    if cpu:
        found[gettext("CPU time a game")] = f"{decimal(sum(cpu) / len(cpu) / 1000)} s"
        found[gettext("CPU time a turn")] = f"{2 * sum(cpu) / turns:.0f} ms"
    return found


def _loads(seats: dict[Any, int]) -> float | None:
    """The cards that a bot put on its opponent's piles a game; its seats are by game."""
    records = list(Record.objects.filter(game__in=seats).select_related("archive"))
    if not records:
        return None
    loaded = 0
    for record in records:
        mine = seats[record.game_id]
        loaded += sum(
            event.get("to") in (f"d{1 - mine}", f"r{1 - mine}")
            for event in archived_events.events(record)
            if event["type"] == "move" and event.get("seat") == mine
        )
    return loaded / len(records)
