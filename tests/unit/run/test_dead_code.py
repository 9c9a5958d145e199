"""What counts as used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.run.dead_code import unused

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
    assert unused(tmp_path, ["app"]) == [
        "app/code.py:6: unused function 'documented'",
        "app/code.py:10: unused function 'tested'",
    ]
    assert unused(tmp_path, ["app", "tests"]) == ["app/code.py:6: unused function 'documented'"]
