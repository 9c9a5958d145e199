"""Games of a tournament really played, and what the offline verifier says of its bundle."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.test import Client

from kit.verify.findings import Findings
from kit.verify.tournament import BundledTournament
from kit.verify.verifier import verify
from tests.factories.games import played
from tests.factories.results import accept_result, claim_as_a_worker
from tests.thinking import analysis_beside_a_download
from tournaments.games.bundles import tournament_lines
from tournaments.games.claims import Kind
from tournaments.models import Tournament
from tournaments.pairing.progress import advance


def play_really(tournament: Tournament, most: int = 10_000) -> None:
    """Play real games until the tournament is over, or so many."""
    kind = Kind.MIXED if tournament.admits_remote else Kind.LOCAL
    for _ in range(most):
        found = claim_as_a_worker(kind)
        if found is None:
            advance(tournament.pk)
            found = claim_as_a_worker(kind)
        if found is None:
            break
        accept_result(found, played(found.game))
    advance(tournament.pk)
    tournament.refresh_from_db()


def download(path: str) -> bytes:
    """All of a file that the site sends."""
    with analysis_beside_a_download():
        answer = Client().get(path)
        assert answer.status_code == 200
        content = b"".join(answer) if answer.streaming else answer.content
    assert isinstance(content, bytes)
    return content


def downloaded(tournament: Tournament) -> bytes:
    """The bundle of a tournament."""
    return download(f"/tournaments/{tournament.slug}/bundle.jsonl")


def differences(content: bytes) -> list[str]:
    """What the verifier finds in a file."""
    return [str(finding) for finding in verify(io.BytesIO(content))[0]]


def bundled(event: Tournament) -> list[dict[str, Any]]:
    """The lines of an event's bundle."""
    return [json.loads(line) for line in tournament_lines(event)]


def findings(lines: Sequence[Mapping[str, Any]]) -> tuple[list[str], str]:
    """What is wrong with them beyond single games, which may be invented; and what was not checked."""
    found = Findings()
    read = BundledTournament(dict(lines[0]), found)
    for line in lines[1:-1]:
        if line["kind"] == "game":
            read.add_game(dict(line))
        else:
            read.add(dict(line))
    read.check()
    return [str(one) for one in found], " ".join(read.caveats)
