"""The import map and the policy that allows it."""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from arena.web.http import security_headers


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A static folder with two modules and another file."""
    (tmp_path / "js" / "viewer").mkdir(parents=True)
    (tmp_path / "js" / "main.js").touch()
    (tmp_path / "js" / "viewer" / "state.js").touch()
    (tmp_path / "js" / "viewer" / "notes.txt").touch()
    monkeypatch.setattr(security_headers, "STATIC", tmp_path)
    return tmp_path


def test_a_name_cannot_close_the_script_element(modules: Path) -> None:
    (modules / "js" / "a<b.js").touch()
    assert "<" not in security_headers.render_import_map()
    assert "arena/a<b" in json.loads(security_headers.render_import_map())["imports"]


def test_the_policy_allows_exactly_the_map_that_pages_carry() -> None:
    digest = base64.b64encode(hashlib.sha256(security_headers.import_map()[0].encode()).digest()).decode()
    directives = dict(part.split(" ", 1) for part in security_headers.content_policy().split("; "))
    assert directives["script-src"] == f"'self' 'sha256-{digest}'"
    assert "unsafe" not in security_headers.content_policy()
