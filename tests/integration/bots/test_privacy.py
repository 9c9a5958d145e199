"""Who may see and do what: source, logs and evidence are their owner's alone."""

import io
import zipfile

import pytest
from django.test import Client

from arena.accounts.models import User
from bots import uploads
from bots.models import Version
from tests.factories.accounts import sign_in_operator
from tests.factories.bots import accepted_bot, judge, new_bot, python_bot, upload

pytestmark = pytest.mark.django_db
LOG = "It crashed in seat 1, plainly."
SECRETS = (LOG, "Traceback of Ada", "what Ada's bot said", "a note for Ada", "ada-sent-this.py")
SAID = {"stderr": "Traceback of Ada", "messages": [["from", "what Ada's bot said"]]}
RECORD = {"events": [], "evidence": [{"stderr": "", "messages": []}, SAID]}
SECOND = "/bots/adas-first/versions/2/"


def checked(ada: User, *, accepted: bool) -> Version:
    """A second version of Ada's bot, checked, with everything that is hers to see."""
    bot = accepted_bot(ada).bot
    version = uploads.upload_version(
        bot,
        uploads.Submission(
            upload("two"), "ada-sent-this.py", note="a note for Ada", activate_when_accepted=False
        ),
    )
    judge(version, accepted, LOG, RECORD)
    return version


BOT = "/bots/adas-first/"
OWNERS_PAGES = (f"{BOT}upload/", f"{BOT}edit/", f"{SECOND}source.zip", f"{SECOND}check.json")
OWNERS_DEEDS = (f"{BOT}upload/", f"{BOT}edit/", f"{BOT}withdraw/", f"{BOT}restore/", f"{SECOND}activate/")


def test_what_is_an_owners_is_seen_and_done_by_no_other(
    ada: User, as_ada: Client, as_bob: Client, anonymous: Client
) -> None:
    version = checked(ada, accepted=True)
    for address in OWNERS_PAGES:
        assert as_ada.get(address).status_code == 200, address
        assert as_bob.get(address).status_code == 404, address
        stranger = anonymous.get(address)
        assert stranger.status_code == 302, address
        assert stranger.headers["Location"] == f"/accounts/login/?next={address}"
    for address in OWNERS_DEEDS:
        assert as_bob.post(address, {"name": "Mine now"}).status_code == 404, address
        assert anonymous.post(address, {"name": "Mine now"}).status_code == 302, address
    bot = version.bot
    bot.refresh_from_db()
    assert (bot.name, bot.withdrawn_at, bot.versions.count()) == ("Ada's first", None, 2)
    assert bot.active_version is not None
    assert bot.active_version.number == 1
    page = "/bots/adas-first/"
    for address in (page, f"{page}versions/2/", f"{page}versions/2/check/", "/bots/"):
        for client in (as_bob, anonymous):
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert [secret for secret in SECRETS if secret in answer.content.decode()] == [], address
    source = as_ada.get(f"{page}versions/2/source.zip")
    assert source.headers["Content-Disposition"] == 'attachment; filename="adas-first-v2.zip"'
    assert source.headers["Cache-Control"] == "private, no-store"
    with zipfile.ZipFile(io.BytesIO(source.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"bot.py": python_bot("two")}


def test_a_version_that_was_not_accepted_is_its_owners_secret(
    ada: User, as_ada: Client, as_bob: Client, anonymous: Client
) -> None:
    version = new_bot(ada)
    for rejected in (False, True):
        if rejected:
            judge(version, False, LOG)
        for address in ("/bots/adas-first/versions/1/", "/bots/adas-first/versions/1/check/"):
            assert as_ada.get(address).status_code == 200
            assert as_bob.get(address).status_code == 404
            assert anonymous.get(address).status_code == 404
        assert "/versions/1/" not in as_bob.get("/bots/adas-first/").content.decode()


def test_the_admin_shows_no_source_no_log_and_changes_no_version(ada: User, anonymous: Client) -> None:
    version = checked(ada, accepted=False)
    sign_in_operator(anonymous)
    rows = {
        "version": version.pk,
        "checkreport": version.check_report.pk,
        "archive": version.sha256,
        "bot": version.bot.pk,
    }
    for address in (*(f"{kind}/{key}/change" for kind, key in rows.items()), *rows, "token"):
        page = anonymous.get(f"/admin/bots/{address}/")
        assert page.status_code == 200, address
        html = page.content.decode()
        for secret in (LOG, "Traceback of Ada", "def choose"):
            assert secret not in html
    for row in ("version", "checkreport", "archive", "token"):
        assert anonymous.get(f"/admin/bots/{row}/add/").status_code == 403
    assert anonymous.post(f"/admin/bots/version/{version.pk}/delete/", {"post": "yes"}).status_code == 403
