"""Pages of a version: its check, its files (for its owners), and making it play or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import engine
from bots import checks, versions
from bots.check_queue import checks_before
from bots.check_results import (
    check_evidence,
    check_report,
    forfeiting_seat,
    recorded_board,
    shared_failure,
    trial_rows,
)
from bots.checks import CHECK_SECONDS, CLOCK_WORDS
from bots.models import Bot, Version
from bots.pages.common import SignedInRequest, attempt, owned_version
from bots.versions import active_boards, in_words, lost_in_words, played_in_words, visible_versions

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest


def _visible_version(request: HttpRequest, slug: str, number: int) -> Version:
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version"), slug=slug)
    return get_object_or_404(visible_versions(bot, request.user), number=number)


def _seconds_since(moment: datetime | None) -> int | None:
    return max(0, round((timezone.now() - moment).total_seconds())) if moment else None


def _context(request: HttpRequest, version: Version) -> dict[str, Any]:
    """Return the context of the page and its polled part. Only its owners get log and evidence."""
    is_owner = version.bot.is_owned_by(request.user)
    report = check_report(version) if is_owner else None
    trials = trial_rows(version)
    return {
        "bot": version.bot,
        "version": version,
        "is_owner": is_owner,
        "active_on": active_boards(version),
        "active_in_words": in_words(active_boards(version)),
        "lost": lost_in_words(version) if version.is_checked else [],
        "report": report,
        "evidence": check_evidence(report),
        "culprit": forfeiting_seat(report),
        "recorded": recorded_board(report),
        "trials": trials,
        "shared_failure": shared_failure(trials) if is_owner else None,
        "plays": played_in_words(version),
        "clock": CLOCK_WORDS,
        "budget": CHECK_SECONDS,
        "may_try_again": is_owner and checks.may_ask_for_trials(version),
        "has_replay": bool(report and report.record),
        "seconds": _seconds_since(version.check_started_at),
        "before": 0 if version.is_checked else checks_before(version),
    }


@never_cache
@require_safe
def version_detail(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the page of a version."""
    version = _visible_version(request, slug, number)
    if version.is_remote:
        return redirect(version.bot)
    return render(request, "bots/version.html", _context(request, version))


@never_cache
@require_safe
def version_check(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the state of the check. This part of the page reloads until the check is over."""
    context = _context(request, _visible_version(request, slug, number))
    return render(request, "bots/version.html", {**context, "base": "parts/bare.html"})


@login_required
@never_cache
@require_safe
def check_record(request: SignedInRequest, slug: str, number: int) -> JsonResponse:
    """The record of the check game with its evidence, for its owners."""
    report = check_report(owned_version(request, slug, number))
    if report is None or report.record is None:
        raise Http404("expected a version with a check game, got one without")
    return JsonResponse(report.record)


@login_required
@never_cache
@require_safe
def check_game(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """The check game at a table, for its owners."""
    version = owned_version(request, slug, number)
    report = check_report(version)
    if report is None or report.record is None:
        raise Http404("expected a version with a check game, got one without")
    record = report.record
    if "start" not in record:
        raise Http404("expected a check game that was begun, got one that was not")
    seats = [{"bot": seat["bot"], "version": version.number} for seat in record["seats"]]
    ticks = engine.variant(record["variant"]).in_ticks
    context = {
        "bot": version.bot,
        "version": version,
        "seats": seats,
        "ticks": ticks,
        "board": recorded_board(report),
    }
    return render(request, "bots/check_game.html", context)


@login_required
@never_cache
@require_safe
def source(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """The files of a version as a zip, for its owners."""
    version = owned_version(request, slug, number)
    if version.archive is None:
        raise Http404("expected a version with files, got one that is remote or whose files are gone")
    response = HttpResponse(bytes(version.archive.data), content_type="application/zip")
    name = f"{version.bot.slug}-v{version.number}.zip"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or ""
    return response


@login_required
@require_POST
def try_again(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Have a version checked once more on the boards it does not play on; on all if it is benched."""
    version = owned_version(request, slug, number)
    done = gettext("Version %(number)s of %(bot)s will be checked again.")
    values = {"number": version.number, "bot": version.bot.name}
    attempt(request, done % values, checks.ask_for_trials, version, by=request.user)
    return redirect(version)


@login_required
@require_POST
def activate(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Let a version play wherever it passed."""
    version = owned_version(request, slug, number)
    done = gettext("Version %(number)s of %(bot)s is now active.")
    values = {"number": version.number, "bot": version.bot.name}
    attempt(request, done % values, versions.activate_version, version, by=request.user)
    return redirect(version.bot)


@login_required
@require_POST
def deactivate(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Let a version play nowhere any more."""
    version = owned_version(request, slug, number)
    done = gettext("Version %(number)s of %(bot)s is no longer active.")
    values = {"number": version.number, "bot": version.bot.name}
    attempt(request, done % values, versions.deactivate_version, version, by=request.user)
    return redirect(version.bot)
