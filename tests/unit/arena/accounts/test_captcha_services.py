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


def test_there_is_none_unless_named_and_one_behind_other_addresses_is_opened_for_their_origin_alone() -> None:
    assert captcha_services.from_environment({}) is None
    assert captcha_services.from_environment({**KEYS, "CRAPETTE_CAPTCHA": "off"}) is None
    found = captcha_services.from_environment(MOVED)
    assert found is not None
    assert found.verify_url == "http://127.0.0.1:9/siteverify"
    assert found.sources == ("https://captcha.example:8443",)


def test_an_unknown_service_or_one_without_what_it_needs_ends_the_start_with_a_sentence() -> None:
    known = "CRAPETTE_CAPTCHA: expected one of off, turnstile, hcaptcha, got 'other'."
    for change, words in (
        ({"CRAPETTE_CAPTCHA": "other"}, known),
        *(({name: ""}, f"{name} must be set, but it is missing or empty.") for name in KEYS),
    ):
        with pytest.raises(ImproperlyConfigured) as caught:
            captcha_services.from_environment({**MOVED, **change})
        assert str(caught.value) == words


@pytest.mark.parametrize(
    "address",
    [
        *("http://captcha.example/api.js", "//captcha.example/api.js", "https:///api.js"),
        *("https://captcha.example:0/api.js", "https://captcha.example:x/api.js", "https://cäptcha.example/"),
        *(
            "https://captcha.example;script-src *",
            "https://captcha.example/a b",
            "https://ann@captcha.example/",
        ),
    ],
)
def test_an_address_that_is_not_https_or_would_change_the_policy_is_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CRAPETTE_CAPTCHA_SCRIPT_URL: expected https://host/path"):
        captcha_services.from_environment({**MOVED, "CRAPETTE_CAPTCHA_SCRIPT_URL": address})
