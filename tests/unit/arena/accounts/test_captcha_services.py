"""What the environment says about the service that tells people from programs."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from arena.accounts import captcha_services

KEYS = {"CRAPETTE_CAPTCHA_SITE_KEY": "site", "CRAPETTE_CAPTCHA_SECRET": "secret"}
MOVED = {
    **KEYS,
    "CRAPETTE_CAPTCHA": "turnstile",
    "CRAPETTE_CAPTCHA_SCRIPT_URL": "https://captcha.example:8443/widget.js?x=1",
    "CRAPETTE_CAPTCHA_VERIFY_URL": "http://127.0.0.1:9/siteverify",
}


def test_there_is_none_unless_the_environment_names_one() -> None:
    assert captcha_services.from_environment({}) is None
    assert captcha_services.from_environment({**KEYS, "CRAPETTE_CAPTCHA": "off"}) is None


@pytest.mark.parametrize(
    ("name", "host", "field"),
    [
        ("turnstile", "challenges.cloudflare.com", "cf-turnstile-response"),
        ("hcaptcha", "hcaptcha.com", "h-captcha-response"),
    ],
)
def test_a_known_service_needs_a_name_and_its_keys(name: str, host: str, field: str) -> None:
    found = captcha_services.from_environment({**KEYS, "CRAPETTE_CAPTCHA": name})
    assert found is not None
    assert (found.site_key, found.secret, found.field) == ("site", "secret", field)
    assert found.sources[0] == f"https://{host}"
    assert found.verify_url.startswith("https://")


def test_a_service_behind_addresses_of_its_own_is_opened_for_their_origin_alone() -> None:
    found = captcha_services.from_environment(MOVED)
    assert found is not None
    assert found.verify_url == "http://127.0.0.1:9/siteverify"
    assert found.sources == ("https://captcha.example:8443",)


def test_a_service_that_the_site_does_not_know_ends_the_start_with_a_sentence() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        captcha_services.from_environment({**MOVED, "CRAPETTE_CAPTCHA": "other"})
    assert str(caught.value) == "CRAPETTE_CAPTCHA: expected one of off, turnstile, hcaptcha, got 'other'."


@pytest.mark.parametrize("missing", KEYS)
def test_what_a_service_needs_and_lacks_ends_the_start_with_a_sentence(missing: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        captcha_services.from_environment({key: value for key, value in MOVED.items() if key != missing})
    assert str(caught.value) == f"{missing} must be set, but it is missing or empty."


@pytest.mark.parametrize(
    "address",
    [
        "http://captcha.example/api.js",
        "//captcha.example/api.js",
        "https:///api.js",
        "https://captcha.example:0/api.js",
        "https://captcha.example:x/api.js",
        "https://captcha.example;script-src *",
        "https://captcha.example/a b",
        "https://ann@captcha.example/",
        "https://cäptcha.example/",
    ],
)
def test_an_address_that_is_not_https_or_would_change_the_policy_is_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CRAPETTE_CAPTCHA_SCRIPT_URL: expected https://host/path"):
        captcha_services.from_environment({**MOVED, "CRAPETTE_CAPTCHA_SCRIPT_URL": address})
