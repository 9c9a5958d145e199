"""The package that authors install, built as a site builds it, and the bots that it makes."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import textwrap
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
import setuptools
import yaml

from kit.local import check_bot, new
from kit.local.new import LANGUAGES, TEMPLATES
from kit.package.wheel_build import build, is_built
from kit.versions import SLOW
from sandbox.staging.wheels import places
from tests.integration.kit.test_listings import LISTINGS, of
from tests.programs import UNHURRIED, answers, clang_makes_wasm
from tools.run.steps import ROOT

USED = """
import sys
import crapette, crapette.local
from crapette import engine
from crapette.engine.policies import greedy, playout
from crapette.engine.turns import cores
print(crapette.local.play("crapaud", "x", [lambda turn: turn.legal[0]] * 2))
print(crapette.local.play("vitesse", "x", [lambda turn: turn.legal[0]] * 2))
print(engine.turns.core.whole.__file__.rpartition(".")[2])
own = {"engine", "kit", "referee", "sandbox", "analysis", "bots", "cython"}
print(sorted(own & set(sys.modules)))
try:
    import engine
except ImportError:
    print("no engine")
"""
BOT = """
from crapette import engine, run
import crapette.engine.turns
import engine as same
from engine.turns import Tracker
assert same is engine and Tracker is crapette.engine.turns.Tracker

def choose(turn):
    assert turn.tracker().position
    return turn.legal[0]

run(choose, plays=["crapaud"])
"""


HOME = "https://arena.example"
"""The site that the package is from."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the package, compiled without care for speed."""
    folder = tmp_path_factory.mktemp("kit") / "built"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("CFLAGS", UNHURRIED)
        patched.setenv("CRAPETTE_URL", f"{HOME}/")  # as a site says it
        build(folder, "1.2.3")
    return folder


NEEDS: Final = {
    "python": (),
    "python-onnx": (),
    "javascript": ("node",),
    "c": ("make", "cc"),
    "rust": ("make", "rustc"),
    "wasm": ("make", "node"),
}
MAY_LACK: Final = frozenset({"rust", "wasm"})
"""`./crapette test` installs no compiler of 400 MB; without one, it says which template is not tested."""


def there(language: str) -> bool:
    """Whether this machine has what a language is built and run with."""
    return all(answers(program) for program in NEEDS[language]) and (language != "wasm" or clang_makes_wasm())


HERE: Final = [language for language in LANGUAGES if language not in MAY_LACK or there(language)]

