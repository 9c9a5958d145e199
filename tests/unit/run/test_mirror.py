"""Unit tests lie where what they test lies: ``tests/unit/engine/test_cards.py`` for ``engine/cards.py``."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
UNIT = ROOT / "tests" / "unit"
# Tests of several modules, by what they have in common.
OF_SEVERAL = {
    "analysis/ratings/test_pools.py": "ratings that a second account cannot buy",
    "engine/test_games.py": "games and the events, errors and scores that they tell",
    "kit/remote/test_transcript.py": "the transcript of remote bots, played by both clients",
    "arena/test_deploy.py": "the files in `deploy`",
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
