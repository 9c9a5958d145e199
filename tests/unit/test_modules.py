"""What holds for the source of every module, test and page."""

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import engine
from arena.web.i18n import glossary
from tests.site import ROOT
from tools.house import layout, participles
from tools.pictures.data import MADE
from tools.pictures.pages import MADE_WHEN_SERVED, PAGES, WITHOUT, is_djangos, routes

LONGEST = 500
NAMED_BY_DJANGO = frozenset({"Meta", "Command"})
CHOICES = "TextChoices"
"""A model's own words for a field, such as `Game.Status`: always named with the model."""
TWO_THINGS = {"Game", "Attempt", "Solver", "Ticks"}
"""A game of the engine, which bots import by this name, and its row in the database; a try at a game and one
at a puzzle; what solves an ending, which bots import too, and a person who solves puzzles; and how planner
and oracle, two programs of which neither can import the other, play in ticks."""

MOST = {
    "Python packages at the top; folders": (10, 16),
    "modules; under 40 lines": (749, 28),
    "most files on one floor outside templates": (27,),
    "lines of migrations and SQL": (2304,),
    "floors of the contract; contracts": (8, 7),
    "kB of Markdown": (221,),
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


TEMPLATES = ROOT / "templates"
WIDEST = 120


def test_no_template_has_a_line_that_a_reader_must_scroll() -> None:
    long = [
        f"{path.relative_to(TEMPLATES)}:{number}: {len(line)}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > WIDEST
    ]

    assert long == []


def test_every_variant_has_its_rules_in_words() -> None:
    words = (TEMPLATES / "rules" / "variant.html").read_text()

    assert set(re.findall(r"variant.name == '([a-z-]+)'", words)) == set(engine.VARIANTS)


def test_every_word_that_a_page_explains_is_in_the_glossary() -> None:
    used = {
        key
        for path in TEMPLATES.rglob("*.html")
        for key in re.findall(r'{% term ["\']([a-z-]+)["\']', path.read_text())
    }

    assert used - set(glossary.BY_KEY) == set()
    assert len(glossary.BY_KEY) == len(glossary.TERMS)


WITHOUT_TOKEN = {"parts/languages.html", "notices/site.html", "notices/unsubscribe.html"}
"""Forms that do no harm when they are sent again, for people without a session as well."""


def test_every_form_that_is_posted_has_the_token_that_tells_it_from_others() -> None:
    without = {
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        for form in re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(), re.DOTALL)
        if "{% csrf_token %}" not in form
    }

    assert without == WITHOUT_TOKEN


UNIT = ROOT / "tests" / "unit"
# Tests of several modules, by what they have in common.
OF_SEVERAL = {
    "engine/test_games.py": "games and the events, errors and scores that they tell",
    "test_modules.py": "every module of the source",
    "run/test_documents.py": "the documents that `./crapette draw` updates",
    "referee/test_clocks.py": "the clock, in a process that really waits",
}


def mirrored(test: Path) -> bool:
    """Whether a test has the name and the place of a module or package of the source."""
    place = test.parent.relative_to(UNIT)
    if not place.parts:
        return (ROOT / test.stem.removeprefix("test_")).is_dir()
    root = {"bench": "tools", "pictures": "tools", "run": "tools"}.get(place.parts[0], "")
    folder = ROOT / root / place
    name = test.stem.removeprefix("test_")
    return (folder / f"{name}.py").exists() or (folder / name).is_dir() or folder.with_suffix(".py").exists()


def test_every_unit_test_has_the_place_and_name_of_what_it_tests() -> None:
    tests = [*UNIT.rglob("test_*.py")]
    ours = Path(__file__)
    found = {test.relative_to(UNIT).as_posix() for test in tests if test != ours and not mirrored(test)}
    assert found <= OF_SEVERAL.keys()


def test_every_address_has_a_page_that_is_looked_at_or_a_reason_and_no_other_has() -> None:
    looked_at = {page.route for page in PAGES}
    assert {route for route in routes() if not is_djangos(route)} - looked_at - WITHOUT.keys() == set()
    assert (looked_at | WITHOUT.keys()) - set(routes()) == set()
    assert looked_at & WITHOUT.keys() == set()


def test_every_page_has_an_example_that_is_made() -> None:
    made = {*MADE, *MADE_WHEN_SERVED}
    for page in PAGES:
        assert page.wanted <= made, page.name
        assert "<" not in page.address(dict.fromkeys(made, "x")), page.name
