"""Parts of pages that are rendered once."""

import pytest
from django.utils import translation

from arena.web.templatetags import site


def test_a_part_is_rendered_once_for_each_value_and_language(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, object]] = []

    def render(name: str, values: dict[str, object]) -> str:
        made.append((str(translation.get_language()), values["row"]))
        return f"<b>{values['row']}</b>"

    monkeypatch.setattr(site, "render_to_string", render)
    site._kept.cache_clear()
    for language in ("en-gb", "fr", "en-gb"):
        with translation.override(language):
            assert [site.cached_part("x.html", row=row) for row in ((1, 2), (3,), (1, 2))] == [
                "<b>(1, 2)</b>",
                "<b>(3,)</b>",
                "<b>(1, 2)</b>",
            ]
    assert made == [("en-gb", (1, 2)), ("en-gb", (3,)), ("fr", (1, 2)), ("fr", (3,))]
    site._kept.cache_clear()
