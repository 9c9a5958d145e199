"""The settings as a whole, each time in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
READ = """
import json
from arena import settings
names = ("DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "CELERY_BROKER_URL")
print(json.dumps({name: getattr(settings, name) for name in names}))
"""
PRODUCTION = {
    "CRAPETTE_MODE": "production",
    "CRAPETTE_SECRET_KEY": "x" * 60,
    "CRAPETTE_HOSTS": "arena.example",
    "DATABASE_URL": "postgresql://arena@localhost/arena",
    "REDIS_URL": "redis://localhost/0",
}


def read(environment: dict[str, str], data: Path) -> subprocess.CompletedProcess[str]:
    """The settings under an environment, as JSON on stdout."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {**kept, "CRAPETTE_DATA": str(data), **environment}
    command = [sys.executable, "-c", READ]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_any_variable_the_site_is_for_this_machine_only_and_production_is_https_only(
    tmp_path: Path,
) -> None:
    assert json.loads(read({}, tmp_path).stdout) == {
        **{"DEBUG": False, "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"]},
        **{"SESSION_COOKIE_SECURE": False, "SECURE_SSL_REDIRECT": False},
        "CELERY_BROKER_URL": "memory://localhost/",
    }
    assert json.loads(read({**PRODUCTION, "CRAPETTE_DEBUG": "1"}, tmp_path).stdout) == {
        **{"DEBUG": False, "ALLOWED_HOSTS": ["arena.example"]},
        **{"SESSION_COOKIE_SECURE": True, "SECURE_SSL_REDIRECT": True},
        "CELERY_BROKER_URL": "redis://localhost/0",
    }


def test_production_starts_with_nothing_left_out(tmp_path: Path) -> None:
    for name in ("CRAPETTE_SECRET_KEY", "DATABASE_URL"):
        result = read({**PRODUCTION, name: ""}, tmp_path)
        said = f"{name} must be set, but it is missing or empty.\n"
        assert (result.returncode, result.stderr) == (1, said)
    result = read({**PRODUCTION, "CRAPETTE_SECRET_KEY": "guessed"}, tmp_path)
    sentence = "CRAPETTE_SECRET_KEY: expected a secret of at least 50 characters, got 7.\n"
    assert (result.returncode, result.stderr) == (1, sentence)
    assert not (tmp_path / "secret-key").exists()
