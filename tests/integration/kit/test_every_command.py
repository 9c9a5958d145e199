"""Every command under all that happens to commands: nothing given, nonsense, a refusal, no network, Ctrl-C, a
reader that leaves, no terminal, ``--json``."""

import io
import json
import os
import select
import socket
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_django.live_server_helper import LiveServer

from bots.versions import activate_version
from kit import cli
from kit.cli import COMMANDS, READER_LEFT, main
from kit.local import play
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files
from tests.factories.games import played
from tests.factories.results import accept_result, lease
from tests.factories.tournaments import running
from tests.integration.kit.runner import LEFT, Ended, Runner
from tournaments.models import Game, Tournament

GAME: Final = "00000000-0000-4000-8000-000000000000"
RESIGNS: Final = "from crapette import Answer, run\nrun(lambda turn: Answer(resign=True))\n"
HANGS: Final = "import time\nopen({begun!r}, 'w').write('begun')\ntime.sleep(600)\n"
TUNED: Final = "name = 'ada-s'\n[tune]\nx = { value = 1, low = 0, high = 2, step = 1 }\n"
SECONDS: Final = 120


@dataclass(frozen=True, slots=True)
class Use:
    """How a command is used, with what it ends: as words that may name things of the tests in braces.

    `needs` is what it cannot do without: a bot that plays, a site by its token, or a page of a site.
    """

    words: str
    needs: str = ""
    status: int = 0
    alone: int = 2
    """Its status without any argument."""


