"""Tournaments in the admin. History is read-only; operators have actions instead."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry

from analysis.errors import CompetitionError
from arena.web.admin import Acting, NewestAuditEntries, ReadOnly
from arena.web.models import Host
from arena.web.processes.alarms import clear_alarm
from tournaments.models import (
    AccountLink,
    Alarm,
    Attempt,
    AuditEntry,
    Entry,
    EventBatch,
    Evidence,
    Game,
    NearTwin,
    Organiser,
    Pair,
    Pairing,
    ProbeAnswers,
    Rating,
    RatingAnchor,
    RatingPoint,
    RatingState,
    Record,
    Result,
    Seat,
    Tournament,
    VoidRequest,
)
from tournaments.models.embargo import seeing_hidden
from tournaments.operation.hosts import let_play, set_aside
from tournaments.pairing.pairs import decide, must_not_gain, void_pair
from tournaments.pairing.progress import cancel_tournament, pause_tournament, resume_tournament
from tournaments.ratings.ratings import rate_everything

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from arena.accounts.models import User


class OrganiserInline(ReadOnly, admin.TabularInline[Organiser, Tournament]):
    """Who organises a tournament beside its owner, and who was asked to."""

    model = Organiser
    fields = ("user", "status", "invited_by", "invited_at", "answered_at")
    readonly_fields = fields
    extra = 0


class AuditEntryInline(ReadOnly, admin.TabularInline[AuditEntry, Tournament]):
    """What its organisers did last with a tournament."""

    model = AuditEntry
    formset = NewestAuditEntries
    fields = ("at", "actor", "what", "person", "version")
    readonly_fields = fields
    extra = 0


class EntryInline(ReadOnly, admin.TabularInline[Entry, Tournament]):
    """The entrants, below their tournament."""

    model = Entry
    fields = ("number", "version", "withdrawn")
    readonly_fields = fields
    extra = 0


class WithHidden:
    """Rows of hidden games, too: an operator has to see what waits, fails or is stuck, but no result."""

    @seeing_hidden()
    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """All rows."""
        return super().get_queryset(request)  # type: ignore[misc, no-any-return]  # of ModelAdmin


def signed_in(request: HttpRequest) -> User:
    """The member of staff who acts."""
    user: User = request.user  # type: ignore[assignment]  # nobody else comes here
    return user


def act(request: HttpRequest, rows: QuerySet[Any], action: Callable[[Any], object], done: str) -> None:
    """Apply an action to each row and report how often it worked. Each refusal is shown."""
    count = 0
    for row in rows:
        try:
            action(row)
            LogEntry.objects.log_actions(
                signed_in(request).pk, [row], CHANGE, f"{done.capitalize()}.", single_object=True
            )
            count += 1
        except CompetitionError as error:
            messages.error(request, f"{row}: {error}")
    if count:
        messages.success(request, f"{count} {done}.")


@admin.register(Tournament)
class TournamentAdmin(Acting, admin.ModelAdmin[Tournament]):
    """Tournaments; the seed is shown only when it is public."""

    list_display = ("name", "owner", "variant", "format", "status", "created_at", "finished_at")
    list_filter = ("status", "format", "variant")
    list_select_related = ("owner",)
    search_fields = ("name", "slug", "owner__username")
    exclude = ("seed",)
    readonly_fields = ("revealed_seed",)
    inlines = (OrganiserInline, AuditEntryInline, EntryInline)
    actions = ("pause", "go_on", "cancel")

    @admin.display(description="seed")
    def revealed_seed(self, tournament: Tournament) -> str:
        """The seed once the tournament is over."""
        return tournament.seed if tournament.is_over else "secret until the tournament is over"

    @admin.action(description="Pause", permissions=["act"])
    def pause(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        """Pause: start no more games."""
        act(request, rows, pause_tournament, "paused")

    @admin.action(description="Resume", permissions=["act"])
    def go_on(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        """Resume paused tournaments."""
        act(request, rows, resume_tournament, "resumed")

    @admin.action(description="Cancel", permissions=["act"])
    def cancel(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        """Cancel for good."""
        why, by = f"cancelled by {request.user}", signed_in(request)
        act(request, rows, lambda tournament: cancel_tournament(tournament, why, by=by), "cancelled")


@admin.register(Pair)
class PairAdmin(WithHidden, Acting, admin.ModelAdmin[Pair]):
    """Pairs, which can be voided and started again.

    Whoever voids must not see results, so they are left out.
    """

    list_display = (
        "id",
        "pairing",
        "number",
        "run",
        "status",
        "accepted_at",
        "void_reason",
    )
    list_filter = ("status", "pairing__tournament__variant")
    list_select_related = ("pairing__tournament",)
    search_fields = ("pairing__tournament__name", "deal_seed")
    fields = (
        "pairing",
        "number",
        "run",
        "status",
        "void_reason",
        "created_at",
        "accepted_at",
    )
    actions = ("void_and_rerun",)

    @admin.action(description="Void and replay", permissions=["act"])
    def void_and_rerun(self, request: HttpRequest, rows: QuerySet[Pair]) -> None:
        """Void the pairs and play their deals again."""
        why = f"voided by {request.user}"

        def void(pair: Pair) -> None:
            must_not_gain(signed_in(request), pair)
            void_pair(pair, why)

        act(request, rows, void, "voided, to be replayed")


@admin.register(Alarm)
class AlarmAdmin(Acting, admin.ModelAdmin[Alarm]):
    """Alarms, which can be cleared by hand."""

    list_display = ("kind", "key", "detail", "count", "raised_at", "seen_at", "cleared_at")
    list_filter = ("kind", ("cleared_at", admin.EmptyFieldListFilter))
    actions = ("clear",)

    @admin.action(description="Clear", permissions=["act"])
    def clear(self, request: HttpRequest, rows: QuerySet[Alarm]) -> None:
        """Clear alarms."""
        act(request, rows, lambda alarm: clear_alarm(alarm.kind, alarm.key), "cleared")


@admin.register(Host)
class HostAdmin(Acting, admin.ModelAdmin[Host]):
    """Hosts that play; one that was set aside can be let play again, or any be set aside by hand."""

    list_display = ("name", "cores", "speed", "release", "clock_ms", "announced_at", "set_aside_at", "reason")
    actions = ("set_aside", "let_play")

    @admin.action(description="Set aside, and play the games of its spell again", permissions=["act"])
    def set_aside(self, request: HttpRequest, rows: QuerySet[Host]) -> None:
        """Give hosts no more games."""
        act(request, rows, lambda host: set_aside(host, "An operator set it aside."), "set aside")

    @admin.action(description="Let play again", permissions=["act"])
    def let_play(self, request: HttpRequest, rows: QuerySet[Host]) -> None:
        """Give hosts games again."""
        act(request, rows, let_play, "let play again")


@admin.register(Game)
class GameAdmin(WithHidden, ReadOnly, admin.ModelAdmin[Game]):
    """Games. The start of a game is secret while it is played."""

    list_display = ("id", "tournament", "pair", "leg", "status", "token", "started_at", "finished_at")
    list_filter = ("status", "tournament__variant")
    list_select_related = ("tournament", "pair")
    search_fields = ("id", "tournament__name")
    exclude = ("start",)


@admin.register(Result)
class ResultAdmin(ReadOnly, admin.ModelAdmin[Result]):
    """Accepted results."""

    list_display = ("game", "termination", "culprit", "detail", "plies", "turns", "accepted_at")
    list_filter = ("termination", "game__tournament__variant")
    search_fields = ("game__id", "detail")


@admin.register(Attempt)
class AttemptAdmin(WithHidden, ReadOnly, admin.ModelAdmin[Attempt]):
    """Attempts and why they ended."""

    list_display = ("game", "token", "worker", "ply", "cause", "detail", "started_at", "ended_at")
    list_filter = ("cause",)
    search_fields = ("game__id", "worker", "detail")


@admin.register(Pairing)
class PairingAdmin(ReadOnly, admin.ModelAdmin[Pairing]):
    """Pairings with their counters."""

    list_display = ("tournament", "round", "table", "first", "second", "pairs_done", "pairs_planned")
    list_select_related = ("tournament", "first__version__bot", "second__version__bot")
    search_fields = ("tournament__name",)


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin[Rating]):
    """Ratings as computed last."""

    list_display = ("version", "variant", "elo", "error", "anchored", "games", "wins", "draws", "losses")
    list_filter = ("variant", "anchored")
    list_select_related = ("version__bot",)
    search_fields = ("version__bot__name",)


@admin.register(RatingPoint)
class RatingPointAdmin(ReadOnly, admin.ModelAdmin[RatingPoint]):
    """How ratings went."""

    list_display = ("version", "variant", "at", "elo", "error", "games")
    list_filter = ("variant",)
    list_select_related = ("version__bot",)
    search_fields = ("version__bot__name",)


@admin.register(RatingState)
class RatingStateAdmin(ReadOnly, admin.ModelAdmin[RatingState]):
    """The state of the ratings, and what the last audit found."""

    list_display = ("variant", "requested", "computed", "computed_at", "audited_at")


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin[Entry]):
    """Entrants."""

    list_display = ("tournament", "number", "version", "withdrawn")
    list_select_related = ("tournament", "version__bot")
    search_fields = ("tournament__name", "version__bot__name")


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin[Seat]):
    """Who sat where."""

    list_display = ("game", "seat", "version")
    list_select_related = ("game", "version__bot")
    search_fields = ("game__id", "version__bot__name")


@admin.register(Record)
class RecordAdmin(ReadOnly, admin.ModelAdmin[Record]):
    """Stored event logs, without their bytes."""

    list_display = ("game", "rules", "count")
    search_fields = ("game__id",)
    exclude = ("data",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Record]:
        """Without the bytes."""
        return super().get_queryset(request).defer("data")


@admin.register(EventBatch)
class EventBatchAdmin(ReadOnly, admin.ModelAdmin[EventBatch]):
    """Events of games in progress."""

    list_display = ("game", "attempt", "first_n", "last_n")
    list_select_related = ("game", "attempt")
    search_fields = ("game__id",)
    exclude = ("data",)


@admin.register(Evidence)
class EvidenceAdmin(ReadOnly, admin.ModelAdmin[Evidence]):
    """The sandboxes of games. What bots wrote belongs to their owners and is not shown."""

    list_display = ("game",)
    search_fields = ("game__id",)
    fields = readonly_fields = ("game", "walls")

    @admin.display(description="sandbox")
    def walls(self, row: Evidence) -> str:
        """Which walls stood around the bots, as JSON."""
        return json.dumps(row.parts()[1])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Evidence]:
        """Without what is not shown in the list."""
        return super().get_queryset(request).defer("packed", "seats")


@admin.register(AccountLink)
class AccountLinkAdmin(admin.ModelAdmin[AccountLink]):
    """Accounts that staff consider one author. The next computation of ratings applies it."""

    list_display = ("one", "other", "reason", "created_at")
    autocomplete_fields = ("one", "other")
    search_fields = ("one__username", "other__username")

    def save_model(self, request: HttpRequest, obj: AccountLink, form: Any, change: bool) -> None:
        """Store it and have everything rated again."""
        super().save_model(request, obj, form, change)
        rate_everything()

    def delete_model(self, request: HttpRequest, obj: AccountLink) -> None:
        """Delete it and have everything rated again."""
        super().delete_model(request, obj)
        rate_everything()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[AccountLink]) -> None:
        """Do the same with those chosen in the list."""
        super().delete_queryset(request, queryset)
        rate_everything()


@admin.register(ProbeAnswers)
class ProbeAnswersAdmin(ReadOnly, admin.ModelAdmin[ProbeAnswers]):
    """How many positions each version answered; not which, nor how."""

    list_display = ("version", "probe_set", "count", "done", "at")
    list_filter = ("done",)
    list_select_related = ("version__bot", "probe_set")
    search_fields = ("version__bot__name", "version__bot__owner__username")
    fields = ("version", "probe_set", "count", "done", "at")

    @admin.display(description="positions answered")
    def count(self, answers: ProbeAnswers) -> int:
        """Those at which it chose the same both times."""
        return len(answers.choices)


@admin.register(NearTwin)
class NearTwinAdmin(ReadOnly, admin.ModelAdmin[NearTwin]):
    """Versions that are taken for one bot."""

    list_display = ("one", "other", "same", "common", "at")
    list_select_related = ("one__bot", "other__bot")
    search_fields = ("one__bot__name", "other__bot__name")


@admin.register(RatingAnchor)
class RatingAnchorAdmin(ReadOnly, admin.ModelAdmin[RatingAnchor]):
    """The versions that hold the scales."""

    list_display = ("variant", "version", "elo", "frozen_at")
    list_filter = ("variant",)
    list_select_related = ("version__bot",)


@admin.register(VoidRequest)
class VoidRequestAdmin(Acting, admin.ModelAdmin[VoidRequest]):
    """Requests of owners to void a pair: with what the machine did, without who won."""

    list_display = ("id", "evidence", "attempts", "created_at", "granted", "answer")
    list_filter = (("granted", admin.EmptyFieldListFilter),)
    fields = ("evidence", "attempts", "created_at", "granted", "answer", "decided_at")
    readonly_fields = fields
    actions = ("grant", "refuse")

    @admin.display(description="attempts")
    def attempts(self, request: VoidRequest) -> str:
        """Worker, end and detail of each attempt."""
        with seeing_hidden():
            rows = list(Attempt.objects.filter(game__pair=request.pair_id).order_by("started_at"))
        return "; ".join(f"{one.worker}: {one.get_cause_display()} {one.detail}".strip() for one in rows)

    @admin.action(description="Void the pair", permissions=["act"])
    def grant(self, request: HttpRequest, rows: QuerySet[VoidRequest]) -> None:
        """Void the pairs and play them again."""
        by = signed_in(request)
        act(request, rows, lambda one: decide(one, one.evidence, granted=True, by=by), "granted")

    @admin.action(description="Let the result stand", permissions=["act"])
    def refuse(self, request: HttpRequest, rows: QuerySet[VoidRequest]) -> None:
        """Change nothing."""
        why, by = "No sign of a machine fault.", signed_in(request)
        act(request, rows, lambda one: decide(one, why, granted=False, by=by), "refused")
