"""Where a layer is missing nothing runs, and the operator reads why; two arenas take nothing of another."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import (
    BotLimits,
    Level,
    Program,
    SandboxUnavailable,
    Stage,
    identity,
    inspections,
    probe,
    runner_identity,
    spawn,
)
from sandbox.plan import SandboxPlan
from sandbox.probing.probe import WITHOUT_JAIL
from sandbox.staging.store import remove_tree
from sandbox.walls import jail
from tests.security.arena import HONEST, PRELUDE, as_runner, close_helpers, drive, store

START = f"""{PRELUDE}
program = Program(Path(job["directory"]), "python", "bot.py")


def attempt(level="full", without=(), limits=BotLimits(), make=SandboxPlan):
    try:
        process = start(make(program, limits, Level(level), stage, frozenset(without)))
    except SandboxUnavailable as error:
        print(error)
    else:
        process.close()
        print("it ran")
"""


@pytest.fixture(scope="session")
def honest(stage: Stage) -> Path:
    return store(stage, {"bot.py": HONEST}, "bot.py")


def try_start(stage: Stage, honest: Path, source: str) -> str:
    """Run `source` after START as the runner; what it printed."""
    return as_runner(stage, START + source, json.dumps({"directory": str(honest)}) + "\n").strip()


def test_a_whole_sandbox_runs(stage: Stage, honest: Path, level: Level) -> None:
    assert try_start(stage, honest, f"attempt({level.value!r})") == "it ran"


def test_there_is_no_other_level(stage: Stage, honest: Path) -> None:
    for name in ("none", "", "off", "FULL", "docker"):
        with pytest.raises(SandboxUnavailable) as refusal:
            spawn(Program(honest, "python", "bot.py"), BotLimits(), name, stage)
        assert str(refusal.value) == f"expected sandbox level 'full' or 'confined', got {name!r}"


def test_root_does_not_spawn(stage: Stage, honest: Path) -> None:
    source = """
import os, subprocess
code = '''
from pathlib import Path
from sandbox import *
try:
    spawn(Program(Path("/"), "python", "bot.py"), BotLimits(), "full", Stage.ensure())
except SandboxUnavailable as error:
    print(error)
'''
argv = ["/usr/bin/unshare", "-Ur", *stage.command("x")[:-2], "-c", code]
print(subprocess.run(argv, env=stage.environment, capture_output=True, text=True).stdout)
"""
    assert try_start(stage, honest, source) == (
        "bots never run as root (drop to runner_identity() before spawning)"
    )


AT_BOTH = {
    "seccomp": "attempt not refused: seccomp:socket",
    "landlock": "attempt not refused: landlock:list-root",
    "rlimits": "limit 9 (expected (536870912, 536870912), got (-1, -1))",
    "signals": "the filter for signals",
}
AT_FULL = {
    **{f"{name}": f"{name} namespace" for name in ("net", "pid", "ipc", "uts")},
    "readonly-root": "expected / to be read-only",
    "no-proc": "expected nothing at /proc, got proc",
    "memory-image": "expected /usr in memory, it is on ",
}


def test_a_layer_left_out_is_seen(level: Level, stage: Stage, honest: Path) -> None:
    layers = AT_BOTH if level is Level.CONFINED else AT_BOTH | AT_FULL
    source = f"for layer in {[*layers]!r}:\n    attempt({level.value!r}, [layer])"
    said = try_start(stage, honest, source).splitlines()
    for (layer, words), line in zip(layers.items(), said, strict=True):
        assert line.startswith("layers of the sandbox are missing: "), layer
        assert words in line, layer


def test_a_bot_outside_its_jail_is_seen(stage: Stage, honest: Path) -> None:
    said = try_start(stage, honest, 'attempt("confined", ["chroot"])')
    if jail.possible():
        assert said == (
            f"layers of the sandbox are missing: expected {stage.jail} as its root, got /, "
            f"expected it to work within {stage.jail}, got {said.rpartition(' ')[2]}"
        )
        return
    assert said == "it ran"
    assert WITHOUT_JAIL in probe(Level.CONFINED, stage).warnings


def test_only_the_bots_start_inherits_the_capability(stage: Stage) -> None:
    said = as_runner(
        stage,
        """
import subprocess
from sandbox import Stage
Stage.ensure()
own = open("/proc/self/status").read()
for text in (own, subprocess.check_output(["cat", "/proc/self/status"], text=True)):
    print(*(line.split()[1] for line in text.splitlines() if line.startswith(("CapPrm", "CapBnd", "NoNew"))))
""",
    )
    only = f"{1 << identity.CAP_SYS_CHROOT:016x}"
    if runner_identity() is not None and jail.possible():
        assert said.splitlines() == [f"{only} {only} 1", f"{0:016x} {only} 1"]
    else:
        assert said.splitlines()[1].startswith(f"{0:016x} ")


def test_without_bubblewrap_nothing_runs_at_full(stage: Stage, honest: Path) -> None:
    said = try_start(stage, honest, 'bubblewrap.BWRAP = Path("/nowhere/bwrap")\nattempt()')
    assert said == "bubblewrap is not installed (apt-get install bubblewrap (0.8 or newer))"


def test_where_namespaces_are_forbidden_nothing_runs_at_full(stage: Stage, honest: Path) -> None:
    source = """
