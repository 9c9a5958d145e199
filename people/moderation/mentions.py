"""Names that stand in other rows than the thing's own: notices, reasons, and events named after bots.

What people wrote themselves, in the name of an event say, is a thing of its own to decide about.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Any, Final

from django.utils.text import slugify

from arena.notices.models import Notice
from bots.follows import told_notes
from tournaments import live_updates as events
from tournaments.events.creation import NAME_LENGTH
from tournaments.models import Pair, Tournament
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import Model, QuerySet

    from bots.models import Bot

LEAST: Final = 3
"""Letters of a name that is replaced within sentences. Shorter ones are parts of words."""
Named = dict[str, list[str]]
"""Names and slugs of events, by key."""


def in_notices(name: str, new: str, slug: str = "", new_slug: str = "", *, about: str = "") -> None:
    """Call a thing by its new name in what people were told, which may still be on its way by e-mail.

    `about` is what the keys of notices about it begin with, if other things may have the name or the slug:
    those of classes and series may be words.
    """
    notices = Notice.objects.filter(key__startswith=about)
    _in_texts(notices, "text", name, new, 300)
    if slug:
        place = re.compile(rf"/{re.escape(slug)}(?=/)")
        for notice in notices.filter(url__contains=f"/{slug}/").iterator():
            Notice.objects.filter(pk=notice.pk).update(
                url=place.sub(f"/{new_slug}", notice.url, count=1)[:200]
            )


def in_notices_of_releases(notes: Mapping[str, str], new: str) -> None:
    """Put something else in place of release notes that followers were told, by the keys of versions."""
    for key, text in notes.items():
        said = told_notes(text)
        found = Notice.objects.filter(key=f"followed released {key}", text__contains=said)
        for notice in found if said else ():
            Notice.objects.filter(pk=notice.pk).update(text=notice.text.replace(said, new))


@seeing_hidden()
def in_reasons(name: str, new: str) -> None:
    """The same in why an event ended and why pairs were voided, which name a bot that was benched."""
    _in_texts(Tournament.objects.all(), "note", name, new, 300)
    _in_texts(Pair.objects.filter(status=Pair.Status.VOID), "void_reason", name, new, 300)


def name_events(bot: Bot, name: str, new: str) -> tuple[Named, Named]:
    """Name the events anew that challenges of a bot named after it; what they were called, and are now."""
    before: Named = {}
    put: Named = {}
    found = Tournament.objects.filter(challenge__isnull=False, entries__version__bot=bot)
    for key in list(found.values_list("pk", flat=True).distinct().order_by("pk")):
        event = Tournament.objects.select_for_update().get(pk=key)
        called = _word(name).sub(lambda _: new, event.name)[:NAME_LENGTH].strip()
        if called == event.name:
            if len(event.name) < NAME_LENGTH - 1:
                continue  # the bot had another name then
            called = f"Challenge {key}"  # it was cut off, perhaps within the name
        slug = f"{slugify(called)[:40].strip('-')}-{secrets.token_hex(3)}"
        before[str(key)], put[str(key)] = [event.name, event.slug], [called, slug]
        in_notices(event.name, called, event.slug, slug)
        in_reasons(event.name, called)
        _write(event, called, slug)
    return before, put


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
