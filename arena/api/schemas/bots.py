"""Bots, versions and checks."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from arena.api.schemas.common import Board, Schema, Slug, Url
from bots.check_queue import checks_before
from bots.check_results import board_trials, check_evidence, check_report
from bots.models import Bot, Language, Status, Trial
from bots.models.bot import NAME_LENGTH
from bots.models.version import RELEASE_NOTES_LENGTH
from bots.versions import active_boards, active_on, lost_boards
from engine.boards import BOARDS
from tournaments.ratings.tallies import headline_ratings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from bots.models import Version
    from tournaments.models import Rating

StatusName = Literal["uploaded", "checking", "accepted", "partly", "rejected"]
LanguageName = Literal["python", "python-onnx", "javascript", "wasm", "native", "remote"]
KindName = Literal["uploaded", "remote"]
assert set(Status.values) == {"uploaded", "checking", "accepted", "partly", "rejected"}  # noqa: S101
assert set(Language.values) == {"python", "python-onnx", "javascript", "wasm", "native", "remote"}  # noqa: S101
assert set(Bot.Kind.values) == {"uploaded", "remote"}  # noqa: S101


class PlayedBoard(Schema):
    """A board, and the version that plays there."""

    board: Board
    version: int = Field(examples=[3])


class LostBoardOut(Schema):
    """A board that a version does not play."""

    board: Board
    version: int | None = Field(description="The earlier version that still plays there, if any.")


class HeadlineOut(Schema):
    """The rating that speaks for a bot wherever there is room for one."""

    board: Board
    version: int = Field(examples=[3])
    elo: float = Field(examples=[1541.0])
    low: float | None = Field(description="The lower end of the 95 % interval; null if it has none.")
    high: float | None
    games: int
    provisional: bool = Field(description="Whether it is still being measured.")


class BotOut(Schema):
    """A bot, as everyone sees it."""

    bot: Slug = Field(description="Its name in addresses.", examples=["planner"])
    name: str = Field(examples=["Planner"])
    owner: str | None = Field(description="The owner's user name; null for house bots and departed owners.")
    co_owners: list[str] = Field(description="The other owners, by user name.", examples=[["bob"]])
    house: bool = Field(description="Whether it belongs to the arena.")
    kind: KindName = Field(
        description="Whether its program runs in the arena’s sandbox, or on its author’s own machine."
    )
    description: str
    homepage: str = Field(
        description="The address of its source or of a page about it; may be empty.",
        examples=["https://git.example/planner"],
    )
    open_to_all: bool = Field(description="Whether others may enter it in their tournaments.")
    withdrawn: bool
    active_version: int | None = Field(description="The version that plays on most boards.")
    headline_board: Board | Literal[""] = Field(
        description="The board whose rating its owners show first; empty: the one it has played most."
    )
    headline: HeadlineOut | None = Field(description="The rating shown first; null without any.")
    boards: list[PlayedBoard] = Field(
        description="Which version plays on which board. Those that the bot does not play are missing."
    )
    created_at: datetime
    url: Url


class BotPage(Schema):
    """Bots, by name."""

    items: list[BotOut]
    next: str | None


class OwnBot(Schema):
    """A bot of yours; `bots/{slug}/` has the rest."""

    bot: Slug
    name: str
    active_version: int | None = Field(description="The version that plays on most boards.")
    withdrawn: bool


class OwnBots(Schema):
    """All bots of yours."""

    bots: list[OwnBot]


class BotChanges(Schema):
    """What to change; what you leave out stays."""

    name: str | None = Field(None, min_length=1, max_length=NAME_LENGTH, examples=["Planner"])
    description: str | None = Field(None, max_length=2000)
    homepage: str | None = Field(
        None, max_length=200, pattern="^(https?://.*)?$", examples=["https://git.example/planner"]
    )
    open_to_all: bool | None = None
    headline_board: Board | Literal[""] | None = Field(
        None, description="The board whose rating is shown first; empty: the one it has played most."
    )


class VersionOut(Schema):
    """A version that passed on some board, as everyone sees it."""

    bot: Slug
    version: int = Field(examples=[3])
    language: LanguageName
    sha256: str = Field(
        description="The SHA-256 of its files, as in the records of its games; empty for a remote bot."
    )
    plays: list[Board] = Field(description="The boards on which it passed its trial.")
    benched: bool = Field(description="Whether it may enter nothing because it kept crashing.")
    active: bool = Field(description="Whether it plays for its bot on some board.")
    active_on: list[Board] = Field(description="The boards on which it plays for its bot.")
    release_notes: str = Field(description="What its author says changed, as plain text; may be empty.")
    created_at: datetime
    url: Url


class VersionPage(Schema):
    """Versions, newest first."""

    items: list[VersionOut]
    next: str | None


class OwnVersion(Schema):
    """A version of yours in a list."""

    number: int
    status: StatusName
    sha256: str | None = Field(
        description="Null until its file was inspected, if it was refused, and for a remote bot."
    )
    release_notes: str = Field(description="What you said changed; everyone can see it.")


class OwnVersions(Schema):
    """The last hundred versions of your bot, newest first."""

    bot: Slug
    versions: list[OwnVersion]


class TrialOut(Schema):
    """What a trial on one board showed."""

    board: str
    verdict: Literal["passed", "failed", "left-out"]
    log: str


class CheckOut(Schema):
    """A version of yours with the state of its check."""

    bot: Slug
    version: int
    uploaded_by: str | None = Field(
        description="The owner who uploaded it; null if that account is gone.", examples=["ada"]
    )
    sha256: str | None = Field(
        description="The SHA-256 of its files. Null before the file is inspected, and if it is not a bot."
    )
    language: LanguageName | None = Field(description="Null while `sha256` is null.")
    entry: str | None = Field(description="The file that is run. Null while `sha256` is null.")
    release_notes: str = Field(description="What you said changed; everyone can see it.")
    status: StatusName = Field(
        description="`partly`: it passed on some boards, and was at fault on others that it says it plays."
    )
    checks_before: int | None = Field(description="How many other checks come first; null once it began.")
    active: bool = Field(description="Whether it plays for its bot on some board.")
    active_on: list[Board] = Field(description="The boards on which it plays for its bot.")
    lost: list[LostBoardOut] = Field(
        description="Boards that an earlier version still plays because this one did not pass there. "
        "For a first version, the boards on which it failed."
    )
    trials: list[TrialOut]
    benched: str | None = Field(description="Why it may enter nothing.")
    log: str | None = Field(
        description="The verdict in words, or why the file was refused; null until there is one."
    )
    evidence: list[dict[str, Any]] = Field(description="What each seat of its check game left behind.")
    url: str
    status_url: str


class OwnCheck(Schema):
    """How far the check of a version of yours has come."""

    bot: Slug
    version: int
    status: StatusName
    benched: bool
    created_at: datetime
    status_url: str


class CheckPage(Schema):
    """Your versions with their checks, newest first."""

    items: list[OwnCheck]
    next: str | None


FILE = {
    "type": "string",
    "format": "binary",
    "description": "A .py, .js or .wasm file, a static Linux executable, or a .zip with a bot.py, bot.js, "
    "bot.wasm or bot.",
}
RELEASE_NOTES = {
    "type": "string",
    "maxLength": RELEASE_NOTES_LENGTH,
    "description": "What changed, as plain text. Everyone can see it.",
}
FLAG = {"type": "string", "enum": ["true", "false"], "default": "true"}


def form(required: list[str], **fields: dict[str, Any]) -> dict[str, Any]:
    """The description of a body that is a form with a file."""
    schema = {"type": "object", "required": required, "properties": {"file": FILE, **fields}}
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}


NEW_BOT = form(
    ["name", "file"],
    name={"type": "string", "minLength": 1, "maxLength": NAME_LENGTH},
    description={"type": "string", "maxLength": 2000},
    homepage={"type": "string", "maxLength": 200, "description": "An https or http address."},
    release_notes=RELEASE_NOTES,
    open_to_all=FLAG,
)
NEW_VERSION = form(
    ["file"],
    note={"type": "string", "maxLength": 200, "description": "For yourself."},
    release_notes=RELEASE_NOTES,
    activate_when_accepted=FLAG,
)


def bots_out(bots: Sequence[Bot]) -> list[dict[str, Any]]:
    """Bots as everyone sees them."""
    ratings = headline_ratings(bots)
    return [_bot_out(bot, ratings.get(bot.pk)) for bot in bots]


def _headline_out(rating: Rating) -> dict[str, Any]:
    names = ("elo", "low", "high", "games", "provisional")
    known = {name: getattr(rating, name) for name in names}
    return {"board": rating.variant, "version": rating.version.number, **known}


def _bot_out(bot: Bot, headline: Rating | None) -> dict[str, Any]:
    """A bot as everyone sees it."""
    return {
        "bot": bot.slug,
        "name": bot.name,
        "owner": bot.owner.get_username() if bot.owner else None,
        "co_owners": [row.user.get_username() for row in bot.co_owner_rows],
        "house": bot.is_house,
        "kind": bot.kind,
        "description": bot.description,
        "homepage": bot.shown_homepage,
        "open_to_all": bot.open_to_all,
        "withdrawn": bot.is_withdrawn,
        "active_version": bot.active_version.number if bot.active_version else None,
        "headline_board": bot.headline_board,
        "headline": _headline_out(headline) if headline else None,
        "boards": [{"board": board, "version": one.number} for board, one in active_on(bot).items()],
        "created_at": bot.created_at,
        "url": bot.get_absolute_url(),
    }


def version_out(version: Version, bot: Bot) -> dict[str, Any]:
    """A version of this bot; its trials are read already."""
    version.bot = bot
    active_on = active_boards(version)
    passed = {trial.board for trial in version.trials.all() if trial.verdict == Trial.Verdict.PASSED}
    return {
        "bot": bot.slug,
        "version": version.number,
        "language": version.language,
        "sha256": version.sha256,
        "plays": [board for board in BOARDS if board in passed],
        "benched": version.is_benched,
        "active": bool(active_on),
        "active_on": active_on,
        "release_notes": version.release_notes,
        "created_at": version.created_at,
        "url": version.get_absolute_url(),
    }


def status_url(request: HttpRequest, version: Version) -> str:
    """Where the check of a version is followed."""
    return request.build_absolute_uri(f"/api/v1/bots/{version.bot.slug}/versions/{version.number}/")


def check_out(request: HttpRequest, version: Version) -> dict[str, Any]:
    """A version with all that its owner sees of its check."""
    report = check_report(version)
    active_on = active_boards(version)
    return {
        "bot": version.bot.slug,
        "version": version.number,
        "uploaded_by": version.uploaded_by.get_username() if version.uploaded_by else None,
        "sha256": version.sha256 or None,
        "language": version.language or None,
        "entry": version.entry or None,
        "release_notes": version.release_notes,
        "status": version.status,
        "checks_before": checks_before(version) if version.status == Status.UPLOADED else None,
        "active": bool(active_on),
        "active_on": active_on,
        "lost": [{"board": one.board, "version": one.number} for one in lost_boards(version)],
        "trials": [
            {"board": one.board, "verdict": one.verdict, "log": one.log} for one in board_trials(version)
        ],
        "benched": version.benched_because or None,
        "log": report.log if report else None,
        "evidence": check_evidence(report),
        "url": request.build_absolute_uri(version.get_absolute_url()),
        "status_url": status_url(request, version),
    }