UV = Path(sys.executable).parent / "uv"
OWN = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the package for this Python."""
    return environment(tmp_path_factory.mktemp("environment") / OWN, wheels(built)[0], dependencies=True)


def environment(
    folder: Path, package: Path, *, dependencies: bool, of: str = sys.executable, **more: str
) -> Path:
    """A new environment with the package alone, or also with what it depends on; its interpreter."""
    subprocess.run([of, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    site = next(folder.glob("lib/python*/site-packages"))
    # What compiles sources, and nothing beside it: no Cython.
    own = Path(setuptools.__file__).parents[1]
    builder = [own / "setuptools", own / "_distutils_hack", *own.glob("setuptools-*.dist-info")]
    for part in builder:
        (site / part.name).symlink_to(part)
    options = ["-q", "--offline", "--no-deps", "--no-build-isolation", "--no-cache", "--python"]
    environment = os.environ | {"CFLAGS": UNHURRIED, **more}
    subprocess.run([UV, "pip", "install", *options, python, package], check=True, env=environment)
    for part in builder:
        (site / part.name).unlink()
    if dependencies:  # ours, so that the test needs no network; the project itself is not among them
        (site / "others.pth").write_text("\n".join((sysconfig.get_path("purelib"), *places(), "")))
    return python


def pythons() -> Iterator[tuple[str, str]]:
    """Version and path of each Python at hand for which there is a package, one of each version."""
    # Those that pyenv and GitHub's machines have beside the one they are set to.
    hosted = Path("/opt/hostedtoolcache/Python").glob("*/x64/bin")
    beside = map(str, [*Path.home().glob(".pyenv/versions/*/bin"), *hosted])
    command = [str(UV), "python", "list", "--only-installed", "--offline", "--output-format", "json"]
    environment = os.environ | {"PATH": os.pathsep.join((*beside, os.environ["PATH"]))}
    found = subprocess.run(command, check=True, capture_output=True, env=environment)
    at_hand = {
        ".".join(each["version"].split(".")[:2]): each["path"]
        for each in reversed(json.loads(found.stdout))  # the first of a version, as a shell finds it
        if each["implementation"] == "cpython" and each["variant"] == "default"
    }
    for version, path in (at_hand | {OWN: sys.executable}).items():
        if int(version.split(".")[1]) >= 11 and version.startswith("3."):
            yield version, path


def output(*command: str | Path, cwd: Path, more: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), **(more or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return f"{done.stdout}status {done.returncode}\n"


def wheels(folder: Path) -> list[Path]:
    """The wheel for this Python, and the one by the stable ABI."""
    own = f"cp{OWN.replace('.', '')}"
    (exact,), (stable,) = (list(folder.glob(f"*-{kind}-*.whl")) for kind in (f"{own}-{own}", "cp311-abi3"))
    return [exact, stable]


def sources(folder: Path) -> Path:
    (found,) = folder.glob("crapette-*.tar.gz")
    return found


def test_a_wheel_has_one_name_and_its_types(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wheel in wheels(built):
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        information = wheel.name[:-4].rsplit("-", 3)[0] + ".dist-info"
        assert {name.split("/")[0] for name in names} == {"crapette", information}
        assert {"crapette/py.typed", "crapette/__init__.py", "crapette/engine/__init__.py"} <= set(names)
        assert not [name for name in names if "django" in name.lower() or name.endswith(("_c/bot", ".pyc"))]
        # What editors read of the compiled cores.
        assert {f"crapette/engine/{core}/core/whole.pyi" for core in ("turns", "ticks")} <= set(names)
        # What crapette replay serves, and crapette new makes a bot of, in every language.
        assert "crapette/_arena/kit/viewer/page.html" in names
        templates = {path.relative_to(ROOT).as_posix() for path in TEMPLATES.rglob("*") if path.is_file()}
        assert "kit/templates/c/bot.c" in templates
        packed = {name.removeprefix("crapette/_arena/") for name in names}
        assert not [name for name in templates if "__pycache__" not in name and name not in packed]
        assert {"css/table.css", "js/pages/offline.js", "cards/deck.svg"} <= {
            name.removeprefix("crapette/_arena/arena/static/") for name in names
        }
    assert not is_built(built), "for another site"
    monkeypatch.setenv("CRAPETTE_URL", HOME)
    assert not is_built(built), "for speed"
    monkeypatch.setenv("CFLAGS", UNHURRIED)
    assert is_built(built)


@pytest.mark.parametrize("kind", ["abi3", pytest.param("sources", marks=pytest.mark.at_length)])
def test_an_installed_package_gives_the_engine_and_the_sdk_and_needs_nothing_else(
    built: Path, tmp_path: Path, kind: str
) -> None:
    """The sources with a C compiler and setuptools alone. The stable ABI in every Python at hand."""
    package = sources(built) if kind == "sources" else wheels(built)[1]
    for version, path in pythons() if kind == "abi3" else [("own", sys.executable)]:
        python = environment(tmp_path / version, package, dependencies=False, of=path)
        lines = output(python, "-W", "error", "-c", USED, cwd=tmp_path).splitlines()
        assert lines[2:] == ["so", "[]", "no engine", "status 0"], (version, lines)
        assert [line[:2] for line in lines[:2]] == ["(("] * 2


@pytest.mark.at_length
def test_an_engine_that_is_not_compiled_says_so_once_with_the_cure(built: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv", sources(built), dependencies=True, CC="/no/compiler")
    crapette = python.parent / "crapette"
    cure = f"--no-cache-dir --no-binary crapette --find-links {HOME}/kit/ crapette"
    imports = "import crapette.engine; from crapette import engine; import crapette.local"
    said = output(python, "-c", imports, cwd=tmp_path)
    assert said.count(SLOW) == 1
    assert f"RuntimeWarning: {SLOW} Install a C compiler" in said
    assert cure in said
    assert SLOW not in output(python, "-c", "import crapette", cwd=tmp_path)
    version = output(crapette, "--version", cwd=tmp_path)
    assert version.startswith("crapette 1.2.3+")
    assert version.count(SLOW) == version.count(cure) == 1
    (tmp_path / "bad.py").write_text("no bot")
    refused = output(crapette, "play", "bad.py", "bad.py", "--unsandboxed", cwd=tmp_path)
    assert refused.count(SLOW) == refused.count(cure) == 1, refused
    assert "does not compile" in refused


def test_the_listings_run_from_the_package(installed: Path, tmp_path: Path) -> None:
    """As a reader pastes them, one after the other, where nothing is called `engine`."""
    notebook = [one for one in LISTINGS if one.text.startswith("import crapette\n")]
    shown: dict[str, list[str]] = {}
    for one in (*of("python"), *notebook):
        if one.document.startswith("docs/author/"):
            shown.setdefault(one.document, ["torch = None\n"]).append(one.text)
    assert {Path(name).stem for name in shown} >= {"cheat-sheet", "engine", "languages", "training"}
    for name, texts in shown.items():
        (tmp_path / "pasted.py").write_text("\n".join(texts))
        said = output(installed, "pasted.py", cwd=tmp_path)
        assert said.endswith("status 0\n"), (name, said)


def test_its_command_remembers_the_site_it_is_from(installed: Path, tmp_path: Path) -> None:
    crapette = installed.parent / "crapette"
    said = output(crapette, "results", "--bot", "mine", cwd=tmp_path)
    assert said.endswith(f"You are not logged in to {HOME}. Run: crapette login {HOME}\nstatus 2\n")
    output(crapette, "new", "mybot", cwd=tmp_path)
    assert f'site = "{HOME}"' in (tmp_path / "mybot" / "crapette.toml").read_text()
    said = output("/bin/sh", "-c", f"echo x | {crapette} login http://127.0.0.1:9", cwd=tmp_path)
    assert said.startswith(f"This kit was installed from {HOME}, so http://127.0.0.1:9 may have other rules.")


@pytest.mark.at_length
def test_without_a_compiler_sources_alone_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel that nothing was compiled for would be taken in the place of sources that compile."""
    monkeypatch.setenv("CC", "/no/compiler")
    build(tmp_path / "built", "1.2.3")
    assert [path.suffix for path in (tmp_path / "built").glob("crapette-*")] == [".gz"]
    monkeypatch.delenv("CC")
    assert not is_built(tmp_path / "built")


