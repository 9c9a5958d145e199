"""Classes, who is in them, their events and assignments, and keys that somebody tried in vain."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from arena.web.paths import path
from arena.web.variants import board_title

LONGEST_NAME = 60


class Classroom(models.Model):
    """A teacher's class. Whoever knows `join_key` joins while it `takes_members`.

    It goes with the teacher's account. Nobody but its members, its teacher and moderators sees its name.
    While it is `name_held`, moderators chose the name, and the teacher cannot change it.
    """

    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="classes_taught"
    )
    name = models.CharField(max_length=LONGEST_NAME)
    join_key = models.CharField(max_length=32, unique=True)
    name_held = models.BooleanField(default=False)
    takes_members = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Newest first."""

        ordering = ("-created_at", "-pk")
        verbose_name = "class"
        verbose_name_plural = "classes"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The page of the class."""
        return path("classes:detail", self.pk)


class Membership(models.Model):
    """A student in a class."""

    classroom = models.ForeignKey("classes.Classroom", on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Once each, by name."""

        ordering = ("user__username",)
        constraints = (models.UniqueConstraint(fields=["classroom", "user"], name="membership_once"),)

    def __str__(self) -> str:
        return f"{self.user} in {self.classroom}"


class ClassEvent(models.Model):
    """An event that only the members of a class may enter."""

    tournament = models.OneToOneField(
        "tournaments.Tournament", primary_key=True, on_delete=models.CASCADE, related_name="class_event"
    )
    classroom = models.ForeignKey("classes.Classroom", on_delete=models.CASCADE, related_name="events")

    def __str__(self) -> str:
        return f"{self.tournament} for {self.classroom}"


class Assignment(models.Model):
    """What a class is to do until a date: upload a bot, or finish or win `count` games at the table.

    Games count from when it was given. How far somebody is follows from their bots and games
    (`people.classes.assignments`): nothing is stored of it.
    """

    class Kind(models.TextChoices):
        """What is to be done."""

        BOT = "bot", gettext_lazy("Upload a bot that passes its check")
        GAMES = "games", gettext_lazy("Finish games against a bot")
        WINS = "wins", gettext_lazy("Win games against a bot")

    classroom = models.ForeignKey("classes.Classroom", on_delete=models.CASCADE, related_name="assignments")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    variant = models.CharField(max_length=32)
    count = models.PositiveSmallIntegerField(default=1)
    due_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """By date."""

        ordering = ("due_at", "pk")

    def __str__(self) -> str:
        return f"{self.kind} in {self.variant} for {self.classroom}"

    @property
    def is_over(self) -> bool:
        """Whether its date has passed."""
        return timezone.now() > self.due_at

    @property
    def words(self) -> str:
        """What is to be done, in a sentence."""
        game = board_title(self.variant)
        match self.kind:
            case self.Kind.BOT:
                return gettext("Upload a bot that passes its check in %(game)s") % {"game": game}
            case self.Kind.GAMES:
                text = ngettext(
                    "Finish %(count)s game of %(game)s against a bot",
                    "Finish %(count)s games of %(game)s against a bot",
                    self.count,
                )
            case _:
                text = ngettext(
                    "Win %(count)s game of %(game)s against a bot",
                    "Win %(count)s games of %(game)s against a bot",
                    self.count,
                )
        return text % {"count": self.count, "game": game}

    @property
    def url(self) -> str:
        """Where somebody begins to do it."""
        return (
            path("bots:new") if self.kind == self.Kind.BOT else f"{path('play:new')}?variant={self.variant}"
        )


class KeyTry(models.Model):
    """A key that somebody tried and that opens no class: so nobody tries many.

    It counts for an hour. The account's next try deletes it, or the end of the account.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Counted by account."""

        ordering = ("-at",)
        verbose_name_plural = "key tries"
        indexes = (models.Index(fields=["user", "at"], name="key_try_user"),)

    def __str__(self) -> str:
        return f"{self.user_id} at {self.at:%Y-%m-%d %H:%M:%S}"
