"""Unit tests lie where what they test lies: ``tests/unit/engine/test_cards.py`` for ``engine/cards.py``."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
UNIT = ROOT / "tests" / "unit"
# Tests of several modules, by what they have in common.
OF_SEVERAL = {
    "analysis/luck/test_ways.py": "how games are played on, in the core",
    "bots/house/test_house.py": "every house bot",
    "engine/test_command_line.py": "the modules behind `engine` on the command line",
    "engine/test_compiled_code.py": "what the compiler made of the cores",
    "engine/test_doctests.py": "the examples in all modules",
    "engine/test_game_events.py": "games and the events that they tell",
    "engine/test_given_up.py": "what is counted when a seat gives up, in both kinds of game",
    "engine/test_positions.py": "the lines of both kinds of position",
    "engine/test_wrong_types.py": "arguments of all public functions",
    "kit/environments/test_copies.py": "copies of all public objects",
    "kit/test_compiling.py": "how the arena and the kit compile the engine",
    "kit/test_onnx.py": "the ONNX files that the SDK writes",
    "kit/test_hostile.py": "what commands make of records written to harm",
    "kit/test_older.py": "verdicts that earlier versions stored, as `verify` reads them",
    "kit/remote/test_transcript.py": "the transcript of remote bots, played by both clients",
    "tournaments/test_pictures.py": "pictures of games and results, drawn for link previews",
    "tournaments/test_verdicts.py": "verdicts as the page of a tournament shows them",
    "arena/test_deploy.py": "the files in `deploy`",
    "test_modules.py": "every module of the source",
    "run/test_documents.py": "the documents that `./crapette draw` updates",
    "referee/test_plays.py": "which games a bot says that it plays",
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
