"""``./crapette units``: systemd units or a Compose file for the processes of the Procfile.

Both are written from the Procfile, so a process is started by one and the same line everywhere.
"""

from __future__ import annotations

import argparse
import getpass
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
VENV: Final = ".venv"
ENVIRONMENT: Final = "/etc/crapette/environment"
DRAIN_SECONDS: Final = 60
LEAVE_SECONDS: Final = 35
"""What a worker takes to end after draining, and a little more."""


@dataclass(frozen=True, slots=True)
class ProcfileProcess:
    """A process of the Procfile: what it does, its share of memory, and whether it runs bots."""

    name: str
    words: str
    high: str
    most: str
    bots: bool = False


PROCESSES: Final = (
    ProcfileProcess("web", "pages, the API and live updates", "600M", "1G"),
    ProcfileProcess("games", "games", "75%", "85%", bots=True),
    ProcfileProcess("control", "checks of uploads, games with people, short tasks", "1500M", "2G", bots=True),
    ProcfileProcess("analysis", "hints, mistakes and luck", "1G", "1500M"),
    ProcfileProcess("beat", "the timetable", "250M", "400M"),
)


def commands(root: Path = ROOT) -> dict[str, str]:
    """The shell line of every process of the Procfile."""
    lines = (root / "Procfile").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def systemd(root: Path, user: str) -> dict[str, str]:
    """Unit files by name: a target, the release that runs before everything, and each process."""
    lines = commands(root)
    names = " ".join(f"crapette-{one.name}.service" for one in PROCESSES)
    found = {
        "crapette.target": _sections(
            {
                "Unit": ["Description=Crapette Arena", f"Wants={names}"],
                "Install": ["WantedBy=multi-user.target"],
            }
        ),
        "crapette-release.service": _sections(
            {
                "Unit": [
                    "Description=Crapette Arena: tables, static files and house bots",
                    "After=network-online.target postgresql.service redis-server.service",
                    "Wants=network-online.target",
                ],
                "Service": [
                    "Type=oneshot",
                    "RemainAfterExit=yes",
                    *_common(root, user),
                    f"ExecStart=/bin/sh -c {_quoted(lines['release'])}",
                ],
            }
        ),
    }
    for one in PROCESSES:
        found[f"crapette-{one.name}.service"] = _sections(
            {
                "Unit": [
                    f"Description=Crapette Arena: {one.words}",
                    "After=crapette-release.service",
                    "Requires=crapette-release.service",
                    "PartOf=crapette.target",
                ],
                "Service": [*_service(one, root, user), f"ExecStart=/bin/sh -c {_quoted(lines[one.name])}"],
            }
        )
    return found


def _common(root: Path, user: str) -> list[str]:
    return [
        f"User={user}",
        f"WorkingDirectory={root}",
        f"EnvironmentFile={ENVIRONMENT}",
        f"Environment=PATH={root / VENV / 'bin'}:/usr/bin:/bin",
    ]


def _service(one: ProcfileProcess, root: Path, user: str) -> list[str]:
    """The lines of a process that is kept running, in a memory cgroup of its own."""
    lines = [
        *_common(root, user),
        "Restart=always",
        "RestartSec=2",
        # Only the supervisor is told to end: it tells its children once, and a second signal means at once.
        "KillMode=mixed",
        f"TimeoutStopSec={DRAIN_SECONDS + LEAVE_SECONDS}",
        "MemoryAccounting=yes",
        f"MemoryHigh={one.high}",
        f"MemoryMax={one.most}",
    ]
    if one.bots:
        unit = f"/sys/fs/cgroup/system.slice/crapette-{one.name}.service"
        lines += ["Delegate=memory", "DelegateSubgroup=worker", f"Environment=CRAPETTE_CGROUP={unit}"]
    else:
        lines += ["NoNewPrivileges=yes", "PrivateTmp=yes", "ProtectSystem=full"]
    return lines


def _sections(found: dict[str, list[str]]) -> str:
    head = "# Written by ./crapette units from the Procfile.\n"
    return head + "\n".join("\n".join([f"[{name}]", *lines]) + "\n" for name, lines in found.items())


def _quoted(line: str) -> str:
    """A shell line as one word of a unit file, in which systemd replaces nothing."""
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$").replace("%", "%%")
    return f'"{escaped}"'


