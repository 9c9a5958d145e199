"""Catalogues are compiled when they changed, and commands warn of those that are not."""

import os
from pathlib import Path

import pytest

from arena.web import apps
from arena.web.i18n.catalogues import compile_catalogues, not_compiled


def test_a_catalogue_that_changed_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "fr" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text('msgid "House"\nmsgstr "Case"\n', encoding="utf-8")
    monkeypatch.setattr(apps, "not_compiled", lambda: not_compiled(tmp_path))
    assert not_compiled(tmp_path) == [source]
    assert [(found.id, "fr" in found.msg) for found in apps.check_translations()] == [("common.W001", True)]
    assert compile_catalogues(tmp_path) == [source]
    assert not any((compile_catalogues(tmp_path), not_compiled(tmp_path), apps.check_translations()))
    later = source.stat().st_mtime + 60
    os.utime(source, (later, later))
    assert not_compiled(tmp_path) == [source]
    assert compile_catalogues(tmp_path) == [source]
