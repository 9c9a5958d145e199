"""``/accounts/data/``: everything the database keeps about the account that asks, as one zip.

`OWNED` names every table with rows of an account and how they lead to it; `LEFT_OUT` says of the others that
point to an account or its bots why they are not in it. A test compares both with the models.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any, Final

from allauth.account.decorators import reauthentication_required
from django.apps import apps
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from bots.models import Archive, Version
from tournaments.models import Evidence, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Manager, Model, QuerySet
    from django.http import HttpRequest

    from arena.accounts.models import User

OWNED: Final = {
    "accounts.User": ("pk",),
    "account.EmailAddress": ("user",),
    "mfa.Authenticator": ("user",),
    "admin.LogEntry": ("user",),
    "notices.Notice": ("user",),
    "notices.Delivery": ("notice__user",),
    "notices.Wishes": ("user",),
    "notices.Webhook": ("owner",),
    "notices.Dismissal": ("user",),
    "bots.Bot": ("owner",),
    "bots.ActiveVersion": ("bot__owner",),
    "bots.Follow": ("user",),
    "bots.Token": ("owner",),
    "bots.UploadAttempt": ("owner",),
    "bots.CoOwner": ("user",),
    "bots.BotAuditEntry": ("actor",),
    "bots.Version": ("bot__owner", "uploaded_by"),
    "bots.CheckReport": ("version__bot__owner",),
    "bots.PendingFile": ("version__bot__owner", "version__uploaded_by"),
    "bots.Trial": ("version__bot__owner",),
    "bots.RemotePresence": ("bot__owner",),
    "tournaments.Tournament": ("owner",),
    "tournaments.Announcement": ("author",),
    "tournaments.Organiser": ("user",),
    "tournaments.AuditEntry": ("actor",),
    "tournaments.VoidRequest": ("asked_by",),
    "tournaments.Entry": ("version__bot__owner",),
    "tournaments.Seat": ("version__bot__owner",),
    "tournaments.Rating": ("version__bot__owner",),
    "tournaments.RatingPoint": ("version__bot__owner",),
    "friendlies.Friendly": ("owner",),
    "friendlies.PersonRating": ("user",),
    "puzzles.Solver": ("user",),
    "puzzles.Attempt": ("solver__user",),
    "classes.Classroom": ("teacher",),
    "classes.Membership": ("user",),
    "classes.KeyTry": ("user",),
    "series.EventSeries": ("owner",),
    "series.SeriesAuditEntry": ("actor",),
    "series.FinalPlace": ("bot__owner",),
    "series.LadderPlace": ("version__bot__owner",),
    "challenges.Challenge": ("asker", "asked"),
    "challenges.Terms": ("bot__owner",),
    "challenges.Block": ("owner",),
    "moderation.AbuseReport": ("reporter",),
    "moderation.Act": ("person",),
}
"""Tables by label, with the ways from a row to its account."""

FILE_NAMES: Final = {
    "bots.BotAuditEntry": "bots.BotDeed",
    "tournaments.AuditEntry": "tournaments.Deed",
    "series.SeriesAuditEntry": "series.SeriesDeed",
}
"""Tables whose file in the zip keeps a name that the table no longer has."""

LEFT_OUT: Final = {
    "accounts.User_groups": "rights of staff",
    "accounts.User_user_permissions": "rights of staff",
    "tournaments.AccountLink": "what staff think about two accounts; it concerns the other one as well",
    "bots.SharedPast": "what keeps the bots of deleted accounts one author's in the ratings; it names nobody",
    "tournaments.PolicyTally": "worked out from games that anyone can download",
    "tournaments.Lead": "worked out from games that anyone can download",
    "tournaments.SolvedEnding": "worked out from games that anyone can download",
    "tournaments.RatingAnchor": "house bots only",
    "tournaments.ProbeAnswers": "answers to secret positions, which would give the positions away",
    "tournaments.NearTwin": "worked out from those answers",
    "series.LadderSeason": "which of the staff closed a season of a ladder",
    "friendlies.Daily": "the same deal for everybody",
}
"""Tables that point to accounts or bots, and why they are not in the zip."""

SECRET: Final = frozenset(
    {
        *("password", "digest", "secret", "feed_secret", "data", "seed", "start", "connection"),
        *("by", "closed_by", "ended_by", "answered_by"),
    }
)
"""Fields that prove who somebody is, that are secret until a game is over, that are files of their own, or
that name a moderator."""
ROWS: Final = 500
BLOCK: Final = 1 << 16
"""Bytes that are sent at once."""


@login_required
@require_safe
@reauthentication_required  # type: ignore[untyped-decorator]  # whoever finds an open session takes nothing
def account_data(request: HttpRequest) -> StreamingHttpResponse:
    """All data of the account, as a zip that is made while it is sent."""
    user: User = request.user  # type: ignore[assignment]
    response = StreamingHttpResponse(pieces(user), content_type="application/zip")
    day = f"{timezone.now():%Y-%m-%d}"
    response["Content-Disposition"] = f'attachment; filename="crapette-account-{day}.zip"'
    return response


def pieces(user: User) -> Iterator[bytes]:
    """The zip, piece by piece: one JSON file a table, what bots wrote, and each version's files."""
    target = _Pipe()
    for _ in _written(target, user):
        if target.waiting >= BLOCK:
            yield target.take()
    yield target.take()


