"""Lists bots; creates, names, edits, withdraws and restores them for their owners."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Count, F, FilteredRelation, Q
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext

from arena.web import names
from arena.web.audit_log import add_audit_entry
from arena.web.slugs import is_page
from bots.errors import BotsError, NameRefused
from bots.limits import assert_may_create_bot, assert_may_restore
from bots.locks import lock_bot
from bots.models import Bot, BotAuditEntry, CoOwner, Status, prefetch_co_owners
from bots.models.bot import NAME_LENGTH
from bots.port import field_changed, port, stop_playing

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User


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


@dataclass(frozen=True, slots=True)
class BotDetails:
    """What an owner says of a bot. Texts may have spaces around them."""

    name: str
    description: str = ""
    homepage: str = ""
    open_to_all: bool = True
    headline_board: str = ""

    @classmethod
    def of(cls, bot: Bot) -> BotDetails:
        """What is said of a bot now."""
        return cls(**{field.name: getattr(bot, field.name) for field in fields(cls)})

    @property
    def texts(self) -> dict[str, str]:
        """The texts beside the name, as they are stored. Raises :class:`~bots.errors.BotsError` for one that
        cannot be."""
        texts = {field: getattr(self, field).strip() for field in Bot.TEXTS}
        try:
            Bot(**texts).clean_fields(exclude={field.name for field in Bot._meta.fields} - texts.keys())
        except ValidationError as error:
            field, sentences = next(iter(error.message_dict.items()))
            raise BotsError(sentences[0], field) from error
        return texts

    def write(self, bot: Bot) -> list[str]:
        """Write all but the name into a row, which is not saved; the fields written."""
        written = {
            **self.texts,
            "open_to_all": self.open_to_all,
            "headline_board": self.headline_board,
        }
        for field, value in written.items():
            setattr(bot, field, value)
        return list(written)


def save_new_bot(owner: User, details: BotDetails, kind: Bot.Kind = Bot.Kind.UPLOADED) -> Bot:
    """A new bot, or the one of this name of which no file was more than refused; the owner is locked.

    Raises :class:`~bots.errors.NameRefused` or :class:`~bots.errors.LimitReached`.
    """
    bot = _without_version(owner, details.name)
    if bot is None:
        assert_may_create_bot(owner)
        name = clean_name(details.name)
        bot = Bot(name=name, slug=slug_for(name), owner=owner, kind=kind)
    else:
        _assert_unlocked(bot, details.texts)
    written = details.write(bot)
    _save(bot, written if bot.pk else None)
    return bot


def _without_version(owner: User, name: str) -> Bot | None:
    """The bot of this name of which no file was more than refused, locked; None if there is none."""
    own = Bot.objects.in_play().select_for_update(of=("self",), no_key=True).filter(owner=owner)
    bot = own.filter(name__iexact=" ".join(name.split())).first()
    if bot is None or bot.is_remote or bot.versions.exclude(status=Status.REJECTED, sha256="").exists():
        return None
    return bot


@transaction.atomic
def edit_bot(bot: Bot, details: BotDetails, *, by: User | None = None) -> None:
    """Rename and describe ``bot``, and say whether others may enter it. Its address stays.

    ``by`` is the one of its owners who does so; its owner if nobody is named. Raises
    :class:`~bots.errors.NameRefused`, and :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    _lock(bot, by)
    # Moderators lock the row, too: what they hid meanwhile is not written over.
    bot.refresh_from_db(from_queryset=Bot.objects.select_for_update())
    _assert_unlocked(bot, {"name": " ".join(details.name.split()), **details.texts})
    before, bot.name = bot.name, clean_name(details.name, but=bot)
    _save(bot, details.write(bot) + (["name"] if bot.name != before else []))
    add_audit_entry(bot.audit_log, by, BotAuditEntry.What.EDITED)


def _lock(bot: Bot, by: User | None) -> None:
    """Lock a bot for one of its owners; the house's have none. Raises OwnerGone."""
    if (acting := by or bot.owner) is not None:
        lock_bot(bot, acting)


def _assert_unlocked(bot: Bot, texts: dict[str, str]) -> None:
    """Raise NameRefused for a text that moderators hid or replaced, and that is to become another."""
    for field in sorted(port().decided_texts(bot) & texts.keys()):
        if texts[field] != getattr(bot, field):
            raise NameRefused(
                gettext("Moderators made a decision about this text. It stays until they lift the decision."),
                field,
            )


def _save(bot: Bot, changed: list[str] | None = None) -> None:
    """Save ``bot``, or only what ``changed``. Raises NameRefused if someone took the name in the meantime."""
    try:
        with transaction.atomic():
            bot.save(update_fields=changed)
            if (changed is None or "name" in changed) and bot.look is None:
                raise name_taken(bot.name)
    except IntegrityError as error:
        raise name_taken(bot.name) from error


