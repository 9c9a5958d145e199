"""``crapette replay``: a small server on this machine with the site's viewer and one record."""

import http.client
import json
import threading

from kit.viewer import ViewerServer, site


def answer(server: ViewerServer, path: str, host: str | None = None) -> tuple[int, bytes]:
    """The status and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request("GET", path, headers={} if host is None else {"Host": host})
    found = connection.getresponse()
    body = found.read()
    connection.close()
    return found.status, body


def test_it_serves_the_viewer_and_the_record_to_this_machine_alone() -> None:
    served = site(b'{"game": "mine"}')
    with ViewerServer(served) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        status, page = answer(server, "/")
        assert status == 200
        start = page.index(b'<script type="importmap">') + len(b'<script type="importmap">')
        modules = json.loads(page[start : page.index(b"</script>", start)])["imports"]
        assert modules["arena/replay/page"] == "/static/js/replay/page.js"
        for path in (*modules.values(), "/static/css/table.css", "/static/cards/deck.svg"):
            assert path in served.files
        assert answer(server, "/static/js/pages/offline.js")[0] == 200
        assert answer(server, "/record.json") == (200, b'{"game": "mine"}')
        # A stranger's page that points its own name here gets nothing.
        assert answer(server, "/record.json", "evil.example")[0] == 404
        for path in ("/static/../../README.md", "/static/%2e%2e/x", "//etc/passwd", "/page.html"):
            assert answer(server, path)[0] == 404
        server.shutdown()
