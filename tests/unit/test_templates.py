"""What holds for the source of every page."""

import re
from pathlib import Path

import engine
from arena.web.i18n import glossary

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LONGEST = 120


def test_no_template_has_a_line_that_a_reader_must_scroll() -> None:
    long = [
        f"{path.relative_to(TEMPLATES)}:{number}: {len(line)}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > LONGEST
    ]

    assert long == []


def test_every_variant_has_its_rules_in_words() -> None:
    words = (TEMPLATES / "rules" / "variant.html").read_text()

    assert set(re.findall(r"variant.name == '([a-z-]+)'", words)) == set(engine.VARIANTS)


def test_every_word_that_a_page_explains_is_in_the_glossary() -> None:
    used = {
        key
        for path in TEMPLATES.rglob("*.html")
        for key in re.findall(r'{% term ["\']([a-z-]+)["\']', path.read_text())
    }

    assert used - set(glossary.BY_KEY) == set()
    assert len(glossary.BY_KEY) == len(glossary.TERMS)


WITHOUT_TOKEN = {"parts/languages.html", "notices/site.html", "notices/unsubscribe.html"}
"""Forms that do no harm when they are sent again, for people without a session as well."""


def test_every_form_that_is_posted_has_the_token_that_tells_it_from_others() -> None:
    without = {
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        for form in re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(), re.DOTALL)
        if "{% csrf_token %}" not in form
    }

    assert without == WITHOUT_TOKEN
