"""What moderators do. Every act is in the staff log, and the person concerned is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.contrib.admin.models import CHANGE, LogEntry
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy

from arena.accounts.admin_site import end_sessions
from arena.accounts.models import User
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.database import database_clock
from arena.web.i18n.phrases import fill
from bots.errors import NameRefused
from bots.models import Bot, CoOwner, Version
from bots.port import field_changed, stop_playing
from people.classes.models import Classroom
from people.moderation.acts import ban_of, decided_parts
from people.moderation.errors import ModerationRefused
from people.moderation.hidden_in_datasets import drop_files
from people.moderation.models import AbuseReport, Act, Subject
from people.moderation.subjects import find_thing, lock_for_ban, lock_person, lock_thing
from people.moderation.text_replacement import PARTS, put_back, replace, shown_notes
from tournaments.events.organisers import resume_without
from tournaments.models import Announcement, Tournament
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Model
    from django.utils.functional import _StrPromise

    from people.moderation.subjects import Thing


LONGEST_BAN: Final = timedelta(days=3_650)
MODELS: Final[dict[str, type[Model]]] = {
    Subject.BOT: Bot,
    Subject.ACCOUNT: User,
    Subject.TOURNAMENT: Tournament,
    Subject.ANNOUNCEMENT: Announcement,
    Subject.CLASS: Classroom,
    Subject.SERIES: EventSeries,
}
TOLD: Final[dict[str, _StrPromise]] = {
    Act.Kind.HIDE: gettext_lazy(
        "Moderators hid something that you wrote: %(title)s. Read why, and how to appeal."
    ),
    Act.Kind.RENAME: gettext_lazy("Moderators gave %(title)s this name. Read why, and how to appeal."),
    Act.Kind.BAN: gettext_lazy("Moderators suspended your account. Read why, and how to appeal."),
}
"""What the person concerned is told."""
OTHERS_TOLD: Final = gettext_lazy("Moderators made a decision about %(title)s, which you own with others.")


@dataclass(frozen=True, slots=True)
class Why:
    """Why a moderator acts: a reason of the list, and words for the person concerned."""

    reason: str
    words: str


@transaction.atomic
def hide(staff: User, subject: str, key: int, parts: Iterable[str], why: Why) -> Act:
    """Hide these texts of a thing from everybody but its owner and staff. Raises ModerationRefused."""
    wanted = [part for part in PARTS[Subject(subject)] if part in set(parts)]
    if not wanted:
        raise ModerationRefused("Choose at least one text to hide.")
    lock_thing(staff, MODELS[subject], subject, key)
    thing = _thing(staff, subject, key)
    _assert_undecided(thing, wanted)
    if empty := [part for part in wanted if not thing.texts[part]]:
        raise ModerationRefused(f"There is no {empty[0].replace('_', ' ')} to hide.")
    before, put = replace(subject, key, wanted, "")
    return _decide(staff, thing, Act.Kind.HIDE, why, before=before, put=put)


@transaction.atomic
def rename(staff: User, subject: str, key: int, name: str, why: Why) -> Act:
    """Give a thing another name. Raises ModerationRefused."""
    if "name" not in PARTS[Subject(subject)] or not name.strip():
        raise ModerationRefused("Give the new name of a bot, an account or a tournament.")
    lock_thing(staff, MODELS[subject], subject, key)
    thing = _thing(staff, subject, key)
    _assert_undecided(thing, ["name"])
    try:
        before, put = replace(subject, key, ["name"], name.strip())
    except NameRefused as error:
        raise ModerationRefused(str(error)) from None
    return _decide(staff, thing, Act.Kind.RENAME, why, before=before, put=put)


@transaction.atomic
def tidy(staff: User, subject: str, key: int, parts: Iterable[str], name: str = "") -> None:
    """Hide these texts of a thing whose owner is gone, or call it `name`. Raises ModerationRefused.

    Nobody is concerned, so there is no decision to tell of or to lift, and staff can change the texts again.
    """
    wanted = [part for part in PARTS[Subject(subject)] if part in set(parts)]
    if not wanted:
        raise ModerationRefused("Choose at least one text to hide.")
    lock_thing(staff, MODELS[subject], subject, key)
    thing = find_thing(subject, key)
    if thing is None or not thing.left_behind:
        raise ModerationRefused("Its owner is not gone.")
    _, put = replace(subject, key, wanted, name.strip())
    transaction.on_commit(partial(drop_files, Act(subject=subject, key=key, put=put)))
    if subject == Subject.SERIES:
        EventSeries.objects.filter(pk=key).update(name_held=False, description_held=False)
    _log_about(staff, subject, key, f"Changed: {', '.join(wanted)}.")
    _close(staff, subject, key, AbuseReport.Status.UPHELD)


@transaction.atomic
def ban(staff: User, user: int, days: int | None, why: Why, about: tuple[str, int] | None = None) -> Act:
    """Close an account to its owner for some days, or for good. Raises ModerationRefused.

    `about` is the thing for which they are suspended: its open reports are closed with those of the account.

    They cannot sign in, upload or enter, and their tokens are refused. Their bots withdraw: they leave the
    events they are in and the ladders, and enter nothing. So do those that they own with others, who are
    told; bots of which they are only a co-owner play on. Events that they paused go on.
    """
    lock_for_ban(staff, user, about)
    thing = _thing(staff, Subject.ACCOUNT, user)
    person = User.objects.get(pk=user)
    if ban_of(user) is not None or not person.is_active:
        raise ModerationRefused("This account is suspended or waits to be let in.")
    until = None
    if days is not None:
        if not 1 <= days <= LONGEST_BAN.days:
            raise ModerationRefused(f"Give 1 to {LONGEST_BAN.days} days, or none for good.")
        until = database_clock.now() + timedelta(days=days)
    now = database_clock.now()
    playing = Bot.objects.select_for_update(no_key=True).filter(owner=person, withdrawn_at=None)
    withdrawn = sorted(playing.values_list("pk", flat=True))
    act = _decide(staff, thing, Act.Kind.BAN, why, before={"withdrawn": withdrawn}, put={}, until=until)
    if about is not None and about != (Subject.ACCOUNT, user):
        _close(staff, *about, AbuseReport.Status.UPHELD)
    User.objects.filter(pk=user).update(is_active=False)
    _tell_co_owners(act, withdrawn)
    Bot.objects.filter(pk__in=withdrawn).update(withdrawn_at=now)
    stop_playing(Version.objects.filter(bot__in=withdrawn))
    # Then, as the events' rows are locked in an order of their own.
    transaction.on_commit(partial(resume_without, person))
    transaction.on_commit(partial(end_sessions, user))
    return act


def _tell_co_owners(act: Act, bots: list[int]) -> None:
    """Tell those who own these bots with a suspended account why they cannot play."""
    words = gettext_lazy("%(bot)s is withdrawn: the account of its owner is suspended.")
    accepted = CoOwner.objects.filter(bot__in=bots, status=CoOwner.Status.ACCEPTED).select_related("bot")
    for row in accepted:
        key, url = f"act {act.pk} on {row.bot_id}", row.bot.get_absolute_url()
        tell([row.user_id], Kind.MODERATED, key, fill(words, bot=row.bot.name), url)


@transaction.atomic
def lift(staff: User, act: Act, words: str = "") -> None:
    """Undo an act. Raises ModerationRefused if it is no longer in force, or concerns the moderator."""
    assert_may_decide(staff, act.person)
    _end(act, Act.Ended.LIFTED, staff, words)
    _log(staff, act, f"Lifted: {act.get_kind_display()}. {words}")
    _tell_ended(act)


def _end(act: Act, because: str, staff: User | None, words: str = "") -> None:
    """Undo an act once, which settles its appeal. Raises ModerationRefused if another was first."""
    lock_person(staff, act)
    ended = Act.objects.filter(pk=act.pk, ended_at=None).update(
        ended_at=database_clock.now(), ended_because=because, ended_by=staff
    )
    if not ended:
        raise ModerationRefused("This decision is no longer in force.")
    Act.objects.filter(pk=act.pk, appealed_at__isnull=False, answered_at=None).update(
        answer=words.strip(), answered_at=database_clock.now(), answered_by=staff
    )
    act.refresh_from_db()
    if act.kind != Act.Kind.BAN:
        put_back(act.subject, act.key, act.before, act.put)
        return
    User.objects.filter(pk=act.person_id).update(is_active=True)
    own = Bot.objects.filter(pk__in=act.before.get("withdrawn", []), owner=act.person_id)
    own.update(withdrawn_at=None)
    field_changed()


def end_for_appeal(staff: User, act: Act) -> None:
    """Undo an act because its appeal was accepted, if it still is in force."""
    if act.ended_at is None:
        _end(act, Act.Ended.APPEAL, staff)


def end_bans_that_are_over() -> int:
    """Open the accounts whose time is over to their owners; how many."""
    due = Act.objects.filter(kind=Act.Kind.BAN, ended_at=None, until__lte=database_clock.now())
    return sum(end_if_over(act) for act in due.select_related("person"))


def end_if_over(act: Act) -> bool:
    """Open an account to its owner if its time is over, once."""
    if act.until is None or act.until > database_clock.now():
        return False
    try:
        with transaction.atomic():
            _end(act, Act.Ended.OVER, None)
            _tell_ended(act)
    except ModerationRefused:
        return False
    return True


@transaction.atomic
def dismiss_reports(staff: User, subject: str, key: int) -> int:
    """Close the open reports of a thing, and leave it as it is; how many. Raises ModerationRefused."""
    lock_thing(staff, MODELS[subject], subject, key)
    thing = find_thing(subject, key)
    if thing is not None and thing.owner is not None:
        _assert_not_shared(staff, thing)
        assert_may_decide(staff, thing.owner)
    closed = _close(staff, subject, key, AbuseReport.Status.DISMISSED)
    if not closed:
        raise ModerationRefused("There is no open report of this.")
    _log_about(staff, subject, key, f"Dismissed {closed} reports.")
    return closed


def _thing(staff: User, subject: str, key: int) -> Thing:
    """The thing, if this moderator may decide about it."""
    thing = find_thing(subject, key)
    if thing is None:
        raise ModerationRefused("It is no longer there.")
    if thing.owner is None:
        raise ModerationRefused("It belongs to the house. Change it in the administration.")
    _assert_not_shared(staff, thing)
    assert_may_decide(staff, thing.owner)
    return thing


def _assert_not_shared(staff: User, thing: Thing) -> None:
    """Raise ModerationRefused if the moderator owns it, too."""
    if staff.pk in thing.others:
        raise ModerationRefused("It is your own. Another moderator must decide.")


def assert_may_decide(staff: User, person: User) -> None:
    """Raise ModerationRefused if this is the moderator, or staff and the moderator no superuser."""
    if staff.pk == person.pk:
        raise ModerationRefused("It is your own. Another moderator must decide.")
    if person.is_staff and not staff.is_superuser:
        raise ModerationRefused("It belongs to staff. A superuser must decide.")


def _assert_undecided(thing: Thing, parts: list[str]) -> None:
    decided = decided_parts(thing.subject, thing.key) & set(parts)
    if "release_notes" in decided and shown_notes(thing.key).exists():
        decided -= {"release_notes"}  # of versions that came after the decision
    if decided:
        part = sorted(decided)[0].replace("_", " ")
        raise ModerationRefused(f"Moderators decided about its {part} already. Lift that first.")


def _decide(
    staff: User,
    thing: Thing,
    kind: Act.Kind,
    why: Why,
    **fields: Any,
) -> Act:
    """Store an act, log it, tell the person concerned, and close the reports."""
    assert thing.owner is not None  # noqa: S101 (`_thing` refuses the house's own)
    act = Act.objects.create(
        kind=kind,
        subject=thing.subject,
        key=thing.key,
        person=thing.owner,
        by=staff,
        reason=why.reason,
        words=why.words.strip(),
        **fields,
    )
    _log(staff, act, f"{act.get_kind_display()}: {act.get_reason_display()}. {act.words}")
    now = find_thing(thing.subject, thing.key)
    title = now.title if now else ""
    tell(
        [thing.owner.pk],
        Kind.MODERATED,
        f"act {act.pk}",
        fill(TOLD[kind], title=title),
        link_to(act),
        also_closed=True,
    )
    # Only who is concerned reads the decision and can appeal.
    tell(thing.others, Kind.MODERATED, f"act {act.pk}", fill(OTHERS_TOLD, title=title), thing.url)
    _close(staff, thing.subject, thing.key, AbuseReport.Status.UPHELD)
    transaction.on_commit(partial(drop_files, act))
    return act


def _close(staff: User, subject: str, key: int, status: AbuseReport.Status) -> int:
    """Close the open reports of a thing, and tell whoever made them what came of it."""
    found = AbuseReport.objects.filter(subject=subject, key=key, status=AbuseReport.Status.OPEN)
    rows = list(found.select_for_update().values_list("pk", "reporter"))
    keys = [pk for pk, _ in rows]
    closed = AbuseReport.objects.filter(pk__in=keys, status=AbuseReport.Status.OPEN).update(
        status=status, closed_at=database_clock.now(), closed_by=staff
    )
    words = (
        gettext_lazy("Thank you for your report. Moderators acted on it.")
        if status == AbuseReport.Status.UPHELD
        else gettext_lazy("Moderators looked at what you reported and left it as it is. Thank you anyway.")
    )
    thing = find_thing(subject, key)
    for pk, reporter in rows:
        tell([reporter], Kind.MODERATED, f"report {pk}", words, thing.url if thing else "/")
    return closed


def _tell_ended(act: Act) -> None:
    words = (
        gettext_lazy("Your account is open again, and your bots play.")
        if act.kind == Act.Kind.BAN
        else gettext_lazy("Moderators lifted a decision about something that you wrote.")
    )
    tell([act.person_id], Kind.MODERATED, f"end of act {act.pk}", words, link_to(act))


def _log(staff: User, act: Act, message: str) -> None:
    _log_about(staff, act.subject, act.key, message.strip())


def _log_about(staff: User, subject: str, key: int, message: str) -> None:
    row = MODELS[subject]._default_manager.filter(pk=key).first()
    if row is not None:
        LogEntry.objects.log_actions(staff.pk, [row], CHANGE, message, single_object=True)


def log_answer(staff: User, act: Act, message: str) -> None:
    """Put the answer to an appeal into the staff log."""
    _log(staff, act, message)


SALT: Final = "moderation.decision"


def link_to(act: Act) -> str:
    """The path of the page of a decision."""
    return reverse("moderation:decision", args=[signing.dumps(act.pk, salt=SALT)])


def act_of(signed: str) -> Act | None:
    """The decision that a link leads to; None if we did not make the link."""
    try:
        key = signing.loads(signed, salt=SALT)
    except signing.BadSignature:
        return None
    return Act.objects.select_related("person").filter(pk=key).first()
