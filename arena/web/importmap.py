"""The import map of our own ES modules, made from the static files.

A module ``arena/static/js/viewer/state.js`` is imported everywhere as ``"arena/viewer/state"``. Bare
names and one map instead of relative paths: a hashed file name then stands in one place only, and no
module can be loaded twice under two addresses (rewriting the imports inside modules misses some of them
without a word).
"""

import base64
import hashlib
import json
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static

FOLDER = Path(__file__).resolve().parent.parent / "static"
ROOT = "js"


def modules() -> dict[str, str]:
    """Bare name of each of our modules, and its path below the static address."""
    files = sorted((FOLDER / ROOT).rglob("*.js"))
    return {
        f"arena/{file.relative_to(FOLDER / ROOT).with_suffix('').as_posix()}": file.relative_to(
            FOLDER
        ).as_posix()
        for file in files
    }


def render() -> str:
    """The map as JSON text, with the addresses the static files are served under now."""
    imports = {name: static(path) for name, path in modules().items()}
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _rendered() -> str:
    return render()


def text() -> str:
    """The map as JSON text; made once, except while developing."""
    return render() if settings.DEBUG else _rendered()


def policy_hash() -> str:
    """The Content-Security-Policy source that allows exactly this inline map."""
    return _hash(text())


@lru_cache(maxsize=1)
def _hash(words: str) -> str:
    digest = hashlib.sha256(words.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
