"""``./crapette draw``: writes the parts of docs/ that follow from the code.

It also renders the page of ``crapette replay`` from its template.

The packages and their imports go into develop/architecture.md. There the boxes are the layers of the first
import-linter contract in pyproject.toml, from top to bottom. An arrow means "imports". Arrows that follow
from others are left out, so that the picture stays readable.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django
import grimp
import resvg_py
from django.conf import settings as settings_of
from django.template.loader import render_to_string
from django.test import override_settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).resolve().parent.parent.parent
DOCUMENTS: Final = ROOT / "docs"

Edges = set[tuple[int, int]]


def layers() -> list[tuple[str, ...]]:
    """The modules of each layer, top layer first, as import-linter checks them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    house, without_django = (contract["layers"] for contract in settings["contracts"][:2])
    # The last floor of the house holds the packages of the second contract, of which some layers are modules.
    packages = dict.fromkeys(layer.partition(".")[0] for layer in without_django)
    return [tuple(name.strip() for name in re.split(r"[|:]", layer)) for layer in (*house[:-1], *packages)]


def imports(boxes: list[tuple[str, ...]]) -> Edges:
    """Which layer imports which other one, as pairs of indices into `boxes`."""
    roots = sorted({module.split(".")[0] for box in boxes for module in box})
    graph = grimp.build_graph(*roots, cache_dir=None)
    owner = {module: index for index, box in enumerate(boxes) for module in box}

    def box_of(module: str) -> int | None:
        while module and module not in owner:
            module = module.rpartition(".")[0]
        return owner.get(module)

    edges = set()
    for module in graph.modules:
        importer = box_of(module)
        for imported in graph.find_modules_directly_imported_by(module):
            box = box_of(imported)
            if importer is not None and box is not None and box != importer:
                edges.add((importer, box))
    return edges


def reduced(edges: Edges) -> Edges:
    """The edges that do not follow from two others; the graph must have no cycle."""
    targets: dict[int, set[int]] = {}
    for tail, head in edges:
        targets.setdefault(tail, set()).add(head)

    def reaches(tail: int) -> set[int]:
        found: set[int] = set()
        for head in targets.get(tail, ()):
            found |= {head} | reaches(head)
        return found

    return {
        (tail, head) for tail, head in edges if not any(head in reaches(other) for other in targets[tail])
    }


def mermaid(boxes: list[tuple[str, ...]], edges: Edges) -> str:
    """The picture as a Mermaid flowchart in a fenced code block."""
    lines = ["```mermaid", "flowchart TD"]
    lines += [f'    L{index}["{"<br>".join(box)}"]' for index, box in enumerate(boxes)]
    lines += [f"    L{tail} --> L{head}" for tail, head in sorted(edges)]
    return "\n".join([*lines, "```", ""])


def picture() -> str:
    """The picture of the code as it is now."""
    boxes = layers()
    return mermaid(boxes, reduced(imports(boxes)))


def viewer() -> str:
    """The page of ``crapette replay``, with plain names of static files."""
    settings = {**settings_of.STORAGES, "staticfiles": {"BACKEND": PLAIN}}
    from tournaments.pages.games.games import SHELLS  # once Django is set up

    with override_settings(STORAGES=settings, STATIC_URL="/static/"):
        page = render_to_string("games/offline.html", {"tables": SHELLS})
    lines = (line.rstrip() for line in page.splitlines())
    return "\n".join(line for line in lines if line) + "\n"


ICON: Final = ROOT / "arena" / "static" / "img" / "icon.svg"
ICON_SIZES: Final = (180, 192, 512)
"""Pixels of the icon of an installed site, as phones and browsers want them."""


def icons() -> dict[Path, bytes]:
    """The icon as PNG in every size, by file."""
    svg = ICON.read_text()
    return {
        ICON.with_name(f"icon-{size}.png"): bytes(
            resvg_py.svg_to_bytes(svg_string=svg, width=size, skip_system_fonts=True)
        )
        for size in ICON_SIZES
    }


VIEWER: Final = ROOT / "kit" / "viewer" / "page.html"
PLAIN: Final = "django.contrib.staticfiles.storage.StaticFilesStorage"
PARTS: Final[dict[str, tuple[Path, Callable[[], str]]]] = {
    "imports": (DOCUMENTS / "develop" / "architecture.md", picture),
}
"""What is written from the code: the name of its marks in the document, the document, the text."""


def between(name: str) -> re.Pattern[str]:
    """Matches what stands between the marks of this name."""
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)


def main() -> int:
    """Write all parts into their documents; 0 when done."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for name, (document, text) in PARTS.items():
        written = text()
        document.write_text(between(name).sub(lambda _, written=written: written, document.read_text()))  # type: ignore[misc]
        sys.stdout.write(f"Wrote the {name} in {document.relative_to(ROOT)}\n")
    for file, picture_of_it in icons().items():
        file.write_bytes(picture_of_it)
    VIEWER.write_text(viewer())
    sys.stdout.write(f"Wrote {VIEWER.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
