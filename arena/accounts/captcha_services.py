"""The service that tells people from programs where accounts are made, as `CRAPETTE_CAPTCHA` names it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from arena import env

if TYPE_CHECKING:
    from collections.abc import Mapping

OFF: Final = "off"
HERE: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known of a service: two addresses, the class of its widget, and where its files come from."""

    title: str
    script_url: str
    verify_url: str
    css_class: str
    sources: tuple[str, ...]


PRESETS: Final = {
    # https://developers.cloudflare.com/turnstile/get-started/ and …/reference/content-security-policy/
    "turnstile": Preset(
        "Cloudflare Turnstile",
        "https://challenges.cloudflare.com/turnstile/v0/api.js",
        "https://challenges.cloudflare.com/turnstile/v0/siteverify",
        "cf-turnstile",
        ("https://challenges.cloudflare.com",),
    ),
    # https://docs.hcaptcha.com/ ("Content-Security-Policy Settings")
    "hcaptcha": Preset(
        "hCaptcha",
        "https://js.hcaptcha.com/1/api.js",
        "https://api.hcaptcha.com/siteverify",
        "h-captcha",
        ("https://hcaptcha.com", "https://*.hcaptcha.com"),
    ),
}


@dataclass(frozen=True, slots=True)
class Captcha:
    """A service and the keys of this site.

    The script turns an element of `css_class` into a widget, which puts a token into the form as `field`. The
    site sends the token and its secret to `verify_url`. Scripts, frames and styles come from `sources`.
    """

    title: str
    site_key: str
    secret: str
    script_url: str
    verify_url: str
    css_class: str
    sources: tuple[str, ...]

    @property
    def field(self) -> str:
        """The name under which the widget puts its token into the form."""
        return f"{self.css_class}-response"


def from_environment(environ: Mapping[str, str] = os.environ) -> Captcha | None:
    """The service that the environment names, or None. Raises ImproperlyConfigured."""
    name = env.choice("CRAPETTE_CAPTCHA", (OFF, *PRESETS), OFF, environ=environ)
    if name == OFF:
        return None
    preset = PRESETS[name]
    script_url = _address("CRAPETTE_CAPTCHA_SCRIPT_URL", preset.script_url, environ)
    parts = urlsplit(script_url)
    return Captcha(
        title=preset.title,
        site_key=env.text("CRAPETTE_CAPTCHA_SITE_KEY", environ=environ),
        secret=env.text("CRAPETTE_CAPTCHA_SECRET", environ=environ),
        script_url=script_url,
        verify_url=_address("CRAPETTE_CAPTCHA_VERIFY_URL", preset.verify_url, environ),
        css_class=preset.css_class,
        # A script that was moved elsewhere brings its frames from there.
        sources=preset.sources if script_url == preset.script_url else (f"{parts.scheme}://{parts.netloc}",),
    )


def _address(name: str, default: str, environ: Mapping[str, str]) -> str:
    """An address of a service: https, or http on this very machine."""
    value = env.text(name, default, environ=environ)
    try:
        parts = urlsplit(value)
        known = (
            bool(parts.hostname)
            and parts.port != 0
            and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in HERE))
            # What stands in a header, whole, must not end it.
            and value.isascii()
            and not set(value) & set(" ;,'\"\\")
            and "@" not in parts.netloc
        )
    except ValueError:
        known = False
    if not known:
        raise ImproperlyConfigured(f"{name}: expected https://host/path, got {value!r}.")
    return value
