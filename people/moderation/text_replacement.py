"""Puts something else in place of a text, and puts the text back.

The row itself is changed, so whatever reads it shows the same: pages, caches, feeds, downloads, search,
previews and e-mails. Addresses have the name in them and change with it.

Names that stand in other rows than the thing's own: notices, reasons, and events named after bots.

What people wrote themselves, in the name of an event say, is a thing of its own to decide about.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet, URLField
from django.utils.text import slugify
from django.utils.translation import gettext

from arena.accounts.models import User
from arena.accounts.names import run_validators
from arena.notices.models import Kind, Notice
from arena.web.i18n.messages import HIDDEN_TEXT
from arena.web.paths import path
from bots.bots import clean_name, slug_for
from bots.follows import told_notes
from bots.models import Bot, News, Version
from bots.teams.departures import departed_name
from people.classes.models import LONGEST_NAME, Classroom
from people.moderation.errors import ModerationRefused
from people.moderation.models import Subject
from tournaments import live_updates as events
from tournaments.challenges.models import Challenge
from tournaments.events.creation import NAME_LENGTH
from tournaments.models import Announcement, Entry, Pair, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.ratings.rated_pool import A_CHALLENGE
from tournaments.series.models import LONGEST_NAME as LONGEST_SERIES
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import Model, QuerySet


LEAST: Final = 3
"""Letters of a name that is replaced within sentences. Shorter ones are parts of words."""
Named = dict[str, list[str]]
"""Names and slugs of events, by key."""


NAME_PEOPLE: Final = (Kind.TOGETHER, Kind.CHALLENGED, Kind.ANSWERED)
"""Kinds of notices with the names of accounts."""


def in_notices(name: str, new: str, url: str = "", new_url: str = "", *, also: Q | None = None) -> None:
    """Call a thing by its new name in what people were told, which may still be on its way by e-mail.

    Only what was told of it: by its address, or `also` otherwise. Its name may be a word of other sentences.
    """
    about = Q(url__startswith=url) if url else Q(pk__in=())
    notices = Notice.objects.filter(about if also is None else about | also)
    _in_texts(notices, "text", name, new, 300)
    for key, told in list(notices.filter(url__startswith=url).values_list("pk", "url")) if url else ():
        Notice.objects.filter(pk=key).update(url=f"{new_url}{told.removeprefix(url)}"[:200])


def in_notices_of(bot: Bot, name: str, new: str, slug: str, new_slug: str) -> None:
    """The same for a bot, also in what was told of the events and challenges that it was in."""
    keys: set[str] = set()
    for event, entry in Entry.objects.filter(version__bot=bot).values_list("tournament", "pk"):
        keys |= {f"left {event} entry {entry}", f"end {event}"}
        keys |= {f"followed {what} {event}" for what in (News.What.STARTED, News.What.OVER)}
    asked = Challenge.objects.filter(Q(mine__bot=bot) | Q(theirs__bot=bot)).values_list("pk", flat=True)
    keys |= {f"challenge {key}{more}" for key in asked for more in ("", " answered")}
    addresses = path("bots:detail", slug), path("bots:detail", new_slug)
    in_notices(name, new, *addresses, also=Q(key__in=keys))


def in_notices_of_releases(notes: Mapping[str, str], new: str) -> None:
    """Put something else in place of release notes that followers were told, by the keys of versions."""
    for key, text in notes.items():
        said = told_notes(text)
        found = Notice.objects.filter(key=f"followed released {key}", text__contains=said)
        for notice in found if said else ():
            Notice.objects.filter(pk=notice.pk).update(text=notice.text.replace(said, new))


@seeing_hidden()
def in_reasons(bot: Bot, name: str, new: str) -> None:
    """The same in why its events ended and why pairs there were voided, which name a bot that was benched."""
    played = Tournament.objects.filter(entries__version__bot=bot)
    _in_texts(played, "note", name, new, 300)
    void = Pair.objects.filter(status=Pair.Status.VOID, pairing__tournament__in=played)
    _in_texts(void, "void_reason", name, new, 300)


def name_events(bot: Bot, name: str, new: str) -> tuple[Named, Named]:
    """Name the events anew that challenges of a bot named after it; what they were called, and are now."""
    before: Named = {}
    put: Named = {}
    # Not by the challenge, which goes with either account.
    found = Tournament.objects.filter(unrated_because=A_CHALLENGE, entries__version__bot=bot)
    for key in list(found.values_list("pk", flat=True).distinct().order_by("pk")):
        event = Tournament.objects.select_for_update().get(pk=key)
        called = _word(name).sub(lambda _: new, event.name)[:NAME_LENGTH].strip()
        if called == event.name:
            if len(event.name) < NAME_LENGTH - 1:
                continue  # the bot had another name then
            called = f"Challenge {key}"  # it was cut off, perhaps within the name
        slug = f"{slugify(called)[:40].strip('-')}-{secrets.token_hex(3)}"
        before[str(key)], put[str(key)] = [event.name, event.slug], [called, slug]
        addresses = path("tournaments:detail", event.slug), path("tournaments:detail", slug)
        in_notices(event.name, called, *addresses)
        _write(event, called, slug)
    return before, put


@transaction.atomic
def forget_name(key: int) -> None:
    """Call a bot that goes with its owner's account, wherever else its name stands, as it will be called."""
    bot = Bot.objects.filter(pk=key).first()
    if bot is None:  # a second click was faster
        return
    new, slug = departed_name(key)
    in_notices_of(bot, bot.name, new, bot.slug, slug)
    in_reasons(bot, bot.name, new)
    name_events(bot, bot.name, new)


