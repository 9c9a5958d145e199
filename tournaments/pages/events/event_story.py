"""How an event stands or ended, in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import BigAutoField
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext, pgettext_lazy

from analysis.formats.matches import POINTS
from arena.web.database.prepared_sql import Param
from arena.web.i18n.phrases import count_noun, list_names
from arena.web.i18n.readers import moment_words
from tournaments.events.standings import entrants, points_text
from tournaments.events.winners import is_duel_format
from tournaments.models import Pairing, Tournament
from tournaments.models.embargo import prepare_query
from tournaments.pages.events.groups import decided_words, open_words
from tournaments.pages.events.standings import score_text
from tournaments.pairing.embargo import has_hidden_meetings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

    from analysis.formats.groups import GroupRule
    from analysis.formats.matches import MatchRule
    from tournaments.events.standings import ProgressShown
    from tournaments.events.winners import EventEnding
    from tournaments.pages.events.bracket import Drawing
    from tournaments.pages.events.groups import GroupsShown
    from tournaments.pages.events.standings import StandingsLine

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
    """What was changed of an event (`AuditEntry.changes`): ``Rounds 3 → 5``; of texts only that they were."""
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
    left = [one.version.bot.label for one in entrants(tournament.pk).values() if one.withdrawn]
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


PODIUM: Final = 3
MOST_SAID: Final = 4
"""Sentences of what is decided or open; the table has the rest."""
Status = Tournament.Status


@dataclass(frozen=True, slots=True)
class TournamentStory:
    """A headline with a sentence below it, the first three (after the first result), and what is settled."""

    headline: str
    detail: str = ""
    podium: list[StandingsLine] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def story(
    tournament: Tournament,
    lines: Sequence[StandingsLine],
    bracket: Drawing | None,
    progress: ProgressShown,
    groups: GroupsShown | None = None,
) -> TournamentStory:
    """The story of an event with a field; `lines` begin with its leader."""
    podium = [line for line in lines if line.row.place <= PODIUM and line.row.games][: PODIUM + 1]
    if tournament.status == Status.DRAFT:
        return TournamentStory(_before(tournament, len(lines)), gettext("The draw is made when it starts."))
    if tournament.status == Status.CANCELLED:
        return TournamentStory(gettext("Cancelled"), gettext("Results up to then are below."), [])
    if groups is not None and groups.playing and podium:
        return _in_groups(tournament, groups)
    if bracket is not None or not podium:
        return _by_matches(tournament, podium, bracket, playing=progress.running > 0)
    over = tournament.status == Status.FINISHED
    if over:
        return TournamentStory(_won(lines), _how(podium), podium)
    # Nobody can tell who is out of reach, or how much is left, without what is hidden.
    decided, still = ([], []) if tournament.hides_results else _race(tournament, lines)
    leads = _leads(lines, paused=tournament.status == Status.PAUSED)
    rest = [] if tournament.hides_results else [_rest(progress)]
    return TournamentStory(leads, _how(podium), podium, decided, still or rest)


def duel_story(tournament: Tournament, duel: EventEnding, progress: ProgressShown) -> TournamentStory:
    """The story of two that meet: its headline is the score."""
    one, other = (entry.version.bot.label for entry in duel.first)
    values = {"one": one, "other": other, "score": score_text(duel)}
    still = [] if tournament.hides_results else [_rest(progress)]
    if tournament.status == Status.FINISHED:
        if duel.is_drawn:
            return TournamentStory(gettext("%(one)s %(score)s %(other)s, drawn") % values)
        return TournamentStory(gettext("%(one)s beat %(other)s %(score)s") % values)
    if duel.is_drawn:
        return TournamentStory(gettext("%(one)s %(score)s %(other)s so far") % values, open=still)
    return TournamentStory(gettext("%(one)s leads %(other)s %(score)s") % values, open=still)


def _by_matches(
    tournament: Tournament, podium: list[StandingsLine], bracket: Drawing | None, *, playing: bool
) -> TournamentStory:
    """The story of a knock-out, or of an event without a result; of what is hidden, only that it is."""
    hidden = has_hidden_meetings(tournament)
    if bracket is None or not podium:
        if hidden:
            return TournamentStory(
                gettext("Results are hidden"), gettext("No result is shown before the reveal.")
            )
        now = gettext("The first pair of games is being played.")
        return TournamentStory(gettext("No result yet"), now if playing else gettext("Its games are queued."))
    # Points say how many pairs a match took, not how far somebody came.
    rounds = [replace(line, rounds_won=bracket.rounds_won.get(line.row.entrant, 0)) for line in podium]
    shown = _knock_out(bracket, rounds if bracket.champion else [])
    if hidden:
        return TournamentStory(gettext("Results are hidden"), "", [], shown.decided, shown.open)
    return shown


def _in_groups(tournament: Tournament, groups: GroupsShown) -> TournamentStory:
    """The story of an event whose groups are played: who advances for certain, and what is left."""
    decided = decided_words(groups)[:MOST_SAID]
    if has_hidden_meetings(tournament):
        return TournamentStory(gettext("Results are hidden"), groups.rule_words, [], decided)
    headline = gettext("The groups are being played")
    if tournament.status == Status.PAUSED:
        headline = gettext("Paused while the groups are played")
    detail = groups.rule_words
    if groups.over:
        words = ngettext("%(count)s of %(groups)s is over.", "%(count)s of %(groups)s are over.", groups.over)
        count = words % {"count": groups.over, "groups": count_noun(len(groups.groups), "group")}
        detail = f"{count} {detail}"
    still = [] if tournament.hides_results else open_words(groups)[:MOST_SAID]
    return TournamentStory(headline, detail, [], decided, still)


def _before(tournament: Tournament, entrants: int) -> str:
    starts = tournament.starts_at or tournament.registration_until
    if starts is None:
        return gettext("Not started yet, with %(bots)s") % {"bots": count_noun(entrants, "bot")}
    words = ngettext(
        "%(bots)s entered; starts %(time)s",
        "%(bots)s entered; starts %(time)s",
        entrants,
    )
    return words % {
        "bots": count_noun(entrants, "bot"),
        "time": moment_words(starts),
    }


def _names(lines: Sequence[StandingsLine]) -> str:
    if len(lines) > MOST_SAID:
        return count_noun(len(lines), "bot")
    return list_names([line.label for line in lines])


def _first(lines: Sequence[StandingsLine]) -> list[StandingsLine]:
    return [line for line in lines if line.row.place == lines[0].row.place]


def _won(lines: Sequence[StandingsLine]) -> str:
    first = _first(lines)
    words = ngettext("%(names)s won", "%(names)s share first place", len(first))
    return words % {"names": _names(first)}


def _leads(lines: Sequence[StandingsLine], *, paused: bool) -> str:
    first = _first(lines)
    if paused:
        words = ngettext(
            "%(names)s leads while it is paused", "%(names)s share the lead while it is paused", len(first)
        )
    else:
        words = ngettext("%(names)s leads", "%(names)s share the lead", len(first))
    return words % {"names": _names(first)}


def _how(podium: Sequence[StandingsLine]) -> str:
    """How many points, how far ahead, and that a tie-break decided if points do not tell."""
    first, others = podium[0], podium[len(_first(podium)) :]
    values = {"points": first.points or "0", "games": _games(first)}
    points = first.row.points
    number = int(points) if points == int(points) else 2
    alone = ngettext("%(points)s point from %(games)s.", "%(points)s points from %(games)s.", number) % values
    if not others or first.row.per_game:
        return alone
    values["bot"] = others[0].label
    ahead = points - others[0].row.points
    if ahead > 0:
        words = ngettext(
            "%(points)s point from %(games)s, %(ahead)s ahead of %(bot)s.",
            "%(points)s points from %(games)s, %(ahead)s ahead of %(bot)s.",
            number,
        )
        return words % {**values, "ahead": points_text(ahead)}
    if ahead == 0:
        words = ngettext(
            "%(points)s point from %(games)s, as many as %(bot)s; %(tie_break)s decides.",
            "%(points)s points from %(games)s, as many as %(bot)s; %(tie_break)s decides.",
            number,
        )
        return words % {**values, "tie_break": _tie_break(first, others[0])}
    return alone


def _tie_break(one: StandingsLine, other: StandingsLine) -> str:
    """The first tie-break in which two differ, who do not share a place."""
    breaks = zip(TIE_BREAKS, one.row.key()[1:], other.row.key()[1:], strict=True)
    return next(str(name) for (name, _), first, second in breaks if first != second)


def _games(line: StandingsLine) -> str:
    """What a bot's points are from: ``4 games and a bye``."""
    games, byes = count_noun(line.row.games, "game"), len(line.bye_rounds)
    if not byes:
        return games
    words = ngettext("%(games)s and a bye", "%(games)s and %(byes)s byes", byes)
    return words % {"games": games, "byes": byes}