def _written(target: _Pipe, user: User) -> Iterator[None]:
    """Write the zip, and stop after each row or file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for label in OWNED:
            yield from _table(packed, label, user)
        with packed.open("what-bots-wrote.jsonl", "w") as file:
            for line in _evidence(user):
                file.write(line)
                yield
        mine = Version.objects.filter(Q(bot__owner=user) | Q(uploaded_by=user))
        for version in mine.exclude(archive=None).select_related("bot"):
            found = Archive.objects.filter(versions=version).first()
            if found is not None:
                packed.writestr(f"bots/{version.bot.slug}/{version.number}.zip", bytes(found.data))
                yield


def rows_of(label: str, user: User) -> QuerySet[Model]:
    """The rows of a table that are about an account."""
    asked = Q()
    for way in OWNED[label]:
        asked |= Q(**{way: user.pk})
    model = apps.get_model(label)
    # Results that are hidden stay so; ratings on open boards are the account's, too.
    manager: Manager[Model] = getattr(model, "every", model._default_manager)
    return manager.filter(asked).order_by("pk")


def _table(packed: zipfile.ZipFile, label: str, user: User) -> Iterator[None]:
    """Write the rows of a table, one JSON object a line; stop after each."""
    names = [
        field.attname for field in apps.get_model(label)._meta.concrete_fields if field.name not in SECRET
    ]
    with packed.open(f"{FILE_NAMES.get(label, label)}.jsonl", "w") as file:
        for row in rows_of(label, user).values(*names).iterator(chunk_size=ROWS):
            file.write(_line(row))
            yield


def _evidence(user: User) -> Iterator[bytes]:
    """What the account's bots wrote in each game, by their own seats."""
    seats = Seat.objects.filter(version__bot__owner=user, game__evidence__isnull=False).order_by("pk")
    for game, seat in seats.values_list("game_id", "seat").iterator(chunk_size=ROWS):
        row = Evidence.objects.filter(pk=game).first()
        wrote = row.parts()[0] if row is not None else []
        if seat < len(wrote):
            yield _line({"game": game, "seat": seat, "wrote": wrote[seat]})


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, cls=_Encoder, ensure_ascii=False).encode() + b"\n"


class _Encoder(DjangoJSONEncoder):
    """Bytes in Base64."""

    def default(self, o: Any) -> Any:
        """A value that JSON has no form for."""
        if isinstance(o, bytes | memoryview):
            return base64.b64encode(bytes(o)).decode()
        return super().default(o)


class _Pipe(io.RawIOBase):
    """What a zip is written to: whatever came since the last look is taken away."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: Any) -> int:
        """Keep it until it is taken."""
        self._waiting += data
        return len(data)

    @property
    def waiting(self) -> int:
        """How many bytes came since the last time."""
        return len(self._waiting)

    def take(self) -> bytes:
        """What came since the last time."""
        found = bytes(self._waiting)
        self._waiting.clear()
        return found
