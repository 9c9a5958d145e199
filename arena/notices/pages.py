"""The page of notices, with how one wants to be told; a feed of them; and the way out of the mails."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.conf import settings as conf
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.notices import preferences, sending
from arena.notices.banner import COOKIE, current_site_notices, dismissed_here
from arena.notices.models import Kind, Notice
from arena.web.feeds import SiteFeed, tag
from arena.web.http.idempotency import comes_from_here, page_before
from arena.web.http.refusals import form_status

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from arena.accounts.models import User


class MailForm(forms.Form):
    """What to be told by e-mail."""

    kinds = forms.MultipleChoiceField(
        choices=Kind.choices,
        required=False,
        label=gettext_lazy("Send me an e-mail when"),
        widget=forms.CheckboxSelectMultiple,
    )


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        max_length=500,
        label=gettext_lazy("Address"),
        help_text=gettext_lazy(
            "We send a POST request with JSON there. For example https://example.org/hook."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
    )
    kinds = forms.MultipleChoiceField(
        choices=Kind.choices,
        initial=Kind.values,
        label=gettext_lazy("Notify it when"),
        widget=forms.CheckboxSelectMultiple,
    )


SHOWN = 50


class NoticeFeed(SiteFeed[Notice, "User"]):
    """The notices of whoever has the secret, newest first."""

    title = gettext_lazy("Crapette Arena: your notices")

    @method_decorator(never_cache)
    def __call__(self, request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        """Answer; nothing on the way keeps it."""
        return super().__call__(request, *args, **named)

    def get_object(self, request: HttpRequest, secret: str) -> User:
        """Whose feed it is."""
        user = sending.reader_of_feed(secret)
        if user is None:
            raise Http404("expected the address of a feed")
        return user

    def link(self) -> str:
        """The page it belongs to."""
        return reverse("notices:list")

    def items(self, user: User) -> QuerySet[Notice]:
        """The notices."""
        return sending.notices_of(user)[:SHOWN]

    def item_title(self, item: Notice) -> str:
        """What happened."""
        return item.text

    def item_description(self, item: Notice) -> str:
        """What kind of thing it is."""
        return item.get_kind_display()

    def item_link(self, item: Notice) -> str:
        """The page that tells more."""
        return item.url

    def item_guid(self, item: Notice) -> str:
        """Each notice is one."""
        return tag("notice", item.pk)

    item_guid_is_permalink = False

    def item_updateddate(self, item: Notice) -> datetime:
        """When."""
        return item.at


PER_PAGE = 30
REMEMBERED_SECONDS = 180 * 86_400
"""How long a browser knows which site notices it dismissed."""


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


@login_required
@never_cache
@require_safe
def notice_list(request: HttpRequest) -> HttpResponse:
    """The user's notices, newest first."""
    page = Paginator(sending.notices_of(_user(request)), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "notices/list.html", {"page": page, "unread": sending.unread(request.user)})


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark all notices as read."""
    sending.mark_read(_user(request))
    return redirect("notices:list")


def _settings(
    request: HttpRequest, *, webhook_form: WebhookForm | None = None, secret: str = ""
) -> HttpResponse:
    user = _user(request)
    wishes = preferences.wishes_of(user)
    context = {
        "address": preferences.verified_address(user),
        "mail_form": MailForm(initial={"kinds": wishes.by_mail}),
        "feed_secret": wishes.feed_secret,
        "site": conf.SITE_URL,
        "webhooks": sending.webhooks_of(user),
        "webhook_form": webhook_form or WebhookForm(),
        "secret": secret,
    }
    return render(request, "notices/settings.html", context, status=form_status(webhook_form))


@login_required
@never_cache
@require_safe
def settings(request: HttpRequest) -> HttpResponse:
    """How the user wants to be told."""
    return _settings(request)


@login_required
@require_POST
def mails(request: HttpRequest) -> HttpResponse:
    """Choose what to be told by e-mail."""
    form = MailForm(request.POST)
    if form.is_valid():
        preferences.wish_for_mails(_user(request), form.cleaned_data["kinds"])
        messages.success(request, gettext("Your changes have been saved."))
    return redirect("notices:settings")


@login_required
@require_POST
def feed(request: HttpRequest) -> HttpResponse:
    """Give the user's feed a new address, or none."""
    if "end" in request.POST:
        preferences.end_feed(_user(request))
        messages.success(request, gettext("The feed is gone."))
    else:
        preferences.new_feed(_user(request))
        messages.success(request, gettext("Your feed has a new address."))
    return redirect("notices:settings")


@login_required
@never_cache
@require_POST
def add_webhook(request: HttpRequest) -> HttpResponse:
    """Add a webhook. Only this answer shows its secret."""
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            hook = preferences.add_webhook(
                _user(request), form.cleaned_data["url"], form.cleaned_data["kinds"]
            )
        except preferences.NoSuchWish as error:
            form.add_error("url", str(error))
        else:
            return _settings(request, secret=hook.secret)
    return _settings(request, webhook_form=form)


@login_required
@require_POST
def remove_webhook(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """Remove a webhook."""
    if not preferences.remove_webhook(_user(request), webhook_id):
        raise Http404("expected a webhook of yours")
    messages.success(request, gettext("The webhook is removed."))
    return redirect("notices:settings")


@csrf_exempt  # the mail program of whoever has the secret asks, without any cookie
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, secret: str) -> HttpResponse:
    """Stop all mails to whoever has the secret: at once by POST, as mail programs do, or after a question."""
    done = request.method == "POST"
    if done and not preferences.stop_mails(secret):
        raise Http404("expected a link of a mail")
    return render(request, "notices/unsubscribe.html", {"done": done, "secret": secret})


@csrf_exempt
@never_cache
@require_POST
def dismiss(request: HttpRequest, key: int) -> HttpResponse:
    """Show a site notice to this browser no more, nor to the account of whoever is signed in.

    Pages that are the same for everybody have the form, without a token against forged requests. Its request
    is taken if the browser says that it comes from this site, or has a token all the same.
    """
    return _dismissed(request, key) if comes_from_here(request) else csrf_protect(_dismissed)(request, key)


def _dismissed(request: HttpRequest, key: int) -> HttpResponse:
    signed_in = request.user.is_authenticated
    present = {str(one.pk): one for one in current_site_notices(signed_in=signed_in)}
    gone = {*(dismissed_here(request) & present.keys()), *({str(key)} & present.keys())}
    if str(key) in present and signed_in:
        preferences.dismiss(_user(request), present[str(key)])
    by_script = request.headers.get("X-Requested-With") == "fetch"
    response = HttpResponse(status=204) if by_script else redirect(page_before(request))
    response.set_cookie(
        COOKIE,
        ".".join(sorted(gone, key=int)),
        max_age=REMEMBERED_SECONDS,
        secure=conf.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
