"""A bot: a name with an owner, under which versions are uploaded; its followers, its program, and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from arena.web import names
from arena.web.i18n.messages import reword
from arena.web.i18n.phrases import list_names
from arena.web.paths import path
from bots.models.co_owner import CoOwner

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models.version import ActiveVersion


NAME_LENGTH = 40


def validate_homepage(address: str) -> None:
    """Raise ValidationError unless an address is http or https, names nobody, and can be read in full."""
    parts = urlsplit(address)  # what is no address at all, the field refuses itself
    if parts.scheme not in ("http", "https"):
        raise ValidationError(gettext("Enter an address that starts with https:// or http://."), "scheme")
    if "@" in parts.netloc or not address.isprintable():
        raise ValidationError(
            gettext("Enter an address without a user name and hidden characters."), "secret"
        )


class BotQuerySet(models.QuerySet["Bot"]):
    """Bots, by who may do what with them."""

    def in_play(self) -> BotQuerySet:
        """Bots that were not withdrawn."""
        return self.filter(withdrawn_at=None)

    def of(self, user: Any) -> BotQuerySet:
        """Bots that the user may act for: their own, and those of which they are a co-owner.

        Everything that asks whose a bot is asks this, :meth:`Bot.is_owned_by` or `Bot.team`.
        """
        return self.of_account(user.pk) if user.is_authenticated else self.none()

    def of_account(self, key: int) -> BotQuerySet:
        """The same of an account by its key."""
        own = Bot.objects.filter(owner=key).order_by().values("pk")
        together = CoOwner.objects.filter(user=key, status=CoOwner.Status.ACCEPTED)
        # A union uses both indexes; a condition with OR uses none.
        return self.filter(pk__in=own.union(together.order_by().values("bot")))

    def enterable_by(self, user: Any) -> BotQuerySet:
        """Bots with an active version that ``user`` may enter in a tournament: house, own, or open to all."""
        allowed = models.Q(is_house=True) | models.Q(open_to_all=True)
        if user.is_authenticated:
            allowed |= models.Q(pk__in=Bot.objects.of(user))
        return self.in_play().filter(allowed, active_version__isnull=False)


DESCRIPTIONS: Final = (
    gettext_noop("Plays any legal move."),
    gettext_noop("Like Greedy, but careful: never empties a house, and fills one only from its reserve."),
    gettext_noop(
        "Plays the best-looking single move: to a foundation, your reserve, your discard or a house."
    ),
    gettext_noop("Searches the whole turn, up to the next unknown card, for the best position."),
    gettext_noop("Plays out Planner's best lines on many guesses of the hidden cards, and takes the best."),
    gettext_noop(
        "Knows by a net how good each line is, and plays the best ones on for guesses of the hidden cards."
    ),
    gettext_noop("Plays any legal move. Runs on Node."),
    gettext_noop("Greedy's rules of thumb. Runs on Node."),
    gettext_noop("Plays any legal move. A static executable."),
    gettext_noop("Greedy's rules of thumb, as a static executable."),
)
"""What house bots say of themselves, marked for translation: their folders know no framework."""


class Bot(models.Model):
    """A player's name and owner. House bots have no owner; bots of a deleted account have none either, unless
    a co-owner took them over.

    A `remote` bot has no files here: its program connects from its author's machine, and its one version says
    which games are its (`bots.models.bot`).

    ``look`` is what the name looks like (`arena.web.names`). ``TEXTS`` are what its owners say of it, beside
    the name: they go with the last of them, and moderators can hide them.
    """

    class Kind(models.TextChoices):
        """Where its program runs: here, in the sandbox, or on its author's own machine."""

        UPLOADED = "uploaded", gettext_lazy("uploaded")
        REMOTE = "remote", gettext_lazy("remote")

    TEXTS: ClassVar = ("description", "homepage")

    name = models.CharField(max_length=NAME_LENGTH)
    look = models.CharField(max_length=names.LOOK_LENGTH, null=True, unique=True, editable=False)  # noqa: DJ001
    slug = models.SlugField(max_length=NAME_LENGTH, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="bots"
    )
    description = models.TextField(max_length=2000, blank=True)
    homepage = models.URLField(blank=True, default="", db_default="", validators=[validate_homepage])
    # Whose rating speaks for the bot; empty: the one that it has played most.
    headline_board = models.CharField(max_length=32, blank=True, default="", db_default="")
    kind = models.CharField(
        max_length=8, choices=Kind.choices, default=Kind.UPLOADED, db_default=Kind.UPLOADED, editable=False
    )
    is_house = models.BooleanField(default=False)
    open_to_all = models.BooleanField(default=True)
    # Of the versions that play (`ActiveVersion`), the one on most boards: what lists show of the bot.
    active_version = models.ForeignKey(
        "bots.Version", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = BotQuerySet.as_manager()

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(Lower("name"), name="bots_bot_name_unique"),
            models.CheckConstraint(
                condition=models.Q(is_house=False) | models.Q(owner=None), name="bots_bot_house_has_no_owner"
            ),
            models.CheckConstraint(
                condition=models.Q(is_house=False) | models.Q(kind="uploaded"),
                name="bots_bot_house_is_uploaded",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the row, with the look of its name unless another bot has that look already."""
        fields = kwargs.get("update_fields")
        if fields is None or "name" in fields:
            self.look = names.free_look(Bot.objects.exclude(pk=self.pk), self.name)
            if fields is not None:
                kwargs["update_fields"] = {*fields, "look"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        """The bot's public page."""
        return path("bots:detail", self.slug)

    @property
    def told_description(self) -> str:
        """The description; a house bot's in the language of the page."""
        return reword(self.description, DESCRIPTIONS) if self.is_house else self.description

    @property
    def shown_homepage(self) -> str:
        """The homepage; empty while its owner's account is suspended."""
        return self.homepage if self.owner is not None and self.owner.is_active else ""

    @property
    def is_withdrawn(self) -> bool:
        """Whether the bot can no longer enter anything new."""
        return self.withdrawn_at is not None

    @property
    def label(self) -> str:
        """Its name in a sentence, where no badge can stand beside it."""
        return gettext("%(bot)s (remote)") % {"bot": self.name} if self.is_remote else self.name

    @property
    def is_remote(self) -> bool:
        """Whether its program runs on its author's machine, where nobody can say what it is."""
        return self.kind == self.Kind.REMOTE

    @property
    def is_departed(self) -> bool:
        """Whether its owner deleted the account."""
        return self.owner_id is None and not self.is_house

    def is_owned_by(self, user: Any) -> bool:
        """Whether ``user`` (signed in or not) may act for the bot: as its owner, or as a co-owner.

        They alone see source, logs and evidence.
        """
        if not user.is_authenticated or self.owner_id is None:
            return False
        return self.owner_id == user.pk or user.pk in self.owner_keys

    @cached_property
    def co_owner_rows(self) -> list[CoOwner]:
        """Who owns the bot beside its owner, longest first. Lists read it for all bots at once
        (`prefetch_co_owners`)."""
        accepted = self.co_owners.filter(status=CoOwner.Status.ACCEPTED)
        return list(accepted.select_related("user")) if self.owner_id is not None else []

    @cached_property
    def active_rows(self) -> list[ActiveVersion]:
        """Which of its versions plays on which board. Lists read it for all bots at once
        (`prefetch_active_rows`)."""
        return list(self.active_versions.select_related("version"))

    @property
    def owner_keys(self) -> list[int]:
        """The accounts that own the bot, its owner first; none for the house's and departed bots."""
        return [self.owner_id, *(row.user_id for row in self.co_owner_rows)] if self.owner_id else []

    @property
    def team(self) -> list[User]:
        """Who owns the bot, its owner first."""
        return [self.owner, *(row.user for row in self.co_owner_rows)] if self.owner else []

    @property
    def owner_names(self) -> str:
        """Its owners as a sentence lists them; empty if it has none."""
        return list_names([one.get_username() for one in self.team]) if self.owner else ""


class Follow(models.Model):
    """A user wants to hear of a bot. How many do is public; who they are is not, even to the bot's owner."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="follows")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Once each."""

        ordering = ("bot__name",)
        constraints = (models.UniqueConstraint(fields=["user", "bot"], name="follow_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.bot_id}"


class News(models.Model):
    """Something that happened to bots, of which their followers are told little by little.

    `key` is that of the version or tournament that it is about: what to say is worked out when it is said.
    Accounts up to the key `told_to` have been told, and all of them once it is `done_at`.
    """

    class What(models.TextChoices):
        """A version became active, a tournament started, a tournament is over."""

        RELEASED = "released"
        STARTED = "started"
        OVER = "over"

    what = models.CharField(max_length=10, choices=What.choices)
    key = models.BigIntegerField()
    at = models.DateTimeField(default=timezone.now)
    told_to = models.BigIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Each thing happens once."""

        ordering = ("pk",)
        verbose_name_plural = "news"
        constraints = (models.UniqueConstraint(fields=["what", "key"], name="news_once"),)
        indexes = (models.Index(fields=["id"], condition=models.Q(done_at=None), name="news_untold"),)

    def __str__(self) -> str:
        return f"{self.what} {self.key}"


class RemotePresence(models.Model):
    """A remote bot's connection: one row a bot, made with it.

    It is online while `online_since` is set; then `connection` is the key of the connection that speaks for
    it, and a later one takes its place. Whoever holds the connection writes `seen_at` every now and then; the
    sweep takes those offline that were not seen for long, whose server must be dead. The program plays at
    most `games` at once, against `people` at the table only if it says so, and takes no new ones while it is
    `leaving`. Which boards it plays are the trials of its version. `bytes_in` came from its connections, and
    `bytes_out` were sent there, ever since; they are counted when it is seen.
    """

    bot = models.OneToOneField(
        "bots.Bot", primary_key=True, on_delete=models.CASCADE, related_name="presence"
    )
    connection = models.CharField(max_length=40, blank=True)
    online_since = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    games = models.PositiveSmallIntegerField(default=1)
    people = models.BooleanField(default=False)
    leaving = models.BooleanField(default=False)
    bytes_in = models.BigIntegerField(default=0, db_default=0)
    bytes_out = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        """Those that are online are looked for."""

        indexes = (
            models.Index(
                fields=["seen_at"],
                condition=models.Q(online_since__isnull=False),
                name="bots_presence_online",
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot_id}: {'online' if self.is_online else 'offline'}"

    @property
    def is_online(self) -> bool:
        """Whether its program is connected."""
        return self.online_since is not None


class Scope(models.TextChoices):
    """What a token may do. Without any scope it may still read what everyone can see."""

    READ = "read", gettext_lazy("Read what only you can see: checks, evidence, your bots’ files, notices")
    UPLOAD = "upload", gettext_lazy("Create, upload, edit, activate and withdraw your bots")
    COMPETE = (
        "compete",
        gettext_lazy("Start and manage tournaments, tests and challenges, enter and remove your bots"),
    )
    ACCOUNT = (
        "account",
        gettext_lazy("Change your notifications and webhooks, the users you block and the bots you follow"),
    )
    REMOTE = "remote", gettext_lazy("Connect your remote bots and play for them")


UPLOADING = (Scope.READ.value, Scope.UPLOAD.value)
"""What every token could do before there were scopes."""


def uploading() -> list[str]:
    """The scopes of a token that names none."""
    return list(UPLOADING)


class Token(models.Model):
    """A secret shown once to its owner: ``digest`` is its SHA-256 in hex, ``hint`` its first letters.

    ``scopes`` are values of `Scope`. From ``expires_at`` on the token does nothing; null means never.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    scopes = models.JSONField(default=uploading)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    def allows(self, scope: str) -> bool:
        """Whether the token has a scope."""
        return scope in self.scopes
