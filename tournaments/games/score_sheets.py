"""A match's score sheet as its page shows it: a line a deal and seat, what was counted, running totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.core.cache import cache
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

import engine
from analysis.formats.matches import POINTS, count_points, state
from analysis.sheet import UNDIVIDED, game_parts
from arena.web.i18n.phrases import count_noun as counted_noun
from arena.web.i18n.reasons import TERMINATIONS
from engine.points.sheet import Part
from tournaments.games.records import events, result
from tournaments.models import Game, GameLuck, Pair
from tournaments.pairing.matches import as_counted, forfeited_match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

    from analysis.formats.matches import MatchRule, MatchState
    from bots.models import Version
    from engine.points.sheet import Parts
    from tournaments.models import Pairing

KEPT_SECONDS = 7 * 24 * 3600


def parts_of_games(keys: Sequence[UUID]) -> dict[UUID, Parts]:
    """The parts of both seats of finished games of two, in three queries for those not remembered."""
    names = {key: f"sheet/{engine.RULES_VERSION}/{key}" for key in keys}
    kept = cache.get_many(names.values())
    found = {key: _read(kept[name]) for key, name in names.items() if name in kept}
    missing = [key for key in keys if key not in found]
    games = Game.objects.filter(pk__in=missing, result__isnull=False).select_related(
        "tournament", "result", "record__archive"
    )
    fresh = {}
    for game in games:
        found[game.pk] = made = game_parts(game.start, events(game), result(game) or {})
        fresh[names[game.pk]] = [[[part.name, part.count, part.points] for part in own] for own in made]
    cache.set_many(fresh, KEPT_SECONDS)
    return found


def _read(kept: list[list[list[object]]]) -> Parts:
    first, second = (tuple(Part(*part) for part in own) for own in kept)  # type: ignore[arg-type]
    return first, second


PARTS: Final[dict[str, _StrPromise]] = {
    "win": pgettext_lazy("a part of the points", "win"),
    "cards": gettext_lazy("%(count)s in hand, discard"),
    "reserve": gettext_lazy("%(count)s in reserve × 2"),
    "half": gettext_lazy("½ of %(count)s cards"),
    "emptied": gettext_lazy("reserve first"),
    "stop": pgettext_lazy("a part of the points", "stop"),
    "played": gettext_lazy("%(count)s played"),
    UNDIVIDED: pgettext_lazy("a part of the points", "points"),
}
"""A part of the points as it is written down."""


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """What one side wrote down for a game: its parts in words with their points, their sum, the new total."""

    parts: list[tuple[str, int]]
    made: int
    total: int | None


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A game: the first's seat, from 1; how it ended, both sides' entries (none while it is not over)."""

    url: str
    seat: int
    reason: str
    entries: list[SheetEntry]


@dataclass(frozen=True, slots=True)
class SheetDeal:
    """A pair's lines; `counts` unless the match was over before it, or it waits for one before it."""

    number: int
    run: int
    status: str
    counts: bool
    lines: list[SheetLine]


