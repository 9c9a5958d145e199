"""Rounds, brackets and score sheets, and two against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

import engine
from analysis.errors import CompetitionError
from analysis.formats.groups import in_group
from analysis.values import measures_luck
from arena.web.cache.pages import shared_page
from arena.web.variants import variant_title
from bots.models import Bot
from tournaments.events.brackets import BRACKETED
from tournaments.events.organiser_rights import may_manage
from tournaments.events.standings import bye_worth, points_text
from tournaments.games import score_sheets
from tournaments.models import Pair, Pairing, Tournament
from tournaments.pages.events import meetings
from tournaments.pages.events.event_story import match_length
from tournaments.pages.events.meetings import meeting_url, sheet_url
from tournaments.pairing.pairs import ask_or_void

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from tournaments.models import Entry

ROUNDED = (*BRACKETED, Tournament.Format.SWISS, Tournament.Format.ROUND_ROBIN)
"""Formats whose rounds say something: who met when, or on the same deals."""


@dataclass(frozen=True, slots=True)
class MeetingSide:
    """One side of a meeting; `won` in a knock-out, `text` where nobody is known yet."""

    text: str
    url: str = ""
    points: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class ScheduledMeeting:
    """Two (or a group) who meet: pairs done of those planned; `url` leads to its games.

    `label` is the group or the match of the bracket. Of a match (`sheet`) the sides' points are those of its
    score sheet; `over` is whether it is decided. `left` is who left the event, and so lost what was not
    played.
    """

    label: str
    sides: list[MeetingSide]
    done: int
    planned: int
    url: str = ""
    sheet: bool = False
    over: bool = False
    lead: float | None = None
    """The first side's share of the points, in percent; None before there are any."""
    left: str = ""

    @property
    def state(self) -> str:
        """Whether it is over, in play or still to come, in words."""
        if not self.planned and len(self.sides) == 1:
            return gettext("bye")
        if self.planned and self.sheet and self.over:
            return gettext("score sheet")
        if self.left:
            return gettext("%(bot)s left the event") % {"bot": self.left}
        if self.planned and not self.sheet and self.done >= self.planned:
            return gettext("played")
        return gettext("in progress") if self.planned and self.done else gettext("upcoming")


def list_rounds(tournament: Tournament) -> list[int]:
    """The numbers of the rounds made so far."""
    return list(tournament.pairings.values_list("round", flat=True).distinct().order_by("round"))


def current_round(tournament: Tournament) -> int:
    """The first round that is not over, else the last one; 0 before any is made."""
    made = tournament.pairings.order_by("round").values_list("round", flat=True)
    open_ones = made.filter(pairs_done__lt=F("pairs_planned"))
    return open_ones.first() or made.last() or 0


def round_meetings(tournament: Tournament, number: int) -> list[ScheduledMeeting]:
    """The meetings of a round, in a few queries, and who has none in it."""
    entries = _entries(tournament)
    met = list(tournament.pairings.filter(round=number))
    meetings = [_meeting(tournament, one, entries) for one in met]
    for label, members in _everyone(tournament, entries).items():
        playing = {key for one in met if one.label == label for key in one.entry_ids}
        # With more than one missing, tables of the round are hidden, or a smaller group is over.
        if playing and len(members - playing) == 1:
            meetings.append(
                ScheduledMeeting(label, [_side(entries[members.difference(playing).pop()])], 0, 0)
            )
    return meetings


def _everyone(tournament: Tournament, entries: dict[int, Entry]) -> dict[str, set[int]]:
    """The entries that meet each other in turn, by the label of their pairings: one sits out if they are odd.

    The byes of other formats are pairings.
    """
    if tournament.format == Tournament.Format.ROUND_ROBIN and tournament.players == 2:
        return {"": set(entries)}
    found: dict[str, set[int]] = {}
    if tournament.format == Tournament.Format.GROUPS:
        for label, *keys in tournament.pairings.values_list("label", "first", "second"):
            if in_group(label):
                found.setdefault(label, set()).update(keys)
    return found