def _rest(progress: ProgressShown) -> str:
    left = max(0, progress.total - progress.done)
    return gettext("%(pairs)s still to play.") % {"pairs": count_noun(left, "pair")}


def _race(tournament: Tournament, lines: Sequence[StandingsLine]) -> tuple[list[str], list[str]]:
    """Who can no longer be caught, and who can still come first, from the games that each has left."""
    if tournament.players != 2 or lines[0].row.per_game or len(lines) < 2:
        return [], []
    left = _left(tournament)
    best = {line.row.entrant: line.row.points + left.get(line.row.entrant, 0.0) for line in lines}
    leader = lines[0]
    chasing = [line for line in lines[1:] if best[line.row.entrant] >= leader.row.points]
    if not chasing:
        return [gettext("%(bot)s can no longer be caught.") % {"bot": leader.label}], []
    out = len(lines) - 1 - len(chasing)
    words = ngettext("%(bots)s can no longer come first.", "%(bots)s can no longer come first.", out)
    beaten = words % {"bots": count_noun(out, "bot")}
    decided = [beaten] if out else []
    most = [
        gettext("%(bot)s can still reach %(points)s points.")
        % {"bot": line.label, "points": points_text(best[line.row.entrant])}
        for line in (leader, *chasing)
        if left.get(line.row.entrant)
    ]
    return decided, most[:MOST_SAID]


