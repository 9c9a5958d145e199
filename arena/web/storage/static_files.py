"""How static files are collected: under names with their hashes, and compressed beside it.

Where a file is, is worked out once: a page names a dozen, which takes 8 % more processor time without.

whitenoise compresses every file twice, under its own name and under the one that pages use, with Brotli at
its slowest: 5 of the 6 CPU seconds that collecting took.

Modules are put together (`arena.web.storage.script_bundles`): what pages load under a module's name with its
hash is the whole bundle that it is the entry of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from arena.web.storage.script_bundles import bundle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCRIPTS: Final = "js/"
CLASSIC: Final = "js/theme.js"
"""Runs before the page is drawn, and is no module."""
IMPORTED: Final = re.compile(r"js/(?!pages/)\w+/")


class Collected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is untyped
    """Compresses what pages refer to; with Brotli only for https, as browsers accept it nowhere else."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._addresses: dict[str, str] = {}
        super().__init__(*args, **kwargs)

    def url(self, name: str, force: bool = False) -> str:
        """The address of a file by its name in templates."""
        found = self._addresses.get(name)
        if found is None:
            found = self._addresses[name] = super().url(name, force)
        return found

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Name, compress and note the files; in place of the modules the bundles made of them."""
        modules = {}
        for name in [name for name in paths if name.startswith(SCRIPTS) and name != CLASSIC]:
            source, path = paths.pop(name)
            with source.open(path) as file:
                modules[f"arena/{name.removeprefix(SCRIPTS).removesuffix('.js')}"] = file.read().decode()
        bundles = InMemoryStorage()
        for name, text in bundle(modules).items():
            bundles.save(name, ContentFile(text.encode()))
            paths[name] = (bundles, name)
        yield from super().post_process(paths, dry_run, **options)

    def imported_scripts(self) -> list[str]:
        """The scripts that others import, by their path: what the import map of pages names."""
        return sorted(name for name in self.hashed_files if IMPORTED.match(name))

    def save_manifest(self) -> None:
        """Write down under which names the files were collected."""
        super().save_manifest()
        self._addresses.clear()

    def create_compressor(self, **options: Any) -> Compressor:
        """What compresses a file."""
        return Compressor(use_brotli=settings.PRODUCTION, **options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress those of the files that carry a hash; the name of each, and of what it became."""
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))