def workflow(folder: Path) -> dict[str, str]:
    """The steps of a bot's workflow that run commands, by their names."""
    said = yaml.safe_load((folder / ".github" / "workflows" / "crapette.yml").read_text())
    steps = said["jobs"]["check"]["steps"]
    (python,) = [step["with"]["python-version"] for step in steps if "python-version" in step.get("with", {})]
    assert python == OWN, "the Python that the engine is compiled for"
    return {step["name"]: step["run"] for step in steps if "run" in step}


def script(python: Path, folder: Path, text: str) -> None:
    """Run commands as they stand, but on one board and for one pair, with the package alone."""
    path = os.pathsep.join((str(python.parent), os.environ["PATH"]))
    stage = {"CRAPETTE_STAGE": os.environ.get("CRAPETTE_STAGE", "")}
    text = re.sub(r"^(crapette check-bot \S+)$", r"\1 --variant vitesse", text, flags=re.MULTILINE)
    text = re.sub(r"--pairs \d+", "--pairs 1", text)
    text = re.sub(r"^(crapette sprt .*)$", r"\1 --pairs 1 || test $? -eq 3", text, flags=re.MULTILINE)
    said = output("/bin/bash", "-e", "-c", text, cwd=folder, more={"PATH": path, **stage})
    assert said.endswith("status 0\n"), f"{python}\n{text}\n{said}"


@pytest.mark.parametrize(
    "language", [one if one == "c" else pytest.param(one, marks=pytest.mark.at_length) for one in HERE]
)
def test_every_template_passes_its_own_workflow_in_an_empty_environment(
    installed: Path, tmp_path: Path, language: str
) -> None:
    """The next test follows that of Python, and the last plays all of them from a clone."""
    folder = tmp_path / "mybot"
    made = output(installed.parent / "crapette", "new", folder, "--language", language, cwd=tmp_path)
    assert made.endswith("status 0\n"), made
    if build := LANGUAGES[language].build:
        home = {"HOME": os.environ["HOME"]}  # where some compilers are
        assert output(*build.split(), cwd=folder, more=home).endswith("status 0\n")
    # The steps of a bot's workflow that need no site, nor a pull request at GitHub.
    for name in ("Test", "Check as the arena does"):
        script(installed, folder, workflow(folder)[name])


