"""Every listing of the documents for authors is run here, or is named with where it is run instead."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from markdown_it import MarkdownIt

from kit import cli
from kit.local import check_bot
from kit.local.new import TEMPLATES
from referee import protocol

ROOT: Final = Path(__file__).parents[3]
DOCUMENTS: Final = (
    "README.md",
    "arena/api/README.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/author/*.md")),
    *(
        f"docs/operate/{name}.md"
        for name in ("backup", "configuration", "hosts", "install", "operation", "production")
    ),
)
FIRST_BOT: Final = '"""My first bot: it ranks'
ELSEWHERE: Final = {
    "import crapette\n\ngame = crapette.play": "test_functions_and_house_bots_play_in_a_notebook",
    "from crapette.onnx import": "test_onnx_runtime_computes_what_the_layers_say",
    FIRST_BOT: "test_the_first_chapter_shows_the_bot_that_new_makes",
    "python3 -m venv crapette-env": "tests/first_hour/__main__.py",
    "cp -r mybot mybot2": "test_the_tutorial_leads_to_the_ladders",
    "crapette new mybot": "test_the_tutorial_leads_to_the_ladders",
    "crapette check-bot mybot": "test_the_tutorial_leads_to_the_ladders",
    "crapette login https://SITE": "test_the_tutorial_leads_to_the_ladders",
    "crapette upload mybot --no-activate": "test_a_version_is_tested_before_it_plays_and_taken_back",
    "crapette challenge . planner": "test_the_commands_of_the_documents_ask_and_list",
    "crapette new farbot": "tests/first_hour/__main__.py",
    '← {"type":"hello","wire":1': "test_connect_says_what_the_document_says",
    "crapette results mybot": "test_the_tutorial_leads_to_the_ladders",
    '→ {"type":"hello"': "test_the_transcript_is_what_a_real_game_says",
    "import hashlib": "test_the_listing_that_checks_a_webhook_does_so",
    '{"id": 17, "kind": "checked"': "test_a_webhook_is_told_once_with_a_signature_that_proves_it",
    "./crapette up": "test_a_second_start_is_quick_and_resumes_interrupted_work",
    "pip install --find-links https://SITE/kit/ 'crapette[torch]'": "tests/training/__main__.py",
    "pip install --find-links": "tests/first_hour/__main__.py",
    "python -m crapette.examples.imitation": "test_the_package_trains_a_bot",
    "./crapette install": "test_files_are_looked_for_where_the_caller_is",
    "./crapette worker SECRET": "tests/integration/workers/test_joining.py",
    "./crapette restore FILE": "tests/integration/keeping/test_keeping.py",
}
"""How listings begin that a test of their own runs, with that test or its file."""
NOT_RUN: Final = {
    "./crapette test": "It is what runs this test.",
    "git init -b main": "It needs an account at GitHub.",
    'export PATH="$PWD': "It changes the shell of whoever types it.",
    "CREATE ROLE arena": "An operator types it into psql; tests make roles and databases of their own.",
    "Installing Debian packages": "A first start on a new machine prints it, and installs packages.",
}
"""Listings that nothing runs, and why."""


@dataclass(frozen=True)
class Listing:
    """A listing: where it stands, its language if it says one, and its text."""

    document: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def listings() -> Iterator[Listing]:
    for document in DOCUMENTS:
        for token in MarkdownIt("commonmark").parse((ROOT / document).read_text()):
            if token.type in ("fence", "code_block"):
                assert token.map is not None
                yield Listing(document, token.map[0] + 1, token.info, token.content)


def among(listing: Listing, known: dict[str, str]) -> str | None:
    """What is known of a listing by how it begins."""
    return next((said for begins, said in known.items() if listing.text.startswith(begins)), None)


def kind(listing: Listing) -> str:
    """How a listing is run; empty if it is not run here."""
    if among(listing, ELSEWHERE) or among(listing, NOT_RUN):
        return ""
    if listing.language == "json":
        return "message"
    if listing.language == "python":
        return "bot" if re.search(r"^run\(", listing.text, re.MULTILINE) else "python"
    return "shell" if listing.language == "sh" else "commands"


LISTINGS: Final = list(listings())
CLONE: Final = {"environments": "kit.environments", "engine": "engine"}
"""What a clone calls the package's modules."""


def of(wanted: str) -> list[Listing]:
    return [one for one in LISTINGS if kind(one) == wanted]


def test_what_is_run_elsewhere_is_there() -> None:
    used = {begins for begins in (*ELSEWHERE, *NOT_RUN) for one in LISTINGS if one.text.startswith(begins)}
    assert used == {*ELSEWHERE, *NOT_RUN}, "a listing has gone, or begins with other words"
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    for place in set(ELSEWHERE.values()):
        assert re.search(rf"^(?:async )?def {place}\(", tests, re.M) or (ROOT / place).is_file(), place


def put(folder: Path, bot: str) -> None:
    """A folder with a bot, and the first bot beside it as the second chapter has it."""
    first = (TEMPLATES / "python" / "bot.py").read_text()
    (folder / "first.py").write_text(first.replace("\nrun(choose, tick=choose)\n", "\n"))
    (folder / "bot.py").write_text(bot)


