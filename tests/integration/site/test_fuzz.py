"""Whatever is sent to whichever address by whomever, the site answers, and its log stays quiet."""

import logging
import os

import pytest
from django.conf import settings
from django.db import transaction

from arena.web.http.handler import APART, Pages
from tests.api import one_connection
from tests.factories.site import a_site
from tests.fuzz import Fuzzer, Request, addresses
from tests.thinking import analysis_beside_a_download
from tests.thorough import THOROUGH
from tests.waits import waits

ROUNDS = int(os.environ.get("CRAPETTE_TEST_FUZZ_ROUNDS", "1"))
"""How often every address is tried; more for a longer hunt."""
ADMIN_REQUESTS = 100 if THOROUGH else 30

pytestmark = pytest.mark.django_db


def answered(site: Pages, request: Request) -> int:
    """The status of the answer; whatever the request did is undone."""
    undo = RuntimeError()
    try:
        with transaction.atomic():
            response = site.answer(request.scope(), request.stream())
            if response.streaming:
                with analysis_beside_a_download():
                    b"".join(response)
                response.close()
            raise undo
    except RuntimeError as error:
        if error is not undo:
            raise
    return response.status_code


def of_redis(wait: str) -> bool:
    """Whether something was asked of Redis, where limits are counted, and which has a second to answer."""
    return bool(settings.REDIS_URL) and wait.startswith("socket.")


def test_no_request_breaks_the_site_or_fills_its_log(caplog: pytest.LogCaptureFixture) -> None:
    known, roles = a_site()
    site = Pages(1)
    fuzzer = Fuzzer(known, roles)
    statuses: dict[int, int] = {}
    broken, slow = [], list[tuple[str, str, str]]()
    with caplog.at_level(logging.WARNING), one_connection():
        for _ in range(ROUNDS):
            for role, request in fuzzer.every(addresses(), ADMIN_REQUESTS):
                caplog.clear()
                with waits() as waited:
                    status = answered(site, request)
                if not APART.fullmatch(f"{request.method} {request.path}"):
                    # It was answered in one of the few threads that wait for the database alone.
                    slow += [(request.method, request.path, one) for one in waited if not of_redis(one)]
                statuses[status] = statuses.get(status, 0) + 1
                said = [record.getMessage() for record in caplog.records if record.exc_info]
                # Without a worker the state of health is bad, and 503 says so.
                if said or (status >= 500 and (status, request.path) != (503, "/health")):
                    broken.append((status, role, request, said))
    assert not slow, slow[:20]
    assert not broken, "\n".join(str(one)[:1500] for one in broken[:20])
    # Had every request been refused at the edge, nothing behind it would have been tried.
    assert statuses[200] > sum(statuses.values()) // 8, statuses
    assert {200, 302, 400, 403, 404, 405, 415} <= set(statuses), statuses
