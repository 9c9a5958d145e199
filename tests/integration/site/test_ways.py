"""How many of our own files a request runs through: whoever changes a page has to read them."""

import sys

import pytest
from django.test import Client

from tools.house import ways

MOST = {"static page": 12, "leaderboard": 22, "tournament": 35, "first API call": 28}
"""Lower a figure when a page gets simpler; raise it only for what its readers get."""


@pytest.mark.django_db
@pytest.mark.any_database
def test_no_request_runs_through_more_files_than_somebody_can_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = ways(Client)
    with capsys.disabled():
        sys.stdout.write("".join(f"\n{name}: {len(files)} own files" for name, files in found.items()))
    assert found.keys() == MOST.keys()
    longer = {name: sorted(files) for name, files in found.items() if len(files) > MOST[name]}
    assert not longer