@prepare_query
def _met() -> QuerySet[Pairing, tuple[Any, ...]]:
    """The pairings of a tournament without byes."""
    met = Pairing.objects.filter(tournament=Param("tournament", BigAutoField()), second__isnull=False)
    return met.values_list("round", "first", "second", "pairs_planned", "pairs_done", "match")


def _left(tournament: Tournament) -> dict[int, float]:
    """The points that each entrant (by key) can still make, as far as the schedule is known."""
    found: dict[int, float] = {}
    last = 0
    for number, one, other, planned, done, match in _met().rows(tournament=tournament.pk):
        last = max(last, number)
        worth = 2.0 * max(0, planned - done)
        if tournament.match_rule:
            worth = 0.0 if match else 1.0
        for key in (one, other):
            found[key] = found.get(key, 0.0) + worth
    if tournament.format == Tournament.Format.SWISS:
        round_worth = 1.0 if tournament.match_rule else 2.0 * tournament.pairs_per_pairing
        coming = max(0, tournament.rounds - last) * round_worth
        for key in tournament.entries.filter(withdrawn=False).values_list("pk", flat=True):
            found[key] = found.get(key, 0.0) + coming
    return found


def _knock_out(bracket: Drawing, podium: list[StandingsLine]) -> TournamentStory:
    """The champion and the final, or which matches come next and what has been decided."""
    played = [match for match in bracket.matches if match.state == "played"]
    if bracket.champion:
        final = gettext("Final: %(result)s.") % {"result": played[-1].words} if played else ""
        champion = gettext("%(bot)s is the champion") % {"bot": bracket.champion}
        return TournamentStory(champion, final, podium)
    now = [match for match in bracket.matches if match.url and match.state != "played"]
    return TournamentStory(
        gettext("%(bots)s left in the event") % {"bots": count_noun(len(bracket.left), "bot")},
        list_names(bracket.left) if len(bracket.left) <= MOST_SAID else "",
        [],
        [f"{match.words}." for match in played[-MOST_SAID:]],
        [f"{match.words}." for match in now[:MOST_SAID]],
    )
