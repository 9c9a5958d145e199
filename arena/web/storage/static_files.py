"""How static files are collected: under names with their hashes, and compressed beside it.

Where a file is, is worked out once: a page names a dozen, which takes 8 % more processor time without.

whitenoise compresses every file twice, under its own name and under the one that pages use, with Brotli at
its slowest: 5 of the 6 CPU seconds that collecting took.

Modules are put together (`arena.web.storage.static_files`): what pages load under a module's name with its
hash is the whole bundle that it is the entry of.

Our ES modules put together into few files, for the collected site: a table page asked for sixty of them.

Developing, pages load the modules as they are. When static files are collected, every module becomes a
function in one of these files, its text otherwise as it was but for its documentation, under its name:

- an entry (``js/pages/game.js``, ``js/site.js``), with the modules that no other entry uses;
- ``common``: what pages without a table use as well; ``table``: what watching and playing have in common;
  ``watch`` and ``play``: what only the one or the other needs;
- ``table-later`` and so on: what modules of that file load once it is wanted.

The import map names the shared files only. A module that a worker runs stays a file of its own, as workers
know no import map.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


SHARED: Final = "js/shared/"
"""Where the files lie that several entries import; they exist among collected files only."""
ENTRIES: Final = re.compile(r"arena/(site|pages/\w+)")
WATCHES: Final = "arena/replay/view"
PLAYS: Final = "arena/play/seat"
STATIC_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "(arena/[\w/]+)";', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
LATER: Final = re.compile(r'/\*.*?\*/|(?<![\w.])import\("(arena/[\w/]+)"\)', re.DOTALL)
WORKER: Final = re.compile(r'import\.meta\.resolve\("(arena/[\w/]+)"\)')
DOCUMENTATION: Final = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
"""A fifth of what browsers would fetch."""
LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class ScriptError(Exception):
    """A module is written in a way that cannot be put together with others."""


def bundle(modules: Mapping[str, str]) -> dict[str, str]:
    """Return the files by their path among static files, from the modules' texts by bare name.

    Raises:
        ScriptError: a module imports or exports in another way than ours do, imports what is not there, or
            imports itself through others.
    """
    graph = _Graph(modules)
    members: dict[str, list[str]] = {}
    for name in graph.in_order():
        members.setdefault(graph.file_of[name], []).append(name)
    bundled = {file: _written(file, names, graph) for file, names in members.items()}
    return bundled | {path_of(name): modules[name] for name in graph.workers}


def path_of(name: str) -> str:
    """Where the module of a bare name lies among static files."""
    return f"js/{name.removeprefix('arena/')}.js"


class _Graph:
    """Who imports whom, and which file each module goes to."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self.modules = modules
        self.imports = {
            name: [one[2] for one in STATIC_IMPORT.finditer(text)] for name, text in modules.items()
        }
        self.later = {name: _loaded_later(text) for name, text in modules.items()}
        self.workers = {one for text in modules.values() for one in WORKER.findall(text)}
        self.reached = {entry: self._reach(entry) for entry in modules if ENTRIES.fullmatch(entry)}
        self.sooner_or_later = {entry: self._reach_later(reached) for entry, reached in self.reached.items()}
        self.file_of: dict[str, str] = {}
        for name in modules:
            users = [entry for entry, reached in self.sooner_or_later.items() if name in reached]
            now = [entry for entry in users if name in self.reached[entry]]
            if now:
                self.file_of[name] = (
                    path_of(now[0]) if len(users) == 1 else f"{SHARED}{self._shared(users)}.js"
                )
            elif users:
                self.file_of[name] = f"{SHARED}{self._shared(users)}-later.js"

    def _reach(
        self, name: str, seen: dict[str, None] | None = None, above: tuple[str, ...] = ()
    ) -> dict[str, None]:
        """Everything that a module imports, directly or not, before the module itself."""
        seen = {} if seen is None else seen
        if name in above:
            raise ScriptError(
                f"expected modules that do not import each other in a ring, got {[*above, name]}"
            )
        if name not in self.modules:
            raise ScriptError(f"expected a module that exists, got {name!r}, imported by {above[-1]!r}")
        if name not in seen:
            for one in self.imports[name]:
                self._reach(one, seen, (*above, name))
            seen[name] = None
        return seen

    def _reach_later(self, reached: Mapping[str, None]) -> dict[str, None]:
        """These modules, and everything that they import or load once it is wanted."""
        found = dict(reached)
        waiting = list(found)
        while waiting:
            for target in self.later[waiting.pop()]:
                new = [one for one in self._reach(target) if one not in found]
                found.update(dict.fromkeys(new))
                waiting += new
        return found

    def _shared(self, users: Iterable[str]) -> str:
        """The file for what these entries use."""
        kinds = {
            "common" if WATCHES not in reached else "play" if PLAYS in reached else "watch"
            for reached in (self.reached[entry] for entry in users)
        }
        return "common" if "common" in kinds else kinds.pop() if len(kinds) == 1 else "table"

    def in_order(self) -> list[str]:
        """Every module that belongs to a file, after those that it imports."""
        order: dict[str, None] = {}
        for name in self.file_of:
            self._reach(name, order)
        return [name for name in order if name in self.file_of]


def _loaded_later(text: str) -> list[str]:
    return [one[1] for one in LATER.finditer(text) if one[1]]


def _variable(name: str) -> str:
    """What a module is called within the files: no name of ours begins so."""
    return "$" + name.removeprefix("arena/").replace("/", "_")


def _bare(file: str) -> str:
    return "arena/" + file.removeprefix("js/").removesuffix(".js")


def _written(file: str, names: list[str], graph: _Graph) -> str:
    """The text of a file: what it imports from others, then its modules."""
    wanted: dict[str, dict[str, None]] = {}
    for name in names:
        for one in graph.imports[name]:
            if graph.file_of[one] != file:
                wanted.setdefault(graph.file_of[one], {})[_variable(one)] = None
    for other in wanted:
        if not other.startswith(SHARED):
            raise ScriptError(f"expected imports from shared files only, got {other!r} in {file!r}")
    heads = [
        f'import {{ {", ".join(sorted(one))} }} from "{_bare(other)}";\n'
        for other, one in sorted(wanted.items())
    ]
    return "".join(heads) + "".join(_as_function(name, graph) for name in names)


def _as_function(name: str, graph: _Graph) -> str:
    """A module as a function that runs at once and returns what it exports; an entry as it is."""

    def load_later(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        return f'import("{_bare(graph.file_of[match[1]])}").then((file) => file.{_variable(match[1])})'

    text = DOCUMENTATION.sub("", graph.modules[name])
    exported = [one[1] for one in EXPORT.finditer(text)]
    text = STATIC_IMPORT.sub(
        lambda one: f"const {{{one[1].replace(' as ', ': ')}}} = {_variable(one[2])};", text
    )
    text = LATER.sub(load_later, EXPORT.sub("", text))
    if left := LEFT.search(text):
        raise ScriptError(f"expected imports and exports by name, one a line, got {left[0]!r} in {name!r}")
    if ENTRIES.fullmatch(name):
        return f"// {path_of(name)}\n{text}"
    returned = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"// {path_of(name)}\nexport const {_variable(name)} = (() => {{\n{text}{returned}}})();\n"


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
