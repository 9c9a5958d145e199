"""What holds for the source of every module."""

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

from tools.house import layout, participles

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 500
TASK = re.compile(
    r"(bots|challenges|classes|friendlies|moderation|notices|people|puzzles|series|tournaments)\.[a-z_]+"
)
NAMED_BY_DJANGO = frozenset({"Meta", "Command"})
CHOICES = "TextChoices"
"""A model's own words for a field, such as `Game.Status`: always named with the model."""
TWO_THINGS = {"Game", "Attempt", "Solver", "Ticks"}
"""A game of the engine, which bots import by this name, and its row in the database; a try at a game and one
at a puzzle; what solves an ending, which bots import too, and a person who solves puzzles; and how planner
and oracle, two programs of which neither can import the other, play in ticks."""

MOST = {
    "Python packages at the top; folders": (10, 16),
    "modules; under 40 lines": (820, 45),
    "most files on one floor outside templates": (27,),
    "lines of migrations and SQL": (2451,),
    "floors of the contract; contracts": (8, 7),
    "kB of Markdown": (231,),
}
"""The most that figures of `python -m tools.house` may be. Lower them when the house gets smaller."""


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def modules() -> list[Path]:
    """Every Python file of the project, but migrations, which Django writes, and links to others."""
    named = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = [ROOT / name for name in named.stdout.split()]
    return [
        path
        for path in found
        if path.is_file() and not path.is_symlink() and path.parent.name != "migrations"
    ]


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules()}

    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_a_class_name_stands_for_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        if path.is_relative_to(ROOT / "tests") or path.is_relative_to(ROOT / "tools"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not any(
                CHOICES in ast.unparse(base) for base in node.bases
            ):
                places[node.name].append(str(path.relative_to(ROOT)))

    twice = {name: found for name, found in places.items() if len(found) > 1 and name not in NAMED_BY_DJANGO}
    assert twice.keys() - TWO_THINGS == set(), twice


def app_of(path: Path) -> str:
    """The label of the Django app that a module belongs to; empty for none."""
    return next((folder.name for folder in path.parents if (folder / "apps.py").exists()), "")


def test_no_app_names_a_task_of_another_in_a_string() -> None:
    words = {
        path: {
            node.value
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        for path in modules()
        if app_of(path)
    }
    tasks = {
        word
        for path, said in words.items()
        if path.name == "tasks.py"
        for word in said
        if TASK.fullmatch(word)
    }
    assert {"bots.check_version", "tournaments.field_changed"} <= tasks
    foreign = {
        f"{path.relative_to(ROOT)}: {word}"
        for path, said in words.items()
        for word in said & tasks
        if word.partition(".")[0] != app_of(path)
    }
    assert foreign == set()


def test_a_function_is_named_by_what_it_does_or_answers() -> None:
    assert participles() == []


def test_the_house_is_no_harder_to_find_ones_way_in() -> None:
    figures = layout()
    found = {name: [int(one) for one in re.findall(r"\d+", figures[name])] for name in MOST}

    grown = {
        name: found[name]
        for name, limits in MOST.items()
        if any(most is not None and one > most for one, most in zip(found[name], limits, strict=True))
    }
    assert grown == {}, "see python -m tools.house; what is needed more than before, raise MOST for"
