"""Bots: your own with their versions and checks, and everyone's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header
from ninja import Body, Path, Query, Router, Status

from arena.api.bearer import Caller
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page, text
from arena.api.schemas.bots import (
    NEW_BOT,
    NEW_VERSION,
    BotChanges,
    BotOut,
    BotPage,
    CheckOut,
    CheckPage,
    OwnBots,
    OwnVersions,
    VersionPage,
    bots_out,
    check_out,
    status_url,
    version_out,
)
from arena.api.schemas.common import Number, Slug
from bots import bots, checks, uploads, versions
from bots.bots import listed_bots, own_bots
from bots.check_results import check_report
from bots.errors import BotsError
from bots.models import PLAYABLE, Bot, Scope, Trial, Version, prefetch_active_rows, prefetch_co_owners
from bots.upload_forms import NewBotForm, UploadForm

if TYPE_CHECKING:
    from arena.accounts.models import User

router = Router()
BY_NAME = (Key("name", text, descending=False), Key("pk", number, descending=False))
NEWEST = (Key("created_at", moment), Key("pk", number))
BY_NUMBER = (Key("number", number),)


class InvalidForm(BotsError):
    """A form with something wrong in it."""

    def __init__(self, form: forms.Form) -> None:
        field, errors = next(iter(form.errors.get_json_data().items()))
        sentence = str(errors[0]["message"])
        if errors[0]["code"] == "required":
            sentence = f"Expected the field {field!r}, got none."
        super().__init__(sentence, field)
        self.code = str(errors[0]["code"] or "invalid")


def _user(request: HttpRequest) -> User:
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller.owner


def _own(request: HttpRequest, slug: str) -> Bot:
    own = Bot.objects.of(_user(request)).select_related("owner", "active_version")
    bot = own.filter(slug=slug).first()
    if bot is None:
        raise Http404(f"Expected a bot of yours, got {slug!r}.")
    return bot


def _own_version(request: HttpRequest, slug: str, number: int) -> Version:
    found = Version.objects.select_related(
        "bot__owner", "bot__active_version", "archive", "uploaded_by"
    ).filter(bot__in=Bot.objects.of(_user(request)).filter(slug=slug), number=number)
    # Its state is asked every second, its files almost never.
    found = found.defer("archive__data")
    version = found.first()
    if version is None:
        raise Http404(f"Expected a version of a bot of yours, got {slug!r} version {number}.")
    return version


@route(router, "GET", "bots/", OwnBots, needs=Scope.READ)
def list_own_bots(request: HttpRequest) -> dict[str, Any]:
    """The bots that you own, also with others, by name.

    `directory/` lists everyone's.
    """
    own = own_bots(_user(request)).select_related("active_version", "owner")
    own = own.prefetch_related(prefetch_co_owners(), prefetch_active_rows())
    names = ("bot", "name", "active_version", "withdrawn")
    return {"bots": [{name: bot[name] for name in names} for bot in bots_out(list(own))]}


@route(router, "POST", "bots/", CheckOut, needs=Scope.UPLOAD, status=202, body=NEW_BOT, refuses=(410,))
def create_bot(request: HttpRequest) -> Status[Any]:
    """Create a bot with its first version.

    The file is stored, and its check is queued: it is opened and tried later. Follow it at `status_url`. A
    file that is no bot is `rejected` there, with the reason in `log`.
    """
    form = NewBotForm({"open_to_all": "on", **request.POST.dict()}, request.FILES)
    if not form.is_valid():
        raise InvalidForm(form)
    version = uploads.submit_bot(_user(request), form.details, form.submission)
    return Status(202, check_out(request, version))


@route(router, "GET", "bots/{slug}/", BotOut)
def get_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """A bot, as everyone sees it."""
    return bots_out([_bot(slug)])[0]


@route(router, "PATCH", "bots/{slug}/", BotOut, needs=Scope.UPLOAD)
def edit_bot(request: HttpRequest, slug: Path[Slug], changes: Body[BotChanges]) -> dict[str, Any]:
    """Rename or describe your bot, and say whether others may enter it.

    Its address stays.
    """
    bot = _own(request, slug)
    details = replace(bots.BotDetails.of(bot), **changes.model_dump(exclude_none=True))
    bots.edit_bot(bot, details, by=_user(request))
    return bots_out([bot])[0]


@route(router, "POST", "bots/{slug}/withdraw/", BotOut, needs=Scope.UPLOAD)
def withdraw_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Withdraw your bot.

    It leaves the tournaments it is in, and enters nothing new. Its opponents win what it had not begun.
    """
    bot = _own(request, slug)
    bots.withdraw_bot(bot, by=_user(request))
    return bots_out([bot])[0]


