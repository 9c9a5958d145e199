"""Sentences about a tournament that depend on its format: how much is played, how long it takes; and on what
it hides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext, pgettext_lazy

from analysis.formats.matches import POINTS
from arena.web.i18n.phrases import count_noun, list_names
from arena.web.templatetags.site import lasting
from tournaments.models import HiddenResults, Tournament
from tournaments.selectors.brackets import KNOCK_OUT
from tournaments.selectors.standings import entrants
from tournaments.services.pairing.embargo import EVERY_ROUND

if TYPE_CHECKING:
    from analysis.formats.groups import GroupRule
    from analysis.formats.matches import MatchRule
    from analysis.formats.plans import Size

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
        return gettext("pairs of games, without end")
    words = gettext("%(pairs)s of games for every pairing")
    if tournament.format in EVERY_TWO:
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


def staged_words(rule: GroupRule, entrants: int) -> str:
    """The groups of so many entrants, and the knock-out after them."""
    settled = rule.for_entrants(entrants)
    small, more = divmod(entrants, settled.groups)
    size = gettext("%(small)s or %(large)s") % {"small": small, "large": small + 1} if more else str(small)
    words = ngettext(
        "There is %(groups)s of %(size)s bots. %(advance)s.",
        "There are %(groups)s of %(size)s bots. %(advance)s.",
        settled.groups,
    )
    advance = ngettext(
        "The winner of each advances to a knock-out of %(bots)s",
        "The first %(count)s of each advance to a knock-out of %(bots)s",
        settled.advance,
    ) % {"count": settled.advance, "bots": count_noun(settled.qualifiers, "bot")}
    found = words % {"groups": count_noun(settled.groups, "group"), "size": size, "advance": advance}
    byes = (1 << (settled.qualifiers - 1).bit_length()) - settled.qualifiers
    if byes:
        found += " " + ngettext(
            "The best seed has a bye in its first round.",
            "The best %(count)s seeds have a bye in its first round.",
            byes,
        ) % {"count": byes}
    return found


def _match_schedule(rule: MatchRule, cycles: int) -> str:
    points, deals = count_noun(rule.target, "point"), count_noun(rule.target, "deal")
    if rule.kind == POINTS:
        if cycles > 1:
            return gettext("matches to %(points)s, %(cycles)s times") % {"points": points, "cycles": cycles}
        return gettext("matches to %(points)s") % {"points": points}
    if cycles > 1:
        return gettext("matches of %(deals)s, %(cycles)s times") % {"deals": deals, "cycles": cycles}
    return gettext("matches of %(deals)s") % {"deals": deals}


def estimate_words(
    size: Size,
    seconds: float,
    at_once: int,
    *,
    kind: str,
    open_to_all: bool,
    match: MatchRule | None,
    deals: int,
    groups: str = "",
) -> list[str]:
    """Describe the tournament a form would create: games, rounds, time, and how a match ends.

    `kind` is the tournament's format, `deals` how many deals a match takes on average, `groups` what
    `staged_words` says of its groups.
    """
    games = _about(count_noun(size.games, "game"), at_most=kind in KNOCK_OUT, about=match is not None)
    values = {"games": games, "rounds": count_noun(size.rounds, "round")}
    if open_to_all:
        found = [gettext("With these entrants, this is %(games)s in %(rounds)s.") % values]
    else:
        found = [gettext("This is %(games)s in %(rounds)s.") % values]
    side_by_side = ngettext(
        "It takes about %(time)s, one game at a time.",
        "It takes about %(time)s, %(number)s games at a time.",
        at_once,
    )
    if groups:
        found[0] += " " + groups
    found[0] += " " + side_by_side % {"time": lasting(seconds), "number": at_once}
    if match is not None:
        found.append(_match_estimate(match, deals))
    return found


def _about(games: str, *, at_most: bool, about: bool) -> str:
    if at_most and about:
        return gettext("at most about %(games)s") % {"games": games}
    if at_most:
        return gettext("at most %(games)s") % {"games": games}
    return gettext("about %(games)s") % {"games": games} if about else games


def _match_estimate(match: MatchRule, deals: int) -> str:
    target = match.target
    if match.kind == POINTS:
        takes = gettext("A match to %(points)s takes about %(deals)s, each played from both seats.") % {
            "points": count_noun(target, "point"),
            "deals": count_noun(deals, "deal"),
        }
    else:
        takes = gettext("A match of %(deals)s goes on while it is level.") % {
            "deals": count_noun(target, "deal")
        }
    drawn = gettext("After %(deals)s deals without a winner it is drawn.") % {"deals": match.most}
    return f"{takes} {drawn}"


@dataclass(frozen=True, slots=True)
class HiddenNote:
    """What an event hides or hid, in words; whether it was revealed, and whether all games are `played`."""

    words: str
    over: bool
    played: bool = False


def hidden_note(tournament: Tournament) -> HiddenNote | None:
    """What an event hides or hid, None if it hides nothing."""
    return None if tournament.hiding is None else hidden_words(tournament.hiding)


def hidden_words(hiding: HiddenResults) -> HiddenNote:
    """What an event hides or hid."""
    if hiding.revealed_at is not None:
        return HiddenNote(gettext("Hidden results of this event were revealed."), over=True)
    sentences = [_what_is_hidden(hiding), _until_when(hiding)]
    if hiding.played_at is not None:
        sentences.append(gettext("All games are played."))
    if hiding.organiser_sees:
        sentences.append(gettext("The organiser can see the hidden table."))
    return HiddenNote(" ".join(sentences), over=False, played=hiding.played_at is not None)


def _what_is_hidden(hiding: HiddenResults) -> str:
    if hiding.since is not None:
        moment = date_format(hiding.since, "DATETIME_FORMAT")
        return gettext("Games between bots that first meet after %(time)s UTC are hidden.") % {"time": moment}
    if hiding.last_rounds >= EVERY_ROUND:
        return gettext("All results are hidden.")
    return ngettext(
        "The results of the last round are hidden.",
        "The results of the last %(count)s rounds are hidden.",
        hiding.last_rounds,
    ) % {"count": hiding.last_rounds}


def _until_when(hiding: HiddenResults) -> str:
    if hiding.ending == HiddenResults.Ending.END:
        return gettext("They are revealed as soon as the last game is over.")
    if hiding.reveal_at is not None:
        moment = date_format(hiding.reveal_at, "DATETIME_FORMAT")
        return gettext("They are revealed on %(time)s UTC.") % {"time": moment}
    return gettext("The organiser reveals them.")
