"""Names of bots. They must look unique and contain something an address can use."""

from __future__ import annotations

from django.utils.text import slugify
from django.utils.translation import gettext

from arena.web import names
from arena.web.slugs import is_page
from bots.errors import NameRefused
from bots.models import Bot
from bots.models.bot import NAME_LENGTH

# Words that would pass for a page of the site or for somebody of the house.
RESERVED = frozenset({"new", "account", "tokens", "house", "arena", "crapette-arena", "admin", "human"})
# The pages of a bot: its own, and those of its name elsewhere.
PAGES = ("bots:detail", "tournaments:bot-panel")
# What bots of departed owners, those whose name is hidden, and house bots whose name a user has, are called.
RESERVED_STARTS = ("departed-bot-", "hidden-bot-", "house-")


def clean_name(name: str, *, but: Bot | None = None) -> str:
    """Return ``name`` with normalised spaces. Raises :class:`NameRefused` if a bot cannot have it.

    ``but`` is the bot being renamed, if any.
    """
    name = " ".join(name.split())
    if but is not None and name == but.name:
        return name  # it may be older than what is asked of names below
    if not name or len(name) > NAME_LENGTH:
        raise NameRefused(
            gettext("A name has 1 to %(most)s characters. This one has %(count)s.")
            % {"most": NAME_LENGTH, "count": len(name)},
            "name",
        )
    sentence = names.flaw(name)
    if sentence:
        raise NameRefused(sentence, "name")
    slug = slug_for(name)
    if not slug:
        raise NameRefused(
            gettext("The name %(name)s needs at least one letter a–z or digit.") % {"name": name}, "name"
        )
    others = Bot.objects.exclude(pk=but.pk) if but else Bot.objects.all()
    taken = others.filter(name__iexact=name).exists() or others.filter(slug=slug).exists()
    reserved = slug in RESERVED or slug.startswith(RESERVED_STARTS)
    if reserved or taken or any(is_page(view, slug) for view in PAGES):
        raise name_taken(name)
    seen = names.look(name)
    if (
        seen in {names.look(word) for word in RESERVED}
        or slug_for(seen).startswith(RESERVED_STARTS)
        or others.filter(look=seen).exists()
    ):
        raise NameRefused(
            gettext("The name %(name)s looks too much like an existing one.") % {"name": name}, "name"
        )
    return name


def name_taken(name: str) -> NameRefused:
    """Return the error for a name that is taken."""
    return NameRefused(gettext("The name %(name)s is taken.") % {"name": name}, "name")


def slug_for(name: str) -> str:
    """Return the slug of a checked ``name``."""
    return slugify(name)[:NAME_LENGTH].strip("-")
