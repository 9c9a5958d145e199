"""One upload of a bot, never changed afterwards: the file as it was sent, its files, what its check found."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from arena.web.paths import path

RELEASE_NOTES_LENGTH = 500


class ImmutableVersion(TypeError):
    """A version was about to be overwritten; upload a new one instead."""


class Language(models.TextChoices):
    """What runs a version's entry file."""

    PYTHON = "python", gettext_lazy("Python")
    PYTHON_ONNX = "python-onnx", gettext_lazy("Python with ONNX")
    JAVASCRIPT = "javascript", gettext_lazy("JavaScript")
    WASM = "wasm", gettext_lazy("WebAssembly")
    NATIVE = "native", gettext_lazy("Linux executable")
    REMOTE = "remote", gettext_lazy("Remote")


class Status(models.TextChoices):
    """How far the check of a version has come.

    It is accepted if it passed on every board that it says it plays, partly accepted if it was at fault on
    some of them, and rejected if it passed on none.
    """

    UPLOADED = "uploaded", gettext_lazy("waiting for its check")
    CHECKING = "checking", gettext_lazy("being checked")
    ACCEPTED = "accepted", gettext_lazy("accepted")
    PARTLY = "partly", gettext_lazy("partly accepted")
    REJECTED = "rejected", gettext_lazy("rejected")

    @property
    def is_final(self) -> bool:
        """Whether the check is over."""
        return self in {*PLAYABLE, Status.REJECTED}


PLAYABLE: Final = (Status.ACCEPTED, Status.PARTLY)
"""What a version is that passed on some board, and so may play there."""


class Archive(models.Model):
    """A zip of an upload's normalised files, once for each content, apart so that lists never load it."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    data = models.BinaryField()

    def __str__(self) -> str:
        return self.sha256[:12]


def program_gone(way: str = "") -> models.Q:
    """A condition: a version's program is gone with its owner's account; ``way`` leads to the version.

    Where it is remote, the account has it, and it was not taken out of play for good (`departures`).
    """
    owned = {f"{way}bot__owner__isnull": False, f"{way}activated_at__isnull": False}
    remote = models.Q(**{f"{way}language": Language.REMOTE, **owned})
    return models.Q(**{f"{way}archive": None}) & ~remote


class VersionQuerySet(models.QuerySet["Version"]):
    """Versions, by what may be done with them."""

    def fit(self) -> VersionQuerySet:
        """Versions that may be entered somewhere: passed on a board, with files, in play, not benched.

        And in a language that the arena offers.
        """
        found = self.filter(
            status__in=PLAYABLE, archive__isnull=False, bot__withdrawn_at=None, benched_at=None
        )
        return found if settings.OFFERS_ONNX else found.exclude(language=Language.PYTHON_ONNX)

    def fit_remote(self) -> VersionQuerySet:
        """Remote bots' versions that may be entered where those are admitted, online or not.

        Nothing else finds them: `fit` asks for files.
        """
        if not settings.REMOTE:
            return self.none()
        return self.filter(~program_gone(), language=Language.REMOTE, bot__withdrawn_at=None, benched_at=None)

    def fit_for(self, *, remote: bool) -> VersionQuerySet:
        """Versions that may be entered in an event, with those of `remote` bots if it admits them."""
        fit = self.fit()
        if not remote:
            return fit
        return self.filter(
            models.Q(pk__in=fit.order_by().values("pk"))
            | models.Q(pk__in=self.fit_remote().order_by().values("pk"))
        )

    def online(self) -> VersionQuerySet:
        """Of remote bots' versions, those that may play and whose program takes new games now."""
        return self.fit_remote().filter(
            bot__presence__online_since__isnull=False, bot__presence__leaving=False
        )

    def active(self) -> VersionQuerySet:
        """Versions that play for their bot on some board."""
        rows = apps.get_model("bots", "ActiveVersion").objects.filter(version=models.OuterRef("pk"))
        return self.filter(models.Exists(rows))

    def activated_last(self) -> VersionQuerySet:
        """Of each bot the version that was activated last: it plays where it passed, unless benched."""
        later = Version.objects.filter(bot=models.OuterRef("bot"), activated_at__isnull=False)
        newest = later.order_by("-activated_at", "-number").values("pk")[:1]
        return self.filter(pk=models.Subquery(newest))

    def active_on(self, board: str) -> VersionQuerySet:
        """Versions that play for their bot on a board (`engine.boards`), at most one of each bot."""
        return self.filter(active_on__board=board)

    def playing(self, board: str) -> VersionQuerySet:
        """Versions that passed their trial on a board (`engine.boards`)."""
        return self.filter(trials__board=board, trials__verdict="passed")


