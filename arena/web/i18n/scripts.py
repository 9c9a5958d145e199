"""What scripts say in other languages: one script for each language, which a page loads before its modules.

In English, texts are what stands in the code, and pages load nothing.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import polib
from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import override, to_locale
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.i18n import reasons
from arena.web.i18n.catalogues import FOLDER

if TYPE_CHECKING:
    from django.http import HttpRequest

A_YEAR: Final = 365 * 86400
DETAILS: Final = "\x04details"
"""Where scripts find the patterns of `arena.web.i18n.reasons`; no text has this name."""
CONTEXT: Final = "\x04"
"""Between a context and its text, as in compiled catalogues."""


@cache
def script(code: str) -> str:
    """The script of a language: texts by what they are in English. Empty if nothing is translated."""
    file = FOLDER / to_locale(code) / "LC_MESSAGES" / "djangojs.mo"
    if not file.exists():
        return ""
    words: dict[str, Any] = {_name(one): _translation(one) for one in polib.mofile(str(file)) if one.msgid}
    if words:
        with override(code):
            words[DETAILS] = reasons.for_scripts()
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"globalThis.words={text};\n" if words else ""


def address(code: str) -> str:
    """Where that script is, with a digest of what it says; empty if there is none."""
    return reverse("words", args=[code, _digest(code)]) if script(code) else ""


@require_safe
@gzip_page
@cache_control(public=True, max_age=A_YEAR, immutable=True)
def words(request: HttpRequest, code: str, digest: str) -> HttpResponse:
    """The script of a language, which browsers keep for ever."""
    if code not in dict(settings.LANGUAGES) or digest != _digest(code):
        raise Http404
    return HttpResponse(script(code), content_type="text/javascript; charset=utf-8")


@cache
def _digest(code: str) -> str:
    return hashlib.sha256(script(code).encode()).hexdigest()[:12]


def _name(one: polib.MOEntry) -> str:
    return f"{one.msgctxt}{CONTEXT}{one.msgid}" if one.msgctxt else one.msgid


def _translation(one: polib.MOEntry) -> str | list[str]:
    return [one.msgstr_plural[form] for form in sorted(one.msgstr_plural)] if one.msgid_plural else one.msgstr
