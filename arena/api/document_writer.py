"""Writes the OpenAPI document, for the process that serves it: ``… document_writer FILE PARENT``."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path

import django

from arena.run.children import end_with_parent


def main(path: Path, parent: int) -> None:
    """Write the document to this path, whole or not at all. End with the parent process."""
    end_with_parent(parent)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    django.setup()
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    document = import_module("arena.api.application").openapi()
    aside.write_text(json.dumps(document, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
    aside.replace(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
