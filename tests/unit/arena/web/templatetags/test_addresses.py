"""Addresses in templates: those that Django would work out."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.template import Context, engines
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as worked_out
from django.urls import NoReverseMatch, set_script_prefix

from arena.web.templatetags import addresses

GAME = UUID(int=7)


def rendered(text: str, **values: object) -> str:
    """A template that all apps' tags are known to."""
    return str(engines["django"].from_string(text).render(values))


def by_django(text: str, monkeypatch: pytest.MonkeyPatch, **values: object) -> str:
    """The same by Django's own tag."""
    engine = engines["django"].engine  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        (library,) = (one for one in engine.template_builtins if one is addresses.register)
        patch.setitem(library.tags, "url", worked_out)
        template = engine.from_string(text)
        found = template.nodelist.get_nodes_by_type(URLNode)
        assert found
        assert not any(isinstance(one, addresses.AddressNode) for one in found)
    return str(template.render(Context(values)))


@pytest.mark.parametrize(
    "text",
    [
        "{% url 'home' %}",
        "{% url 'games:detail' game %}",
        "{% url 'rules-variant' variant='vitesse' %}",
        "{% url 'bots:detail' \"a-bot\" as found %}[{{ found }}]",
        "{% url 'no-such-page' as found %}[{{ found }}]",
        "{% autoescape off %}{% url name %}{% endautoescape %}",
    ],
)
def test_an_address_is_what_django_works_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"game": GAME, "name": "leaderboard"}
    first = rendered(text, **values)
    assert first == rendered(text, **values) == by_django(text, monkeypatch, **values)


def test_a_page_that_does_not_exist_fails_each_time() -> None:
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            rendered("{% url 'no-such-page' %}")


def test_addresses_below_another_prefix_are_others() -> None:
    assert rendered("{% url 'rules' %}") == "/rules/"
    set_script_prefix("/arena/")
    try:
        assert rendered("{% url 'rules' %}") == "/arena/rules/"
    finally:
        set_script_prefix("/")
