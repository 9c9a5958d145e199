"""Which files of a folder are the bot, and what is said where a name could mean two things."""

from pathlib import Path

import pytest

from kit.bot.entrants import UnknownEntrant, find
from kit.bot.project import describe_zip, to_pack, zip_folder
from kit.runners.unsandboxed import Open

BOT = "from crapette import run\nrun(lambda turn: turn.legal[0])\n"


def put(folder: Path, *names: str) -> None:
    """A folder with a bot and these files."""
    for name in ("bot.py", *names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(BOT)


def packed(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in sorted(to_pack(folder))]


def test_what_the_commands_write_in_a_bots_folder_stays_at_home(tmp_path: Path) -> None:
    games = [f"games/{deal:04d}-{leg}.json" for deal in (1, 250, 12000) for leg in (1, 2)]
    put(tmp_path, *games, "sprt-mybot-before.json", "league.json", "league-2.json", "bot.log")
    put(tmp_path, "crapette-1000-crapaud-mybot.json", "games/rules.py", "openings.json", "weights/2024-1.bin")
    assert packed(tmp_path) == ["bot.py", "games/rules.py", "openings.json", "weights/2024-1.bin"]
    assert (
        describe_zip(zip_folder(tmp_path))
        == "4 files, 0.2 kB: bot.py, games/rules.py, openings.json, weights/2024-1.bin"
    )


def test_what_lies_here_goes_before_a_house_bot_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    inspect = Open().inspect
    assert find("planner", inspect).house
    assert capsys.readouterr().err == ""
    put(tmp_path / "planner")
    found = find("planner", inspect)
    assert not found.house
    assert found.upload.files == {"bot.py": BOT.encode()}
    assert capsys.readouterr().err == "Using planner in this folder, not the house bot planner.\n"
    (tmp_path / "greedy").write_text("")
    with pytest.raises(UnknownEntrant):
        find("greedy", inspect)
