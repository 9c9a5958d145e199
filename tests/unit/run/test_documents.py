"""The documents agree with the code and with each other."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tools.run import draw

ROOT = Path(__file__).parents[3]
DOCUMENTS = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
)
ARCHITECTURE = ROOT / "docs/develop/architecture.md"
HOP = re.compile(r"^\| \d+ \| `([^:`]+):([^`]+)` \|", re.M)
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w*-]+\.\w+)?)`")
CODE = re.compile(r"^```.*?^```", re.M | re.S)


def named(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def walks() -> dict[str, list[tuple[str, str]]]:
    """The hops of each walk in the architecture document, as (file, name), by heading."""
    sections = re.split(r"^## ", ARCHITECTURE.read_text(), flags=re.M)
    found = {section.partition("\n")[0]: HOP.findall(section) for section in sections}
    return {heading: hops for heading, hops in found.items() if hops}


def defines(file: Path, name: str) -> bool:
    if file.suffix == ".js":
        kind, _, method = name.partition(".")
        text = file.read_text()
        return f"class {kind} " in text and re.search(rf"^  {method}\(.*{{$", text, re.M) is not None
    body: list[ast.stmt] = ast.parse(file.read_text()).body
    for part in name.split("."):
        match = next((one for one in body if getattr(one, "name", None) == part), None)
        if not isinstance(match, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        body = match.body
    return True


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", CODE.sub("", document.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_hop_of_a_walk_is_in_the_code() -> None:
    hops = [hop for hops in walks().values() for hop in hops]
    assert [hop for hop in hops if not defines(ROOT / hop[0], hop[1])] == []


def test_the_page_of_crapette_replay_is_that_of_its_template() -> None:
    assert draw.VIEWER.read_text() == draw.viewer(), "run ./crapette draw"


@pytest.mark.parametrize("name", draw.PARTS)
def test_what_comes_from_the_code_is_current(name: str) -> None:
    document, text = draw.PARTS[name]
    found = draw.between(name).search(document.read_text())
    assert found
    assert found[0] == text(), "run ./crapette draw"


def test_every_link_leads_somewhere_and_every_file_that_is_named_exists() -> None:
    broken = []
    for document in DOCUMENTS:
        text = CODE.sub("", document.read_text())
        for link in (one for one in LINK.findall(text) if "://" not in one):
            path, _, anchor = link.partition("#")
            target = (document.parent / path).resolve() if path else document
            if not target.exists() or (anchor and anchor not in anchors(target)):
                broken.append((named(document), link))
        tops = {path.name for folder in (ROOT, document.parent) for path in folder.iterdir()}
        for path in PATH.findall(text):
            if path.split("/")[0] in tops and not any([*ROOT.glob(path), *document.parent.glob(path)]):
                broken.append((named(document), path))
    assert broken == []


def test_every_command_that_is_shown_exists() -> None:
    usage = subprocess.run([ROOT / "crapette", "help"], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r"^  ([a-z-]+)", usage, re.M))
    benches = set(re.search(r"WHAT is one of: (.*)", usage)[1].split())  # type: ignore[index]
    text = "\n".join(document.read_text() for document in DOCUMENTS)
    assert set(re.findall(r"\./crapette ([a-z-]+)", text)) <= commands
    shown = re.findall(r"\./crapette bench ([a-z|]+)", text)
    assert {bench for one in shown for bench in one.split("|")} <= benches
