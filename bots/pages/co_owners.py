"""The page of a bot's owners: who they are, what they did, invitations, answers, and handing the bot over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.web.audit_log import audit_lines
from bots.errors import BotsError
from bots.models import Bot, CoOwner
from bots.pages.common import SignedInRequest, attempt, owned_bot
from bots.teams import co_owners
from bots.teams.co_owners import co_ownership, invited_co_owners

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User
    from bots.models import BotAuditEntry


def _about(entry: BotAuditEntry) -> str:
    return (
        entry.person.get_username() if entry.person else f"v{entry.version.number}" if entry.version else ""
    )


def _visible_bot(request: SignedInRequest, slug: str) -> tuple[Bot, CoOwner | None]:
    """A bot of the user's, or one that they are asked to own, and what they said to that; else a 404."""
    bot = get_object_or_404(Bot.objects.select_related("owner"), slug=slug)
    said = co_ownership(bot, request.user)
    answerable = said is not None and said.status in (CoOwner.Status.INVITED, CoOwner.Status.DECLINED)
    if not answerable and not bot.is_owned_by(request.user):
        raise Http404(f"expected a bot of yours, got {slug!r}")
    return bot, said


@login_required
@never_cache
@require_safe
def owners_page(request: SignedInRequest, slug: str) -> HttpResponse:
    """Who owns a bot and what they did, for them and for whoever is asked to be one of them."""
    bot, said = _visible_bot(request, slug)
    owns, is_owner = bot.is_owned_by(request.user), bot.owner_id == request.user.pk
    context = {
        "bot": bot,
        "said": said,
        "owns": owns,
        "is_owner": is_owner,
        "offered": any(row.offered_at for row in bot.co_owner_rows),
        "asked": invited_co_owners(bot) if owns else [],
        "audit_log": audit_lines(bot.audit_log, _about, "person", "version", staff_but=None) if owns else [],
        "most": co_owners.MOST,
    }
    return render(request, "bots/owners.html", context)


@login_required
@require_POST
def invite(request: SignedInRequest, slug: str) -> HttpResponse:
    """Invite somebody by user name, as the owner."""
    bot = owned_bot(request, slug)
    try:
        made = co_owners.invite(bot, request.user, request.POST.get("user", ""))
    except BotsError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, str(ASKED) % {"name": made.user})
    return redirect("bots:owners", slug)


ASKED: Final = gettext_lazy("We asked %(name)s. You will get a notification when they answer.")
ANSWERS: Final[dict[str, tuple[Callable[[Bot, User], None], StrOrPromise]]] = {
    "accept": (co_owners.accept, gettext_lazy("You now own this bot, too.")),
    "decline": (co_owners.decline, gettext_lazy("You declined. You can still change your mind.")),
    "leave": (co_owners.leave, gettext_lazy("You no longer own this bot.")),
    "take-over": (co_owners.take_over, gettext_lazy("You are the owner of this bot now.")),
    "refuse": (co_owners.refuse, gettext_lazy("You declined. You are still a co-owner.")),
    "keep": (co_owners.keep, gettext_lazy("You took your offer back.")),
}
"""What is done for each answer, and what is said of it."""


@login_required
@require_POST
def answer(request: SignedInRequest, slug: str, answer: str) -> HttpResponse:
    """Answer an invitation or an offer, take an offer back, or leave."""
    if answer not in ANSWERS:
        raise Http404(f"expected one of {', '.join(ANSWERS)}")
    bot, _ = _visible_bot(request, slug)
    act, done = ANSWERS[answer]
    attempt(request, str(done), act, bot, request.user)
    return redirect(bot) if answer in ("decline", "leave") else redirect("bots:owners", slug)


def _with_person(request: SignedInRequest, slug: str, user: int) -> tuple[Bot, User]:
    """A bot of the user's, and somebody who owns or was asked to: nobody learns other accounts' names."""
    bot = owned_bot(request, slug)
    return bot, get_object_or_404(CoOwner.objects.select_related("user"), bot=bot, user=user).user


@login_required
@require_POST
def offer(request: SignedInRequest, slug: str, user: int) -> HttpResponse:
    """Offer a bot to one of its co-owners, as the owner."""
    bot, person = _with_person(request, slug, user)
    attempt(request, str(ASKED) % {"name": person}, co_owners.offer, bot, request.user, person)
    return redirect("bots:owners", slug)


@login_required
@require_POST
def remove(request: SignedInRequest, slug: str, user: int) -> HttpResponse:
    """Take an invitation back, or remove a co-owner, as the owner."""
    bot, person = _with_person(request, slug, user)
    done = gettext("%(name)s has been removed.") % {"name": person}
    attempt(request, done, co_owners.remove, bot, request.user, person)
    return redirect("bots:owners", slug)
