"""Registers the house bots, and new versions of them when their files change."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q

from arena.web import names
from bots.check_results import passed_boards
from bots.checks import TrialReport, store_trials
from bots.follows import note_release
from bots.house import HOUSE_BOTS
from bots.models import Bot, CheckReport, Status, Trial, Version
from bots.uploads import Submission, insert_version
from bots.versions import choose_active
from engine.boards import BOARDS
from sandbox import uploads

if TYPE_CHECKING:
    from bots.house import HouseBot

NOT_PART = frozenset({"__pycache__"})
TRUSTED = "House bots are tested with the arena itself and need no check."


@dataclass(frozen=True)
class Registered:
    """The result of registering a house bot: whether it is new; ``reason`` if it cannot play here."""

    name: str
    version: Version | None
    reason: str = ""

    @property
    def left_out(self) -> bool:
        """Whether the bot cannot play on this machine."""
        return bool(self.reason)


def register_house_bots() -> list[Registered]:
    """Bring the rows of all house bots up to date with their files. Doing it twice changes nothing.

    New content becomes a new version, accepted and active at once: the house trusts its own code, which
    still runs in the same sandbox as everybody's.
    """
    return [_register(house_bot) for house_bot in HOUSE_BOTS.values()]


def _register(house_bot: HouseBot) -> Registered:
    if not house_bot.built:
        return Registered(house_bot.name, None, "not compiled: no C compiler was found at set-up")
    if house_bot.language == "javascript" and shutil.which("node") is None:
        return Registered(house_bot.name, None, "cannot play: no node was found")
    files = _files_of(house_bot)
    upload = uploads.Upload(files, house_bot.language, house_bot.entry, uploads.digest(files))
    with transaction.atomic():
        return _bring_up_to_date(house_bot, upload)


def _bring_up_to_date(house_bot: HouseBot, upload: uploads.Upload) -> Registered:
    bot = _bot_row(house_bot)
    newest = bot.versions.order_by("-number").first()
    if newest is not None and newest.sha256 == upload.sha256 and bot.active_version_id == newest.pk:
        _trust(newest)
        return Registered(house_bot.name, None)
    version = insert_version(bot, Submission(upload, f"{house_bot.name}.zip"), status=Status.ACCEPTED)
    CheckReport.objects.create(version=version, accepted=True, log=TRUSTED)
    Version.objects.filter(pk=version.pk).update(activated_at=F("created_at"))
    _trust(version)
    note_release(version)
    return Registered(house_bot.name, version)


def _trust(version: Version) -> None:
    """Let a house version play on every board, those included that were added since it was registered."""
    tried = passed_boards(version)
    store_trials(
        version, [TrialReport(board, Trial.Verdict.PASSED, TRUSTED) for board in BOARDS if board not in tried]
    )
    choose_active(version.bot_id)


def _bot_row(house_bot: HouseBot) -> Bot:
    """Return the row of a house bot, created or updated. A user's bot that has its name keeps it."""
    slug, name = house_bot.name, house_bot.title
    if Bot.objects.filter(slug=slug, is_house=False).exists():
        slug = f"house-{slug}"
    users = Bot.objects.filter(is_house=False)
    if users.filter(Q(name__iexact=name) | Q(look=names.look(name))).exists():
        name = f"{name} of the house"
    bot, _ = Bot.objects.update_or_create(
        slug=slug, is_house=True, defaults={"name": name, "description": house_bot.description}
    )
    return bot


def _files_of(house_bot: HouseBot) -> dict[str, bytes]:
    """The bot's folder as an author would upload it."""
    files = {path.relative_to(house_bot.directory): path for path in house_bot.directory.rglob("*")}
    return {
        inside.as_posix(): path.read_bytes()
        for inside, path in files.items()
        if path.is_file() and NOT_PART.isdisjoint(inside.parts)
    }
