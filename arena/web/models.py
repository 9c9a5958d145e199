"""Tables shared by all apps: heartbeats, workers, incidents, alarms, sent requests, and stamps."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_noop


class Heartbeat(models.Model):
    """When a task last went from beat through the queue of this name to a worker."""

    name = models.CharField(max_length=64, primary_key=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.beaten_at:%Y-%m-%d %H:%M:%S}"


class Worker(models.Model):
    """A worker process: the queues it serves, how many games it plays at once, and its host's sandbox.

    The process renews its row every few seconds, and removes it when it ends properly. `sandbox` is what it
    found when it last examined the sandbox (`arena.run.workers.sandbox`), and empty until it has.
    """

    name = models.CharField(max_length=150, primary_key=True)
    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    queues = models.JSONField(default=list)
    games_at_once = models.PositiveIntegerField(default=0)
    sandbox = models.JSONField(default=dict, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    beaten_at = models.DateTimeField()

    class Meta:
        """In order of age."""

        ordering = ("started_at", "name")

    def __str__(self) -> str:
        return self.name


class Host(models.Model):
    """A machine that plays, as its worker announced it when it last started.

    `speed` is its own benchmark (`arena.run.workers.presence`) and `clock_ms` how far its clock runs ahead
    of the database's. `spell_from` is when its present spell began: the games since then are looked at
    together. A host that was set aside claims no games until an operator clears `set_aside_at`.
    """

    name = models.CharField(max_length=100, primary_key=True)
    cores = models.PositiveIntegerField(default=1)
    speed = models.FloatField(default=0.0)
    release = models.CharField(max_length=20, blank=True)
    rules = models.PositiveSmallIntegerField(default=0)
    versions = models.JSONField(default=dict, blank=True)
    clock_ms = models.IntegerField(default=0)
    known_since = models.DateTimeField(auto_now_add=True)
    announced_at = models.DateTimeField()
    spell_from = models.DateTimeField()
    looked_at_games = models.PositiveIntegerField(default=0)
    set_aside_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        """The first that ever joined comes first: it is the reference for speed."""

        ordering = ("known_since", "name")

    def __str__(self) -> str:
        return self.name


class Limit(models.Model):
    """A limit whose value an operator has changed (`arena.web.limits`)."""

    name = models.CharField(max_length=40, primary_key=True)
    value = models.IntegerField()
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        """By name."""

        ordering = ("name",)

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


class Stamp(models.Model):
    """How often a table was written to: the sum of `number` over the rows of its `topic`, its name.

    Triggers of the database count (`arena.web.cache.versions`), in the transaction that writes. There are
    several rows a topic where several transactions wrote at once.
    """

    topic = models.CharField(max_length=64, db_index=True)
    number = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.topic} at {self.number}"


class SentRequest(models.Model):
    """A request that changes something, and how it was answered (`arena.web.http.idempotency`).

    `key` is a keyed digest of what tells it from all others, `content` a digest of what it asks for. `status`
    is null while it is carried out, from `at` on.
    """

    key = models.CharField(max_length=64, unique=True)
    content = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(db_index=True)
    status = models.PositiveSmallIntegerField(null=True)
    answer_type = models.CharField(max_length=100, blank=True)
    location = models.TextField(blank=True)
    answer = models.BinaryField(default=b"")

    def __str__(self) -> str:
        return f"{self.key[:8]}: {self.status or 'being carried out'}"


class Incident(models.Model):
    """What befell a process: it noted this itself, once it could (`arena.web.processes.incidents`)."""

    class Kind(models.TextChoices):
        """What it was."""

        STARTED = "started", "Started"
        STILL = "still", "Stood still"
        DATABASE = "database", "Database did not answer"
        BROKER = "broker", "Broker was away"
        CLOCK = "clock", "Clock jumped"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    process = models.CharField(max_length=150)
    detail = models.CharField(max_length=300, blank=True)
    # By the clock of the database: the process's own may be what is wrong.
    at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        """Newest first."""

        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.process}: {self.get_kind_display()}"


class Alarm(models.Model):
    """One problem, open until `cleared_at` is set. `key` names what it is about.

    Whatever plays, checks or keeps records raises it. It keeps the label, and so the table, of the app that
    had it first.
    """

    class Kind(models.TextChoices):
        """What is wrong."""

        SANDBOX = "sandbox", gettext_noop("The sandbox is unavailable")
        PAIR = "pair", gettext_noop("A pair could not be played")
        BOT = "bot", gettext_noop("Too many games of a bot were voided")
        CHECK = "check", gettext_noop("An upload could not be checked")
        HOST = "host", gettext_noop("A host was set aside")
        AUDIT = "audit", gettext_noop("The audit found a difference")
        ARCHIVE = "archive", gettext_noop("Archived records cannot be read")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    key = models.CharField(max_length=80, blank=True)
    detail = models.CharField(max_length=500)
    raised_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()
    count = models.PositiveIntegerField(default=1)
    cleared_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; one open alarm per kind and key."""

        app_label = "tournaments"
        ordering = ("-raised_at",)
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "key"], condition=models.Q(cleared_at__isnull=True), name="alarm_open_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"