class Version(models.Model):
    """An upload. Only its check, what that showed and, when its owners leave, ``archive`` ever change.

    Until a worker has inspected the file, nobody knows what is in it: ``sha256``, ``language``, ``entry`` and
    ``archive`` are empty, and the file is a :class:`~bots.models.PendingFile`. They stay empty if it is
    refused. ``sent_sha256`` is the hash of the file as it was sent.

    ``uploaded_by`` is the one of its bot's owners who sent it; None for the house and for deleted accounts.

    ``activated_at`` orders a bot's versions: of those that passed on a board, the one activated last plays
    there. It is the time of the upload if that was to play by itself, whenever the check ended, so that a
    late verdict on an older upload takes nothing from a newer one.

    A version that keeps crashing is benched (``benched_at``): it is entered nowhere until a new check.

    A remote bot has one version, made with the bot, of language `remote` and without anything in it. Its
    trials say which boards its program plays, as that said when it connected. It is benched when it keeps
    abandoning games, until one of its owners lets it play again.
    """

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    sent_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")
    archive = models.ForeignKey(Archive, null=True, on_delete=models.PROTECT, related_name="versions")
    filename = models.CharField(max_length=120)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    note = models.CharField(max_length=200, blank=True, help_text="For its owners alone.")
    release_notes = models.CharField(
        max_length=RELEASE_NOTES_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="What changed, for everyone.",
    )
    language = models.CharField(max_length=12, choices=Language.choices)
    entry = models.CharField(max_length=200)
    size = models.PositiveIntegerField(
        help_text="Total bytes of the unpacked files; of the file as it was sent until then."
    )
    file_count = models.PositiveIntegerField()
    activate_when_accepted = models.BooleanField(default=True)
    activated_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When its owners made it play, or uploaded it to play. The latest plays where it passed.",
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.UPLOADED, db_index=True)
    check_started_at = models.DateTimeField(null=True, blank=True)
    check_failures = models.PositiveSmallIntegerField(
        default=0, help_text="Checks that failed because of a problem on our side."
    )
    check_deaths = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Checks whose process died without a word."
    )
    check_not_before = models.DateTimeField(null=True, blank=True)
    trial_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="When another check of this accepted version was requested."
    )
    benched_at = models.DateTimeField(null=True, blank=True)
    benched_because = models.CharField(max_length=300, blank=True)
    crashes_since = models.DateTimeField(
        null=True, blank=True, help_text="Crashes before this time no longer count towards the bench."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ("bot", "-number")
        constraints = (models.UniqueConstraint(fields=("bot", "number"), name="bots_version_number_unique"),)

    def __str__(self) -> str:
        return self.bot.label if self.is_remote else f"{self.bot.name} v{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raise :class:`ImmutableVersion` on any attempt to overwrite it."""
        if not self._state.adding:
            raise ImmutableVersion(f"expected a new version, got {self!r}, which is stored already")
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        """The page of the version."""
        return path("bots:version", self.bot.slug, self.number)

    @property
    def is_checked(self) -> bool:
        """Whether the check is over, one way or the other."""
        return Status(self.status).is_final

    @property
    def may_play(self) -> bool:
        """Whether it passed on some board."""
        return self.status in PLAYABLE

    @property
    def is_inspected(self) -> bool:
        """Whether it is known what is in the file, or there is none to know."""
        return bool(self.sha256) or self.is_remote

    @property
    def is_remote(self) -> bool:
        """Whether it is a remote bot's, so that there are no files of it."""
        return self.language == Language.REMOTE

    @property
    def is_refused(self) -> bool:
        """Whether the inspection found that the file is no bot."""
        return self.status == Status.REJECTED and not self.is_inspected

    @property
    def is_benched(self) -> bool:
        """Whether it is entered nowhere because it kept crashing."""
        return self.benched_at is not None


class ActiveVersion(models.Model):
    """A version that plays for its bot on one board (`engine.boards`); a board without a row is not played.

    Everything that asks which version plays somewhere asks these rows: `VersionQuerySet.active_on` for all
    bots, `bots.versions.active_on` for one. They follow from the checks of a bot's versions, and only
    `bots.versions.choose_active` writes them.
    """

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="active_versions")
    board = models.CharField(max_length=32)
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="active_on")

    class Meta:
        """One version a board."""

        constraints = (models.UniqueConstraint(fields=("bot", "board"), name="bots_active_once"),)
        indexes = (models.Index(fields=["board", "version"], name="bots_active_board"),)

    def __str__(self) -> str:
        return f"{self.version_id} on {self.board}"