def _entries(tournament: Tournament) -> dict[int, Entry]:
    return {entry.pk: entry for entry in tournament.entries.select_related("version__bot").order_by("number")}


def _meeting(tournament: Tournament, pairing: Pairing, entries: dict[int, Entry]) -> ScheduledMeeting:
    members = [entries[key] for key in pairing.entry_ids]
    points = ["", ""]
    url = ""
    winner: int | None = None
    sheet = tournament.match_rule is not None and len(members) == 2
    if len(members) == 1 and (worth := bye_worth(tournament)):
        points = [f"+{points_text(worth)}", ""]
    if sheet:
        url, points = sheet_url(tournament, pairing), [str(pairing.points_first), str(pairing.points_second)]
        if pairing.match:
            winner = {"first": pairing.first_id, "second": pairing.second_id}.get(pairing.match)
    elif len(members) == 2:
        url = meeting_url(tournament, members[0], members[1])
        if pairing.pairs_done:
            points = [
                points_text(pairing.wins + pairing.draws / 2),
                points_text(pairing.losses + pairing.draws / 2),
            ]
    texts = [*points, "", ""]
    got = (pairing.points_first, pairing.points_second) if sheet else (pairing.wins, pairing.losses)
    sides = [_side(one, points=texts[place], won=one.pk == winner) for place, one in enumerate(members)]
    return ScheduledMeeting(
        pairing.label,
        sides,
        pairing.pairs_done,
        pairing.pairs_planned,
        url,
        sheet=sheet,
        over=bool(pairing.match),
        lead=_share(*got, 0 if sheet else pairing.draws) if len(members) == 2 else None,
        left=str(entries[pairing.forfeited_by_id].version) if pairing.forfeited_by_id else "",
    )


def _share(first: float, second: float, level: float) -> float | None:
    """How much of the points the first side has, in percent; what was level is shared."""
    whole = first + second + level
    return round(100 * (first + level / 2) / whole, 1) if whole > 0 else None


def _side(entry: Entry, *, points: str = "", won: bool = False) -> MeetingSide:
    return MeetingSide(str(entry.version), entry.version.bot.get_absolute_url(), points, won)


@shared_page(seconds=1)
@gzip_page
@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """One round of a tournament: who meets whom, and how it went; the one being played unless asked."""
    tournament = get_object_or_404(Tournament, slug=slug)
    numbers = list_rounds(tournament)
    asked = request.GET.get("round", "")
    number = int(asked) if asked in map(str, numbers) else current_round(tournament)
    context = {
        "tournament": tournament,
        "numbers": numbers,
        "number": number,
        "meetings": round_meetings(tournament, number),
    }
    return render(request, "tournaments/rounds.html", context)


@shared_page(seconds=1)
@gzip_page
@require_safe
def meeting(request: HttpRequest, slug: str, one: int, other: int) -> HttpResponse:
    """Every pair of two entrants, and what they say about who is better."""
    tournament = get_object_or_404(Tournament, slug=slug)
    first, second = _entry(tournament, one), _entry(tournament, other)
    if first == second:
        raise Http404(f"expected two entrants, got number {one} twice")
    both = meetings.of_entries(tournament, first, second)
    page = Paginator(both.pairs, meetings.SHOWN).get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "length": match_length(tournament.match_rule) if tournament.match_rule else "",
        "variant": variant_title(tournament.variant),
        "first": first.version,
        "second": second.version,
        "one": first.version,
        "other": second.version,
        "one_bot": first.version.bot,
        "other_bot": second.version.bot,
        "verdicts": both.verdicts,
        "picture": both.picture,
        "page": page,
        "rows": both.rows(max(page.start_index() - 1, 0)),
        "may_manage": may_manage(tournament, request.user) and not tournament.rated,
        "may_ask": _may_ask(request, tournament, (first, second)),
        "matches": meetings.matches_of(tournament, first, second),
        "turned": meeting_url(tournament, second, first),
    }
    return render(request, "tournaments/meeting.html", context)


