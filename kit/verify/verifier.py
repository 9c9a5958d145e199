"""Parses and verifies one input from its first line to its last."""

from __future__ import annotations

import hashlib
import json
import re
from typing import IO, TYPE_CHECKING, Any, Final

from analysis import game_record, verifiable_bundle
from analysis.event_log import canonical
from analysis.ratings.inputs import FitInputs, intervals
from analysis.ratings.match_arrays import Match
from analysis.ratings.plackett_luce import as_deal
from kit.console.screen import plain
from kit.records.sources import Unreadable, lines
from kit.verify.findings import Findings
from kit.verify.game import Counts, check_game, has_foreign_deal, is_local
from kit.verify.tournament import BundledTournament, check_estimates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.ratings.plackett_luce import Deal

DEEPEST: Final = 50
"""Most levels of nested lists and objects in a line; a record has six."""


TOO_DEEP: Final = f"contains lists nested more than {DEEPEST} deep"


class Damaged(ValueError):
    """A line is not a JSON object, or not what was published; the text says where in the line."""


def parse(line: bytes) -> dict[str, Any]:
    """Return the object in a line, which must be written exactly as the arena writes it."""
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Damaged(f"is not UTF-8 at byte {error.start + 1}{_near(line, error.start)}") from error
    except json.JSONDecodeError as error:
        at = len(error.doc[: error.pos].encode())
        raise Damaged(f"is not JSON at byte {at + 1}{_near(line, at)}: {error.msg}") from error
    except RecursionError as error:
        raise Damaged(TOO_DEEP) from error
    except ValueError as error:  # a number of thousands of digits
        raise Damaged("contains a number with thousands of digits") from error
    if not isinstance(found, dict):
        raise Damaged(f"expected an object, got {found!r:.40}")
    if _deep(found):
        raise Damaged(TOO_DEEP)
    try:
        text = canonical(found)
    except ValueError as error:
        raise Damaged(f"contains something JSON cannot express: {error}") from error
    if text != line.rstrip(b"\n") or line.count(b"\n") != line.endswith(b"\n"):
        pairs = enumerate(zip(text, line, strict=False))
        at = next((index for index, (one, other) in pairs if one != other), min(len(text), len(line)))
        raise Damaged(f"differs from what was published at byte {at + 1}{_near(line, at)}")
    return found


def _deep(found: dict[str, Any]) -> bool:
    """Whether lists and objects are nested deeper than anything published."""
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _near(line: bytes, at: int) -> str:
    """Name the event, or else the field, at a position in a line, as far as that is known."""
    numbers = re.findall(rb'"n":(\d+)', line[:at])
    following = re.search(rb'"n":(\d+)', line[at:])
    if b'"events":[' in line[:at] and b'}],"' not in line[line.find(b'"events":[') : at]:
        # An event begins with its clocks or card; its number comes in the middle.
        begun = line.rfind(b"{", 0, at) > line.rfind(b'"n":', 0, at)
        if begun and following:
            return f" (event {int(following[1])})"
        return f" (event {int(numbers[-1])})" if numbers else " (event 0)"
    names = re.findall(rb'"([a-z_]+)":', line[: at + 1])
    return f" (field {names[-1].decode()})" if names else ""


LARGE = ("tournament", "ratings")
LUCK_CAVEAT = "\nThe luck in the results is what the site measured, and was not measured again."
ALONE = """\
./crapette play recorded this game without a witness. Proved: the cards follow from the seed, every move is
legal, and the moves lead to the result. Not proved: who made the moves, the clocks and comments, and that the
seed was not picked from many."""
FOREIGN = """\
./crapette play --deal recorded this game without a witness, on the deal of another game. Proved: every move
is legal, and the moves lead to the result. Not proved: where the cards come from, who made the moves, the
clocks and comments."""


def verify(file: IO[bytes]) -> tuple[Findings, str]:
    """Return the differences, and a text: what was checked, and on further lines what cannot be.

    Raises Unreadable.
    """
    found = Findings()
    rest = lines(file)
    first = next(rest, b"")
    try:
        head = parse(first)
    except Damaged as error:
        if not first:
            raise Unreadable("Expected a bundle or a record, got an empty file.") from error
        raise Unreadable(f"The first line {error}.") from error
    if not isinstance(head.get("format"), int):
        raise Unreadable("Expected a record or bundle of an arena, got other JSON.")
    known = game_record.FORMAT if "events" in head else verifiable_bundle.FORMAT
    if head["format"] != known:
        raise Unreadable(f"Expected format {known}, got {head['format']!r}.")
    if "events" in head:
        if head.get("status") == "running" or ("proof" not in head and not head.get("result")):
            raise Unreadable(
                "Expected a finished game. This one is not over, so there is nothing to verify yet."
            )
        if "proof" not in head:
            raise Unreadable(
                "Expected a record with a proof, got one without. It comes from the check of an upload,"
                " from a game against a person, or from an older ./crapette play."
            )
        counts = Counts()
        check_game(head, found, counts)
        proved = "" if has_foreign_deal(head) else "deal, "
        checked = f"game {plain(str(head.get('game')))}: {proved}{counts.plies} moves, result and chain"
        if has_foreign_deal(head):
            return found, f"{checked}\n{FOREIGN}"
        return found, f"{checked}\n{ALONE}" if is_local(head) else checked
    if head.get("kind") not in LARGE:
        raise Unreadable(f"Expected a bundle of a {' or '.join(LARGE)}, got {head.get('kind')!r}.")
    body = _Body(first, rest, found)
    return found, _tournament(head, body, found) if head["kind"] == "tournament" else _ratings(
        head, body, found
    )