@route(router, "POST", "bots/{slug}/restore/", BotOut, needs=Scope.UPLOAD)
def restore_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Restore your withdrawn bot."""
    bot = _own(request, slug)
    bots.restore_bot(bot, by=_user(request))
    return bots_out([bot])[0]


@route(router, "GET", "bots/{slug}/versions/", OwnVersions, needs=Scope.READ)
def list_own_versions(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """The versions of your bot, newest first, at most a hundred.

    `directory/{slug}/versions/` lists the accepted versions of any bot.
    """
    bot = _own(request, slug)
    numbers = bot.versions.order_by("-number").values("number", "status", "sha256", "release_notes")
    rows = [{**one, "sha256": one["sha256"] or None} for one in numbers[:100]]
    return {"bot": bot.slug, "versions": rows}


@route(
    router,
    "POST",
    "bots/{slug}/versions/",
    CheckOut,
    needs=Scope.UPLOAD,
    status=202,
    body=NEW_VERSION,
    refuses=(410,),
)
def upload_version(request: HttpRequest, slug: Path[Slug]) -> Status[Any]:
    """Upload the next version of your bot.

    The file is stored, and its check is queued, as for a new bot.
    """
    bot = _own(request, slug)
    form = UploadForm({"activate_when_accepted": "on", **request.POST.dict()}, request.FILES)
    if not form.is_valid():
        raise InvalidForm(form)
    version = uploads.submit_version(bot, form.submission, by=_user(request))
    return Status(202, check_out(request, version))


@route(router, "GET", "bots/{slug}/versions/{version}/", CheckOut, needs=Scope.READ)
def get_own_version(request: HttpRequest, slug: Path[Slug], version: Path[Number]) -> dict[str, Any]:
    """A version of yours with the state of its check, and what the check found."""
    return check_out(request, _own_version(request, slug, version))


@route(
    router,
    "GET",
    "bots/{slug}/versions/{version}/source.zip",
    needs=Scope.READ,
    media={"application/zip": {"schema": {"type": "string", "format": "binary"}}},
)
def get_source(request: HttpRequest, slug: Path[Slug], version: Path[Number]) -> HttpResponse:
    """The files of a version of yours, as a zip."""
    found = _own_version(request, slug, version)
    if found.archive is None:
        raise Http404("Expected a version with files, got one that is remote or whose files are gone.")
    response = HttpResponse(bytes(found.archive.data), content_type="application/zip")
    name = f"{found.bot.slug}-v{found.number}.zip"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or ""
    return response


@route(
    router,
    "GET",
    "bots/{slug}/versions/{version}/check.json",
    needs=Scope.READ,
    media={"application/json": {"schema": {"type": "object"}}},
)
def get_check_game(request: HttpRequest, slug: Path[Slug], version: Path[Number]) -> HttpResponse:
    """The record of the check game of a version of yours, with its evidence."""
    report = check_report(_own_version(request, slug, version))
    if report is None or report.record is None:
        raise Http404("Expected a version with a check game, got one without.")
    return JsonResponse(report.record)


@route(router, "POST", "bots/{slug}/versions/{version}/activate/", CheckOut, needs=Scope.UPLOAD)
def activate_version(request: HttpRequest, slug: Path[Slug], version: Path[Number]) -> dict[str, Any]:
    """Let a version play for your bot on every board on which it passed.

    The other boards keep the version that they have.
    """
    found = _own_version(request, slug, version)
    versions.activate_version(found, by=_user(request))
    return check_out(request, found)


@route(router, "POST", "bots/{slug}/versions/{version}/deactivate/", CheckOut, needs=Scope.UPLOAD)
def deactivate_version(request: HttpRequest, slug: Path[Slug], version: Path[Number]) -> dict[str, Any]:
    """Let a version play nowhere.

    An earlier one that was active takes its boards, as far as it passed there.
    """
    found = _own_version(request, slug, version)
    versions.deactivate_version(found, by=_user(request))
    return check_out(request, found)


@route(router, "POST", "bots/{slug}/versions/{version}/check-again/", CheckOut, needs=Scope.UPLOAD)
def check_again(request: HttpRequest, slug: Path[Slug], version: Path[Number]) -> dict[str, Any]:
    """Have a version checked again, on the boards it does not play on; on all if it is benched."""
    found = _own_version(request, slug, version)
    checks.ask_for_trials(found, by=_user(request))
    return check_out(request, found)


@route(router, "GET", "checks/", CheckPage, needs=Scope.READ)
def list_checks(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """The checks of your versions, newest first."""
    mine = (
        Version.objects.filter(bot__in=Bot.objects.of(_user(request))).select_related("bot").defer("archive")
    )
    rows, following = page(mine, NEWEST, cursor, limit)
    return {
        "items": [
            {
                "bot": one.bot.slug,
                "version": one.number,
                "status": one.status,
                "benched": one.is_benched,
                "created_at": one.created_at,
                "status_url": status_url(request, one),
            }
            for one in rows
        ],
        "next": following,
    }


@route(router, "GET", "directory/", BotPage)
def list_bots(
    request: HttpRequest,
    q: str = Query("", max_length=100, description="Words in the name, owner or description."),
    owner: str = Query("", max_length=150, description="A user name, or `house`."),
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> dict[str, Any]:
    """All bots that can play, by name."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    found = listed_bots(caller.user, query=q.strip(), owner=owner.strip())
    rows, following = page(found.prefetch_related(prefetch_active_rows()), BY_NAME, cursor, limit)
    return {"items": bots_out(rows), "next": following}


@route(router, "GET", "directory/{slug}/versions/", VersionPage)
def list_versions(
    request: HttpRequest, slug: Path[Slug], cursor: Cursor = "", limit: Limit = USUAL
) -> dict[str, Any]:
    """The versions of a bot that passed on some board, newest first."""
    bot = _bot(slug)
    accepted = bot.versions.filter(status__in=PLAYABLE)
    trials = Prefetch("trials", Trial.objects.defer("record", "log"))
    rows, following = page(accepted.prefetch_related(trials), BY_NUMBER, cursor, limit)
    return {"items": [version_out(one, bot) for one in rows], "next": following}


def _bot(slug: str) -> Bot:
    """A bot whose page everyone can see."""
    bot = Bot.objects.select_related("owner", "active_version").filter(slug=slug).first()
    if bot is None:
        raise Http404(f"Expected a bot, got {slug!r}.")
    return bot