@dataclass(frozen=True, slots=True)
class SheetSide:
    """One of the two: total, what part of the target that is (percent), and whether it won."""

    version: Version
    points: int
    percent: int
    won: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole match. `fair_margin` is the margin without luck, None while that of a game is not measured.

    `left` is who left the event before the match was decided: the other one won it.
    """

    rule: MatchRule
    stands: MatchState
    sides: list[SheetSide]
    deals: list[SheetDeal]
    voided: list[Pair]
    fair_margin: float | None
    left: Version | None = None

    @property
    def ahead(self) -> SheetSide | None:
        """Who has more points; None if they are level."""
        if not self.stands.margin:
            return None
        return self.sides[self.stands.margin < 0]

    @property
    def fair_side(self) -> SheetSide | None:
        """Who is ahead without luck; None where it is not known."""
        if self.fair_margin is None:
            return None
        return self.sides[self.fair_margin < 0]

    @property
    def fair_by(self) -> float:
        """How many points that one is ahead."""
        return abs(self.fair_margin or 0.0)

    @property
    def by(self) -> int:
        """How many points that one is ahead."""
        return abs(self.stands.margin)

    def state_words(self, *, cancelled: bool) -> str:
        """Where the match stands, in a sentence; `cancelled` if its tournament was."""
        if self.left is not None:
            return gettext("%(bot)s left the event") % {"bot": self.left} + "."
        ahead, deals = self.ahead, counted_noun(self.stands.pairs, "deal")
        values = {
            "bot": ahead.version if ahead else "",
            "deals": deals,
            "points": counted_noun(self.by, "point"),
        }
        if self.stands.result == "drawn":
            return gettext("Drawn: no winner after %(deals)s, the most this match can have.") % values
        if self.stands.over and ahead is not None:
            return gettext("%(bot)s won by %(points)s after %(deals)s.") % values
        if cancelled:
            return (
                gettext(
                    "Stopped after %(deals)s because the tournament was cancelled. The match does not count."
                )
                % values
            )
        if not self.stands.pairs:
            return gettext("No deal is finished yet.")
        leads = gettext("%(bot)s leads by %(points)s after %(deals)s.")
        return (leads if ahead is not None else gettext("Level after %(deals)s.")) % values

    @property
    def rule_words(self) -> str:
        """When the match ends, in sentences."""
        if self.rule.kind == POINTS:
            ends = gettext(
                "The match ends after the deal in which a side reaches %(points)s and is ahead."
            ) % {"points": counted_noun(self.rule.target, "point")}
        else:
            ends = gettext("The match ends after %(deals)s if a side is ahead.") % {
                "deals": counted_noun(self.rule.target, "deal")
            }
        level = gettext("While it is level, another deal is played.")
        drawn = gettext("After %(deals)s deals without a winner it is drawn.") % {"deals": self.rule.most}
        return f"{ends} {level} {drawn}"


def _part_words(part: Part) -> str:
    """A part of a game's points without the points: ``4 in reserve × 2``, ``2 foundations × 3``."""
    if part.name == "foundations":
        words = ngettext("%(count)s foundation × %(each)s", "%(count)s foundations × %(each)s", part.count)
        return words % {"count": part.count, "each": part.points // part.count}
    return PARTS[part.name] % {"count": part.count}


def _waiting(game: Game) -> str:
    """The state of a game that is not over, in a word."""
    return str(game.get_status_display()).lower()


def sheet(pairing: Pairing, rule: MatchRule) -> Sheet:
    """The score sheet of a match, in a constant number of queries besides games never looked at."""
    pairs = list(pairing.pairs.order_by("number", "run"))
    live = [pair for pair in pairs if pair.status != Pair.Status.VOID]
    stands = state(rule, count_points(map(as_counted, live)))
    if won := forfeited_match(pairing):
        stands = replace(stands, over=True, winner=("first", "second").index(won))
    games: dict[int, list[Game]] = {}
    for game in _games(live):
        games.setdefault(game.pair_id, []).append(game)
    over = [game.pk for found in games.values() for game in found if game.status == Game.Status.FINISHED]
    parts = parts_of_games(over)
    totals = [0, 0]
    deals = [_deal(pair, games.get(pair.pk, []), parts, totals, stands.pairs) for pair in live]
    counting = [pair for pair in live if pair.number <= stands.pairs]
    fair = _fair_margins(counting)
    return Sheet(
        rule,
        stands,
        _sides(pairing, rule, stands),
        deals,
        [pair for pair in pairs if pair.status == Pair.Status.VOID],
        stands.margin - sum(fair) if fair and len(fair) == 2 * stands.pairs else None,
        pairing.forfeited_by.version if pairing.forfeited_by else None,
    )


def _games(live: Sequence[Pair]) -> QuerySet[Game]:
    return (
        Game.objects.filter(pair__in=[pair.pk for pair in live])
        .exclude(status=Game.Status.VOID)
        .select_related("result")
        .order_by("pair", "leg")
    )


def _deal(
    pair: Pair, games: Sequence[Game], parts: Mapping[UUID, Parts], totals: list[int], counting: int
) -> SheetDeal:
    """A pair's lines; the running totals go on with it if it counts."""
    counts = pair.number <= counting
    lines = []
    for game in games:
        entries = []
        found = parts.get(game.pk)
        if found is not None:
            for side in (0, 1):
                own = found[(side + game.leg) % 2]  # the first had seat 0 in leg 0, seat 1 in leg 1
                made = sum(part.points for part in own)
                totals[side] += made if counts else 0
                listed = [(_part_words(part), part.points) for part in own]
                entries.append(SheetEntry(listed, made, totals[side] if counts else None))
        reason = str(TERMINATIONS.get(game.result.termination, "") if found is not None else _waiting(game))
        lines.append(SheetLine(game.get_absolute_url(), game.leg + 1, reason, entries))
    return SheetDeal(pair.number, pair.run, str(pair.get_status_display()).lower(), counts, lines)


def _sides(pairing: Pairing, rule: MatchRule, stands: MatchState) -> list[SheetSide]:
    """Both sides; progress is by points, in a match of deals by the share of all points."""
    whole = rule.target if rule.kind == POINTS else sum(stands.points)
    members = [pairing.first, pairing.second]
    return [
        SheetSide(
            entry.version,
            stands.points[place],
            min(100, round(100 * stands.points[place] / whole)) if whole else 0,
            stands.winner == place,
        )
        for place, entry in enumerate(members)
        if entry is not None
    ]


def _fair_margins(counting: Sequence[Pair]) -> list[float]:
    """What luck was worth to the first in each game that was measured, in points."""
    lucks = GameLuck.objects.filter(game__pair__in=[pair.pk for pair in counting]).select_related("game")
    return [luck.margin if luck.game.leg == 0 else -luck.margin for luck in lucks]
