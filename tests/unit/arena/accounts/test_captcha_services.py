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


def test_there_is_none_unless_named_and_one_behind_other_addresses_is_opened_for_their_origin_alone() -> None:
    assert captcha_services.from_environment({}) is None
    assert captcha_services.from_environment({**KEYS, "CRAPETTE_CAPTCHA": "off"}) is None
    found = captcha_services.from_environment(MOVED)
    assert found is not None
    assert found.verify_url == "http://127.0.0.1:9/siteverify"
    assert found.sources == ("https://captcha.example:8443",)


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
