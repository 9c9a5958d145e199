"""The language in which a websocket tells a page what it may do."""

import pytest
from django.test import override_settings

from arena.accounts.models import User
from friendlies.tables.people import language_of_socket

BOTH = [("en-gb", "English"), ("pt-br", "Português")]


@override_settings(LANGUAGES=BOTH)
@pytest.mark.parametrize(
    ("headers", "user", "language"),
    [
        ([], None, "en-gb"),
        ([(b"accept-language", b"pt-BR,en;q=0.5")], None, "pt-br"),
        ([(b"cookie", b"crapette_language=pt-br"), (b"accept-language", b"en")], None, "pt-br"),
        ([(b"accept-language", b"pt-BR")], User(language="en-gb"), "en-gb"),
        ([], User(language=""), "en-gb"),
    ],
)
def test_a_page_is_told_in_the_language_it_was_made_in(
    headers: list[tuple[bytes, bytes]], user: User | None, language: str
) -> None:
    assert language_of_socket({"headers": headers}, user) == language
