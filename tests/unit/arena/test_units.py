"""Units for systemd and a Compose file, written from the Procfile."""

import configparser
import shutil
import subprocess
from pathlib import Path

import yaml

from arena import units
from tests.site import ROOT

NAMES = {one.name for one in units.PROCESSES}


def test_every_process_of_the_procfile_has_a_unit_that_runs_its_line() -> None:
    lines = units.commands()
    assert set(lines) == NAMES | {"worker", "release"}, "worker stands for three of the others"
    found = units.systemd(ROOT, "arena")
    assert set(found) == {f"crapette-{name}.service" for name in NAMES | {"release"}} | {"crapette.target"}
    for name in NAMES:
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(found[f"crapette-{name}.service"])
        start = unit["Service"]["ExecStart"].removeprefix("/bin/sh -c ")
        assert start == units._quoted(lines[name])
        assert unit["Service"]["KillMode"] == "mixed"
        assert {"MemoryHigh", "MemoryMax"} <= set(unit["Service"])
        assert ("Delegate" in unit["Service"]) == (name in {"games", "control"})


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """Where systemd's own check is installed; the shape of every unit is checked above."""
    assert units.main(["systemd", str(tmp_path)]) == 0
    files = sorted(tmp_path.iterdir())
    assert len(files) == len(NAMES) + 2
    program = shutil.which("systemd-analyze")
    if program is not None:
        done = subprocess.run(
            [program, "verify", "--man=no", *map(str, files)], capture_output=True, text=True, check=False
        )
        # DelegateSubgroup is of systemd 254; an older one says that it ignores it.
        said = [line for line in done.stderr.splitlines() if "DelegateSubgroup" not in line]
        assert not [line for line in said if "Unknown key" in line], done.stderr
        assert "Invalid" not in done.stderr, done.stderr


def test_the_compose_file_is_yaml_with_every_process() -> None:
    found = yaml.safe_load(units.compose())
    services = found["services"]
    assert set(services) == NAMES | {"release", "database", "redis"}
    lines = units.commands()
    for name in NAMES | {"release"}:
        assert services[name]["command"] == ["sh", "-c", lines[name].replace("$", "$$")]
        assert services[name]["environment"]["DATABASE_URL"].startswith("postgresql://")
    for name in NAMES:
        assert services[name]["depends_on"] == {"release": {"condition": "service_completed_successfully"}}
        assert services[name]["stop_grace_period"] == "95s"
    used = {volume.split(":")[0] for one in services.values() for volume in one.get("volumes", ())}
    assert used == set(found["volumes"])