@transaction.atomic
def withdraw_bot(bot: Bot, *, by: User | None = None) -> None:
    """Withdraw ``bot``: it leaves the events it is in, and can enter no others. Its games stay.

    ``by`` is the one of its owners who does so; its owner if nobody is named. Raises
    :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    _lock(bot, by)
    if Bot.objects.filter(pk=bot.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
        add_audit_entry(bot.audit_log, by, BotAuditEntry.What.WITHDREW)
        stop_playing(bot.versions.all())
    bot.refresh_from_db(fields=["withdrawn_at"])


@transaction.atomic
def restore_bot(bot: Bot, *, by: User | None = None) -> None:
    """Restore a withdrawn ``bot``. ``by`` is the one of its owners who does so.

    Raises :class:`~bots.errors.LimitReached` if its owner has too many or stores too much, and
    :class:`~bots.errors.OwnerGone` if its owner's account is suspended: then the bot waits, too.
    """
    if bot.owner is not None:
        owner = lock_bot(bot, by or bot.owner).owner
        if owner is not None:
            assert_may_restore(owner, by or owner)
    if Bot.objects.filter(pk=bot.pk).exclude(withdrawn_at=None).update(withdrawn_at=None):
        add_audit_entry(bot.audit_log, by, BotAuditEntry.What.RESTORED)
    field_changed()
    bot.refresh_from_db(fields=["withdrawn_at"])


MINE = "me"
HOUSE = "house"


def listed_bots(
    viewer: Any,
    *,
    query: str = "",
    owner: str = "",
    board: str = "crapaud",
    language: str = "",
    playing: bool = False,
) -> QuerySet[Bot]:
    """Return the bots for the list page, the strongest on a board first: those in play, and the viewer's own.

    ``query`` is searched in name, owners and description. ``owner`` is a user name, ``me`` or ``house``.
    ``language`` is that of the active version, and ``playing`` keeps the bots in a running game that is
    shown to all. Each has ``plays``, the number of the version that plays on the board, and ``elo``, ``low``,
    ``high``, ``games`` and ``provisional`` of that; None without one, or without a rating.
    """
    visible = Q(withdrawn_at=None, active_version__isnull=False)
    if viewer.is_authenticated:
        visible |= Q(pk__in=Bot.objects.of(viewer))
    bots = (
        Bot.objects.filter(visible)
        .select_related("owner", "active_version")
        .prefetch_related(prefetch_co_owners())
    )
    # Ratings belong to the app of tournaments, which this one does not know: by name only.
    rating = "here__version__ratings"
    bots = bots.annotate(
        here=FilteredRelation("active_versions", condition=Q(active_versions__board=board)),
        plays=F("here__version__number"),
        rated=FilteredRelation(
            rating, condition=Q(**{f"{rating}__variant": board, f"{rating}__games__gt": 0})
        ),
        elo=F("rated__elo"),
        low=F("rated__low"),
        high=F("rated__high"),
        games=F("rated__games"),
        provisional=F("rated__provisional"),
    ).order_by(F("rated__provisional").asc(nulls_last=True), F("rated__elo").desc(nulls_last=True), "name")
    if query:
        bots = bots.filter(
            Q(name__icontains=query)
            | Q(description__icontains=query)
            | Q(owner__username__icontains=query)
            | Q(pk__in=_together(user__username__icontains=query))
        )
    if language:
        bots = bots.filter(active_version__language=language)
    if playing:
        # By name only, as the ratings; of a game that is hidden nobody learns that it is played.
        game = "versions__seats__game__"
        live = Bot.objects.filter(**{f"{game}status": "running", f"{game}hidden": False})
        bots = bots.filter(pk__in=live.order_by().values("pk"))
    if owner == HOUSE:
        return bots.filter(is_house=True)
    if owner == MINE:
        return bots.filter(pk__in=Bot.objects.of(viewer))
    if owner:
        return bots.filter(Q(owner__username=owner) | Q(pk__in=_together(user__username=owner)))
    return bots


def _together(**who: str) -> QuerySet[CoOwner, int]:
    """The keys of the bots of which such people are co-owners."""
    accepted = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED, bot__owner__isnull=False, **who)
    return accepted.order_by().values_list("bot", flat=True)


def own_bots(user: User) -> QuerySet[Bot]:
    """The bots that the user owns, also with others, with the number of their versions, by name."""
    return Bot.objects.of(user).annotate(version_count=Count("versions")).order_by("name")
