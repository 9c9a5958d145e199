"""``crapette new NAME``: makes a bot to start from, with a test and a workflow for GitHub."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bots.house import HOUSE_BOTS
from kit.bot.project import IGNORE, NAME
from kit.console.command import BadUsage, Parser, run_command
from kit.console.screen import Screen
from kit.site.client import known_site, origin_of
from kit.versions import wheel_python

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

TEMPLATES: Final = Path(__file__).resolve().parents[1] / "templates"
LONGEST_NAME: Final = 40
IGNORED: Final = """\
# Files and folders that do not belong to the bot, one pattern a line. Recorded games, tests, the sources of
# executables and hidden files stay at home anyway.
make_*.py
"""
EXAMPLE_SITE: Final = "https://arena.example"


@dataclass(frozen=True, slots=True)
class TemplateLanguage:
    """A language that there is a template for, and the commands that build and test such a bot."""

    folder: str
    build: str
    tests: str
    ignored: tuple[str, ...] = ()
    kit: str = "crapette"
    """What pip installs."""
    setup: str = ""
    """What its author installs besides, to run its tests."""
    packages: str = ""
    """What the workflow installs besides, to build it."""
    source: tuple[str, ...] = ()
    """Files of other languages that are the same here, below `TEMPLATES`."""


LANGUAGES: Final = {
    "python": TemplateLanguage("python", "", "python -m unittest discover tests", ("__pycache__/",)),
    "python-onnx": TemplateLanguage(
        "python-onnx",
        "",
        "python -m unittest discover tests",
        ("__pycache__/",),
        "'crapette[onnx]'",
        setup="pip install numpy onnxruntime",
    ),
    "javascript": TemplateLanguage("javascript", "", "node --test tests/*.test.js", ("node_modules/",)),
    "c": TemplateLanguage("c", "make", "make test", ("/bot",)),
    "rust": TemplateLanguage("rust", "make", "make test", ("/bot",)),
    "wasm": TemplateLanguage(
        "wasm",
        "make",
        "make test",
        ("/bot.wasm",),
        packages=" clang lld wasi-libc libclang-rt-18-dev-wasm32",
        source=("c/bot.c",),
    ),
}


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette new",
        description="Create a folder with a bot to start from, a test and a GitHub workflow.",
        epilog="""\
examples:
  crapette new mybot
  crapette new fast --language rust --site https://arena.example

exit status:
  0  made      2  wrong arguments, or the folder is not empty""",
    )
    made.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder; its name is the bot's")
    made.add_argument(
        "--language", choices=LANGUAGES, default="python", help="the bot's language (default: %(default)s)"
    )
    made.add_argument("--name", help="the bot's name on the site (default: the folder's)")
    made.add_argument("--site", help="address of the arena (default: where you logged in last)")
    made.add_argument("--json", action="store_true", help="print what was made as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the folder and say how to go on; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command("crapette new", lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    screen, language = Screen(), LANGUAGES[given.language]
    name = _checked(given.name or given.folder.resolve().name)
    site = origin_of(given.site) if given.site else known_site()
    try:
        _make(given.folder, language, name, site)
    except OSError as error:
        raise BadUsage(f"cannot write {given.folder}: {error.strerror}") from None
    if given.json:
        files = sorted(
            path.relative_to(given.folder).as_posix() for path in given.folder.rglob("*") if path.is_file()
        )
        made = {"folder": str(given.folder), "name": name, "language": given.language, "files": files}
        sys.stdout.write(json.dumps(made) + "\n")
        return 0
    screen.say(f"Made {given.folder}. Next:")
    if language.setup:
        screen.say(f"  {language.setup}")
    if language.build:
        screen.say(f"  {language.build} -C {given.folder}")
    screen.say(f"  crapette check-bot {given.folder}")
    screen.say(f"  crapette play {given.folder} random")
    return 0


def _checked(name: str) -> str:
    """The bot's name. Raises BadUsage."""
    if name.casefold() in HOUSE_BOTS:
        raise BadUsage(f"{name} is the name of a house bot, so no site takes it: choose another name")
    # What the site takes, as far as it can be told here: `bots.bots`.
    if not re.search("[a-zA-Z0-9]", name) or not name.isprintable():
        raise BadUsage(f"expected a name with at least one letter a–z or digit, got {name[:80]!r}")
    if len(name) > LONGEST_NAME:
        raise BadUsage(f"expected a name of at most {LONGEST_NAME} characters, got {len(name)}")
    return name


def _make(folder: Path, language: TemplateLanguage, name: str, site: str | None) -> None:
    """Write the files. Raises BadUsage, OSError; leaves alone what is there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadUsage(f"{str(folder)!r} already exists: name a new folder")
    source = TEMPLATES / language.folder
    files = {
        path.relative_to(source): path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    files |= {Path(Path(name).name): (TEMPLATES / name).read_bytes() for name in language.source}
    texts = {
        NAME: f"name = {json.dumps(name, ensure_ascii=False)}\n" + (f'site = "{site}"\n' if site else ""),
        ".gitignore": "\n".join((*language.ignored, "*.log", "games/", "")),
        IGNORE: IGNORED,
        "README.md": _filled("README.md", language, name, site),
        ".github/workflows/crapette.yml": _filled("crapette.yml", language, name, site),
    }
    files |= {Path(path): text.encode() for path, text in texts.items()}
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _filled(template: str, language: TemplateLanguage, name: str, site: str | None) -> str:
    """A common file with what is particular about this bot."""
    text = (TEMPLATES / "common" / template).read_text(encoding="utf-8")
    words = {
        "name": name,
        "tests": language.tests,
        "kit": language.kit,
        "packages": language.packages,
        "before": f"{language.build} -C ../before && " if language.build else "",
        "build": f"    {language.build}\n" if language.build else "",
        "setup": f"    {language.setup}\n" if language.setup else "",
        "site": site or EXAMPLE_SITE,
        "python": wheel_python(),
    }
    return re.sub(r"%%(\w+)%%", lambda found: words[found[1]], text)


if __name__ == "__main__":
    sys.exit(main())
