"""The author's kit: folders and zips, benchmark, conformance, stubs, and records written to harm."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import engine
from engine.ticks import core as ticks
from engine.turns import core as turns
from kit.benchmark import __main__ as benchmark
from kit.benchmark.__main__ import digest, reference
from kit.bot.entrants import UnknownEntrant, find
from kit.bot.project import describe_zip, to_pack, zip_folder
from kit.conformance import check
from kit.package.tree import SOURCE, TEMPLATE, stub_of
from kit.records import rows
from kit.runners.unsandboxed import Open
from kit.sdk.crapette.onnx import Layer, written
from kit.site import token_file
from kit.site.client import Site, SiteRefused
from referee.job import Job, SeatJob
from sandbox.staging import wheels
from tests.site import ROOT
from tests.unit.referee.scripted import Scripted


@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_the_deals_are_those_that_were_published(variant: str) -> None:
    assert digest(variant) == reference()[variant]["digest"]


def test_a_bot_is_played_on_the_first_deals_and_shown_beside_the_house(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = f"{tmp_path}/results.json"
    words = ["random", "--variant", "crapaud", "--deals", "1", "--results", results, "--unsandboxed"]
    assert benchmark.main(words) == 0
    said = capsys.readouterr().out
    assert benchmark.main(["random", "--deals", "1001"]) == 2
    assert "Crapette-1000 crapaud" in said
    assert said.rindex("planner") < said.rindex("random")


EXACT = re.compile(r"^(?:FLAGS|EXACT) = .*\"-ffp-contract=off\"", re.MULTILINE)


def test_the_package_rounds_as_the_arena_does() -> None:
    for folder in (SOURCE, TEMPLATE):
        assert EXACT.search((folder / "setup.py").read_text(encoding="utf-8")), folder


def test_an_error_that_nobody_foresaw_is_a_failed_step() -> None:
    class Odd(Scripted):
        def receive(self, deadline: float) -> bytes | None:
            raise ValueError("invalid literal for int() with base 10: b'x'")

    odd = Odd()
    job = Job("crapaud", "-", (SeatJob("/a", "python", "bot.py"),))
    (step,) = check(job, lambda _: [odd], ["crapaud"], print)
    assert (step.verdict, step.title) == ("fail", "starts and says that it is ready")
    assert step.detail.startswith("The bot caused an error that the arena did not expect (ValueError: ")
    assert odd.closed


RECORD: dict[str, Any] = {
    "game": "x",
    "variant": "crapette",
    "players": 2,
    "status": "finished",
    "events": [],
    "start": str(engine.deal("crapette", "0" * 64)),
    "seats": [{"bot": "a"}, {"bot": "b"}],
    "result": {"termination": "crash", "seat": 0, "detail": "d", "ranking": [[0], [1]]},
}


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, json.dumps({**RECORD, "players": 1}), "[1, 2, {}]", "null", '{"events": []}', "no\n"],
)
def test_rows_of_a_broken_record_are_refused_and_leave_no_file(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = tmp_path / "game.json", tmp_path / "rows.jsonl"
    file.write_text(text)
    assert rows.main([str(file), "--to", str(target), "--no-luck"]) == 2
    assert capsys.readouterr().err.lower().startswith("crapette rows: expected ")
    assert not target.exists()


def test_a_token_goes_to_no_site_that_a_page_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CRAPETTE_TOKEN", "secret")
    monkeypatch.delenv("CRAPETTE_SITE", raising=False)
    with pytest.raises(SiteRefused):
        Site.of_page("https://evil.example/games/x/")
    monkeypatch.setenv("CRAPETTE_SITE", "https://arena.example")
    with pytest.raises(SiteRefused):
        Site.of_page("https://evil.example/games/x/")
    assert Site.of_page("https://arena.example/games/x/")._token == "secret"
    token_file.keep("https://other.example", "of the other")
    assert Site.of_page("https://other.example/games/x/")._token == "of the other"


ASK = """
import sys
import numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
rows = numpy.array([[1, 2], [0, 0], [-3, 1]], numpy.float32)
print(session.run(None, {"x": rows})[0].round(4).tolist())
"""


def test_onnx_runtime_computes_what_the_layers_say(tmp_path: Path) -> None:
    layers = [Layer([[1, 0, -1], [0.5, 2, 0]], [0, -1, 0.25], "Relu"), Layer([[1], [10], [100]], [0.5])]
    (tmp_path / "net.onnx").write_bytes(written(layers))
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path / "net.onnx")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(wheels.places())},
        capture_output=True,
        text=True,
        check=False,
    )
    # By hand: relu([1+1, 4-1, -1+.25]) = [2, 3, 0]; relu([0, -1, .25]); relu([-3+.5, 2-1, 3+.25]).
    assert (done.stdout, done.returncode) == ("[[32.5], [25.5], [335.5]]\n", 0), done.stderr


ENGINE = ROOT / "engine"


@pytest.mark.parametrize(("name", "core"), [("turns", turns), ("ticks", ticks)])
def test_a_stub_has_what_a_core_has(name: str, core: ModuleType) -> None:
    stub = ast.parse(stub_of(ENGINE / name / "core"))
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    others = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    others |= {ast.unparse(node.target) for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert classes.keys() | others == set(core.__all__)
    for each, node in classes.items():
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)} - {"__init__"}
        made = getattr(core, each)
        real = {word for word in dir(made) if not word.startswith("_")}
        assert methods <= real, each
        assert [word for word in real - methods if callable(getattr(made, word))] == [], each


BOT = "from crapette import run\nrun(lambda turn: turn.legal[0])\n"


def put(folder: Path, *names: str) -> None:
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
