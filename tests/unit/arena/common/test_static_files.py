"""Static files can be served both ways, and neither warns."""

from contextlib import closing
from pathlib import Path

import pytest
from django.test import AsyncRequestFactory, RequestFactory
from whitenoise.responders import StaticFile

from arena.common.static_files import StaticFileResponse, StaticFilesMiddleware

BODY = bytes(range(256)) * 1000


@pytest.fixture
def static_file(tmp_path: Path) -> StaticFile:
    """A file of several pieces."""
    path = tmp_path / "picture.bin"
    path.write_bytes(BODY)
    return StaticFile(str(path), [("Content-Type", "image/png")])


async def test_asgi_gets_the_file_in_pieces_without_a_warning(static_file: StaticFile) -> None:
    response = StaticFilesMiddleware.serve(static_file, AsyncRequestFactory().get("/static/picture.bin"))
    with closing(response):
        pieces = [piece async for piece in response]
    assert b"".join(pieces) == BODY
    assert max(map(len, pieces)) == StaticFileResponse.block_size
    assert response["Content-Type"] == "image/png"


@pytest.mark.django_db  # what is closed also looks after the connections to the database
def test_wsgi_gets_the_same_file(static_file: StaticFile) -> None:
    response = StaticFilesMiddleware.serve(static_file, RequestFactory().get("/static/picture.bin"))
    with closing(response):
        assert b"".join(response) == BODY


async def test_an_answer_without_a_body_has_no_piece(static_file: StaticFile) -> None:
    response = StaticFilesMiddleware.serve(static_file, AsyncRequestFactory().head("/static/picture.bin"))
    assert [piece async for piece in response] == []
    assert response.status_code == 200
