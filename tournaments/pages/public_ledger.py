"""The public ledger: what was lost, repeated or voided, and whether the audit agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.web.cache.pages import everybody, shared_page
from tournaments.operation import ledger as ledger_counts
from tournaments.pages.queue import days_chart

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def ledger(request: HttpRequest) -> HttpResponse:
    """The ledger's counts with the moment they were counted, each variant's audit, and what was voided."""
    counts, at = ledger_counts.counted_ledger()
    context = {
        "counts": counts,
        "counted_at": at,
        "audits": ledger_counts.variant_audits(),
        "voided": ledger_counts.voided_pairs(),
        "failed": ledger_counts.failed_attempts(),
        "chart": days_chart(),
    }
    return render(request, "audit.html", context)


@shared_page(seconds=1, among=everybody)
@require_safe
def integrity(request: HttpRequest) -> HttpResponse:
    """What the night's audit found suspicious in the ratings, and what owners asked to have voided."""
    audits = ledger_counts.variant_audits()
    context = {
        "audits": audits,
        "flags": sum(one.flags for one in audits),
        "requests": ledger_counts.void_requests(),
        "migrated": ledger_counts.migrated_events(),
    }
    return render(request, "integrity.html", context)