def name_events_back(before: Named, put: Named) -> None:
    """Undo that, where nobody else has named an event since or taken its address."""
    for key, (name, slug) in before.items():
        event = Tournament.objects.select_for_update().filter(pk=int(key)).first()
        if event is None or [event.name, event.slug] != put.get(key):
            continue
        taken = Tournament.objects.filter(slug=slug).exclude(pk=event.pk).exists()
        _write(event, name, event.slug if taken else slug)


def _write(event: Tournament, name: str, slug: str) -> None:
    events.changed_on_commit(event.slug)
    Tournament.objects.filter(pk=event.pk).update(name=name, slug=slug)
    events.changed_on_commit(slug)


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _in_texts(rows: QuerySet[Any, Any], field: str, name: str, new: str, most: int) -> None:
    """Replace a name in one column, where it stands as a word of its own."""
    if len(name) < LEAST:
        return
    model: type[Model] = rows.model
    for key, text in list(rows.filter(**{f"{field}__contains": name}).values_list("pk", field)):
        changed = _word(name).sub(lambda _: new, text)[:most]
        if changed != text:
            model._base_manager.filter(pk=key).update(**{field: changed})


Texts = dict[str, Any]

PARTS: Final = {
    Subject.BOT: ("name", *Bot.TEXTS, "release_notes"),
    Subject.ACCOUNT: ("name",),
    Subject.TOURNAMENT: ("name", "description"),
    Subject.ANNOUNCEMENT: ("text",),
    Subject.CLASS: ("name",),
    Subject.SERIES: ("name", "description"),
}
"""The texts of each kind of thing."""


def hidden_name(subject: str, key: int) -> str:
    """What a thing is called while its name is hidden. Nobody else may have such a name."""
    return f"Hidden {'user' if subject == Subject.ACCOUNT else subject} {key}"


def replace(subject: str, key: int, parts: Iterable[str], name: str) -> tuple[Texts, Texts]:
    """Hide these texts, or call the thing `name`; what was there, and what is there now.

    Raises ModerationRefused if the name cannot be had.
    """
    if subject == Subject.BOT:
        return _replace_bot(Bot.objects.select_for_update().get(pk=key), parts, name)
    if subject == Subject.ACCOUNT:
        return _replace_account(User.objects.select_for_update().get(pk=key), name)
    if subject == Subject.TOURNAMENT:
        return _replace_tournament(Tournament.objects.select_for_update().get(pk=key), parts, name)
    if subject == Subject.CLASS:
        return _replace_class(Classroom.objects.select_for_update().get(pk=key), name)
    if subject == Subject.SERIES:
        return _replace_series(EventSeries.objects.select_for_update().get(pk=key), parts, name)
    found = Announcement.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=key)
    before = {"text": found.text}
    found.text = HIDDEN_TEXT
    found.save(update_fields=["text"])
    events.changed_on_commit(found.tournament.slug)
    return before, {"text": HIDDEN_TEXT}


