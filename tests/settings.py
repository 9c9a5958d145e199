"""The site's settings for tests: SQLite and memory, or the database and Redis that the caller started.

``CRAPETTE_TEST_DATABASE_URL`` and ``CRAPETTE_TEST_REDIS_URL`` name real servers of the tests' own. The
site's own variables are not heeded, so that a developer's settings can never point tests at live data.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_folder = Path(tempfile.mkdtemp(prefix="crapette-test-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
if "CRAPETTE_TEST_SHARED" in os.environ:
    # The API's document takes a process of its own some seconds: all steps of a run share one.
    _documents = Path(os.environ["CRAPETTE_TEST_SHARED"], "api")
    _documents.mkdir(exist_ok=True)
    (_folder / "api").symlink_to(_documents)

for _name in [name for name in os.environ if name.startswith("CRAPETTE_") and "_TEST_" not in name]:
    del os.environ[_name]
os.environ.update(
    CRAPETTE_MODE="test",
    CRAPETTE_DATA=str(_folder),
    CRAPETTE_SECRET_KEY="known to everybody, therefore good for tests and nothing else",
    CRAPETTE_HOSTS="testserver,localhost,127.0.0.1",
    CRAPETTE_URL="http://testserver",
    DATABASE_URL=os.environ.get("CRAPETTE_TEST_DATABASE_URL", ""),
    REDIS_URL=os.environ.get("CRAPETTE_TEST_REDIS_URL", ""),
)

from arena.settings import *  # noqa: E402

_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
if REDIS_URL:
    # The workers of one test run share one Redis, without hearing each other.
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = f"crapette-{_worker}"
    CELERY_TASK_DEFAULT_QUEUE = f"default-{_worker}"
    CHECKS_QUEUE = f"checks-{_worker}"
    for _task in ("bots.check_*", "tournaments.compare"):
        CELERY_TASK_ROUTES[_task] = {"queue": CHECKS_QUEUE}
    QUEUES = (CELERY_TASK_DEFAULT_QUEUE, *QUEUES[1:])
    # A cache is cleared by emptying its whole database: each worker has its own, and the site's is number 0.
    _number = 1 + int(_worker.removeprefix("gw") if _worker.startswith("gw") else 0)
    CACHES["default"]["LOCATION"] = f"{REDIS_URL.rsplit('/', 1)[0]}/{_number}"
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in a real run: threads share it through locks, which a database in memory has not.
    DATABASES["default"]["TEST"] = {"NAME": str(_folder / "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = False
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STATIC_ROOT.mkdir()