def test_its_command_checks_a_bot_in_the_sandbox(installed: Path, tmp_path: Path) -> None:
    crapette = installed.parent / "crapette"
    (tmp_path / "bot.py").write_text(BOT)
    assert output(crapette, "--version", cwd=tmp_path).startswith("crapette 1.2.3+")
    stage = {"CRAPETTE_STAGE": os.environ.get("CRAPETTE_STAGE", "")}
    said = output(crapette, "check-bot", "bot.py", "--variant", "crapaud", cwd=tmp_path, more=stage)
    assert said.endswith("bot is ready to play.\nstatus 0\n"), said
    # One game, then the position that it was lost in, told to the bot again.
    (tmp_path / "bad.py").write_text("from crapette import run\nrun(lambda turn: 'h-h')\n")
    words = ("play", "bad.py", "bot.py", "--pairs", "1", "--replays", "games")
    assert "status 0" in output(crapette, *words, cwd=tmp_path, more=stage)
    said = output(crapette, "rerun", "games/0001-1.json", "bad.py", cwd=tmp_path, more=stage)
    assert said.endswith("status 1\n"), said
    assert "It loses again: Seat 0 played 'h-h'" in said


TRAINED = """
import multiprocessing
import crapette.environments as environments, crapette.environments.spiel
import gymnasium, pettingzoo, pyspiel, sys

env = environments.VectorEnv("crapaud", games=4, opponents=(None, "planner"), nodes=9, workers=2)
env.reset(seed=1)
env.step(env.legal.argmax(axis=1))
with multiprocessing.get_context("spawn").Pool(1) as pool:
    print(pool.apply(type(env).core, (env, 3)).hash() == env.core(3).hash())
solo = gymnasium.make("crapette/Solo-v0", opponent="random")
print(solo.reset(seed=3)[1]["action_mask"].any())
print(pettingzoo.make("aec", "crapette/crapette_v0"))
print(pettingzoo.make("parallel", "crapette/crapette_vitesse_v0"))
print(pyspiel.load_game("python_crapette").get_type().short_name)
print({"engine", "kit"} & set(sys.modules))
"""


def test_the_package_trains_a_bot(built: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv", wheels(built)[1], dependencies=True)
    (tmp_path / "trained.py").write_text(f"if __name__ == '__main__':\n{textwrap.indent(TRAINED, '    ')}")
    found = output(python, tmp_path / "trained.py", cwd=tmp_path).splitlines()
    names = ["crapette_v0", "crapette_vitesse_v0", "python_crapette"]
    assert found == ["True", "True", *names, "set()", "status 0"]
    words = ("--decisions", "40", "--pairs", "1", "--unsandboxed")
    said = output(python, "-m", "crapette.examples.imitation", *words, cwd=tmp_path)
    assert said.endswith("status 0\n"), said
    made = {path.name for path in (tmp_path / "learned").iterdir()}
    assert made == {"bot.py", "features.py", "weights.json"}


def run(folder: Path, command: str) -> None:
    """Run a command of the template in its folder, as its author would after installing the kit."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    modules = os.pathsep.join((str(ROOT / "kit" / "sdk"), str(ROOT), *places()))
    done = subprocess.run(
        ["/bin/sh", "-ec", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": modules},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def made(folder: Path, *words: str) -> Path:
    assert new.main([str(folder), *words]) == 0
    return folder


def test_every_language_has_what_its_template_needs_or_may_lack_it() -> None:
    assert set(NEEDS) == set(LANGUAGES)
    assert [one for one in LANGUAGES if one not in MAY_LACK and not there(one)] == []


@pytest.mark.parametrize("language", HERE)
def test_a_new_bot_builds_passes_its_own_test_and_the_check(
    tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path / "mybot", "--language", language)
    one = LANGUAGES[language]
    run(folder, f"{one.build or ':'}\n{one.tests}")
    boards: Sequence[str] = ("--variant", "crapaud", "--variant", "vitesse")
    assert check_bot.main([str(folder), *boards]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert "✗" not in said
    assert "✓ plays a game of vitesse" in said