def _replace_bot(bot: Bot, parts: Iterable[str], name: str) -> tuple[Texts, Texts]:
    before: Texts = {}
    put: Texts = {}
    if "name" in parts:
        new = clean_name(name, but=bot) if name else hidden_name(Subject.BOT, bot.pk)
        before |= {"name": bot.name, "slug": bot.slug}
        put |= {"name": new, "slug": slug_for(new)}
    for field in (one for one in Bot.TEXTS if one in parts):
        is_address = isinstance(Bot._meta.get_field(field), URLField)
        before[field], put[field] = getattr(bot, field), "" if is_address else HIDDEN_TEXT
    if "release_notes" in parts:
        before["release_notes"] = {str(one.pk): one.release_notes for one in shown_notes(bot.pk)}
        put["release_notes"] = dict.fromkeys(before["release_notes"], HIDDEN_TEXT)
        in_notices_of_releases(before["release_notes"], HIDDEN_TEXT)
    _write_bot(bot, put)
    if "name" in before:
        old, new = before["name"], put["name"]
        in_notices_of(bot, old, new, before["slug"], put["slug"])
        in_reasons(bot, old, new)
        before["events"], put["events"] = name_events(bot, old, new)
    return before, put


def _write_bot(bot: Bot, texts: Texts) -> None:
    fields = [field for field in ("name", "slug", *Bot.TEXTS) if field in texts]
    for field in fields:
        setattr(bot, field, texts[field])
    if fields:
        bot.save(update_fields=fields)
    for key, notes in texts.get("release_notes", {}).items():
        Version.objects.filter(pk=int(key), bot=bot).update(release_notes=notes)
    running = Tournament.objects.filter(entries__version__bot=bot, status=Tournament.Status.RUNNING)
    for slug in running.order_by().distinct().values_list("slug", flat=True):
        events.changed_on_commit(slug)


def _replace_account(user: User, name: str) -> tuple[Texts, Texts]:
    """The old name still signs in: only its owner gives it there, with the password."""
    before = {"name": user.username}
    if name:
        try:
            run_validators(name)
        except ValidationError as error:
            raise ModerationRefused(" ".join(error.messages)) from None
        if User.objects.filter(Q(username__iexact=name) | Q(former_name__iexact=name)).exists():
            raise ModerationRefused(gettext("The name %(name)s is taken.") % {"name": name})
    user.former_name = user.former_name or user.username
    user.username = name or slugify(hidden_name(Subject.ACCOUNT, user.pk))
    user.save(update_fields=["username", "former_name"])
    in_notices(before["name"], user.username, also=Q(kind__in=NAME_PEOPLE))
    return before, {"name": user.username}


def _replace_tournament(found: Tournament, parts: Iterable[str], name: str) -> tuple[Texts, Texts]:
    before: Texts = {}
    put: Texts = {}
    if "name" in parts:
        new = " ".join(name.split()) or hidden_name(Subject.TOURNAMENT, found.pk)
        if not (3 <= len(new) <= NAME_LENGTH and new.isprintable()):
            raise ModerationRefused(f"Give a name of 3 to {NAME_LENGTH} characters that can be displayed.")
        before |= {"name": found.name, "slug": found.slug}
        # Anybody may have called an event so.
        slug = f"hidden-tournament-{found.pk}"
        if Tournament.objects.filter(slug=slug).exists():
            slug += f"-{secrets.token_hex(4)}"
        put |= {"name": new, "slug": slug}
    if "description" in parts:
        before["description"], put["description"] = found.description, HIDDEN_TEXT
    _write_tournament(found, put)
    if "name" in before:
        addresses = path("tournaments:detail", before["slug"]), found.get_absolute_url()
        in_notices(before["name"], put["name"], *addresses)
    return before, put


def _write_tournament(found: Tournament, texts: Texts) -> None:
    events.changed_on_commit(found.slug)
    for field, text in texts.items():
        setattr(found, field, text)
    found.save(update_fields=list(texts))
    events.changed_on_commit(found.slug)


def _replace_class(found: Classroom, name: str) -> tuple[Texts, Texts]:
    before = {"name": found.name}
    found.name = " ".join(name.split())[:LONGEST_NAME] or hidden_name(Subject.CLASS, found.pk)
    found.name_held = True
    found.save(update_fields=["name", "name_held"])
    in_notices(before["name"], found.name, also=Q(key__startswith=f"class {found.pk} "))
    return before, {"name": found.name}