import subprocess
inner = START + 'attempt("full")\\nattempt("confined")'
argv = ["/usr/bin/bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"]
done = subprocess.run(
    [*argv, *stage.command("x")[:-2], "-c", inner],
    input=json.dumps(job), env=stage.environment, capture_output=True, text=True
)
print(done.stdout, done.stderr)
"""
    said = try_start(stage, honest, f"START = {START!r}\n{source}").splitlines()
    assert said[0].startswith("the sandbox did not start: bwrap: ")
    assert "namespace" in said[0]
    assert said[1] == "it ran"


PERMISSIVE = b"\x06\0\0\0\0\0\xff\x7f"
NOT_CLOSED = "the sandbox could not be closed: [Errno 22]"


def test_another_filter_is_noticed_even_where_its_hash_is_not_looked_at(stage: Stage, honest: Path) -> None:
    source = f"""
class Wrong(SandboxPlan):
    def job(self):
        return {{**super().job(), "filter": wrong}}

for wrong in ({PERMISSIVE!r}, b"", stage.filter("python.bpf")[:800]):
    attempt("confined", make=Wrong)
"""
    permissive, empty, truncated = try_start(stage, honest, source).splitlines()
    assert "attempt not refused: seccomp:socket" in permissive
    assert NOT_CLOSED in empty
    assert NOT_CLOSED in truncated


def test_a_filter_that_is_not_the_one_built_is_refused_by_its_hash(stage: Stage, tmp_path: Path) -> None:
    copy = dataclasses.replace(stage, path=tmp_path / "stages" / "copy")
    (copy.path / "filters").mkdir(parents=True)
    shutil.copy(stage.path / "MANIFEST", copy.path)
    for wrong in (PERMISSIVE, b"", stage.filter("python.bpf")[:-8]):
        (copy.path / "filters" / "python.bpf").write_bytes(wrong)
        with pytest.raises(
            SandboxUnavailable, match=r"^expected the seccomp filter python\.bpf with sha256 '"
        ):
            SandboxPlan(Program(tmp_path, "python", "bot.py"), BotLimits(), Level.FULL, copy).job()


LIAR = """
import os, sys
control = int(sys.argv[1])
os.read(control, 1 << 18)
names = {names!r}
os.write(control, ("7;" + ",".join(names) + ";").encode())
os.read(control, 16)
print("running free", flush=True)
"""


@pytest.mark.parametrize("level", list(Level), ids=str)
def test_a_stub_that_lies_is_found_out(level: Level, stage: Stage, honest: Path) -> None:
    source = f"""
from sandbox.probing.attestation import ATTEMPTS_WITHOUT_EXEC
liar = {LIAR!r}.format(names=sorted(ATTEMPTS_WITHOUT_EXEC))

class Lying(SandboxPlan):
    from_zygote = False

    def command(self, *descriptors):
        argv = super().command(*descriptors)
        return [*argv[:-2], "-c", liar, argv[-1]]

attempt({level.value!r}, make=Lying)
"""
    said = try_start(stage, honest, source)
    assert said.startswith("layers of the sandbox are missing: seccomp, ")
    assert "limit 9 (expected (536870912, 536870912), got (-1, -1))" in said


def test_a_stub_that_does_not_answer_is_not_waited_for(stage: Stage, honest: Path) -> None:
    source = """
class Mute(SandboxPlan):
    from_zygote = False

    def command(self, *descriptors):
        argv = super().command(*descriptors)
        return [*argv[:-2], "-c", "import time; time.sleep(60)", argv[-1]]

attempt(limits=BotLimits(start_seconds=0.5), make=Mute)
"""
    assert try_start(stage, honest, source) == (
        "the sandbox did not stand within 0.5 s (is the host overloaded?)"
    )


def test_a_dying_stub_is_reported_with_its_last_words(stage: Stage, honest: Path) -> None:
    source = """
class Dying(SandboxPlan):
    def command(self, *descriptors):
        argv = super().command(*descriptors)
        return [*argv[:-2], "-c", "raise SystemExit('no more')", argv[-1]]

attempt("confined", make=Dying)
"""
    assert try_start(stage, honest, source) == "the sandbox did not start: no more"


def test_no_setting_reaches_the_tests_way_of_leaving_layers_out() -> None:
    assert list(inspect.signature(spawn).parameters) == ["program", "limits", "level", "stage"]
    assert "os.environ" not in inspect.getsource(SandboxPlan)


UIDS = (61500, 61501)


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder of stages that every uid can reach."""
    with tempfile.TemporaryDirectory(prefix="crapette-two-", dir="/var/tmp") as name:
        path = Path(name)
        path.chmod(0o755)
        yield path / "stage"
        close_helpers()
        remove_tree(path / "stage")


@pytest.mark.parametrize(
    "level", [pytest.param(Level.FULL, marks=pytest.mark.at_length), Level.CONFINED], ids=str
)
def test_two_arenas_with_runners_of_their_own_take_nothing_from_each_other(
    level: Level, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: dict[int, Stage] = {}

    def plays(uid: int) -> None:
        monkeypatch.setenv("CRAPETTE_RUNNER_UID", str(uid))
        if uid not in stages:
            stages[uid] = Stage.ensure(root)
        bot = store(stages[uid], {"bot.py": HONEST}, "bot.py")
        job = {"level": level.value, "directory": str(bot), "language": "python", "entry": "bot.py"}
        seen = drive(stages[uid], **job)
        assert seen.get("heard") == ["heard go"], seen
        with inspections.place(root, 10.0) as place:
            folders = {bot.parent, place.parent}
        for folder in folders:
            about = folder.stat()
            assert stat.S_IMODE(about.st_mode) & 0o007 == 0
            assert os.geteuid() != 0 or about.st_gid == uid

    for uid in (*UIDS, *UIDS):
        plays(uid)