def prefetch_active_rows() -> models.Prefetch[str]:
    """Reads at once which version of each of many bots plays on which board."""
    return models.Prefetch(
        "active_versions", ActiveVersion.objects.select_related("version"), to_attr="active_rows"
    )


class CheckReport(models.Model):
    """The verdict on a version: one row, written once, when its check game is over.

    ``log`` is one or more sentences for the owner. ``record`` is the record of the check game (a replay)
    with, under ``"evidence"``, what each seat left: last messages, stderr, exit status, CPU time, memory.
    """

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="check_report")
    accepted = models.BooleanField()
    log = models.TextField(blank=True)
    record = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.version}: {'accepted' if self.accepted else 'rejected'}"


class Trial(models.Model):
    """A version's trial game on one board (`engine.boards`): it plays only on boards where it passed.

    ``log`` is what its owner reads. ``record`` is the game, if it was kept, with what each seat wrote under
    ``"evidence"``. A board without a row was never tried.
    """

    class Verdict(models.TextChoices):
        """The outcome of a trial."""

        PASSED = "passed", gettext_lazy("passed")
        FAILED = "failed", gettext_lazy("failed")
        LEFT_OUT = "left-out", gettext_lazy("not played")

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="trials")
    board = models.CharField(max_length=32)
    verdict = models.CharField(max_length=8, choices=Verdict.choices)
    log = models.TextField(blank=True)
    record = models.JSONField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        """One trial per version and board: the latest."""

        constraints = (models.UniqueConstraint(fields=("version", "board"), name="bots_trial_once"),)
        indexes = (models.Index(fields=["board", "verdict", "version"], name="bots_trial_board"),)

    def __str__(self) -> str:
        return f"{self.version_id} on {self.board}: {self.verdict}"


class PendingFile(models.Model):
    """The bytes of an upload that waits for its inspection. Apart, so that lists never load them.

    Nothing has opened them yet: they leave this table as a :class:`~bots.models.Archive`, or not at all.
    """

    version = models.OneToOneField(
        Version, on_delete=models.CASCADE, primary_key=True, related_name="pending_file"
    )
    data = models.BinaryField()
    size = models.PositiveIntegerField(help_text="Bytes as they were sent.")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.size} bytes"


class UploadAttempt(models.Model):
    """One file that was received from a user, accepted or refused; kept as long as limits look back."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="upload_attempts"
    )
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["owner", "at"], name="bots_attempt_recent"),)

    def __str__(self) -> str:
        return f"{self.owner_id} at {self.at:%Y-%m-%d %H:%M:%S}"