USES: Final = {
    "new": Use("new {fresh}"),
    "check-bot": Use("check-bot {bot} --variant crapaud --unsandboxed", "bot"),
    "play": Use("play {bot} {bot} --pairs 1 --unsandboxed", "bot"),
    "sprt": Use("sprt {bot} {bot} --pairs 1 --unsandboxed", "bot", status=3),
    "benchmark": Use("benchmark {bot} --deals 1 --results {fresh} --unsandboxed", "bot", alone=0),
    "league": Use("league {bot} {bot} {bot} --pairs 1 --unsandboxed", "bot"),
    "diff": Use("diff {bot} {bot} --games {record} --unsandboxed", "bot"),
    "rerun": Use("rerun {record} {bot} --ply 1 --seat 0 --unsandboxed", "bot", status=1),
    "replay": Use("replay {record} --no-browser", "record"),
    "tune": Use("tune {folder} --pairs 1 --unsandboxed", "bot"),
    "watch": Use("watch {site}/games/{game}/", "page"),
    "login": Use("login {site}", "stdin"),
    "upload": Use("upload {bot} --bot ada-s --no-wait", "token"),
    "status": Use("status --bot ada-s", "token"),
    "activate": Use("activate --bot ada-s --version 3", "token"),
    "rollback": Use("rollback --bot ada-s", "token"),
    "connect": Use("connect {bot}", "token"),
    "test": Use("test ada-s bob-s --no-wait", "token"),
    "tournament": Use("tournament ada-s bob-s --no-wait", "token"),
    "challenge": Use("challenge --list", "token"),
    "results": Use("results --bot ada-s", "token"),
    "logs": Use("logs --bot ada-s", "token"),
    "losses": Use("losses --bot ada-s", "token"),
    "export": Use("export {site}/games/{game}/ --to {fresh}", "page"),
    "rows": Use("rows {record} --to {fresh}", "record"),
    "verify": Use("verify {record}", "record"),
    "doctor": Use("doctor", alone=0),
    "completion": Use("completion bash"),
}
ONE_LINE: Final = 1
STREAMS: Final = frozenset({"connect", "watch"})
"""Use what the server of these tests does not serve: test_watch.py here, and tests/unit/kit/remote."""


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Runs commands in processes of their own."""
    found = Runner(tmp_path_factory.mktemp("runner"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What commands are given: bots, and the record of a game."""
    folder = tmp_path_factory.mktemp("things")
    (folder / "bot.py").write_text(RESIGNS)
    (folder / "mine").mkdir()
    (folder / "mine" / "bot.py").write_text(RESIGNS)
    (folder / "mine" / "crapette.toml").write_text(TUNED)
    words = ["greedy", "greedy", "--pairs", "1", "--unsandboxed", "--seed", "1"]
    assert play.main([*words, "--replays", str(folder)]) == 0
    return {"bot": str(folder / "bot.py"), "folder": str(folder / "mine"), "record": f"{folder}/0001-1.json"}


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to run in, where nobody is logged in to anything."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CRAPETTE_SITE", raising=False)
    monkeypatch.delenv("CRAPETTE_TOKEN", raising=False)
    monkeypatch.setenv("SHELL", "/bin/none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def filled(use: Use, things: dict[str, str], folder: Path, site: str, game: str = GAME) -> list[str]:
    number = len(list(folder.iterdir()))
    found = {**things, "fresh": str(folder / f"fresh{number}"), "site": site, "game": game}
    return [word.format(**found) for word in use.words.split()]


def run(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> Ended:
    capsys.readouterr()
    try:
        status = cli.main(words)
    except SystemExit as ended:  # wrong arguments
        status = int(ended.code or 0)
    return Ended(status, *capsys.readouterr())


def refused(found: Ended, status: int, words: Sequence[str]) -> None:
    """A refusal: its status, nothing on standard output, and one line that says who speaks."""
    assert found.status == status, (words, found)
    assert found.out == "", words
    lines = found.err.splitlines()
    assert len(lines) == ONE_LINE, (words, found.err)
    assert lines[0].startswith(f"crapette {words[0]}: "), found.err


NUMBERS: Final = frozenset({"count", "clock", "_clock", "_port", "_ply", "float", "int"})


@pytest.mark.parametrize("name", USES)
def test_nothing_given_and_nonsense_for_a_number_or_a_choice_are_answered_in_a_line(
    name: str, nowhere: Path, things: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    if USES[name].alone:
        refused(run(capsys, [name]), 2, [name])
    else:
        assert run(capsys, [name]).status == 0
    assert list(USES) == [one.name for one in COMMANDS], "each has its row"
    module = import_module(next(one.module for one in COMMANDS if one.name == name))
    for action in module.parser()._actions:
        typed = getattr(action.type, "__name__", "") in NUMBERS or action.choices is not None
        if not typed or not action.option_strings:
            continue
        words = filled(USES[name], things, nowhere, "http://127.0.0.1:1")
        words += [action.option_strings[-1], "nonsense"]
        found = run(capsys, words)
        refused(found, 2, words)
        assert "nonsense" in found.err
    words = [*filled(USES[name], things, nowhere, "http://127.0.0.1:1"), "--no-such-option"]
    refused(run(capsys, words), 2, words)


@pytest.mark.parametrize(
    "name", [name for name, use in USES.items() if use.needs in ("token", "page", "stdin")]
)
def test_without_a_network_it_says_so_and_ends_with_75(
    name: str,
    nowhere: Path,
    things: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        site = f"http://127.0.0.1:{closed.getsockname()[1]}"
    monkeypatch.setenv("CRAPETTE_SITE", site)
    monkeypatch.setenv("CRAPETTE_TOKEN", "crapette_x")
    monkeypatch.setattr("kit.site.watch.AGAIN_S", 0.0)
    for more in ([], ["--json"]):
        words = [*filled(USES[name], things, nowhere, site), *more]
        monkeypatch.setattr("sys.stdin", io.StringIO("crapette_x\n"))
        refused(run(capsys, words), 75, words)


@pytest.mark.django_db(transaction=True)
@pytest.mark.any_database
def test_what_the_site_refuses_is_said_in_its_words(
    nowhere: Path,
    things: dict[str, str],
    live_server: LiveServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CRAPETTE_SITE", live_server.url)
    monkeypatch.setenv("CRAPETTE_TOKEN", "crapette_wrong")
    for name, use in USES.items():
        if use.needs in ("token", "page", "stdin") and name != "watch":
            monkeypatch.setattr("sys.stdin", io.StringIO("crapette_wrong\n"))
            words = filled(use, things, nowhere, live_server.url)
            refused(run(capsys, words), 2, words)
    assert not list(nowhere.glob("fresh*"))


@pytest.fixture
def site(live_server: LiveServer, settings: Any) -> dict[str, str]:
    """A site with Ada's bot and Bob's, which have played; the environment of Ada's commands, and a game."""
    settings.SITE_URL = live_server.url
    ada = author("ada")
    versions = [accepted_bot(ada, "ada-s"), accepted_bot(author("bob"), "bob-s")]
    later = [same_files(versions[0], number) for number in (2, 3)]
    let_play_everywhere(later)
    for version in later:
        activate_version(version, by=ada)
    running(None, versions, pairs=1)
    held = lease()
    accept_result(held, played(held.game))
    game = str(Game.objects.get(status=Game.Status.FINISHED).pk)
    return {"CRAPETTE_SITE": live_server.url, "CRAPETTE_TOKEN": token(ada), "game": game}


@pytest.mark.django_db(transaction=True)
@pytest.mark.any_database
def test_what_they_print_is_json_if_asked_for_and_no_end_of_the_reader_is_a_traceback(
    nowhere: Path, things: dict[str, str], site: dict[str, str], runner: Runner
) -> None:
    """Without a terminal, as in a workflow; then into a pipe whose reader has left, as in `… | head -1`."""
    (nowhere / "token").write_text(site["CRAPETTE_TOKEN"])
    env = {**site, "XDG_CONFIG_HOME": str(nowhere / "config")}
    pipes = {use.needs: name for name, use in USES.items() if name not in STREAMS | {"replay"}}.values()
    for name, use in USES.items():
        if name in STREAMS | {"replay"}:
            continue
        given = str(nowhere / "token") if use.needs == "stdin" else None

        def end(
            *more: str, stdout: str | None = "", use: Use = use, given: str | None = given
        ) -> tuple[list[str], Ended]:
            words = [*filled(use, things, nowhere, site["CRAPETTE_SITE"], site["game"]), *more]
            runner.begin(words, env, stdin=given, stdout=stdout)
            found = runner.end()
            assert "Traceback" not in found.err, words
            assert "Exception" not in found.err, words
            return words, found

        words, found = end("--json", *(["-"] if name == "play" else []))
        # The doctor finds the engine slow on a machine that has much else to do.
        assert found.status in ({0, 1} if name == "doctor" else {use.status}), (words, found)
        for text in [found.out] if found.out.startswith(("{\n", "[\n")) else found.out.splitlines():
            json.loads(text)
        assert found.out or name == "challenge", words  # which has none yet
        if name in pipes:
            words, found = end(stdout=LEFT)
            assert found.status == READER_LEFT, (words, found)
            # Three at once are all that one account may hold.
            Tournament.objects.update(status=Tournament.Status.FINISHED)
            if use.needs not in ("bot", "token"):  # nowhere to print at all, as of a service
                words, found = end(stdout=None)
                assert found.status == use.status, words
    runner.begin(["help"], env, stdout=LEFT)
    assert runner.end() == Ended(READER_LEFT, "", "")


TYPICAL: Final = ("play", "sprt", "tune", "replay", "rows", "watch", "login", "upload", "connect", "test")
"""They wait for everything that a command waits for."""
WAIT: Final = [
    name if name in TYPICAL else pytest.param(name, marks=pytest.mark.at_length)
    for name, use in USES.items()
    if use.needs
]


@pytest.mark.parametrize("name", WAIT)
def test_ctrl_c_ends_it_with_130_and_without_a_traceback(
    name: str, nowhere: Path, things: dict[str, str], runner: Runner
) -> None:
    """In the middle: a bot is playing, a site owes its answer, a file is being read."""
    use = USES[name]
    begun = nowhere / "begun"
    os.mkfifo(begun)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(SECONDS)
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        env = {"CRAPETTE_SITE": address, "CRAPETTE_TOKEN": "crapette_x", "XDG_CONFIG_HOME": str(nowhere)}
        given = dict(things)
        if use.needs == "bot":
            mine = nowhere / "mine"
            mine.mkdir()
            (mine / "crapette.toml").write_text(TUNED)
            (mine / "bot.py").write_text(HANGS.format(begun=str(begun)))
            given |= {"bot": str(mine / "bot.py"), "folder": str(mine)}
        elif use.needs == "record":
            given["record"] = str(begun)
        status, out = 130, ""
        if name == "replay":  # it serves until then, and this is its end
            given["record"], status, out = things["record"], 0, str(begun)
        words = filled(use, given, nowhere, address)
        reader = os.open(begun, os.O_RDONLY | os.O_NONBLOCK) if use.needs == "bot" or out else None
        (nowhere / "given.txt").write_text("crapette_x\n")
        process = runner.begin(words, env, stdin=str(nowhere / "given.txt"), stdout=out)
        if reader is not None:
            assert select.select([reader], [], [], SECONDS)[0], f"{name} has not begun"
            found = runner.interrupt(process)
            os.close(reader)
        elif use.needs == "record":
            writer = os.open(begun, os.O_WRONLY)  # waits until it is opened to be read
            found = runner.interrupt(process)
            os.close(writer)
        else:
            connection, _ = server.accept()
            found = runner.interrupt(process)
            connection.close()
    assert found.status == status, (words, found)
    assert "Traceback" not in found.err, found.err
    assert "nterrupted" in found.out + found.err or name == "replay", found
    assert not list(nowhere.glob("fresh*")) or name == "benchmark"


ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
_crapette
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    capsys.readouterr()
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_bash_completes_commands_options_choices_house_bots_and_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "completion.bash"
    file.write_text(script(capsys, "bash"))
    (tmp_path / "mybot").mkdir()

    def asked(*words: str) -> set[str]:
        command = ["bash", "-c", ASK, "bash", str(file), "crapette", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return set(done.stdout.split())

    assert asked("") == {command.name for command in COMMANDS}
    assert asked("re") == {"rerun", "replay", "results"}
    assert asked("sprt", "--sa") == {"--save"}
    assert asked("sprt", "a", "b", "--by", "") >= {"wins", "results", "margins"}
    assert asked("play", "m") == {"mybot"}
    assert asked("play", "planner") == {"planner"}
    assert asked("new", "x", "--language", "ru") == {"rust"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_option_is_in_the_other_scripts(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    text = script(capsys, shell)
    assert main(["completion", shell, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["script"] == text
    assert [command["name"] for command in told["commands"]] == [command.name for command in COMMANDS]
    for command in told["commands"]:
        options = {name for option in command["options"] for name in option["names"]}
        assert {"--json", "--help"} <= options
        for name in {command["name"], *options}:
            assert (name if shell == "zsh" else name.lstrip("-")) in text
