"""The commonest mistakes of authors, made on purpose: each is told with what to do about it.

Those that a step of the check says in words of its own are in `test_check_bot`.
"""

from pathlib import Path

import pytest

from kit.conformance import scripted_talk
from kit.local import check_bot

SDK = "from crapette import run\n"
SPOKEN = """\
import json, sys

def tell(**message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        tell(type="ready")
    elif message["type"] == "move":
        legal, id = message["legal"], message["id"]
        {answer}
"""
MISTAKES = {
    "standard input is read": (
        f"{SDK}def choose(turn):\n    input()\n    return turn.legal[0]\nrun(choose)\n",
        "let only run() read standard input",
    ),
    "nothing is printed": (SPOKEN.replace("{answer}", "pass"), "Let it answer at once. Without the SDK"),
    "an answer is not flushed": (
        SPOKEN.replace("{answer}", "print(json.dumps(dict(id=id, moves=legal[:1])))"),
        "end each answer with a newline and flush standard output",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_what_to_do(
    mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, told = MISTAKES[mistake]
    (tmp_path / "bot.py").write_text(source)
    # Long enough to tell a loop from a wait, and shorter than what an author gets. Only what runs in this
    # process takes it over.
    monkeypatch.setattr(scripted_talk, "ANSWER_S", 1.0)
    assert check_bot.main([str(tmp_path / "bot.py"), "--variant", "crapaud", "--unsandboxed"]) == 1
    said = capsys.readouterr()
    assert told in " ".join((said.out + said.err).split())
