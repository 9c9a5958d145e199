"""The steps of ``./crapette test``: what each runs, and what it needs."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tests.thorough import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent.parent

# The settings of production. Checking them connects to nothing.
PRODUCTION = {
    "CRAPETTE_MODE": "production",
    "CRAPETTE_SECRET_KEY": "a-long-one-for-the-deployment-check-0123456789-abcdefghijklmnopqrstuvwxyz",
    "CRAPETTE_HOSTS": "arena.example",
    "DATABASE_URL": "postgresql://arena@localhost/arena",
    "REDIS_URL": "redis://localhost/0",
}
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
BIOME = ROOT / f"node_modules/@biomejs/cli-linux-{MACHINE}/biome"
TSC = ROOT / f"node_modules/@typescript/typescript-linux-{MACHINE}/lib/tsc"
TESTING = {"DJANGO_SETTINGS_MODULE": "tests.settings"}


class Lane(StrEnum):
    """Steps of one lane wait for each other, and run beside those of the other lane.

    Servers, sandboxes and browsers leave the processors idle for part of the time that they take. The steps
    that only compute take that time: they run at low priority, and none of them may measure time. While the
    others keep two processors busy they get next to nothing, so much of them is left for the end. Two at the
    same time then use both processors; one alone would leave the other idle for half a minute.
    """

    COMPUTING = "computing"
    SERVING = "serving"

    @property
    def width(self) -> int:
        """How many of its steps run at the same time."""
        return 2 if self is Lane.COMPUTING else 3


@dataclass(frozen=True)
class Step:
    """One step: a command and what it needs."""

    name: str
    group: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    needs_postgresql: bool = False
    needs_redis: bool = False
    lane: Lane = Lane.SERVING
    on_request: bool = False
    """Left out unless it is named: it tells nothing that the other steps do not, at a price."""
    at_length: bool = False
    """Left out of all but a thorough run unless it is named."""
    narrowed: tuple[str, ...] = ()
    """Arguments for pytest that leave out what only a thorough run does twice."""

    @property
    def is_pytest(self) -> bool:
        """Whether the command takes pytest's arguments and writes its report."""
        return "pytest" in self.command

    def thoroughly(self) -> Step:
        """The step at length, as before a release: nothing left out, and no test plays just a sample."""
        return replace(self, narrowed=(), environment={**self.environment, VARIABLE: "1"})


def _python(*words: str) -> tuple[str, ...]:
    return (sys.executable, *words)


def _tool(name: str, *words: str) -> tuple[str, ...]:
    return (str(Path(sys.executable).parent / name), *words)


