"""A game: who sits where, every attempt to play it, its events, result, record and luck.

Foreign keys have no index of their own (`db_index`) where another index begins with them: each would be
written with every game.
"""

from __future__ import annotations

import json
import uuid
import zlib
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

from arena.web.paths import path
from tournaments.models.embargo import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Game(models.Model):
    """The intent to play one leg of a pair, from the full position line `start`.

    `suits` are the four letters that replace S, H, D and C of the deal. `token` is the fencing token: the
    number of attempts so far. Only the attempt that holds it may deliver.
    """

    class Status(models.TextChoices):
        """The state of a game."""

        QUEUED = "queued", gettext_lazy("Queued")
        RUNNING = "running", gettext_lazy("Running")
        FINISHED = "finished", pgettext_lazy("game", "Finished")
        VOID = "void", pgettext_lazy("game", "Void")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="games", db_index=False
    )
    pair = models.ForeignKey(
        "tournaments.Pair", on_delete=models.CASCADE, related_name="games", db_index=False
    )
    leg = models.PositiveSmallIntegerField()
    start = models.CharField(max_length=1200)
    suits = models.CharField(max_length=4, default="SHDC")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.QUEUED)
    token = models.PositiveIntegerField(default=0)
    order = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    hidden = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    HIDDEN_BY: ClassVar = "hidden"
    objects = Shown()

    class Meta:
        """Newest first; the queue and the pages look up by status."""

        ordering = ("-created_at", "-order", "-leg")
        constraints = (models.UniqueConstraint(fields=["pair", "leg"], name="game_leg_once"),)
        indexes = (
            # Of waiting games only: it stays small, and the planner sees that, however old its statistics.
            models.Index(
                fields=["tournament", "order"], condition=models.Q(status="queued"), name="game_waiting"
            ),
            models.Index(fields=["tournament", "order"], name="game_order"),
            models.Index(fields=["tournament", "status", "-finished_at"], name="game_recent"),
            models.Index(fields=["status", "-finished_at"], name="game_finished"),
            models.Index(fields=["-started_at", "-order"], name="game_list"),
            models.Index(fields=["tournament"], condition=models.Q(hidden=True), name="game_hidden"),
        )

    def __str__(self) -> str:
        return f"game {str(self.id)[:8]}"

    def get_absolute_url(self) -> str:
        """Where the game is watched."""
        return path("games:detail", self.id)


class Seat(models.Model):
    """One seat of one game; seats count from 0. `cpu_ms` is what the bot used, once the game is finished."""

    game = models.ForeignKey(
        "tournaments.Game", on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.PROTECT, related_name="seats")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="seats")

    cpu_ms = models.PositiveIntegerField(null=True, blank=True)

    HIDDEN_BY: ClassVar = "game__hidden"
    objects = Shown()

    class Meta:
        """A seat is taken once."""

        ordering = ("seat",)
        constraints = (models.UniqueConstraint(fields=["game", "seat"], name="seat_once"),)

    def __str__(self) -> str:
        return f"seat {self.seat}"


