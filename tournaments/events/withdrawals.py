"""Takes bots out of the events that go on: what they have not begun is forfeited, and the event does without.

A version leaves every event that is not over when it is benched or its bot is withdrawn: by an owner, by
moderators, or with its owner's account. Whoever does that calls `leave_events` in the same transaction; the
sweep calls it for what is left over. The rule is the same in every format with a table:

- A pair that has begun is played to its end, and counts.
- Of all else that the bot was still to play, its opponents win each game; with more than two seats they are
  level among themselves. A match that is not decided goes to the opponent, who advances.
- The files of a deleted account are gone: a pair of which a game still waits for them is forfeited whole.

So leaving is worth as much as resigning every further game: it gains nothing, and costs no opponent anything.
Forfeits are no games: ratings, luck and the bench know nothing of them.

A sequential test stops without a verdict. A ladder has no table: there the pairs just go. A draft loses the
entrant. A bot that is restored comes back to ladders, but not to the events it left.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.database import database_clock
from arena.web.i18n.phrases import fill
from arena.web.variants import lazy_event_title
from bots.models import RemotePresence, program_gone
from bots.remote.connections import gone_before
from tournaments import live_updates as events
from tournaments.events.organiser_rights import organiser_keys
from tournaments.game_messages import advance_on_commit
from tournaments.models import AuditEntry, Entry, Game, Pair, Pairing, Seat, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.finish import UNFINISHED, finish, void_pairs, void_unfinished
from tournaments.pairing.matches import score_match
from tournaments.pairing.row_locks import lock_together

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

Format = Tournament.Format
Status = Tournament.Status

ABSENT: Final = timedelta(days=1)
"""How long an open event waits for a remote bot that is offline."""

A_BOT_LEFT: Final = "A bot left the event."
"""Why pairs are void that are forfeited. It names no bot: a name goes with its owner's account."""

LEFT: Final = gettext_lazy("%(bot)s left %(event)s and forfeits the games it had not begun.")
LEFT_DRAFT: Final = gettext_lazy("%(bot)s is no longer entered in %(event)s.")
DEPARTED: Final = gettext_lazy("A bot whose owner deleted their account")

NO_LONGER_PLAYS: Final = (
    program_gone("version__")
    | Q(version__bot__withdrawn_at__isnull=False)
    | Q(version__benched_at__isnull=False)
)


@seeing_hidden()
def leave_events(versions: Collection[int] | None = None, *, benched: str = "") -> int:
    """Take these versions, or all, out of the events that go on, if they no longer play; how many events.

    Call it in the transaction in which they stop to play, once that is stored; it may be called twice.
    `benched` names the version that was benched. The events' rows are locked after accounts and bots.
    """
    found = sorted(_concerned(versions))
    for key in found:
        with transaction.atomic():
            event = Tournament.objects.select_for_update(of=("self",)).filter(pk=key).first()
            if event is not None:
                settle_left(event, benched)
    return len(found)


def _concerned(versions: Collection[int] | None) -> set[int]:
    """The events that go on with an entrant that no longer plays, or wait for games without files."""
    going = (Status.DRAFT, Status.RUNNING, Status.PAUSED)
    entries = Entry.objects.filter(NO_LONGER_PLAYS, withdrawn=False, tournament__status__in=going)
    seats = Seat.objects.filter(program_gone("version__"), game__tournament__status__in=going)
    waiting = Q(game__status=Game.Status.QUEUED) | Q(game__pair__status=Pair.Status.STUCK)
    seats = seats.filter(waiting).order_by()
    if versions is not None:
        entries, seats = entries.filter(version__in=versions), seats.filter(version__in=versions)
    return {*entries.values_list("tournament", flat=True), *seats.values_list("game__tournament", flat=True)}


@seeing_hidden()
def leave_absent() -> int:
    """Take remote bots that were away for `ABSENT` out of the open events that wait for them; how many.

    Nobody needs to be there while an event is paused. Open boards wait for nobody: there pairs are void after
    two minutes.
    """
    now, before = database_clock.now(), gone_before(ABSENT)
    away = RemotePresence.objects.filter(online_since=None).filter(
        Q(seen_at__lt=before) | Q(seen_at=None, bot__created_at__lt=before)
    )
    waiting = Seat.objects.filter(
        game__status=Game.Status.QUEUED,
        game__created_at__lt=now - ABSENT,
        game__tournament__status=Status.RUNNING,
        game__tournament__admits_remote=True,
        version__bot__in=away.values("bot"),
    ).exclude(game__tournament__format=Format.LADDER)
    resumed = AuditEntry.objects.filter(what=AuditEntry.What.RESUMED, at__gt=now - ABSENT)
    waiting = waiting.exclude(game__tournament__in=resumed.values("tournament"))
    found: dict[int, set[int]] = {}
    for key, entry in waiting.order_by().values_list("game__tournament", "entry").distinct():
        found.setdefault(key, set()).add(entry)
    for key, entries in sorted(found.items()):
        with transaction.atomic():
            event = Tournament.objects.select_for_update(of=("self",)).get(pk=key)
            gone = list(Entry.objects.filter(pk__in=entries).select_related("version__bot"))
            Entry.objects.filter(pk__in=entries).update(withdrawn=True)
            _tell(event, [one for one in gone if not one.withdrawn], LEFT)
            settle_left(event)
    return len(found)


