"""Somebody with nothing but the site's pages: a token, then the API by curl and by TypeScript."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.api.document import DESCRIPTION
from kit.local.new import TEMPLATES
from tests.browser.test_journey import sign_up
from tests.site import RunningSite
from tools.run.steps import ROOT, TSC

TUTORIAL = ROOT / "docs" / "author" / "first-bot.md"
BOT = TEMPLATES / "python" / "bot.py"
SECRET = re.compile(r"crapette_[\w-]{20,}")
MODULES = ROOT / "node_modules"
CHECKING = ("uploaded", "checking")
SECONDS = 240


def make_token(page: Page, name: str, *scopes: str) -> str:
    """Make a token on the account page, with the double click of a hasty hand; what it shows once."""
    page.goto("/bots/account/")
    page.get_by_label("Token name").fill(name)
    for box in page.get_by_role("group", name="It may").get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") in scopes)
    page.get_by_role("button", name="Create a token").dblclick()
    shown = page.locator("#secret")
    expect(shown).to_have_text(SECRET)
    return shown.inner_text().strip()


@pytest.mark.usefixtures("uploads")
def test_the_tutorial_leads_to_the_ladders(page: Page, site: RunningSite, tmp_path: Path) -> None:
    """All of its commands but those that install the kit; `tests.first_hour` runs these as well."""
    sign_up(page, "newauthor")
    token = make_token(page, "laptop", "read", "upload")
    crapette = tmp_path / "bin" / "crapette"
    crapette.parent.mkdir()
    crapette.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {sys.executable} -P -m kit.cli "$@"\n'
    )
    crapette.chmod(0o755)
    _, *blocks = re.findall(r"```sh\n(.*?)```", TUTORIAL.read_text(), re.DOTALL)
    commands = "".join(blocks).replace("https://SITE", site.url.rstrip("/"))
    # A name that no other bot of the site has, and one pair of games in place of ten.
    commands = commands.replace("mybot", "tutorial-bot").replace("--pairs 10", "--pairs 1")
    commands = re.sub(r"^(crapette sprt .*)$", r"\1 --pairs 1 || test $? -eq 3", commands, flags=re.M)
    done = subprocess.run(
        ["/bin/sh", "-exc", commands],
        cwd=tmp_path,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("DJANGO_")},
            "PATH": os.pathsep.join((str(crapette.parent), os.environ["PATH"])),
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        },
        input=f"{token}\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert token not in done.stdout
    assert re.search(r"Version 1 is on the ladders of .*crapaud.*vitesse", done.stdout), done.stdout


def first_steps(page: Page) -> list[str]:
    """The commands at the top of the API's page, as a reader copies them."""
    page.goto("/api/docs", timeout=1000 * SECONDS)
    shown = page.locator(".prose pre").first.inner_text()
    written = re.search(r"```sh\n(.*?)```", DESCRIPTION, re.DOTALL)
    assert written is not None
    assert shown.strip() == written[1].strip()
    joined = shown.replace("\\\n", " ")
    return [unescape(line) for line in joined.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.usefixtures("uploads")
def test_the_first_steps_of_the_api_page_lead_to_a_record(
    page: Page, site: RunningSite, tmp_path: Path
) -> None:
    sign_up(page, "curler")
    token = make_token(page, "curl", "read", "upload", "compete")
    shutil.copy(BOT, tmp_path)
    environment = {"PATH": os.environ["PATH"], "SITE": site.url.rstrip("/"), "CRAPETTE_TOKEN": token}

    def run(command: str) -> str:
        """What a command prints; any answer that refuses is an error."""
        command = command.replace("curl ", "curl -sS --fail-with-body ", 1)
        done = subprocess.run(
            ["/bin/sh", "-ec", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    account, upload, check, hold, follow, standings, games, record = first_steps(page)
    assert json.loads(run(account))["user"] == "curler"
    assert json.loads(run(upload))["bot"] == "my-bot"
    # As often as the API's limits allow for minutes.
    deadline = time.monotonic() + SECONDS
    while (status := json.loads(run(check))["status"]) in CHECKING and time.monotonic() < deadline:
        time.sleep(0.5)
    assert status == "accepted"
    assert json.loads(run(hold))["tournament"] == "my-cup"
    lines = [json.loads(line) for line in run(follow).splitlines() if line.strip()]
    assert {(line["tournament"], line["type"]) for line in lines} == {("my-cup", "progress")}
    assert lines[-1]["state"]["status"] == "finished"
    places = json.loads(run(standings))["items"]
    assert {one["entry"]["bot"] for one in places} == {"my-bot", "random"}
    played = json.loads(run(games))["items"]
    assert len(played) == 2
    environment["GAME"] = played[0]["id"]
    whole = json.loads(run(record))
    assert (whole["game"], whole["events"][-1]["type"]) == (played[0]["id"], "end")


@pytest.mark.at_length
@pytest.mark.usefixtures("uploads")
def test_a_client_made_from_the_document_compiles_and_does_the_same(
    page: Page, site: RunningSite, tmp_path: Path
) -> None:
    sign_up(page, "typist")
    token = make_token(page, "typescript", "read", "upload", "compete")
    # A new site may still be writing it.
    document = page.request.get("/api/openapi.json", timeout=1000 * SECONDS)
    (tmp_path / "openapi.json").write_bytes(document.body())
    (tmp_path / "node_modules").symlink_to(MODULES)
    shutil.copy(ROOT / "tests" / "browser" / "client.ts", tmp_path)
    generator = MODULES / "openapi-typescript" / "bin" / "cli.js"
    # As the page of the API says, without fetching the generator.
    _, *words = shlex.split(re.search(r"`npx (openapi-typescript .*?)`", DESCRIPTION, re.DOTALL)[1])  # type: ignore[index]
    words[0] = "openapi.json"
    _run(tmp_path, "node", str(generator), *words)
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--noEmitOnError")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    _run(tmp_path, str(TSC), *options, "--outDir", ".", "client.ts")
    said = _run(tmp_path, "node", "client.js", site.url.rstrip("/"), token, "Typed", BOT.read_text())
    told: dict[str, Any] = json.loads(said)
    assert told.pop("lines") >= 2
    assert told == {"games": 2, "seats": ["random", "typed"], "record": True, "refused": "not-found"}


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{command[:2]}\n{done.stdout}\n{done.stderr}"
    return done.stdout
