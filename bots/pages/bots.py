"""The pages of bots: the list, one bot, a new one, and what its owners and followers do there."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.confirmation import needs_confirmed_address
from arena.web.cache.pages import shared_page
from arena.web.http.idempotency import page_before
from arena.web.http.refusals import form_status
from arena.web.variants import board_title
from bots import follows, uploads
from bots.bots import BotDetails, listed_bots, restore_bot, withdraw_bot
from bots.bots import edit_bot as change_details
from bots.errors import BotsError
from bots.follows import count_followers, followed_among
from bots.models import Bot, Language
from bots.pages.common import SignedInRequest, attempt, blame, owned_bot, refuse
from bots.remote.connections import play_again
from bots.remote.creation import create_remote_bot
from bots.upload_forms import BotDetailsForm, NewBotForm, NewRemoteBotForm, UploadForm
from bots.versions import active_in_words, lost_in_words, visible_versions
from engine.boards import BOARDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User

PER_PAGE = 30
VERSIONS_SHOWN = 20
AGE_SECONDS = 5
"""By so much may the page be late in saying how long ago an upload was."""


@shared_page()
@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    """All bots, the strongest in ``?game=`` first, searched by ``?q=``.

    They are narrowed by ``?owner=``, ``?language=`` of the active version, and ``?playing=1``: in a game now.
    """
    query = request.GET.get("q", "").strip()[:100]
    owner = request.GET.get("owner", "").strip()[:150]
    board = request.GET.get("game", "")
    board = board if board in BOARDS else BOARDS[0]
    language = request.GET.get("language", "")
    languages = [one for one in Language.choices if one[0] != Language.REMOTE or settings.REMOTE]
    language = language if language in dict(languages) else ""
    playing = request.GET.get("playing") == "1"
    bots = listed_bots(
        request.user, query=query, owner=owner, board=board, language=language, playing=playing
    )
    page = Paginator(bots, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "query": query,
        "owner": owner,
        "board": board,
        "board_title": board_title(board),
        "language": language,
        "languages": languages,
        "playing": playing,
        "boards": [(one, board_title(one)) for one in BOARDS],
        "followed": followed_among(request.user, page.object_list),
    }
    return render(request, "bots/list.html", context)


@shared_page(seconds=AGE_SECONDS)
@require_safe
def bot_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One bot: what it is, its versions, and (a fragment of its own) how it has played."""
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version", "presence"), slug=slug)
    versions = Paginator(visible_versions(bot, request.user), VERSIONS_SHOWN)
    is_owner = bot.is_owned_by(request.user)
    newest = bot.versions.order_by("-number").first() if is_owner else None
    context = {
        "bot": bot,
        "page": versions.get_page(request.GET.get("page")),
        "is_owner": is_owner,
        "active": active_in_words(bot),
        "active_keys": {one.version_id for one in bot.active_rows},
        "benched": bot.versions.activated_last().filter(benched_at__isnull=False).first(),
        "newest": newest,
        "site": request.build_absolute_uri("/").rstrip("/"),
        "lost": lost_in_words(newest) if newest is not None and newest.is_checked else [],
        "followers": count_followers(bot),
        "followed": followed_among(request.user, [bot]),
    }
    return render(request, "bots/detail.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_bot(request: SignedInRequest, slug: str) -> HttpResponse:
    """Rename and describe one's own bot."""
    bot = owned_bot(request, slug)
    form = BotDetailsForm(request.POST or None, initial=asdict(BotDetails.of(bot)))
    if request.method == "POST" and form.is_valid():
        try:
            change_details(bot, form.details, by=request.user)
        except BotsError as error:
            blame(form, error)
        else:
            messages.success(request, gettext("Your changes have been saved."))
            return redirect(bot)
    return render(request, "bots/edit.html", {"form": form, "bot": bot}, status=form_status(form))


@login_required
@require_POST
def withdraw(request: SignedInRequest, slug: str) -> HttpResponse:
    """Withdraw one's own bot."""
    bot = owned_bot(request, slug)
    done = gettext("%(bot)s is withdrawn. It can no longer enter tournaments.") % {"bot": bot.name}
    attempt(request, done, withdraw_bot, bot, by=request.user)
    return redirect(bot)


@login_required
@require_POST
def restore(request: SignedInRequest, slug: str) -> HttpResponse:
    """Restore one's own withdrawn bot."""
    bot = owned_bot(request, slug)
    done = gettext("%(bot)s is restored. It can enter tournaments again.") % {"bot": bot.name}
    attempt(request, done, restore_bot, bot, by=request.user)
    return redirect(bot)


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: SignedInRequest) -> HttpResponse:
    """Create a bot from a name and a file."""
    form = NewBotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            version = uploads.submit_bot(request.user, form.details, form.submission)
        except BotsError as error:
            return refuse(request, "bots/new.html", {"form": form, "remote": settings.REMOTE}, error)
        return redirect(version)
    context = {"form": form, "remote": settings.REMOTE}
    return render(request, "bots/new.html", context, status=form_status(form))


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def upload_version(request: SignedInRequest, slug: str) -> HttpResponse:
    """Add a version to one's own bot."""
    bot = owned_bot(request, slug)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            version = uploads.submit_version(bot, form.submission, by=request.user)
        except BotsError as error:
            return refuse(request, "bots/upload.html", {"form": form, "bot": bot}, error)
        return redirect(version)
    return render(request, "bots/upload.html", {"form": form, "bot": bot}, status=form_status(form))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: SignedInRequest, slug: str) -> HttpResponse:
    """Follow a bot. Whoever had to sign in first comes back to its page."""
    return _do(request, slug, gettext("You follow %(bot)s now."), follows.follow)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unfollow(request: SignedInRequest, slug: str) -> HttpResponse:
    """Follow a bot no longer."""
    return _do(request, slug, gettext("You no longer follow %(bot)s."), follows.unfollow)


def _do(request: SignedInRequest, slug: str, done: str, act: Callable[[User, Bot], object]) -> HttpResponse:
    bot = get_object_or_404(Bot, slug=slug)
    if request.method != "POST":
        return redirect(bot)
    attempt(request, done % {"bot": bot.label}, act, request.user, bot)
    return redirect(page_before(request))


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def new_remote_bot(request: SignedInRequest) -> HttpResponse:
    """Create a remote bot from a name; its page then says how to connect."""
    if not settings.REMOTE:
        raise Http404("expected remote bots, which are switched off here")
    form = NewRemoteBotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            bot = create_remote_bot(request.user, form.details)
        except BotsError as error:
            return refuse(request, "bots/new_remote.html", {"form": form}, error)
        return redirect(bot)
    return render(request, "bots/new_remote.html", {"form": form}, status=form_status(form))


@login_required
@require_POST
def let_play_again(request: SignedInRequest, slug: str) -> HttpResponse:
    """Let one's own remote bot connect again that was set offline."""
    bot = owned_bot(request, slug)
    done = gettext("%(bot)s can connect again.") % {"bot": bot.name}
    attempt(request, done, play_again, bot, by=request.user)
    return redirect(bot)
