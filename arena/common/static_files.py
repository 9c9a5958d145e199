"""Static files, served by WhiteNoise and read aside from the event loop.

WhiteNoise answers with Django's FileResponse, whose content is read in one go and with a warning when it is
served by ASGI. The response here can be iterated both ways.
"""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from whitenoise.middleware import WhiteNoiseFileResponse, WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFileResponse(WhiteNoiseFileResponse):  # type: ignore[misc]  # whitenoise has no types
    """A file in pieces, for WSGI and ASGI alike."""

    block_size = 64 << 10

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The pieces, each read in a thread, as reading a file may wait for the disk."""
        pieces = iter(self)
        while piece := await sync_to_async(_next, thread_sensitive=False)(pieces):
            yield piece


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """WhiteNoise with responses that ASGI can serve as they are."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> StaticFileResponse:
        """The answer to a request for a static file."""
        answer = static_file.get_response(request.method, request.META)
        response = StaticFileResponse(answer.file or (), status=int(answer.status))
        # Django's guess; WhiteNoise gives its own type, and none to an empty answer.
        del response["content-type"]
        for key, value in answer.headers:
            response[key] = value
        return response


def _next(pieces: Iterator[bytes]) -> bytes:
    """The next piece, or nothing at the end."""
    return next(pieces, b"")
