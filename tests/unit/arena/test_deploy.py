"""The files in `deploy` start what the Procfile starts."""

import configparser

import yaml

from tests.site import ROOT

UNITS = sorted((ROOT / "deploy/systemd").iterdir())
LINES = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
STARTED = LINES.keys() - {"worker"}
"""The process `worker` stands for three of the others."""


def test_every_process_of_the_procfile_has_a_unit_that_runs_its_line() -> None:
    assert {unit.stem for unit in UNITS} == {f"crapette-{name}" for name in STARTED} | {"crapette"}
    for name in STARTED:
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read(ROOT / f"deploy/systemd/crapette-{name}.service")
        line = LINES[name].replace("$", "$$")
        assert unit["Service"]["ExecStart"] == f'/bin/sh -c "{line}"'
        assert ("Delegate" in unit["Service"]) == (name in {"games", "control"})


def test_the_compose_file_starts_every_process() -> None:
    found = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    services = found["services"]
    assert services.keys() == STARTED | {"database", "redis"}
    for name in STARTED:
        assert services[name]["command"] == ["sh", "-c", LINES[name].replace("$", "$$")]
        assert services[name]["environment"]["DATABASE_URL"].startswith("postgresql://")
    for name in STARTED - {"release"}:
        assert services[name]["depends_on"] == {"release": {"condition": "service_completed_successfully"}}
    used = {volume.split(":")[0] for one in services.values() for volume in one.get("volumes", ())}
    assert used == set(found["volumes"])
