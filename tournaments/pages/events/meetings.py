"""Two against each other: matches as the crosstable links them, and every pair they played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tournaments.events.standings import points_text
from tournaments.models import Pair, Pairing, Tournament
from tournaments.pages.games.game_rows import GameRow, list_games, row
from tournaments.ratings.verdicts import CountedPair, Verdicts, count_pairs, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.db.models import QuerySet

    from bots.models import Bot
    from tournaments.models import Entry

MOST = 2_000
"""Pairs that verdicts are computed from on a page: the newest."""

SHOWN = 25


PAIR_WORDS = {
    4: gettext_lazy("won both games"),
    3: gettext_lazy("won and drew"),
    2: gettext_lazy("level"),
    1: gettext_lazy("drew and lost"),
    0: gettext_lazy("lost both games"),
}
"""What a pair was for the first, by half points."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair as one of the two sees it: points of its two games, mean margin, luck in points a game."""

    pair: Pair
    points: str
    margin: float | None
    luck: float | None
    games: list[GameRow]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the bar of two opponents: the pairs of one score, drawn from `at` over `width`."""

    half_points: int
    pairs: int
    words: str
    at: float
    width: float


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The verdicts on all accepted pairs, and the rows of one page of all pairs."""

    verdicts: Verdicts
    pairs: list[Pair]
    firsts: dict[int, bool]

    @property
    def picture(self) -> list[Segment]:
        """The pairs by the first's half points, best first, as parts of a bar of 100."""
        worth = [
            (pair.score if self.firsts[pair.pk] else 4 - pair.score)
            for pair in self.pairs
            if pair.status == Pair.Status.ACCEPTED and pair.score is not None
        ]
        found, at = [], 0.0
        for half_points in (4, 3, 2, 1, 0):
            number = worth.count(half_points)
            if number:
                width = 100 * number / len(worth)
                found.append(Segment(half_points, number, str(PAIR_WORDS[half_points]), at, width))
                at += width
        return found

    def rows(self, start: int = 0, count: int = SHOWN) -> list[PairRow]:
        """Some pairs with their games, in three queries."""
        shown = self.pairs[start : start + count]
        games: dict[int, list[GameRow]] = {}
        for game in list_games(pair__in=[pair.pk for pair in shown]).order_by("leg"):
            games.setdefault(game.pair_id, []).append(row(game))
        seen = count_pairs(shown, [self.firsts[pair.pk] for pair in shown])
        return [_row(pair, one, games.get(pair.pk, [])) for pair, one in zip(shown, seen, strict=True)]


def of_entries(tournament: Tournament, one: Entry, other: Entry) -> HeadToHead:
    """What one entrant made against another in this tournament."""
    met = Q(pairing__first=one, pairing__second=other) | Q(pairing__first=other, pairing__second=one)
    pairs = Pair.objects.filter(met, pairing__tournament=tournament)
    return _head_to_head(pairs, lambda pair: pair.pairing.first_id == one.pk)


def of_bots(one: Bot, other: Bot, variant: str) -> HeadToHead:
    """What any versions of two bots made against each other in a variant, in all tournaments."""
    met = Q(pairing__first__version__bot=one, pairing__second__version__bot=other) | Q(
        pairing__first__version__bot=other, pairing__second__version__bot=one
    )
    pairs = Pair.objects.filter(
        met, pairing__tournament__variant=variant, pairing__tournament__players=2
    ).exclude(status=Pair.Status.VOID)
    return _head_to_head(pairs, lambda pair: pair.pairing.first.version.bot_id == one.pk)


def variants_met(one: Bot, other: Bot) -> list[str]:
    """The variants in which two bots have met."""
    met = Q(first__version__bot=one, second__version__bot=other) | Q(
        first__version__bot=other, second__version__bot=one
    )
    found = Tournament.objects.filter(players=2, pairings__in=_pairings(met)).values_list(
        "variant", flat=True
    )
    return sorted(set(found))


def _pairings(met: Q) -> QuerySet[Pairing]:
    return Pairing.objects.filter(met, pairs_done__gt=0)


def _head_to_head(pairs: QuerySet[Pair], is_first: Callable[[Pair], bool]) -> HeadToHead:
    found = list(
        pairs.select_related("pairing__tournament", "pairing__first__version").order_by("-pk")[:MOST]
    )
    firsts = {pair.pk: is_first(pair) for pair in found}
    accepted = [pair for pair in found if pair.status == Pair.Status.ACCEPTED]
    seen = count_pairs(accepted, [firsts[pair.pk] for pair in accepted])
    return HeadToHead(judge(seen), found, firsts)


def _row(pair: Pair, seen: CountedPair, games: list[GameRow]) -> PairRow:
    if pair.status != Pair.Status.ACCEPTED:
        return PairRow(pair, "", None, None, games)
    return PairRow(
        pair, points_text(seen.half_points / 2), seen.margin, seen.luck[0] if seen.luck else None, games
    )


def meeting_url(tournament: Tournament, one: Entry, other: Entry) -> str:
    """The page of all pairs of two entrants."""
    return reverse("tournaments:meeting", args=[tournament.slug, one.number, other.number])


def sheet_url(tournament: Tournament, pairing: Pairing) -> str:
    """The score sheet of a match."""
    return reverse("tournaments:sheet", args=[tournament.slug, pairing.round, pairing.table])


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as one of the two sees it; `won` is who has won it, nobody if it was `drawn` or is not over."""

    round: int
    url: str
    score: str
    won: str
    drawn: bool


def matches_of(tournament: Tournament, one: Entry, other: Entry) -> list[MatchRow]:
    """The matches of two entrants, round by round; none where pairs are counted one by one."""
    if tournament.match_rule is None:
        return []
    met = Q(first=one, second=other) | Q(first=other, second=one)
    found = []
    for pairing in tournament.pairings.filter(met):
        mine, theirs = pairing.points_first, pairing.points_second
        first, second = one, other
        if pairing.first_id != one.pk:
            mine, theirs, first, second = theirs, mine, other, one
        winner = {"first": first, "second": second}.get(pairing.match)
        found.append(
            MatchRow(
                pairing.round,
                sheet_url(tournament, pairing),
                f"{mine}–{theirs}",
                str(winner.version) if winner else "",
                pairing.match == Pairing.Match.DRAWN,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class MatchCell:
    """What two made against each other on their sheets, ``312–280``, and where to read it."""

    score: str
    url: str


def match_cells(
    tournament: Tournament, entries: Mapping[int, Entry], labels: Sequence[str] = ()
) -> dict[tuple[int, int], MatchCell]:
    """For each (row, column) of entries' keys that have begun a match: the cell; a single sheet is linked.

    With `labels`, only matches of these groups.
    """
    met: dict[tuple[int, int], list[Pairing]] = {}
    begun = tournament.pairings.filter(second__isnull=False, pairs_made__gt=0)
    for one in begun.filter(label__in=labels) if labels else begun:
        if one.second_id is not None:
            met.setdefault((one.first_id, one.second_id), []).append(one)
            met.setdefault((one.second_id, one.first_id), []).append(one)
    cells = {}
    for (first, second), pairings in met.items():
        made = [one.points_first if one.first_id == first else one.points_second for one in pairings]
        against = sum(one.points_first + one.points_second for one in pairings) - sum(made)
        url = sheet_url(tournament, pairings[0])
        if len(pairings) > 1:
            url = meeting_url(tournament, entries[first], entries[second])
        cells[first, second] = MatchCell(f"{sum(made)}–{against}", url)
    return cells
