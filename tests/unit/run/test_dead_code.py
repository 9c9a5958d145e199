"""What counts as used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.run import dead_code
from tools.run.dead_code import unused

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = '''
"""Documentation names documented()."""

def called(): called_too(by_keyword=1)
def called_too(**more): return more
def documented(): pass
def by_keyword(): pass
def named_in_a_string(): pass
def shown(): pass
def tested(): pass
called()
PATH = "app.named_in_a_string"
print(PATH)
'''


def test_what_is_called_or_named_by_strings_keywords_and_pages_is_used(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "app" / "code.py").write_text(SOURCE)
    (tmp_path / "tests" / "use.py").write_text("from app.code import tested\ntested()\n")
    (tmp_path / "templates" / "page.html").write_text("{{ row.shown }}")
    tested = "app/code.py:10: unused function 'tested'"
    documented = "app/code.py:6: unused function 'documented'"
    assert unused(tmp_path, ["app"]) == [tested, documented]
    assert unused(tmp_path, ["app", "tests"]) == [documented]
    assert unused(tmp_path, ["app"], ["tests"]) == [tested, documented]


@pytest.mark.parametrize("found", [[], ["app/code.py:6: unused function 'documented'"]])
def test_the_step_fails_if_and_only_if_it_names_something(
    found: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dead_code, "unused", lambda *_: found)
    assert dead_code.main() == len(found)
    assert capsys.readouterr().out.splitlines() == found
