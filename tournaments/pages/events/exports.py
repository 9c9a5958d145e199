"""Events for other programs: dates (RFC 5545), standings (RFC 4180), and downloads that can be verified."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from arena.web.variants import OPEN, event_title
from engine.boards import BOARDS, board_name
from tournaments.events.brackets import find_bracket
from tournaments.events.standings import round_results, tournament_standings
from tournaments.games import bundles
from tournaments.models import Tournament
from tournaments.pairing.groups import group_stage
from tournaments.questions.event_ratings import asked_by
from tournaments.questions.responses import asker_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.http import HttpRequest

    from tournaments.events.brackets import Bracket


MOST_COMING: Final = 100
LONGEST_LINE: Final = 75
"""Bytes of a line of a calendar; longer ones are folded."""
ABOUT: Final = timedelta(hours=1)
"""How long an event is in a calendar: nobody knows beforehand how long it takes."""
COLUMNS: Final = ("place", "bot", "version", "owner", "points", "games", "wins", "draws", "losses", "margin")
BYES: Final = ("bye points", "bye rounds")
"""Further ones of a Swiss, before the points of each round. Wins, half of the draws and the bye points add up
to the points, and so do the rounds."""
ROUNDS: Final = ("rounds won", "last match decided by")
"""Further ones of a knock-out."""
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


def coming() -> list[Tournament]:
    """The drafts with a date, the next one first."""
    found = Tournament.objects.filter(status=Tournament.Status.DRAFT).exclude(
        starts_at=None, registration_until=None
    )
    return sorted(found.defer("seed", "join_key"), key=_start)[:MOST_COMING]


def calendar(events: Iterable[Tournament], site: str) -> str:
    """When each event starts, and when its registration closes if that is earlier."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Crapette Arena//Events//EN", "CALSCALE:GREGORIAN"]
    for one in events:
        url = site.rstrip("/") + one.get_absolute_url()
        lines += _event(one, "start", event_title(one.name), _start(one), url)
        if one.registration_until and one.starts_at and one.status == Tournament.Status.DRAFT:
            lines += _event(
                one,
                "closes",
                gettext("Registration closes: %(event)s") % {"event": event_title(one.name)},
                one.registration_until,
                url,
            )
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _start(one: Tournament) -> datetime:
    return one.started_at or one.starts_at or one.registration_until or one.created_at


def _event(one: Tournament, what: str, summary: str, begins: datetime, url: str) -> list[str]:
    cancelled = one.status == Tournament.Status.CANCELLED
    return [
        "BEGIN:VEVENT",
        f"UID:{one.slug}-{what}@crapette-arena",
        f"DTSTAMP:{_utc(one.created_at)}",
        f"DTSTART:{_utc(begins)}",
        f"DTEND:{_utc(begins + ABOUT)}",
        f"SUMMARY:{_escaped(summary)}",
        f"DESCRIPTION:{_escaped(one.description)}",
        f"URL:{url}",
        f"STATUS:{'CANCELLED' if cancelled else 'CONFIRMED'}",
        "END:VEVENT",
    ]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """What people wrote, so that nothing in it begins a line of its own (RFC 5545 3.3.11)."""
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    joined = "\\n".join(plain.splitlines())
    return "".join(letter for letter in joined if letter.isprintable())


def _folded(line: str) -> str:
    """A line in pieces of at most 75 bytes, never within a letter (RFC 5545 3.1)."""
    pieces, size, piece = [], 0, ""
    for letter in line:
        width = len(letter.encode())
        if size + width > LONGEST_LINE:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + letter, size + width
    return "\r\n".join([*pieces, piece])


def standings_csv(tournament: Tournament) -> str:
    """The standings, a line an entrant; no name in it is taken for a formula. In a Swiss each line ends with
    the byes, with groups with the group and the place there, and with a bracket with how it fared in that."""
    found = tournament_standings(tournament)
    stage = group_stage(tournament, sorted((one.entry for one in found), key=lambda one: one.number))
    swiss = tournament.format == Tournament.Format.SWISS
    bracket = find_bracket(tournament)
    more = BYES if swiss else ("group", "group place") if stage else ()
    rounds = round_results(tournament) if swiss else []
    numbered = (f"round {number}" for number in range(1, len(rounds) + 1))
    rows: list[tuple[object, ...]] = [(*COLUMNS, *more, *(ROUNDS if bracket else ()), *numbered)]
    won = bracket.rounds_won() if bracket else {}
    last_match = _deciders(tournament, bracket) if bracket else {}
    for one in found:
        row, bot = one.row, one.entry.version.bot
        owner = "house" if bot.is_house else bot.owner.get_username() if bot.owner else ""
        margin = round(row.margin, 2)
        numbers = (row.points, row.games, row.wins, row.draws, row.losses, margin)
        group = stage.group_of(row.entrant) if stage else None
        last: tuple[object, ...] = (group.name, group.place_of(row.entrant)) if group else ()
        if swiss:
            made = [played.get(row.entrant) for played in rounds]
            last = (
                row.bonus,
                " ".join(map(str, one.byes)),
                *("" if each is None else each.points for each in made),
            )
        if bracket:
            last = (*last, won.get(row.entrant, 0), last_match.get(row.entrant, ""))
        rows.append((row.place, plain(bot.name), one.entry.version.number, plain(owner), *numbers, *last))
    return csv_text(rows)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows for other programs (RFC 4180)."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _deciders(tournament: Tournament, bracket: Bracket) -> dict[int, str]:
    """What decided the last match of each entrant, by key."""
    found: dict[int, str] = {}
    for pairing in tournament.pairings.order_by("round", "table"):
        by = bracket.decided_by(tournament, pairing)
        if by is not None:
            found |= dict.fromkeys(pairing.entry_ids, by.value)
    return found


def plain(name: str) -> str:
    """A name with an apostrophe before what a spreadsheet would carry out."""
    return f"'{name}" if name.startswith(FORMULAS) else name


BLOCK = 256 << 10
"""Bytes that are put together before they are sent."""


@require_safe
def tournament_bundle(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All of a tournament: entrants, commitments, pairs, records, standings, ratings."""
    tournament = get_object_or_404(Tournament.objects.select_related("owner"), slug=slug)
    lines = bundles.tournament_lines(tournament, asked_by(asker_of(request)))
    return _stream(lines, f"{slug}.jsonl")


@require_safe
def ratings_bundle(request: HttpRequest, variant: str) -> StreamingHttpResponse:
    """What a leaderboard was computed from, and the ratings; ``?players=`` for those of three or four."""
    return _ratings(request, variant)


@require_safe
def open_bundle(request: HttpRequest, variant: str) -> StreamingHttpResponse:
    """The same of an open board."""
    return _ratings(request, variant, OPEN)


def _ratings(request: HttpRequest, variant: str, pool: str = "") -> StreamingHttpResponse:
    asked = request.GET.get("players", "2")
    players = int(asked) if asked in ("2", "3", "4") else 2
    board = board_name(variant, players)
    if board not in BOARDS:
        raise Http404(f"expected one of {', '.join(BOARDS)}, got {board!r}")
    lines = bundles.ratings_lines(pool + board, variant, players)
    return _stream(lines, f"ratings-{pool.replace(':', '-')}{variant}.jsonl")


def _stream(lines: Iterator[bytes], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_blocks(lines), content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def _blocks(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Lines put together to blocks."""
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= BLOCK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
