"""A ladder's page: the bots by rating with their trend, who meets next and why, and whether it is idle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from analysis.ratings.scheduling import FIRST_PAIRS
from arena.web.i18n.phrases import count_noun
from tournaments.models import Pair, Rating, Tournament
from tournaments.pages.ratings import rating_rows as ratings
from tournaments.pages.ratings.rating_rows import with_trends
from tournaments.ratings.leaderboards import BoardName, rated_board
from tournaments.ratings.leaderboards import board as board_of_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Entry

MOST_NEXT: Final = 6
HALF: Final = 1.96


@dataclass(frozen=True, slots=True)
class Next:
    """A pair that is played or waits: its bots, and why the ladder chose it."""

    names: str
    playing: bool
    why: str


@dataclass(frozen=True, slots=True)
class LadderPage:
    """`rows` best first; `state` says in a sentence what the ladder does now, `next` who meets, each once."""

    headline: str
    state: str
    rows: list[ratings.RatingRow]
    next: list[Next]
    board: BoardName


def ladder_page(ladder: Tournament, *, idle: bool) -> LadderPage:
    """What the page of a ladder begins with; the same few queries however many bots there are."""
    name = rated_board(ladder)
    board = board_of_name(name)
    rows = with_trends(name, ratings.rows(board))
    coming = _coming(ladder)
    known = {row.rating.version_id: row.rating for row in rows}
    return LadderPage(
        _headline(rows),
        _state(ladder, rows, coming, idle=idle),
        rows,
        list(dict.fromkeys(_next(pair, known) for pair in coming)),
        BoardName.parse(name),
    )


def _coming(ladder: Tournament) -> list[Pair]:
    waiting = Pair.objects.filter(
        pairing__tournament=ladder, status__in=(Pair.Status.RUNNING, Pair.Status.QUEUED)
    )
    sides = [f"pairing__{side}__version__bot" for side in ("first", "second", "third", "fourth")]
    found = list(waiting.select_related(*sides).order_by("pk")[:MOST_NEXT])
    return sorted(found, key=lambda pair: pair.status != Pair.Status.RUNNING)


def _headline(rows: list[ratings.RatingRow]) -> str:
    if not rows:
        return gettext("No ratings yet")
    best = rows[0]
    if not best.rating.error and any(row.rating.elo > best.rating.elo for row in rows):
        # The anchor of the scale stands first, as all who are rated above it are still being measured.
        return gettext("Nobody is measured well enough to lead")
    values = {"bot": best.bot, "elo": f"{best.rating.elo:.0f}", "interval": best.interval}
    if best.rating.error:
        return gettext("%(bot)s leads at %(elo)s (%(interval)s)") % values
    return gettext("%(bot)s leads at %(elo)s") % values


def _state(ladder: Tournament, rows: list[ratings.RatingRow], coming: list[Pair], *, idle: bool) -> str:
    if ladder.status != Tournament.Status.RUNNING:
        return gettext("This ladder is %(status)s: no games are played.") % {
            "status": str(ladder.get_status_display()).lower()
        }
    if idle:
        nobody_online = gettext("No remote bot that plays this is online. Games go on when one connects.")
        nobody = gettext(
            "This ladder is idle because only house bots are on it. It starts when the first author’s bot "
            "passes the check for this game."
        )
        return nobody_online if ladder.admits_remote else nobody
    still = sum(row.rating.provisional for row in rows)
    if coming:
        if not still:
            return gettext("A game is about to be played.")
        return gettext("%(bots)s still being measured.") % {"bots": count_noun(still, "bot")}
    if rows and not still:
        return gettext("This ladder is idle because every rating is settled. A new version starts it again.")
    return gettext("This ladder is looking for its next pair.")


def _next(pair: Pair, known: Mapping[int, Rating]) -> Next:
    pairing = pair.pairing
    members = [one for one in (pairing.first, pairing.second, pairing.third, pairing.fourth) if one]
    names = " – ".join(entry.version.bot.name for entry in members)
    return Next(names, pair.status == Pair.Status.RUNNING, _why(members, known))


def _why(members: list[Entry], known: Mapping[int, Rating]) -> str:
    """Why a pair tells most, by `analysis.ratings.scheduling`."""
    unknown = [entry for entry in members if entry.version_id not in known]
    if unknown:
        return gettext("%(bot)s is new: its first pairs come before all others.") % {
            "bot": unknown[0].version.bot.name
        }
    rated = [(entry.version.bot.name, known[entry.version_id]) for entry in members]
    name, least = min(rated, key=lambda one: one[1].pairs)
    if least.pairs < FIRST_PAIRS and least.error:
        return gettext("%(bot)s is new: %(played)s of its first %(count)s pairs are played.") % {
            "bot": name,
            "played": least.pairs,
            "count": FIRST_PAIRS,
        }
    still = [(name, rating) for name, rating in rated if rating.provisional]
    if not still:
        return gettext("It is informative about bots that were measured against these.")
    name, widest = max(still, key=lambda one: one[1].error)
    return gettext("It is the most informative about %(bot)s, known to ± %(half)s Elo.") % {
        "bot": name,
        "half": f"{HALF * widest.error:.0f}",
    }
