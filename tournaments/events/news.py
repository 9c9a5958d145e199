"""Who is told of what in the competition (`notices`): starts, ends, verdicts, and lost first places.

Followers of bots are told of starts and ends as well, by `bots`, which asks here what to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.i18n.phrases import fill
from arena.web.variants import lazy_board_title, lazy_event_title
from bots.follows import note_news
from bots.models import Bot, CoOwner, News
from bots.port import Saying
from tournaments.events.organiser_rights import organiser_keys
from tournaments.events.standings import tournament_standings
from tournaments.models import Entry, Lead, Rating, Tournament

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

SPRT = Tournament.Format.SPRT
Status = Tournament.Status
FEWEST: Final = 3
"""Entrants of an event that followers of a bot hear of: a challenge between two is none."""
PLACES: Final = {
    1: gettext_lazy("%(bot)s won %(event)s."),
    2: gettext_lazy("%(bot)s finished second in %(event)s."),
    3: gettext_lazy("%(bot)s finished third in %(event)s."),
}
SHARED: Final = gettext_lazy("%(bot)s shares first place in %(event)s.")


def tell_started(tournament: Tournament, but: int | None = None) -> None:
    """Tell the owners of its bots that a tournament has started, except its organisers and the user `but`."""
    if tournament.format in (SPRT, Tournament.Format.LADDER):
        return
    owners = owners_of_bots(tournament) - organiser_keys(tournament) - {but}
    tell(
        owners,
        Kind.STARTED,
        f"start {tournament.pk}",
        fill(gettext_lazy("%(event)s has started."), event=lazy_event_title(tournament.name)),
        tournament.get_absolute_url(),
    )
    note_news(News.What.STARTED, tournament.pk, _bots(tournament))


def tell_over(tournament: Tournament, note: str) -> None:
    """Tell the owners of its bots, and its organisers, that a tournament is over; of a test only those."""
    if tournament.format == Tournament.Format.LADDER:
        return
    test, organisers = tournament.format == SPRT, organiser_keys(tournament)
    over = fill(gettext_lazy("%(event)s is over."), event=lazy_event_title(tournament.name))
    tell(
        organisers if test else owners_of_bots(tournament) | organisers,
        Kind.DECIDED if test else Kind.OVER,
        f"end {tournament.pk}",
        format_lazy("{} {}", over, f"{note.strip().rstrip('.')}.") if note else over,
        tournament.get_absolute_url(),
    )
    if not test:
        note_news(News.What.OVER, tournament.pk, _bots(tournament))


def tell_of_start(event: int) -> dict[int, Saying]:
    """What followers of each bot in an event are told when it has started; nothing if it was cancelled.

    Its organisers, and owners of bots in it, know by another notice.
    """
    begun = Tournament.objects.exclude(status__in=(Status.DRAFT, Status.CANCELLED))
    tournament = begun.filter(pk=event).first()
    if tournament is None:
        return {}
    bots = list(_bots(tournament))
    if len(bots) < FEWEST:
        return {}
    words = gettext_lazy("%(bot)s plays in %(event)s, which has started.")
    name = lazy_event_title(tournament.name)
    know = frozenset(owners_of_bots(tournament) | organiser_keys(tournament))
    url = tournament.get_absolute_url()
    return {bot.pk: Saying(fill(words, bot=bot.name, event=name), url, know) for bot in bots}


def tell_of_places(event: int) -> dict[int, Saying]:
    """What followers of the best bots in an event are told when it is over: the winner first.

    A second and a third place count in the upper half of the table.
    """
    tournament = Tournament.objects.filter(pk=event, status=Status.FINISHED).first()
    if tournament is None:
        return {}
    ordered = tournament_standings(tournament)
    if len(ordered) < FEWEST:
        return {}
    first = sum(one.row.place == 1 for one in ordered)
    name, url = lazy_event_title(tournament.name), tournament.get_absolute_url()
    found: dict[int, Saying] = {}
    for one in ordered:
        place, bot = one.row.place, one.entry.version.bot
        counts = place == 1 or (place in PLACES and 2 * place <= len(ordered))
        if counts and one.row.games and not bot.is_withdrawn:
            words = SHARED if place == 1 and first > 1 else PLACES[place]
            found.setdefault(bot.pk, Saying(fill(words, bot=bot.name, event=name), url))
    return found


def first_place(board: str) -> Rating | None:
    """The rating in first place on a board, of the bots in play."""
    in_play = Rating.every.filter(variant=board, games__gt=0, version__bot__withdrawn_at=None)
    return in_play.select_related("version__bot").order_by("provisional", "-elo", "version").first()


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
        fill(
            gettext_lazy("%(winner)s took first place from %(loser)s in %(game)s."),
            winner=winner.name,
            loser=loser.name,
            game=lazy_board_title(board),
        ),
        winner.get_absolute_url(),
    )


def owners_of_bots(tournament: Tournament) -> set[int | None]:
    """The keys of the accounts that own bots in an event."""
    bots = tournament.entries.values("version__bot")
    together = CoOwner.objects.filter(bot__in=bots, status=CoOwner.Status.ACCEPTED, bot__owner__isnull=False)
    return {
        *tournament.entries.values_list("version__bot__owner", flat=True),
        *together.values_list("user", flat=True),
    }


def _bots(tournament: Tournament) -> QuerySet[Bot]:
    """The bots in play that are in an event."""
    entered = Entry.objects.filter(tournament=tournament, withdrawn=False).values("version")
    return Bot.objects.in_play().filter(versions__in=entered).distinct()