class Attempt(models.Model):
    """A worker's lease on a game.

    `token` is the game's fencing token when it was claimed. The heartbeat carries `ply`, since a live worker
    may still be stuck. `cause` says how the attempt ended; it is empty while it runs. `seat` is the one whose
    bot's process made the game void, if any. `host` is the machine, and `release` the arena's version there.
    """

    class Cause(models.TextChoices):
        """Why an attempt ended. All but `delivered` are failures of the infrastructure."""

        DELIVERED = "delivered", gettext_lazy("Result delivered")
        INFRASTRUCTURE = "infrastructure", gettext_lazy("Problem on our side, not a bot's fault")
        SANDBOX = "sandbox", gettext_lazy("Sandbox unavailable")
        PLAYER_DIED = "player-died", gettext_lazy("Playing process died")
        LEASE_EXPIRED = "lease-expired", gettext_lazy("Worker lost")
        RESTARTED = "restarted", gettext_lazy("Site restarted")
        CANCELLED = "cancelled", gettext_lazy("Tournament or pair cancelled")
        BOT_AWAY = "bot-away", gettext_lazy("Remote bot not connected")

    game = models.ForeignKey(
        "tournaments.Game", on_delete=models.CASCADE, related_name="attempts", db_index=False
    )
    token = models.PositiveIntegerField()
    worker = models.CharField(max_length=120)
    host = models.CharField(max_length=100, blank=True)
    release = models.CharField(max_length=20, blank=True)
    lease_until = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    ply = models.PositiveIntegerField(default=0)
    cause = models.CharField(max_length=20, choices=Cause.choices, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    HIDDEN_BY: ClassVar = "game__hidden"
    objects = Shown()

    class Meta:
        """Each token is handed out once."""

        ordering = ("game", "token")
        constraints = (models.UniqueConstraint(fields=["game", "token"], name="attempt_token_once"),)
        indexes = (
            models.Index(
                fields=["lease_until"], condition=models.Q(ended_at__isnull=True), name="attempt_open_leases"
            ),
            models.Index(
                fields=["ended_at"], condition=models.Q(seat__isnull=False), name="attempt_voided_by_a_seat"
            ),
            models.Index(fields=["host", "started_at"], name="attempt_of_host"),
        )

    def __str__(self) -> str:
        return f"attempt {self.token}"


class EventBatch(models.Model):
    """Events `first_n` … `last_n` of one attempt as a JSON array; removed when the record is written."""

    game = models.ForeignKey(
        "tournaments.Game", on_delete=models.CASCADE, related_name="batches", db_index=False
    )
    attempt = models.ForeignKey(
        "tournaments.Attempt", on_delete=models.CASCADE, related_name="batches", db_index=False
    )
    first_n = models.PositiveIntegerField()
    last_n = models.PositiveIntegerField()
    data = models.TextField()

    HIDDEN_BY: ClassVar = "game__hidden"
    objects = Shown()

    class Meta:
        """In order of play, each number once."""

        ordering = ("attempt", "first_n")
        verbose_name_plural = "event batches"
        constraints = (models.UniqueConstraint(fields=["attempt", "first_n"], name="batch_once"),)
        indexes = (models.Index(fields=["game", "last_n"], name="batch_after"),)

    def __str__(self) -> str:
        return f"events {self.first_n}-{self.last_n}"


class Evidence(models.Model):
    """Last messages, standard error, exit and resources of each seat's process, as the referee saw them.

    `packed` holds both parts as compressed JSON. Rows of earlier versions hold them in `seats` and `sandbox`.
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="evidence"
    )
    packed = models.BinaryField(null=True)
    seats = models.JSONField(default=list)
    sandbox = models.JSONField(default=dict)

    HIDDEN_BY: ClassVar = "game__hidden"
    objects = Shown()

    class Meta:
        """One a game."""

        verbose_name_plural = "evidence"

    def __str__(self) -> str:
        return f"evidence of {self.game_id}"

    def parts(self) -> tuple[list[Any], dict[str, Any]]:
        """What each seat left behind, and which walls stood around them."""
        if self.packed is None:
            return self.seats, self.sandbox
        seats, sandbox = json.loads(zlib.decompress(self.packed))
        return seats, sandbox

    def pack(self, seats: Sequence[Any], sandbox: Mapping[str, Any]) -> Evidence:
        """Hold these parts instead, and return the row."""
        parts = json.dumps([seats, sandbox], separators=(",", ":"), ensure_ascii=False)
        self.packed, self.seats, self.sandbox = zlib.compress(parts.encode(), 6), [], {}
        return self


CRASHES: Final = frozenset({"crash", "memory", "startup", "flood", "protocol"})
"""Terminations that tell of a fault of the bot's program."""

GIVEN_UP: Final = CRASHES | {"disconnected"}
"""The same of a remote bot's: it is gone, and its author's machine with it."""


class Result(models.Model):
    """The one accepted result of a game.

    `ranking` are groups of equal seats, best first; `points` and `left` (cards left) go by seat. `culprit`
    is the seat that forfeited, if one did. Banks and increments were multiplied by `clock_scale`, for the
    speed of the host that played. `chain_sha256` is the last link of the hash chain over the
    events, `body_sha256` the hash of all that was delivered: the same body again is answered the same,
    another is refused.
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.PROTECT, related_name="result"
    )
    attempt = models.OneToOneField("tournaments.Attempt", on_delete=models.PROTECT, related_name="result")
    termination = models.CharField(max_length=20)
    culprit = models.PositiveSmallIntegerField(null=True, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    ranking = models.JSONField()
    points = models.JSONField()
    left = models.JSONField()
    plies = models.PositiveIntegerField()
    turns = models.PositiveIntegerField()
    cpu_ms = models.JSONField(default=list)
    clock_scale = models.FloatField(default=1.0)
    chain_sha256 = models.CharField(max_length=64)
    body_sha256 = models.CharField(max_length=64)
    accepted_at = models.DateTimeField()

    HIDDEN_BY: ClassVar = "game__hidden"
    objects = Shown()

    class Meta:
        """Newest first."""

        ordering = ("-accepted_at",)

    def __str__(self) -> str:
        return self.termination


class Record(models.Model):
    """All events of a game, packed (`analysis.event_log.unpack`); written with the result, never again.

    The events of an old game may have moved to a file of the archive: then `data` is empty, and they are the
    `length` bytes of `archive` from byte `start`, a raw Deflate stream with the SHA-256 `digest`.
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="record"
    )
    rules = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField()
    data = models.BinaryField()
    archive = models.ForeignKey(
        "tournaments.RecordArchive", null=True, blank=True, on_delete=models.PROTECT, related_name="records"
    )
    start = models.PositiveBigIntegerField(null=True, blank=True)
    length = models.PositiveIntegerField(null=True, blank=True)
    digest = models.BinaryField(max_length=32, null=True, blank=True)

    HIDDEN_BY: ClassVar = "game__hidden"
    objects = Shown()

    def __str__(self) -> str:
        return f"record of {self.game_id}"


