"""Finds out whether bots can be contained on this host. Used before the first game and by /health, the admin
and `up`.

`probe` is for every process. `python -m sandbox.probing.probe LEVEL` is its other half: on the stage, as the
runner, it lets the canaries (one small hostile bot of each family, and an honest one) try.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sandbox import inherited_signals, proc
from sandbox.errand import answer_unavailable, in_runner
from sandbox.errors import BotFault, SandboxUnavailable
from sandbox.launch import spawn
from sandbox.model import BotLimits, Level, Program
from sandbox.staging import interpreter, wheels
from sandbox.staging.stage import Stage
from sandbox.walls import cgroup, jail

MODULE = "sandbox.probing.probe"
CANARIES = Path(__file__).resolve().with_name("canaries")
CANARY_SECONDS = 10.0
UNLIMITED = ("max", "9223372036854771712")
CONFINED = "level confined: bots share our process and network namespaces"
WITHOUT_JAIL = (
    "level confined without CAP_SYS_CHROOT: bots share our process and network namespaces, see which files "
    "exist, and can pass bits to later games by the names they look up (see docs/operate/sandbox.md)"
)
WITHOUT_DEVICES = (
    "no devices in the jail (a tmpfs mounted nodev, or made by a plain user): bots have no /dev/urandom and "
    "cannot write /dev/null"
)
NO_CGROUP_EACH = (
    f"no memory cgroup for each bot ({cgroup.SETTING}): the kernel's limits and samples bound a bot's memory"
)
KILLED_ON_THE_SPOT = "kernel"
ASKED = "honest"
"""The one canary that reads input.

The others print what they found and exit, perhaps before a question comes.
"""


@dataclass(frozen=True, slots=True)
class Report:
    """What a probe found. `ok` says whether games may be played; the rest says why."""

    level: str
    ok: bool
    problem: str = ""
    hint: str = ""
    canaries: dict[str, str] = field(default_factory=dict)
    """Each canary's name and "contained", or what it managed."""
    attestation: dict[str, Any] = field(default_factory=dict)
    languages: dict[str, bool] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    milliseconds: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def probe(level: Level | str | None = None, stage: Stage | None = None) -> Report:
    """Try the sandbox at `level`, or at the operator's choice if None.

    Takes half a second and never raises.
    """
    begun = time.monotonic()
    name = str(level or "")
    try:
        chosen = Level.of_operator() if level is None else Level.parse(level)
        name = chosen.value
        said = in_runner(stage or Stage.ensure(), MODULE, 9 * CANARY_SECONDS, name)
        found: dict[str, Any] = json.loads(said)
    except SandboxUnavailable as error:
        return Report(name, ok=False, problem=error.problem, hint=error.hint, milliseconds=_since(begun))
    escaped = {canary: words for canary, words in found["canaries"].items() if words != "contained"}
    problem = "; ".join(
        f"the {canary} canary was not contained: {words}" for canary, words in escaped.items()
    )
    languages = {
        **{"python": True, "python-onnx": found["packages"]},
        **{"javascript": interpreter.node() is not None, "wasm": interpreter.has_wasi(), "native": True},
    }
    return Report(
        name,
        ok=not escaped,
        problem=problem,
        canaries=found["canaries"],
        attestation=found["attestation"],
        languages=languages,
        warnings=(
            *_warnings(chosen, found, languages),
            *found["attestation"]["warnings"],
            *found["warnings"],
        ),
        milliseconds=_since(begun),
    )


def _since(begun: float) -> int:
    return round((time.monotonic() - begun) * 1000)


def _warnings(level: Level, found: dict[str, Any], languages: dict[str, bool]) -> list[str]:
    warnings = []
    if level is Level.CONFINED:
        warnings.append(CONFINED if found["attestation"]["own_root"] else WITHOUT_JAIL)
        if not found["devices"]:
            warnings.append(WITHOUT_DEVICES)
    if not languages["javascript"]:
        warnings.append("node is not installed: JavaScript and WebAssembly bots cannot play")
    elif not languages["wasm"]:
        warnings.append("node is older than 18.17: WebAssembly bots cannot play")
    if not languages["python-onnx"] and wheels.is_offered(os.environ):
        warnings.append(f"NumPy and ONNX Runtime are not installed ({wheels.ADVICE})")
    return warnings


def release_canaries(level: Level, stage: Stage) -> dict[str, Any]:
    """Run every canary, one after the other."""
    said: dict[str, str] = {}
    attestation: dict[str, object] = {}
    for path in sorted(CANARIES.glob("*.py")):
        process = spawn(Program(CANARIES, "python", path.name), BotLimits(cpu_seconds=20), level, stage)
        try:
            if path.stem == ASKED:
                process.send(b"ping\n", time.monotonic() + CANARY_SECONDS)
            words = process.read_line(time.monotonic() + CANARY_SECONDS).decode("utf-8", "replace")
        except BotFault as fault:
            words = fault.detail
        ended = process.close()
        attestation = process.attestation.as_dict()
        if path.stem == KILLED_ON_THE_SPOT:
            words = "contained" if ended.cause == "forbidden" else words
        if path.stem == ASKED and words == "contained ping":
            words = "contained"
        said[path.stem] = words
    return {
        "canaries": said,
        "attestation": attestation,
        "warnings": _without_cgroups(),
        "packages": stage.wheels is not None,
        "devices": not jail.possible() or jail.has_devices(stage.jail),
    }


def _without_cgroups() -> list[str]:
    """Say what no memory cgroup limits: each bot, or all bots together. A cgroup is optional."""
    each = [] if cgroup.operator_folder(os.environ) else [NO_CGROUP_EACH]
    return [*each, *_without_common_cgroup()]


def _without_common_cgroup() -> list[str]:
    for line in os.fsdecode(proc.read("/proc/self/cgroup")).splitlines():
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        for limit in (
            f"/sys/fs/cgroup{group}/memory.max",
            f"/sys/fs/cgroup/memory{group}/memory.limit_in_bytes",
        ):
            counted = controllers in ("", "memory") and proc.read(limit).decode("ascii", "replace").strip()
            if counted and counted not in UNLIMITED:
                return []
    return [
        "no memory cgroup: all games together are bounded by the machine alone (MemoryMax= of the worker)"
    ]


def main() -> None:
    """Run the canaries at the level named by the first argument and write what happened."""
    inherited_signals.accept()
    try:
        found = release_canaries(Level.parse(sys.argv[1]), Stage.ensure())
    except SandboxUnavailable as error:
        answer_unavailable(error)
        raise
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
