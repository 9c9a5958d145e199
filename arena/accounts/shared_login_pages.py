"""The pages of signing in and up are the same for everybody who has no session, but for the form's token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import get_adapter

from arena.accounts import captcha
from arena.web.cache.pages import shared_by_strangers

if TYPE_CHECKING:
    from django.http import HttpRequest


def _open(request: HttpRequest) -> str | None:
    """Whether the site takes new accounts; None where a page may look different to each visitor.

    A captcha is shown by address, and programs get JSON.
    """
    adapter = get_adapter()
    if captcha.service() is not None or adapter.is_ajax(request):
        return None
    return str(adapter.is_open_for_signup(request))


shared = shared_by_strangers(by=_open)
