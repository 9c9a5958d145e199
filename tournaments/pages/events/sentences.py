"""Sentences about a tournament that depend on its format: how much is played, how long it takes; and on what
it hides."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext, pgettext_lazy

from analysis.formats.matches import POINTS
from arena.web.i18n.phrases import count_noun, list_names
from arena.web.i18n.readers import moment_words
from tournaments.events.standings import entrants
from tournaments.events.winners import is_duel_format
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django_stubs_ext import StrOrPromise

    from analysis.formats.groups import GroupRule
    from analysis.formats.matches import MatchRule

EVERY_TWO = (Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET)
"""Formats in which the same two bots may meet in several cycles."""


TIE_BREAKS: Final = (
    (
        gettext_lazy("head-to-head"),
        gettext_lazy(
            "Points scored against the bots with equal points, if all of them met each other equally often."
        ),
    ),
    (
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("For each opponent: points scored against it, times the points it averages per game."),
    ),
    (gettext_lazy("Buchholz"), gettext_lazy("For each game: the points the opponent averages per game.")),
    (
        pgettext_lazy("a tie-break", "margin"),
        gettext_lazy("Average margin per game, in points if the game is scored, otherwise in cards."),
    ),
)
"""The name and meaning of each tie-break (`analysis.formats.standings`), in order."""


CHANGED: Final[dict[str, StrOrPromise]] = {
    "name": gettext_lazy("name"),
    "description": gettext_lazy("description"),
    "registration_until": gettext_lazy("Registration closes"),
    "starts_at": gettext_lazy("Start"),
    "rounds": gettext_lazy("Rounds"),
    "pairs_per_pairing": gettext_lazy("Pairs of games"),
    "bank_ms": gettext_lazy("Time bank (seconds)"),
    "increment_ms": gettext_lazy("Increment (milliseconds)"),
}
"""What organisers can change of an event before it starts."""


def change_words(changes: Mapping[str, Sequence[Any]]) -> list[str]:
    """What was changed of an event (`Deed.changes`): ``Rounds 3 → 5``; of texts only that they were."""
    found = []
    for name, (before, after) in changes.items():
        what = str(CHANGED.get(name, name))
        if before != after:
            what = f"{what} {_change_value(name, before)} → {_change_value(name, after)}"
        found.append(what)
    return found


def _change_value(name: str, value: Any) -> str:
    if value is None or (name == "rounds" and not value):
        return "–"
    if name in ("registration_until", "starts_at"):
        return moment_words(datetime.fromisoformat(value))
    return intcomma(value // 1000 if name == "bank_ms" else value)


def left_words(tournament: Tournament) -> str:
    """Which bots left an event with a table, and what became of their games; empty if none did."""
    left = [one.version.bot.name for one in entrants(tournament.pk).values() if one.withdrawn]
    if not left:
        return ""
    words = ngettext(
        "%(bots)s left this event. The pairs it had begun count. "
        "Its opponents win all the games it had left.",
        "%(bots)s left this event. The pairs they had begun count. "
        "Their opponents win all the games they had left.",
        len(left),
    )
    return words % {"bots": list_names(left)}


def match_length(rule: MatchRule) -> str:
    """How long a match is, to stand behind the word: ``to 300 points``, ``of 10 deals``."""
    if rule.kind == POINTS:
        return pgettext("length of a match", "to %(points)s") % {"points": count_noun(rule.target, "point")}
    return pgettext("length of a match", "of %(deals)s") % {"deals": count_noun(rule.target, "deal")}


def schedule_words(tournament: Tournament) -> str:
    """How much opponents play: ``10 pairs of games for every two bots``."""
    number, seats = tournament.pairs_per_pairing, tournament.players
    pairs = count_noun(number, "pair")
    if seats > 2:
        return gettext(
            "%(deals)s for every %(seats)s bots, each played %(seats)s times with seats rotated"
        ) % {"deals": count_noun(number, "deal"), "seats": seats}
    if tournament.group_rule:
        return _staged_schedule(tournament, tournament.group_rule)
    if tournament.match_rule:
        return _match_schedule(tournament.match_rule, tournament.cycles)
    if tournament.format == Tournament.Format.SPRT:
        return gettext("up to %(pairs)s of games") % {"pairs": pairs}
    if tournament.format == Tournament.Format.LADDER:
        return gettext("never ends")
    words = gettext("%(pairs)s of games for every pairing")
    if is_duel_format(tournament) and len(entrants(tournament.pk)) == 2:
        pairs = count_noun(number * tournament.cycles, "pair")
        words = gettext("%(pairs)s of games")
    elif tournament.format in EVERY_TWO:
        words = gettext("%(pairs)s of games for every two bots")
        if tournament.cycles > 1:
            words = gettext("%(pairs)s of games for every two bots, %(cycles)s times")
    return words % {"pairs": pairs, "cycles": tournament.cycles}


def _staged_schedule(tournament: Tournament, rule: GroupRule) -> str:
    """Groups, how much opponents play in them, and in the knock-out if that is different."""
    number, cycles = tournament.pairs_per_pairing, tournament.cycles
    if tournament.match_rule:
        words = _match_schedule(tournament.match_rule, cycles)
    else:
        words = gettext("%(pairs)s of games for every pairing")
        if cycles > 1:
            words = gettext("%(pairs)s of games for every two bots, %(cycles)s times")
        words = words % {"pairs": count_noun(number, "pair"), "cycles": cycles}
        if tournament.knockout_pairs != number:
            later = gettext("%(pairs)s in the knock-out") % {
                "pairs": count_noun(tournament.knockout_pairs, "pair")
            }
            words = f"{words}, {later}"
    return f"{count_noun(rule.groups, 'group')}, {words}" if rule.groups else words


def _match_schedule(rule: MatchRule, cycles: int) -> str:
    points, deals = count_noun(rule.target, "point"), count_noun(rule.target, "deal")
    if rule.kind == POINTS:
        if cycles > 1:
            return gettext("matches to %(points)s, %(cycles)s times") % {"points": points, "cycles": cycles}
        return gettext("matches to %(points)s") % {"points": points}
    if cycles > 1:
        return gettext("matches of %(deals)s, %(cycles)s times") % {"deals": deals, "cycles": cycles}
    return gettext("matches of %(deals)s") % {"deals": deals}
