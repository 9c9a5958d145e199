"""``{% url %}`` of every template, with addresses that are remembered (`arena.web.paths`).

A page has dozens, and Django works each out again, in about 20 µs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django import template
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as worked_out
from django.urls import NoReverseMatch
from django.utils.html import conditional_escape

from arena.web.paths import path

if TYPE_CHECKING:
    from django.template.base import Parser, Token

register = template.Library()


class AddressNode(URLNode):
    """An address by its name and values in their order; Django's own node for anything else."""

    def render(self, context: template.Context) -> str:
        """The address; empty if there is none and it is only put into a variable."""
        values = [one.resolve(context) for one in self.args]
        if self.kwargs or not all(isinstance(one, str | int | UUID) for one in values):
            return super().render(context)
        try:
            address = path(self.view_name.resolve(context), *values)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            address = ""
        if self.asvar is not None:
            context[self.asvar] = address
            address = ""
        return conditional_escape(address) if context.autoescape else address


@register.tag
def url(parser: Parser, token: Token) -> AddressNode:
    """As Django's tag of this name, but for `current_app`: no app is included twice."""
    read = worked_out(parser, token)
    return AddressNode(read.view_name, read.args, read.kwargs, read.asvar)