class _Body:
    """The lines after the first. Notes damaged ones, and whether the last line's count and hash are right."""

    def __init__(self, first: bytes, rest: Iterator[bytes], found: Findings) -> None:
        self._hash, self._count, self._rest, self._found = hashlib.sha256(first), 1, rest, found

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield all objects but the last; raise Unreadable if the last is missing."""
        end: dict[str, Any] | None = None
        for number, line in enumerate(self._rest, start=2):
            if end is not None:
                self._found.add(f"line {number}", "", "expected nothing after the last line, got more")
                return
            try:
                found = parse(line)
            except Damaged as error:
                if b'"kind":"end"' in line[:16] or not line.endswith(b"\n"):
                    raise Unreadable(_cut(number)) from error
                self._found.add(f"line {number}", "", str(error))
                self._count_in(line)
                continue
            if found.get("kind") == "end":
                end = found
                continue
            self._count_in(line)
            if "events" not in found:
                for path, value in verifiable_bundle.find_damage(found):
                    self._found.add(
                        _name(number, found), path, f"is not what was published, got {value!r:.80}"
                    )
            yield found
        if end is None:
            raise Unreadable(_cut(self._count))
        self._close(end)

    def _count_in(self, line: bytes) -> None:
        self._hash.update(line)
        self._count += 1

    def _close(self, end: dict[str, Any]) -> None:
        self._found.same("last line", "lines", self._count, end.get("lines"))
        if not self._found:
            self._found.same("last line", "sha256", self._hash.hexdigest(), end.get("sha256"))


def _cut(lines_read: int) -> str:
    return f"The bundle is cut off after {lines_read} lines: expected a last line of the kind 'end'."


def _name(number: int, line: dict[str, Any]) -> str:
    """The name of a line in findings: its number, its kind and what it is about."""
    what = " ".join(
        f"{name} {line[name]}"
        for name in ("batch", "round", "table", "number", "run", "entrant", "first", "second")
        if name in line and line.get("kind") != name
    )
    return f"line {number} ({line.get('kind')}{' ' + what if what else ''})"


def _tournament(head: dict[str, Any], body: _Body, found: Findings) -> str:
    for path, value in verifiable_bundle.find_damage(head):
        found.add("line 1 (tournament)", path, f"is not what was published, got {value!r:.80}")
    counts = Counts()
    read = BundledTournament(head, found)
    for number, line in enumerate(body, start=2):
        if "events" in line:
            check_game(line, found, counts, number)
            with found.reading(f"game {line.get('game')}"):
                read.add_game(line)
        else:
            with found.reading(_name(number, line)):
                read.add(line)
    read.check()
    return (
        f"tournament {plain(str(head.get('slug')))}: {counts.games} games, {counts.plies} moves, "
        f"{len(read.pairs)} pairs, {len(read.entrants)} standings and ratings"
        + "".join(f"\n{caveat}" for caveat in read.caveats)
    )


def _ratings(head: dict[str, Any], body: _Body, found: Findings) -> str:
    """Verify a leaderboard: the ratings must follow from the results."""
    for path, value in verifiable_bundle.find_damage(head):
        found.add("line 1 (ratings)", path, f"is not what was published, got {value!r:.80}")
    matches: list[Match] = []
    rankings: list[tuple[Deal, int]] = []
    told: dict[int, dict[str, Any]] = {}
    owners: dict[int, int] = {}
    records: dict[int, int] = {}
    for number, line in enumerate(body, start=2):
        with found.reading(_name(number, line)):
            match line["kind"]:
                case "met":
                    fair = tuple(line["fair"]) if "fair" in line else None
                    matches.append(Match(line["first"], line["second"], tuple(line["penta"]), fair=fair))
                case "owner":
                    owners[line["entrant"]] = line["owner"]
                case "record":
                    records[line["entrant"]] = line["of"]
                case "ranked":
                    rankings.append((as_deal(line["rankings"]), line["deals"]))
                case "rating":
                    told[line["entrant"]] = line
                case other:
                    raise ValueError(f"expected a known kind of line, got {other!r}")
    with found.reading("ratings"):
        anchors = {one["entrant"]: one["elo"] for one in head["anchors"]}
        inputs = FitInputs(anchors, tuple(matches), tuple(rankings), owners, records)
        check_estimates(inputs.estimates(), told, found)
        if head["players"] == 2:
            for key, (low, high) in inputs.with_sharers(intervals(inputs.rate())).items():
                found.same(f"rating of {key}", "low", low, told[key]["low"])
                found.same(f"rating of {key}", "high", high, told[key]["high"])
    board, met = plain(str(head.get("board"))), len(matches) + len(rankings)
    caveat = LUCK_CAVEAT if any(one.fair for one in matches) else ""
    return f"ratings in {board}: {len(told)} versions from {met} meetings{caveat}"