@shared_page(seconds=1)
@gzip_page
@require_safe
def sheet(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """The score sheet of a match to points."""
    tournament = get_object_or_404(Tournament, slug=slug)
    pairings = tournament.pairings.select_related("first__version__bot", "second__version__bot")
    pairing = get_object_or_404(pairings, round=number, table=table, second__isnull=False)
    rule = tournament.match_rule
    if rule is None or pairing.second is None:
        raise Http404("expected a match to points, got pairs that are counted one by one")
    found_sheet = score_sheets.sheet(pairing, rule)
    cancelled = tournament.status == Tournament.Status.CANCELLED
    context = {
        "tournament": tournament,
        "pairing": pairing,
        "first": pairing.first.version,
        "second": pairing.second.version,
        "variant": variant_title(tournament.variant),
        "sheet": found_sheet,
        "state": found_sheet.state_words(cancelled=cancelled),
        "length": match_length(rule),
        "has_luck": measures_luck(tournament.variant, tournament.players),
        "ticks": engine.variant(tournament.variant).in_ticks,
        "meeting": meeting_url(tournament, pairing.first, pairing.second),
    }
    return render(request, "tournaments/sheet.html", context)


def _may_ask(request: HttpRequest, tournament: Tournament, entries: tuple[Entry, Entry]) -> bool:
    """Whether this is an owner of one of the bots of a rated event, or staff, who can ask to void a pair."""
    user = request.user
    if not user.is_authenticated or not tournament.rated:
        return False
    return user.is_staff or any(entry.version.bot.is_owned_by(user) for entry in entries)


def _entry(tournament: Tournament, number: int) -> Entry:
    return get_object_or_404(tournament.entries.select_related("version__bot"), number=number)


@shared_page(seconds=1)
@gzip_page
@require_safe
def head_to_head(request: HttpRequest, one: str, other: str) -> HttpResponse:
    """What two bots made against each other in all tournaments of a variant."""
    first, second = get_object_or_404(Bot, slug=one), get_object_or_404(Bot, slug=other)
    variants = meetings.variants_met(first, second)
    variant = request.GET.get("variant", "")
    if variant not in variants:
        variant = variants[0] if variants else next(iter(engine.VARIANTS))
    both = meetings.of_bots(first, second, variant)
    page = Paginator(both.pairs, meetings.SHOWN).get_page(request.GET.get("page"))
    context = {
        "first": first,
        "second": second,
        "one": first.name,
        "other": second.name,
        "one_bot": first,
        "other_bot": second,
        "variant": variant_title(variant),
        "chosen": variant,
        "variants": [(name, variant_title(name)) for name in variants],
        "verdicts": both.verdicts,
        "picture": both.picture,
        "page": page,
        "rows": both.rows(max(page.start_index() - 1, 0)),
    }
    return render(request, "tournaments/meeting.html", context)


@login_required
@require_POST
def void(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Void a pair and play it again on the same deal, with a public reason.

    Staff may do so where nothing is rated, and the event's organisers. In a rated one the owner of a bot can
    ask, and staff; it is decided without seeing the result.
    """
    pair = get_object_or_404(
        Pair.objects.select_related("pairing__tournament", "pairing__first", "pairing__second"),
        pk=pair_id,
        pairing__tournament__slug=slug,
    )
    tournament = pair.pairing.tournament
    user: User = request.user  # type: ignore[assignment]  # signed in
    try:
        done = ask_or_void(pair, user, request.POST.get("reason", ""))
    except CompetitionError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done)
    second = pair.pairing.second
    if second is None or tournament.players > 2:
        return redirect(tournament)
    return redirect(meeting_url(tournament, pair.pairing.first, second))
