"""A bot: a name with an owner, and perhaps co-owners, under which versions are uploaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
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
    which games are its (`bots.models.presence`).

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