@pytest.mark.parametrize("listing", of("shell"), ids=str)
def test_a_script_that_is_shown_runs(listing: Listing, tmp_path: Path) -> None:
    crapette = tmp_path / "bin" / "crapette"
    crapette.parent.mkdir()
    crapette.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {sys.executable} -P -m kit.cli "$@"\n'
    )
    crapette.chmod(0o755)
    folder = tmp_path / "mybot"
    folder.mkdir()
    put(folder, next(one.text for one in of("bot") if one.document == listing.document))
    # As it stands, but on one board, and one pair of games.
    script = re.sub(r"--pairs \d+", "--pairs 1", listing.text)
    script = script.replace("crapette check-bot .", "crapette check-bot . --variant vitesse")
    done = subprocess.run(
        ["/bin/sh", "-exc", script],
        cwd=folder,
        env={**os.environ, "PATH": os.pathsep.join((str(crapette.parent), os.environ["PATH"]))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("listing", of("bot"), ids=str)
def test_a_bot_that_is_shown_passes_its_check(
    listing: Listing,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(tmp_path, listing.text)
    # A second of a game, in place of some on every board.
    monkeypatch.setattr(check_bot, "TRIAL_SECONDS", 1.0)
    board = "crapaud" if "def choose(" in listing.text else "vitesse"
    monkeypatch.setattr(check_bot, "_boards", lambda given: [board])
    assert check_bot.main([str(tmp_path)]) == 0, capsys.readouterr().out
    assert f"✓ plays a game of {board}" in capsys.readouterr().out


@pytest.mark.parametrize("listing", of("commands"), ids=str)
def test_commands_that_are_shown_do_what_they_say(
    listing: Listing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(TEMPLATES / "python" / "bot.py", tmp_path)
    shutil.copytree(TEMPLATES / "python", tmp_path / "mybot", ignore=shutil.ignore_patterns("__pycache__"))
    for line in listing.text.splitlines():
        words = shlex.split(line, comments=True)
        assert words[0] in ("crapette", "./crapette"), line
        # As it stands, but with one pair of games.
        words = [
            re.sub(r"^\d+$", "1", word) if before == "--pairs" else word
            for before, word in zip(["", *words], words, strict=False)
        ]
        assert cli.main(words[1:]) == 0, capsys.readouterr().out


def test_python_that_is_shown_says_what_its_comments_say() -> None:
    """The listings of a document go on from one another, as its reader does."""
    names: dict[str, dict[str, Any]] = {}
    compared = 0
    for listing in of("python"):
        scope = names.setdefault(listing.document, {"torch": None})
        # By its name in a clone.
        text = re.sub(r"\bcrapette\.(environments|engine)\b", lambda found: CLONE[found[1]], listing.text)
        text = text.replace("from crapette import engine", "import engine")
        for statement in ast.parse(text).body:
            source = ast.get_source_segment(text, statement)
            comment = text.splitlines()[(statement.end_lineno or 1) - 1].partition("# ")[2]
            if not isinstance(statement, ast.Expr):
                exec(compile(ast.Module([statement], []), str(listing), "exec"), scope)
                continue
            found = eval(compile(ast.Expression(statement.value), str(listing), "eval"), scope)
            try:
                told = ast.literal_eval(comment)
            except (SyntaxError, ValueError):
                continue
            compared += 1
            assert found == told, f"{listing}: {source}"
    assert compared >= 1


@pytest.mark.parametrize("listing", of("message"), ids=str)
def test_a_message_that_is_shown_is_one(listing: Listing) -> None:
    line = listing.text.strip().replace("[…]", "[]")
    message = json.loads(line)
    match message:
        case {"type": "ready"}:
            ready = protocol.parse_ready(line.encode())
            assert all(getattr(ready, name) == value for name, value in message.items() if name != "type")
        case {"moves": moves}:
            assert list(protocol.parse_answer(line.encode(), message["id"]).moves) == moves
        case {"action": action}:
            assert protocol.parse_action(line.encode()).action == action
        case _:
            assert "type" in message


OPTION: Final = re.compile(r"--[a-z][a-z-]+")
SHOWN: Final = re.compile(r"`(?:\./)?crapette ([a-z-]+)([^`]*)`")
IN_A_CLONE: Final = {"up", "test", "install", "worker", "backup", "restore", "units", "bench", "lock"} | {
    "draw",
    "fonts",
    "build-kit",
    "move-to",
    "help",
}
"""Commands that only a clone has; tests/unit/run/test_documents.py looks at these."""


def test_every_command_that_a_document_names_exists(capsys: pytest.CaptureFixture[str]) -> None:
    named: dict[str, set[str]] = {}
    for document in DOCUMENTS:
        for name, rest in SHOWN.findall((ROOT / document).read_text()):
            named.setdefault(name, set()).update(OPTION.findall(rest))
    for one in LISTINGS:
        for name, rest in re.findall(r"^(?:\./)?crapette ([a-z-]+)([^#\n]*)", one.text, re.MULTILINE):
            named.setdefault(name, set()).update(OPTION.findall(rest))
    for name, options in named.items():
        if name in IN_A_CLONE:
            continue
        with pytest.raises(SystemExit) as ended:
            cli.main([name, "--help"])
        assert ended.value.code == 0, name
        helped = capsys.readouterr().out
        assert options - set(OPTION.findall(helped)) == set(), name
