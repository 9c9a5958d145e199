"""What is wrong with the parameters or the JSON of a request, in our words instead of pydantic's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS: Final = {
    "missing": "Expected {field}, got none.",
    "extra_forbidden": "Expected no {field}: there is no such field.",
    "literal_error": "Expected {field} to be one of {expected}.",
    "greater_than_equal": "Expected {field} to be at least {ge}.",
    "greater_than": "Expected {field} to be more than {gt}.",
    "less_than_equal": "Expected {field} to be at most {le}.",
    "less_than": "Expected {field} to be less than {lt}.",
    "string_too_short": "Expected {field} to have at least {min_length} characters.",
    "string_too_long": "Expected {field} to have at most {max_length} characters.",
    "too_short": "Expected {field} to have at least {min_length} items.",
    "too_long": "Expected {field} to have at most {max_length} items.",
    "timezone_aware": "Expected {field} to be a time with its time zone, such as 2026-05-31T12:00:00Z.",
}
"""By pydantic's name of the error (https://docs.pydantic.dev/latest/errors/validation_errors/)."""
KINDS: Final = (
    (r"int_", "a whole number"),
    (r"float_|finite_number", "a number"),
    (r"bool_", "true or false"),
    (r"string_type|string_sub_type|string_unicode", "text"),
    (r"datetime_|time_", "a time such as 2026-05-31T12:00:00Z"),
    (r"date_", "a date such as 2026-05-31"),
    (r"uuid_", "an id such as 6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"),
    (r"list_|tuple_", "a list"),
    (r"model_|dict_|dataclass_", "an object"),
)
"""What was expected, by how the name of the error begins."""
PATTERNS: Final = {
    r"^[-a-zA-Z0-9_]+$": "a name as in addresses, of letters, digits, - and _",
    r"^20\d\d-(0[1-9]|1[0-2])$": "a month such as 2026-05",
    r"^[a-z][-a-z0-9]{1,39}$": "a name from the list of datasets",
    r"^(https?://.*)?$": "an address that starts with https:// or http://, or empty",
}


def describe_invalid(error: Mapping[str, Any]) -> tuple[str | None, str]:
    """The field that is wrong, by its name in the request, and a sentence.

    >>> describe_invalid({"type": "missing", "loc": ("body", "wish", "name"), "msg": "Field required"})
    ('name', 'Expected name, got none.')
    >>> describe_invalid({"type": "list_type", "loc": ("body", "wish", "entrants"), "msg": "…"})
    ('entrants', 'Expected entrants to be a list.')
    """
    field = _field(error["loc"])
    shown = field or "the body of the request"
    kind, context = error["type"], error.get("ctx", {})
    if kind in WORDS:
        filled = {name: _plain(value) for name, value in context.items()}
        return field, WORDS[kind].format(field=shown, **filled)
    if kind == "string_pattern_mismatch" and (what := PATTERNS.get(context.get("pattern", ""))):
        return field, f"Expected {shown} to be {what}."
    for beginning, what in KINDS:
        if re.match(beginning, kind):
            return field, f"Expected {shown} to be {what}."
    # What our own validators say.
    return field, f"{shown}: {str(error['msg']).removeprefix('Value error, ')[:300].rstrip('.')}."


def _field(place: tuple[str | int, ...]) -> str | None:
    """A field by its name in the request; None for the body itself.

    ninja names where it is, then, of bodies and of models of parameters, our argument that takes it:
    ("query", "filters", "limit"), ("body", "wish", "entrants", 0, "bot").
    """
    parts = list(place[1:])
    if place[0] == "body" or parts[:1] == ["filters"]:
        parts = parts[1:]
    return ".".join(str(part) for part in parts) or None


def _plain(value: Any) -> str:
    """What was expected, without quotes: of lists of words, pydantic puts some."""
    return str(value).replace("'", "")