def _pytest(*words: str, plugins: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Run pytest with these of the plugins that are slow to import."""
    without = [word for plugin in sorted(SLOW_PLUGINS - plugins) for word in ("-p", f"no:{plugin}")]
    return _python("-m", "pytest", *without, *words)


def _uncompiled(*words: str) -> tuple[str, ...]:
    """Run the tests of the engine with its cores as plain Python."""
    folders = ("tests/unit/engine", "tests/conformance", "tests/property")
    return _pytest("-p", "tests.uncompiled", "--engine=uncompiled", *words, *folders, plugins=HYPOTHESIS)


def _lint(name: str, command: tuple[str, ...], environment: dict[str, str] | None = None) -> Step:
    return Step(name, "lint", command, environment or {}, lane=Lane.COMPUTING)


SLOW_PLUGINS = frozenset(("hypothesispytest", "playwright"))
"""Each costs every process that loads it half a second or more, and few steps need one."""
TWO = ("-n", "2")
"""Two processes share the tests of a step. A second one pays only where it has little to prepare: it collects
the tests again, and makes its own database, site and browser."""
DATABASE_FOLDERS = ("tests/unit/arena", "tests/unit/bots", "tests/unit/friendlies", "tests/integration")
"""Where tests with a database are: a step that leaves them out fails if it meets one elsewhere."""
SITES = ("tests/integration/runtime", "tests/integration/keeping")
"""They start whole sites, and wait for them: a step of their own, beside the rest of the folder."""
MEASURED_GAMES = ("-p", "tools.run.process_coverage")
OF_BOTH_ENGINES = "tests/property/test_uncompiled.py"
"""It looks at the compiled and the uncompiled engine whichever one runs it: once is enough."""

SHORT = ("-m", "not at_length")
"""What a short run leaves out, besides what its tests play less of."""
SMOKE = ("-k", "conformance or oracle")
"""Of the uncompiled engine, which is the same source: that it agrees with the rules' data and the oracle."""

HYPOTHESIS, PLAYWRIGHT = frozenset(("hypothesispytest",)), frozenset(("playwright",))

# Of the steps that share a lane, the longest come first, in a thorough run too: no long one is left for the
# end, when nothing runs beside it. What waits much comes before what hardly does: while others run beside it,
# its waiting costs nothing.
STEPS = (
    _lint("ruff check", _tool("ruff", "check", ".")),
    _lint("ruff format", _tool("ruff", "format", "--check", ".")),
    _lint("imports", _tool("lint-imports")),
    _lint("deptry", _tool("deptry", ".")),
    _lint("mypy", _tool("mypy", ".")),
    _lint("templates", _tool("djlint", "--lint", "--quiet", "templates")),
    _lint("translations", _python("-m", "tools.run.translations"), TESTING),
    _lint("scripts", (str(BIOME), "lint", "--error-on-warnings")),
    _lint("types of scripts", (str(TSC), "--project", "jsconfig.json")),
    _lint("dead code", _python("-m", "tools.run.dead_code")),
    _lint("migrations", _python("manage.py", "makemigrations", "--check", "--dry-run"), TESTING),
    _lint("deploy", _python("manage.py", "check", "--deploy", "--fail-level", "WARNING"), PRODUCTION),
    Step(
        "property",
        "property",
        _pytest("--engine=compiled", "tests/property", plugins=HYPOTHESIS),
        lane=Lane.COMPUTING,
    ),
    Step(
        "uncompiled engine",
        "uncompiled",
        _uncompiled(f"--ignore={OF_BOTH_ENGINES}"),
        lane=Lane.COMPUTING,
        narrowed=SMOKE,
    ),
    Step(
        "database on PostgreSQL",
        "db",
        _pytest("--database=only", "-m", "not any_database", *DATABASE_FOLDERS),
        needs_postgresql=True,
        needs_redis=True,
    ),
    Step("browser", "browser", _pytest("tests/browser", plugins=PLAYWRIGHT), narrowed=SHORT),
    Step("sites", "integration", _pytest("--database=without", *SITES), narrowed=SHORT),
    Step(
        "database on SQLite",
        "db",
        _pytest("--database=only", *DATABASE_FOLDERS),
        narrowed=("--database=own", *SHORT),
    ),
    Step("chaos", "chaos", _pytest("tests/chaos")),
    Step("security", "security", _pytest("tests/security"), narrowed=SHORT),
    Step(
        "integration",
        "integration",
        _pytest("--database=without", *(f"--ignore={path}" for path in SITES), "tests/integration"),
        narrowed=SHORT,
    ),
    Step(
        "unit",
        "unit",
        _pytest(
            "--engine=compiled",
            "--database=without",
            "tests/unit",
            "tests/conformance",
            "tests/oracle",
        ),
        narrowed=SHORT,
    ),
    Step("training", "training", _python("-m", "tests.training"), at_length=True),
    Step("first hour", "first-hour", _python("-m", "tests.first_hour"), on_request=True),
    Step("faults", "faults", _pytest("-s", "tests/faults"), on_request=True),
)

# What `./crapette test --coverage` runs: the steps above say whether these tests pass, these what they cover.
# Left out is what covers little more than these do: whole sites, browsers, attacks, and a second database.
SERVICES = (
    *("bots", "challenges", "classes", "friendlies", "moderation", "notices", "puzzles", "series"),
    "tournaments",
)
COVERAGE_STEPS = (
    Step(
        "coverage of nouns",
        "coverage",
        _pytest(
            *TWO,
            *MEASURED_GAMES,
            *(f"tests/integration/{app}" for app in SERVICES),
            "tests/integration/referee",
            "tests/integration/health/test_operating.py",
            "tests/integration/api/test_datasets.py",
        ),
    ),
    # Compiled code cannot be measured.
    Step("coverage of engine", "coverage", _uncompiled()).thoroughly(),
    Step("coverage of units", "coverage", _pytest(*MEASURED_GAMES, "tests/unit")),
)

# Folders below tests/ that hold no tests.
HELPERS = frozenset(("bench", "first_hour", "training", "pictures", "run"))


def groups() -> list[str]:
    """Return the groups that ``--only`` accepts."""
    return list(dict.fromkeys(step.group for step in STEPS))


@dataclass(frozen=True)
class Queue:
    """Steps that wait for each other: at most ``width`` of them run at the same time."""

    steps: tuple[Step, ...]
    width: int = 1


def queues(steps: Sequence[Step]) -> list[Queue]:
    """The steps of each lane that has any, in the order in which they begin."""
    return [
        Queue(tuple(found), lane.width)
        for lane in Lane
        if (found := [step for step in steps if step.lane is lane])
    ]


def forgotten(root: Path = ROOT) -> list[str]:
    """Return the folders with tests that no step runs."""
    run = {word for step in STEPS for word in step.command if word.startswith("tests/")}
    found = {path.parent.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py")}
    return sorted(
        folder
        for folder in found
        if folder.split("/")[1:2] not in [[name] for name in HELPERS]
        and not any(folder == covered or folder.startswith(f"{covered}/") for covered in run)
    )
