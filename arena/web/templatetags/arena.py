"""Tags that the base page needs: ``{% load arena %}``."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from arena.web import importmap

register = template.Library()


@register.simple_tag
def import_map() -> SafeString:
    """The page's import map; its hash is in the page's Content-Security-Policy."""
    # Our own file names as JSON, with "<" escaped: nothing in it can close the element.
    return mark_safe(f'<script type="importmap">{importmap.text()}</script>')  # noqa: S308
