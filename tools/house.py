"""``python -m tools.house``: figures of how the source is laid out. Smaller is easier to find one's way in.

The ways of requests are measured in a database of their own, by asking Django for each page once and noting
every file of the arena that runs. A second request would run through fewer: caches would answer it.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.test import Client

ROOT: Final = Path(__file__).resolve().parent.parent
SHORT: Final = 40
"""A module of fewer lines is worth a look: does it tell a story of its own?"""
NO_SOURCE: Final = ("tests/", "tools/")
FEATURES: Final = {
    "passage": r"passages?",
    "follow": r"follow(s|ed|ing)?",
    "twin": r"twins?",
    "hidden results": r"embargo|reveal(ing)?|hidden_results|hiding",
    "held endings": r"(held|won|lost)_endings?",
    "challenge": r"challenges?",
    "daily": r"daily",
}
"""Words in the names of files that belong to one feature. A file whose name only contains them, such as
`pending_file`, or that is about something else, such as `referee/endings`, does not count."""
NAMED_BY_DJANGO: Final = frozenset(
    {"__init__.py", "__main__.py", "admin.py", "apps.py", "urls.py", "tasks.py", "errors.py", "routing.py"}
)
OF_THEIR_OWN: Final = frozenset({"commands", "templatetags", "canaries", "templates", "house"})
"""Folders of what Django finds by its place, and of programs: canaries, bots, what authors begin with."""

PARTICIPLE: Final = re.compile(
    "[a-z]+[^e]ed|begun|broken|brought|built|caught|chosen|dealt|done|drawn|driven|felt|found|given|gone|grown"
    "|heard|held|hidden|kept|known|left|lent|lost|made|meant|met|paid|said|seen|sent|shown|sold|spent|spoken"
    "|taken|taught|thought|told|understood|won|written"
)
BOTS_CALL: Final = re.compile(
    "brought|exchanged|filled|halved|known|perturbed|planned|ranked|relabelled|searched|tried|weighed|written"
)
"""Names of the engine and of the SDK that bots call: uploaded ones rely on them."""


def tracked(*patterns: str) -> list[Path]:
    """The files of the project that match, relative to its root; links and generated files are left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [path for name in listed.split("\0") if name and (path := Path(name)) and _is_file(ROOT / path)]


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def lines(paths: Iterable[Path]) -> int:
    """How many lines these files have."""
    return sum((ROOT / path).read_bytes().count(b"\n") for path in paths)


def is_source(path: Path) -> bool:
    """Whether a file belongs to what is delivered: no test, no tool, no migration."""
    return not path.as_posix().startswith(NO_SOURCE) and "migrations" not in path.parts


def layout() -> dict[str, str]:
    """The figures that only need the files."""
    python = [path for path in tracked("*.py") if is_source(path)]
    own = [path for path in python if path.name != "__init__.py"]
    short = [path for path in own if not _is_convention(path) and lines([path]) < SHORT]
    floors = Counter(path.parent for path in own)
    crowded, most = floors.most_common(1)[0]
    pages = [path for path in tracked("*.html", "*.js", "*.css", "*.svg") if is_source(path)]
    migrations = [
        path for path in tracked("*.py", "*.sql") if "migrations" in path.parts or path.suffix == ".sql"
    ]
    top = {path.parts[0] for path in tracked() if len(path.parts) > 1 and not path.parts[0].startswith(".")}
    packages = {path.parts[0] for path in python if len(path.parts) > 1} - {"templates"}
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return {
        "Python packages at the top; folders": f"{len(packages)}; {len(top)}",
        f"modules; under {SHORT} lines": f"{len(own)}; {len(short)}",
        "most files on one floor outside templates": f"{most} ({crowded})",
        "source lines of Python; templates, scripts, styles": f"{lines(python)}; {lines(pages)}",
        "lines of migrations and SQL": f"{lines(migrations)}",
        "lines of tests": f"{lines(path for path in tracked('tests/*.py', 'tests/*.js', 'tests/*.ts'))}",
        "folders that a feature lies in (of tests)": _features(),
        "floors of the contract; contracts": f"{len(contracts[0]['layers'])}; {len(contracts)}",
        "public functions named by a bare participle": f"{len(participles())}",
        "kB of Markdown": f"{sum((ROOT / path).stat().st_size for path in tracked('*.md')) // 1000}",
    }


