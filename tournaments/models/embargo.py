"""Results that stay hidden until the organiser reveals them, and the one place that keeps them hidden.

May this reader see the result of this game? The managers of every table that holds results answer it
(`Shown`): what is hidden does not exist for them. Pages, the API, sockets, feeds, downloads, ratings and
analyses all read through these managers, so a reader that nobody thought of shows too little, never too
much. Only code that plays, pairs and reveals says `seeing_hidden`.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.db import models
from django.utils.translation import gettext_lazy

from arena.web.database.prepared_sql import prepare_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import ParamSpec

    from django.db.models import QuerySet

    from arena.web.database.prepared_sql import PreparedQuery

    Arguments = ParamSpec("Arguments")

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=models.Model)

_seeing: ContextVar[bool] = ContextVar("seeing_hidden", default=False)


@contextmanager
def seeing_hidden() -> Iterator[None]:
    """Let the code within, or the decorated function, read hidden rows as well.

    A query belongs to the context in which it was built. Nothing that is read here may reach a reader.
    """
    before = _seeing.set(True)
    try:
        yield
    finally:
        _seeing.reset(before)


@contextmanager
def as_shown() -> Iterator[None]:
    """Read only what everybody may see, whoever calls."""
    before = _seeing.set(False)
    try:
        yield
    finally:
        _seeing.reset(before)


def sees_hidden() -> bool:
    """Whether hidden rows are read here."""
    return _seeing.get()


def prepare_query(make: Callable[Arguments, QuerySet[Any, Row]]) -> Callable[Arguments, PreparedQuery[Row]]:
    """Keep what `make` words for each of its (hashable) arguments, apart for whoever sees hidden rows."""
    return prepare_apart(make, sees_hidden)


class Shown(models.Manager[Stored]):
    """The rows that are not hidden. The model's `HIDDEN_BY` names the column that says so."""

    def get_queryset(self) -> models.QuerySet[Stored]:
        """All rows within `seeing_hidden`, otherwise those that everybody may see."""
        found = super().get_queryset()
        if _seeing.get():
            return found
        return found.filter(**{self.model.HIDDEN_BY: False})  # type: ignore[attr-defined]


class HiddenResults(models.Model):
    """What an event hides, and how that ends.

    Meetings are hidden as a whole: those of the last `last_rounds` rounds, and those that begin at or after
    `since`. `before` is the table that everybody saw when the last game was over: each entry's place and
    points, by its key. `places` is how many places of the final table, from the bottom up, are revealed.
    """

    class Ending(models.TextChoices):
        """When hidden results are shown."""

        HAND = "hand", gettext_lazy("When I reveal them")
        END = "end", gettext_lazy("As soon as the last game is over")
        TIME = "time", gettext_lazy("At a set time")

    tournament = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="hidden_results"
    )
    last_rounds = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=8, choices=Ending.choices, default=Ending.HAND)
    reveal_at = models.DateTimeField(null=True, blank=True)
    organiser_sees = models.BooleanField(default=False)
    played_at = models.DateTimeField(null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)
    places = models.PositiveIntegerField(default=0)
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Named as a plural already."""

        verbose_name_plural = "hidden results"

    def __str__(self) -> str:
        return f"hidden results of tournament {self.tournament_id}"


EVERY_ROUND: Final = 1_000_000
"""More rounds than any event has: all of them are hidden."""