@seeing_hidden()
def settle_left(event: Tournament, benched: str = "") -> None:
    """Have an event do without the entrants that no longer play. Call with its row locked."""
    if event.is_over:
        return
    out = list(_out(event).select_related("version__bot").order_by("-withdrawn", "number"))
    news = [one for one in out if not one.withdrawn]
    mine = Entry.objects.filter(pk__in=[one.pk for one in news])
    if event.status == Status.DRAFT:
        _tell(event, news, LEFT_DRAFT)
        mine.delete()
    else:
        mine.update(withdrawn=True)
        _settle(event, [one.pk for one in out], benched)
        if event.format not in (Format.LADDER, Format.SPRT):  # a test that stops is told of as over
            _tell(event, news, LEFT)
        advance_on_commit(event.pk)
    events.changed_on_commit(event.slug)


def _out(event: Tournament) -> QuerySet[Entry]:
    """The entrants that have left an event, or no longer play."""
    entries = Entry.objects.filter(tournament=event)
    if event.format == Format.LADDER:
        # Others were replaced by a newer version, and finish what they began.
        return entries.filter(NO_LONGER_PLAYS)
    return entries.filter(NO_LONGER_PLAYS | Q(withdrawn=True))


def first_out(pairing: Pairing) -> int | None:
    """The key of the entrant of a pairing that has left, or no longer plays; None if it can be played."""
    out = _out(pairing.tournament).filter(pk__in=pairing.entry_ids).order_by("-withdrawn", "number")
    return out.values_list("pk", flat=True).first()


def _settle(event: Tournament, out: Sequence[int], benched: str) -> None:
    """Void what these entrants, by key, have not begun in an event, and forfeit it."""
    if event.format == Format.SPRT:
        stop_test(event, benched)
        return
    theirs = Q()
    for seat in ("first", "second", "third", "fourth"):
        theirs |= Q(**{f"{seat}__in": out})
    pairings = list(Pairing.objects.filter(theirs, tournament=event, second__isnull=False))
    keys = [one.pk for one in pairings]
    pairs = Pair.objects.filter(pairing__in=keys, status__in=UNFINISHED).order_by()
    _, locked = lock_together(Game.objects.filter(pair__in=pairs.values("pk")).order_by(), pairs)
    void_pairs(_not_played(locked), _why(benched))
    if event.format == Format.LADDER:
        return
    for pairing in pairings:
        forfeit_rest(event, pairing.pk, next(key for key in out if key in pairing.entry_ids))


def _not_played(pairs: Collection[int]) -> set[int]:
    """Those of these unfinished pairs that have not begun, or of which a game can never be played."""
    games = Game.objects.filter(pair__in=pairs)
    begun = games.filter(status__in=(Game.Status.RUNNING, Game.Status.FINISHED))
    gone = Seat.objects.filter(program_gone("version__"), game__pair__in=pairs).values("game")
    lost = games.filter(status=Game.Status.QUEUED, pk__in=gone)
    stuck = Pair.objects.filter(pk__in=pairs, status=Pair.Status.STUCK)
    return (
        (set(pairs) - set(begun.values_list("pair", flat=True)))
        | set(lost.values_list("pair", flat=True))
        | set(stuck.values_list("pk", flat=True))
    )


def forfeit_rest(event: Tournament, pairing: int, by: int) -> None:
    """Let a pairing end with the pairs that are played or being played: the entrant `by` forfeits the rest.

    A match to points that is not decided goes to the other one. Call with the event's row locked.
    """
    row = Pairing.objects.get(pk=pairing)
    played = row.pairs_done + row.pairs.filter(status__in=(Pair.Status.QUEUED, Pair.Status.RUNNING)).count()
    missing = max(0, row.pairs_planned - played)
    if event.match_rule is not None:
        missing = int(row.match == Pairing.Match.OPEN)
    if not missing and row.pairs_planned == played:
        return
    Pairing.objects.filter(pk=pairing).update(
        pairs_planned=played,
        pairs_forfeited=F("pairs_forfeited") + missing,
        forfeited_by=row.forfeited_by_id or (by if missing else None),
    )
    score_match(event, pairing)


def stop_test(event: Tournament, benched: str = "") -> None:
    """End a sequential test of which a version has left. Call with its row locked."""
    void_unfinished(event, _why(benched))
    if benched:
        finish(event, note=f"Stopped without a verdict: {benched} was benched."[:300])
    else:
        finish(event, note="Stopped without a verdict: a bot left the event.")


def _why(benched: str) -> str:
    """Why pairs are void, as `arena.web.i18n.messages` knows it."""
    return f"{benched} was benched." if benched else A_BOT_LEFT


def _tell(event: Tournament, entries: Iterable[Entry], words: _StrPromise) -> None:
    """Tell the owners of bots that left, and the event's organisers."""
    for entry in entries:
        bot = entry.version.bot
        name = (
            DEPARTED
            if entry.version.archive_id is None and not (bot.is_remote and bot.owner_id)
            else bot.name
        )
        tell(
            organiser_keys(event) | set(bot.owner_keys),
            Kind.OVER,
            f"left {event.pk} entry {entry.pk}",
            fill(words, bot=name, event=lazy_event_title(event.name)),
            event.get_absolute_url(),
        )