def participles() -> list[str]:
    """Public functions whose name is a bare past participle, as "file:line name".

    A name says what a function does (a verb) or what it answers (a noun). Attributes may be adjectives:
    properties do not count, nor do the names that bots call.
    """
    found = []
    for path in filter(is_source, tracked("*.py")):
        for owner in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(owner, ast.Module) or (isinstance(owner, ast.ClassDef) and owner.name[0] != "_"):
                found += [
                    f"{path}:{one.lineno} {one.name}" for one in owner.body if _is_bare_participle(one, path)
                ]
    return found


def _is_bare_participle(node: ast.stmt, path: Path) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    for_bots = path.parts[0] in {"engine", "bots"} or path.parts[:2] == ("kit", "sdk")
    return (
        PARTICIPLE.fullmatch(node.name) is not None
        and not (for_bots and BOTS_CALL.fullmatch(node.name))
        and not any("property" in ast.unparse(one) for one in node.decorator_list)
    )


def _is_convention(path: Path) -> bool:
    """Whether Django, or whoever runs it as a program of its own, says where this file lies."""
    return path.name in NAMED_BY_DJANGO or not set(path.parts).isdisjoint(OF_THEIR_OWN)


def _features() -> str:
    """For each feature, in how many folders files of its name lie, and in how many of them tests."""
    files = [path for path in tracked() if path.suffix in {".py", ".html", ".js", ".css"}]
    found = []
    for name, words in FEATURES.items():
        named = re.compile(rf"(?:^|_)(?:{words})(?:_|$)")
        folders = {path.parent for path in files if named.search(path.stem)}
        tests = sum(folder.parts[0] == "tests" for folder in folders)
        found.append(f"{name} {len(folders)} ({tests})")
    return ", ".join(found)


@contextmanager
def files_entered() -> Iterator[set[str]]:
    """Yield a set that holds, after the block, every source file of ours whose functions ran in this thread.

    Code that runs while a module is imported does not count, nor does a file that only handed a constant on.
    """
    entered: set[str] = set()
    root = f"{ROOT}{os.sep}"
    outside = (f"{root}.venv", f"{root}tests", f"{root}tools")

    def note(frame: Any, event: str, _: Any) -> None:
        # The bodies of modules and of classes run while a module is imported, and have no fast local names.
        if event == "call" and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            name = frame.f_code.co_filename
            if name.startswith(root) and not name.startswith(outside):
                entered.add(name.removeprefix(root))

    sys.setprofile(note)
    try:
        yield entered
    finally:
        sys.setprofile(None)


def ways(client: Callable[..., Client]) -> dict[str, set[str]]:
    """The own files entered by the first request for each kind of page; needs an empty database."""
    from tests.factories.accounts import author, token
    from tests.factories.results import play_all
    from tests.factories.tournaments import entrants, running
    from tournaments.ratings.ratings import compute_ratings

    ada = author("ada")
    cup = running(ada, entrants(ada, 3), pairs=1, name="Cup")
    play_all(cup)
    compute_ratings("crapaud")
    key = token(ada)
    asked: dict[str, tuple[str, dict[str, str]]] = {
        "static page": ("/docs/rules/", {}),
        "leaderboard": ("/leaderboard/crapaud/", {}),
        "tournament": (f"/tournaments/{cup.slug}/", {}),
        "first API call": ("/api/v1/bots/", {"Authorization": f"Bearer {key}"}),
    }
    found: dict[str, set[str]] = {}
    for name, (path, headers) in asked.items():
        with files_entered() as entered:
            answer = client(headers=headers).get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        found[name] = entered
    return found


def measured_ways() -> dict[str, set[str]]:
    """`ways` in a database that is made for it and thrown away."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.test import Client
    from django.test.utils import (
        setup_databases,
        setup_test_environment,
        teardown_databases,
        teardown_test_environment,
    )

    setup_test_environment()
    made = setup_databases(verbosity=0, interactive=False)
    try:
        return ways(Client)
    finally:
        teardown_databases(made, verbosity=0)
        teardown_test_environment()


def main() -> int:
    """Print the figures; 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description=__doc__)
    parser.add_argument("--files", action="store_true", help="name the files that each request runs through")
    asked = parser.parse_args()
    for name, figure in layout().items():
        print(f"{name:<52}  {figure}")
    for name, entered in measured_ways().items():
        print(f"{'own files entered by a ' + name:<52}  {len(entered)}")
        for file in sorted(entered) if asked.files else ():
            print(f"    {file}")
    print("CPU seconds of the tests: the last line of ./crapette test")
    return 0


if __name__ == "__main__":
    sys.exit(main())
