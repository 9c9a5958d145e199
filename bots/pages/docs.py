"""Documentation for authors: a first bot, the protocol, a kit to download, and the package for pip."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.cache.pages import everybody, shared_page
from bots.limits import BOTS_PER_USER, UPLOADS_PER_DAY

if TYPE_CHECKING:
    from django.http import HttpRequest


FOLDER: Final = settings.BASE_DIR / "build" / "kit"
"""Where ``./crapette build-kit`` puts the files."""
SUFFIXES: Final = (".whl", ".tar.gz")


@dataclass(frozen=True, slots=True)
class Package:
    """A file that pip can install: name, version, hash, size in bytes, and for which machines it is."""

    name: str
    version: str
    sha256: str
    size: int

    @property
    def fits(self) -> str:
        """The machines it is for, in words."""
        if self.name.endswith(".tar.gz"):
            return "sources, for any other machine with a C compiler"
        python, abi, platform = self.name.removesuffix(".whl").split("-")[2:]
        later = " and later" if abi == "abi3" else ""
        return f"{platform.replace('_', ' ')}, Python {python[2]}.{python[3:]}{later}"


def packages(folder: Path = FOLDER) -> list[Package]:
    """The wheels and the sources in a folder, by name; none if it is missing."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))
        return [_described(path, path.stat().st_mtime_ns) for path in paths]
    except OSError:  # exchanged this moment, or not built yet
        return []


@lru_cache(maxsize=64)
def _described(path: Path, _: int) -> Package:
    content = path.read_bytes()
    version = path.name.removesuffix(".tar.gz").split("-")[1]
    return Package(path.name, version, hashlib.sha256(content).hexdigest(), len(content))


BOTS = Path(__file__).resolve().parent.parent
TUTORIAL = BOTS.parent / "docs" / "author" / "first-bot.md"
KIT = BOTS.parent / "kit"
PROTOCOL = BOTS.parent / "docs" / "author" / "protocol.md"
FIRST_BOT = KIT / "templates" / "python" / "bot.py"
KIT_FOLDER = "crapette-kit"
# Zip wants a date; a fixed one makes the same kit the same bytes.
KIT_DATE = (2026, 1, 1, 0, 0, 0)
KIT_SUFFIXES = {".py", ".js", ".c", ".md", ".txt"}


@shared_page(among=everybody)
@gzip_page
@require_safe
def first_bot(request: HttpRequest) -> HttpResponse:
    """Show how to write a first bot in five minutes."""
    context = {
        "site": settings.SITE_URL,
        "html": tutorial_html(settings.SITE_URL),
        "bots_per_user": BOTS_PER_USER,
        "uploads_per_day": UPLOADS_PER_DAY,
    }
    return render(request, "docs/first_bot.html", context)


@lru_cache(maxsize=16)
def tutorial_html(site: str) -> SafeString:
    """Return the tutorial as HTML, with the address of this site where it says https://SITE."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 (few pages need it, and every worker would read it)

    _, _, text = TUTORIAL.read_text().replace("https://SITE", site).partition("\n")
    html = str(MarkdownIt("commonmark", {"html": False}).render(text))
    html = re.sub(r'(?<=href=")([a-z-]+)\.md', lambda name: reverse("docs-page", args=[name[1]]), html)
    # Our own file, and raw HTML in it is escaped.
    return mark_safe(html.replace("<pre>", '<pre class="log" tabindex="0">'))  # noqa: S308


@require_safe
def kit(request: HttpRequest) -> HttpResponse:
    """Download the SDK, the house bots as examples and the protocol, as one zip."""
    response = HttpResponse(kit_archive(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{KIT_FOLDER}.zip"'
    return response


@cache
def kit_archive() -> bytes:
    """Return the bytes of the kit. The same files give the same bytes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as kit_file:
        for path, source in sorted(_kit_files().items()):
            entry = zipfile.ZipInfo(f"{KIT_FOLDER}/{path}", KIT_DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            kit_file.writestr(entry, source.read_bytes())
    return archive.getvalue()


def _kit_files() -> dict[str, Path]:
    """Path in the kit of every file of it."""
    files = {
        "README.md": PROTOCOL,
        "bot.py": FIRST_BOT,
        "remote-client.mjs": PROTOCOL.with_name("remote-client.mjs"),
        "crapette.py": KIT / "sdk" / "crapette" / "__init__.py",
    }
    house = BOTS / "house"
    for source in house.rglob("*"):
        if source.is_file() and source.suffix in KIT_SUFFIXES and source.parent != house:
            files[f"examples/{source.relative_to(house).as_posix()}"] = source
    return files


FOR_EVER = "public, max-age=31536000, immutable"
SOON_AGAIN = "public, max-age=60"


@require_safe
def package_page(request: HttpRequest) -> HttpResponse:
    """Show how to install the package. pip finds the files by the links (``--find-links``)."""
    found = packages(FOLDER)
    site = request.build_absolute_uri("/kit/")
    answer = render(request, "docs/kit.html", {"packages": found, "site": site})
    answer["Cache-Control"] = SOON_AGAIN
    return answer


@require_safe
def kit_file(request: HttpRequest, name: str) -> FileResponse:
    """Download a file of the package. Another build has another name, so it may be kept for ever."""
    if name not in {package.name for package in packages(FOLDER)}:
        raise Http404(f"expected a file of the package, got {name!r}")
    answer = FileResponse((FOLDER / name).open("rb"), content_type="application/octet-stream")
    answer["Cache-Control"] = FOR_EVER
    return answer