def _replace_series(found: EventSeries, parts: Iterable[str], name: str) -> tuple[Texts, Texts]:
    before: Texts = {}
    put: Texts = {}
    if "name" in parts:
        before |= {"name": found.name, "slug": found.slug}
        # Anybody may have called a series so.
        slug = f"hidden-series-{found.pk}"
        if EventSeries.objects.filter(slug=slug).exclude(pk=found.pk).exists():
            slug += f"-{secrets.token_hex(4)}"
        new = " ".join(name.split())[:LONGEST_SERIES] or hidden_name(Subject.SERIES, found.pk)
        put |= {"name": new, "slug": slug}
    if "description" in parts:
        before["description"], put["description"] = found.description, HIDDEN_TEXT
    for part in put:
        if part != "slug":
            setattr(found, f"{part}_held", True)
    _write_series(found, put)
    if "name" in before:
        addresses = path("series:detail", before["slug"]), found.get_absolute_url()
        in_notices(before["name"], put["name"], *addresses)
    return before, put


def _write_series(found: EventSeries, texts: Texts) -> None:
    for field, text in texts.items():
        setattr(found, field, text)
    found.save()
    slugs = Tournament.objects.filter(season_event__season__series=found).values_list("slug", flat=True)
    for slug in slugs:
        events.changed_on_commit(slug)


def _put_back_series(found: EventSeries | None, before: Texts, put: Texts) -> None:
    if found is None:
        return
    texts = {part: text for part, text in before.items() if getattr(found, part) == put[part]}
    if "slug" in texts and EventSeries.objects.filter(slug=texts["slug"]).exclude(pk=found.pk).exists():
        del texts["slug"]
    for part in ("name", "description"):
        if part in texts:
            setattr(found, f"{part}_held", False)
    _write_series(found, texts)


def put_back(subject: str, key: int, before: Texts, put: Texts) -> bool:
    """Put back what was there, where nothing else has come since; whether the name, if any, is its old one.

    Somebody may have taken the name meanwhile: then it stays as it is.
    """
    if subject == Subject.BOT:
        return _put_back_bot(Bot.objects.select_for_update().filter(pk=key).first(), before, put)
    if subject == Subject.ACCOUNT:
        return _put_back_account(User.objects.select_for_update().filter(pk=key).first(), before, put)
    if subject == Subject.TOURNAMENT:
        found = Tournament.objects.select_for_update().filter(pk=key).first()
        if found is None:
            return True
        texts = {part: text for part, text in before.items() if getattr(found, part) == put[part]}
        if "slug" in texts and Tournament.objects.filter(slug=texts["slug"]).exclude(pk=key).exists():
            del texts["slug"]
        _write_tournament(found, texts)
        return True
    if subject == Subject.CLASS:
        Classroom.objects.filter(pk=key, name=put["name"]).update(name=before["name"], name_held=False)
    elif subject == Subject.SERIES:
        _put_back_series(EventSeries.objects.select_for_update().filter(pk=key).first(), before, put)
    else:
        _put_back_announcement(key, before, put)
    return True


def _put_back_announcement(key: int, before: Texts, put: Texts) -> None:
    said = Announcement.objects.filter(pk=key, text=put.get("text"))
    if said.update(text=before.get("text")):
        events.changed_on_commit(Tournament.objects.get(announcements=key).slug)


def _put_back_bot(bot: Bot | None, before: Texts, put: Texts) -> bool:
    if bot is None or bot.owner_id is None:
        return True
    texts = {
        part: text
        for part, text in before.items()
        if part in ("release_notes", "events") or getattr(bot, part) == put[part]
    }
    named = texts.pop("events", {})
    had = "name" not in before
    if not had:
        others = Bot.objects.exclude(pk=bot.pk)
        taken = others.filter(Q(name__iexact=before["name"]) | Q(slug=before["slug"])).exists()
        had = not taken and "name" in texts
        if not had:
            texts.pop("name", None)
            texts.pop("slug", None)
    if "release_notes" in texts:
        still = Version.objects.filter(bot=bot, release_notes=HIDDEN_TEXT).values_list("pk", flat=True)
        kept = {str(one) for one in still}
        texts["release_notes"] = {k: text for k, text in texts["release_notes"].items() if k in kept}
    _write_bot(bot, texts)
    if had:
        name_events_back(named, put.get("events", {}))
    return had


def _put_back_account(user: User | None, before: Texts, put: Texts) -> bool:
    if user is None or user.username != put["name"]:
        return True
    if User.objects.filter(username__iexact=before["name"]).exclude(pk=user.pk).exists():
        return False
    user.username, user.former_name = before["name"], ""
    user.save(update_fields=["username", "former_name"])
    return True


def shown_notes(bot: int) -> QuerySet[Version]:
    """The versions of a bot with release notes that are not hidden."""
    return Version.objects.filter(bot=bot).exclude(release_notes__in=("", HIDDEN_TEXT))