class MeasuredLuck(models.Model):
    """The luck of seat 0 in a finished game, by one version of the value function.

    Results count from -1 to 1, margins in cards or points (`analysis.luck.measurement`). `policies` are by
    which each seat was played on, ``[name, agreement]``; empty up to version 3, which had the greedy bot's.
    """

    version = models.PositiveSmallIntegerField()
    deal_result = models.FloatField()
    deal_margin = models.FloatField()
    cards_result = models.FloatField()
    cards_margin = models.FloatField()
    reveals = models.PositiveIntegerField()
    policies = models.JSONField(default=list, blank=True)
    measured_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """The columns that both tables share."""

        abstract = True

    @property
    def result(self) -> float:
        """The total luck in the result."""
        return self.deal_result + self.cards_result

    @property
    def margin(self) -> float:
        """All luck of the margin."""
        return self.deal_margin + self.cards_margin


class GameLuck(MeasuredLuck):
    """The first measurement of a game, which every verdict uses and which never changes.

    It is shown beside the raw result. Ratings use only the raw result, but for those of open boards.
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="luck"
    )

    class Meta:
        """By version, so that games an older one measured are found."""

        verbose_name_plural = "luck of games"
        indexes = (models.Index(fields=["version"], name="luck_version"),)

    def __str__(self) -> str:
        return f"luck of {self.game_id}"


class LaterLuck(MeasuredLuck):
    """The same game measured by a later value function: shown beside the first, used by no verdict."""

    game = models.ForeignKey(
        "tournaments.Game", on_delete=models.CASCADE, related_name="later_luck", db_index=False
    )

    class Meta:
        """Oldest version first, each once."""

        ordering = ("game", "version")
        verbose_name_plural = "later measurements of luck"
        constraints = (models.UniqueConstraint(fields=["game", "version"], name="later_luck_once"),)

    def __str__(self) -> str:
        return f"luck of {self.game_id} by version {self.version}"


class SolvedEnding(models.Model):
    """A seat of a finished game that the solver saw win once every card was known, and whether it did win.

    Written with the luck of the game. A seat that never had such an ending has no row.
    """

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+", db_index=False)
    variant = models.CharField(max_length=32)
    held = models.BooleanField()

    class Meta:
        """Each seat once; counted by version and variant."""

        constraints = (models.UniqueConstraint(fields=["game", "seat"], name="solved_ending_once"),)
        indexes = (models.Index(fields=["version", "variant", "held"], name="solved_ending_of_version"),)

    def __str__(self) -> str:
        return f"ending of seat {self.seat} in {self.game_id}"


class PolicyTally(models.Model):
    """With which known policies a seat of a finished game agreed: what those of later games are chosen by.

    `tally` holds how many stretches the seat played and in how many of them each policy would have done the
    same (`analysis.luck.policy_agreement`).
    """

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+", db_index=False)
    variant = models.CharField(max_length=32)
    tally = models.JSONField()
    tallied_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A seat is tallied once; asked for by version and variant."""

        verbose_name_plural = "policy tallies"
        constraints = (models.UniqueConstraint(fields=["game", "seat"], name="policy_tally_once"),)
        indexes = (models.Index(fields=["version", "variant", "tallied_at"], name="policy_tally_of_version"),)

    def __str__(self) -> str:
        return f"tally of seat {self.seat} in {self.game_id}"