def compose(root: Path = ROOT) -> str:
    """A Compose file with PostgreSQL, Redis, the release and every process."""
    lines = commands(root)
    services = [_release(lines["release"]), *(_container(one, lines[one.name]) for one in PROCESSES)]
    return COMPOSE_HEAD + "\n".join(services) + COMPOSE_TAIL


def _release(line: str) -> str:
    return f"""\
  release:
    <<: *arena
    command: ["sh", "-c", {_json(line)}]
    restart: "no"
    depends_on:
      database: {{condition: service_healthy}}
      redis: {{condition: service_started}}
"""


def _container(one: ProcfileProcess, line: str) -> str:
    text = f"""\
  {one.name}:
    <<: *arena
    command: ["sh", "-c", {_json(line)}]
    stop_grace_period: {DRAIN_SECONDS + LEAVE_SECONDS}s
    depends_on:
      release: {{condition: service_completed_successfully}}
"""
    if one.bots:
        text += '    tmpfs: ["/run/crapette:exec,dev,size=1g,mode=1777"]\n'
    if one.name == "web":
        text += '    ports: ["127.0.0.1:8000:8000"]\n'
        text += '    healthcheck: {test: ["CMD", "python", "-c", "import urllib.request as r; '
        text += "r.urlopen('http://127.0.0.1:8000/ready')\"], interval: 10s, start_period: 30s}\n"
    return text


def _json(line: str) -> str:
    """A shell line as a YAML string, in which Compose replaces nothing."""
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{escaped}"'


COMPOSE_HEAD: Final = """\
# Written by ./crapette units from the Procfile. It needs a file .env with POSTGRES_PASSWORD,
# CRAPETTE_SECRET_KEY and CRAPETTE_HOSTS, and a proxy in front that ends TLS and sets X-Forwarded-Proto.
# Bots play at the level "confined"; sandbox/README.md says what a container needs for "full".
name: crapette

x-arena: &arena
  image: crapette-arena
  build:
    context: .
    dockerfile_inline: |
      FROM debian:13-slim
      RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates util-linux \\
          python3 python3-venv python3-dev gcc libc6-dev bubblewrap libseccomp2 nodejs
      COPY . /arena
      WORKDIR /arena
      RUN ./crapette install && useradd --create-home arena && mkdir -m 700 /data && chown arena /data
      ENV PATH=/arena/.venv/bin:/usr/bin:/bin
      USER arena
  init: true
  restart: unless-stopped
  environment:
    DATABASE_URL: postgresql://arena:${POSTGRES_PASSWORD:?}@database/arena
    REDIS_URL: redis://redis:6379/0
    CRAPETTE_SECRET_KEY: ${CRAPETTE_SECRET_KEY:?}
    CRAPETTE_HOSTS: ${CRAPETTE_HOSTS:?},127.0.0.1
    CRAPETTE_TRUST_PROXY: "1"
    CRAPETTE_DATA: /data
    CRAPETTE_SANDBOX: confined
    CRAPETTE_TMPFS: /run/crapette/bots
  volumes: ["data:/data"]

services:
  database:
    image: postgres:17
    restart: unless-stopped
    environment:
      POSTGRES_USER: arena
      POSTGRES_DB: arena
      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?}
    volumes: ["database:/var/lib/postgresql/data"]
    healthcheck: {test: ["CMD", "pg_isready", "-U", "arena"], interval: 2s, retries: 30}

  redis:
    image: redis:7
    restart: unless-stopped
    command: ["redis-server", "--save", "", "--appendonly", "no"]

"""
COMPOSE_TAIL: Final = """
volumes:
  data: {}
  database: {}
"""


def main(words: list[str] | None = None) -> int:
    """Write the files; 0."""
    parser = argparse.ArgumentParser(
        prog="./crapette units", description="Write systemd units or a Compose file for this site."
    )
    parser.add_argument("kind", choices=("systemd", "compose"))
    parser.add_argument("folder", nargs="?", type=Path, help="where to; without it, print them")
    parser.add_argument("--user", default=getpass.getuser(), help="who runs the site (default: %(default)s)")
    asked = parser.parse_args(words)
    files = {"compose.yaml": compose()} if asked.kind == "compose" else systemd(ROOT, asked.user)
    for name, text in files.items():
        if asked.folder is None:
            sys.stdout.write(f"# --- {name}\n{text}\n")
        else:
            asked.folder.mkdir(parents=True, exist_ok=True)
            (asked.folder / name).write_text(text, encoding="utf-8")
            sys.stdout.write(f"{asked.folder / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
