"""Who is told of what in the competition (`notices`): starts, ends, verdicts, and lost first places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from arena.common.phrases import filled
from arena.common.variants import lazy_board_title, lazy_event_title
from bots.models import CoOwner
from notices.models import Kind
from notices.services import tell
from tournaments.models import Lead, Rating, Tournament
from tournaments.selectors.organisers import organiser_keys

if TYPE_CHECKING:
    from datetime import datetime

SPRT = Tournament.Format.SPRT


def tell_started(tournament: Tournament, but: int | None = None) -> None:
    """Tell the owners of its bots that a tournament has started, except its organisers and the user `but`."""
    if tournament.format in (SPRT, Tournament.Format.LADDER):
        return
    owners = _owners(tournament) - organiser_keys(tournament) - {but}
    tell(
        owners,
        Kind.STARTED,
        f"start {tournament.pk}",
        filled(gettext_lazy("%(event)s has started."), event=lazy_event_title(tournament.name)),
        tournament.get_absolute_url(),
    )


def tell_over(tournament: Tournament, note: str) -> None:
    """Tell the owners of its bots, and its organisers, that a tournament is over; of a test only those."""
    if tournament.format == Tournament.Format.LADDER:
        return
    test, organisers = tournament.format == SPRT, organiser_keys(tournament)
    over = filled(gettext_lazy("%(event)s is over."), event=lazy_event_title(tournament.name))
    tell(
        organisers if test else _owners(tournament) | organisers,
        Kind.DECIDED if test else Kind.OVER,
        f"end {tournament.pk}",
        format_lazy("{} {}", over, f"{note.strip().rstrip('.')}.") if note else over,
        tournament.get_absolute_url(),
    )


def first_place(board: str) -> Rating | None:
    """The rating in first place on a board, of the bots in play."""
    in_play = Rating.objects.filter(variant=board, games__gt=0, version__bot__withdrawn_at=None)
    return in_play.select_related("version__bot").order_by("-standing", "version").first()


def tell_beaten(board: str, before: Rating | None, now: datetime) -> None:
    """Note who is first on a board if that is another version, and tell the owners of the first before."""
    after = first_place(board)
    if after is None or (before is not None and before.version_id == after.version_id):
        return
    Lead.objects.create(board=board, version=after.version, elo=after.elo, at=now)
    if before is None:
        return
    loser, winner = before.version.bot, after.version.bot
    if loser.pk == winner.pk or set(loser.owner_keys) & set(winner.owner_keys):
        return
    tell(
        loser.owner_keys,
        Kind.BEATEN,
        f"beaten {board} {now.isoformat()}",
        filled(
            gettext_lazy("%(winner)s took first place from %(loser)s in %(game)s."),
            winner=winner.name,
            loser=loser.name,
            game=lazy_board_title(board),
        ),
        winner.get_absolute_url(),
    )


def _owners(tournament: Tournament) -> set[int | None]:
    bots = tournament.entries.values("version__bot")
    together = CoOwner.objects.filter(bot__in=bots, status=CoOwner.Status.ACCEPTED, bot__owner__isnull=False)
    return {
        *tournament.entries.values_list("version__bot__owner", flat=True),
        *together.values_list("user", flat=True),
    }
