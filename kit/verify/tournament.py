"""Verifies a whole tournament: computes everything again, from the seeds to the standings and ratings."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from analysis.formats import circle, committed_seeds
from analysis.formats.bracket import (
    MATCH_POINTS,
    PlayedMatch,
    bracket,
    most_extra,
    order_by_place,
    resolve,
    winners,
)
from analysis.formats.groups import in_group, rank_groups
from analysis.formats.groups import rule_of as group_rule_of
from analysis.formats.matches import MatchPair, count_points, rule_of, state
from analysis.formats.standings import Meeting, forfeit, match_as_game, standings
from analysis.ratings import elo, plackett_luce
from analysis.ratings.match_arrays import Match
from analysis.scores import Leg, margins, pair_outcome, pair_points
from analysis.verifiable_bundle import STATISTICS
from kit.verify.older_rules import check_test, widen
from kit.verify.stages import StagedEvent, SwissEvent, after_voids, is_over

if TYPE_CHECKING:
    from analysis.formats.bracket import Node
    from analysis.formats.matches import MatchRule
    from kit.verify.findings import Findings

KNOCK_OUT = ("single-elimination", "double-elimination")
NEW_DEALS = "Some pairs were played on deals that nothing commits to, as the others might have been known."
SUMS = ("head_to_head", "sonneborn_berger", "buchholz")

Line = dict[str, Any]
Key = tuple[int, int, int, int]
"""Round, table, number and run of a pair."""


class BundledTournament:
    """The contents of a bundle, with as much of each game as the sums need."""

    def __init__(self, head: Line, found: Findings) -> None:
        self.head = head
        self.found = found
        self.batches: dict[int, Line] = {}
        self.entrants: dict[int, Line] = {}
        self.pairings: dict[tuple[int, int], Line] = {}
        self.pairs: dict[Key, Line] = {}
        self.results: dict[Key, dict[int, Line]] = {}
        self.standings: list[Line] = []
        self.met: list[Line] = []
        self.ratings: dict[int, Line] = {}
        self.caveats: list[str] = []

    def add(self, line: Line) -> None:
        """Read a line of the bundle that is not a game. A KeyError names a missing field."""
        match line["kind"]:
            case "batch":
                self.batches[line["batch"]] = line
            case "entrant":
                self.entrants[line["number"]] = line
            case "pairing":
                self.pairings[line["round"], line["table"]] = line
            case "pair":
                key = (line["round"], line["table"], line["number"], line["run"])
                if key in self.pairs:
                    self.found.add(_pair_name(key), "", "is in the bundle twice")
                self.pairs[key] = line
            case "standing":
                self.standings.append(line)
            case "met":
                self.met.append(line)
            case "rating":
                self.ratings[line["entrant"]] = line
            case other:
                raise ValueError(f"expected a known kind of line, got {other!r}")

    def add_game(self, record: Line) -> None:
        """Read a game that has already been checked by itself. It must be a leg of a pair."""
        where, proof, same = f"game {record['game']}", record["proof"], self.found.same
        key = (proof["round"], proof["table"], proof["number"], proof["run"])
        pair = self.pairs.get(key)
        if pair is None:
            self.found.add(where, "proof", f"expected a pair of the bundle, got {_pair_name(key)}")
            return
        legs = self.results.setdefault(key, {})
        if proof["leg"] in legs:
            self.found.add(
                where, "proof.leg", f"leg {proof['leg']} of {_pair_name(key)} has been counted already"
            )
        legs[proof["leg"]] = record["result"]
        for name in ("variant", "players", "clock"):
            same(where, name, self.head[name], record[name])
        for name in ("seed", "seed_commitment"):
            same(where, f"proof.{name}", self.head[name], proof[name])
        same(where, "proof.tournament", self.head["slug"], proof["tournament"])
        # Of a void pair in a round that goes on, only its games tell the deal, which they are checked by.
        told = ("batch", "deal") if pair["deal_seed"] is None else ("batch", "deal", "deal_seed")
        for name in told:
            same(where, f"proof.{name}", pair[name], proof[name])
        batch = self.batches[pair["batch"]]
        same(where, "proof.batch_commitment", batch["commitment"], proof["batch_commitment"])
        same(where, "proof.batch_seed", batch["seed"], proof["batch_seed"])
        status = "void" if pair["status"] == "void" else "finished"
        same(where, "status", status, record["status"])
        numbers = self.pairings[key[0], key[1]]["entrants"]
        for seat, number in enumerate(circle.rotations(numbers)[proof["leg"]]):
            entrant = self.entrants[number]
            for name in ("bot", "version", "owner", "house"):
                same(where, f"seats[{seat}].{name}", entrant[name], record["seats"][seat][name])
            same(where, f"proof.versions[{seat}]", entrant["sha256"], proof["versions"][seat])

    def check(self) -> None:
        """Check everything that involves more than one game; `caveats` say what cannot be."""
        for where, part in (
            ("seeds", self._seeds),
            ("pairs", self._pairs),
            ("pairings", self._pairings),
            ("matches", self._matches),
            ("schedule", self._schedule),
            ("standings", self._standings),
            ("ratings", self._ratings),
            ("test", self._test),
        ):
            with self.found.reading(where):
                part()

    def _seeds(self) -> None:
        """Check commitments against the seeds revealed so far."""
        head, same = self.head, self.found.same
        if head["seed"] is not None:
            same(
                "tournament",
                "seed_commitment",
                committed_seeds.commitment(head["seed"]),
                head["seed_commitment"],
            )
        for number, batch in self.batches.items():
            where = f"batch {number}"
            if head["seed"] is not None:
                same(where, "seed", committed_seeds.round_seed(head["seed"], number), batch["seed"])
            if batch["seed"] is not None:
                same(where, "commitment", committed_seeds.commitment(batch["seed"]), batch["commitment"])

    def _pairs(self) -> None:
        """Check that each pair has its deal, counts once and has the outcome of its games, and that void ones
        have a reason."""
        live: set[tuple[int, ...]] = set()
        for key, pair in self.pairs.items():
            where = _pair_name(key)
            with self.found.reading(where):
                self._deal_of(pair, where)
                if pair["status"] == "void":
                    if not pair["void_reason"]:
                        self.found.add(where, "void_reason", "expected a reason, got none")
                    continue
                if key[:3] in live:
                    self.found.add(where, "run", "expected one run that is not void, got more")
                live.add(key[:3])
                legs = self.results.get(key, {})
                if pair["status"] == "accepted":
                    self.found.same(where, "games", list(range(self.head["players"])), sorted(legs))
                    outcome = pair_outcome(_legs(legs))
                    self.found.same(where, "score", outcome.score, pair["score"])
                    self.found.same(where, "margin", float(outcome.margin), pair["margin"])
                    if self._rule is not None:
                        self.found.same(where, "points", list(pair_points(_legs(legs))), pair["points"])

    def _deal_of(self, pair: Line, where: str) -> None:
        """Check that the pair's deal follows from its round or number."""
        same, kind = self.found.same, self.head["format_name"]
        if kind == "ladder":
            same(where, "batch", committed_seeds.batch_of(pair["deal"]), pair["batch"])
        else:
            batch = committed_seeds.batch_of(pair["number"]) if kind == "sprt" else pair["round"]
            same(where, "deal", pair["number"], pair["deal"])
            same(where, "batch", batch, pair["batch"])
        seed = self.batches[pair["batch"]]["seed"]
        if "new_deal" in pair:
            if NEW_DEALS not in self.caveats:
                self.caveats.append(NEW_DEALS)
        elif seed is not None:
            same(where, "deal_seed", committed_seeds.deal_of(seed, pair["deal"]), pair["deal_seed"])

    def _accepted(self) -> dict[tuple[int, int], list[Key]]:
        found: dict[tuple[int, int], list[Key]] = {}
        for key, pair in self.pairs.items():
            if pair["status"] == "accepted":
                found.setdefault(key[:2], []).append(key)
        return found

    def _pairings(self) -> None:
        """Check that the counts of each pairing are the sums over its accepted pairs."""
        accepted = self._accepted()
        for key, pairing in self.pairings.items():
            sums: dict[str, Any] = {
                "done": 0, "wins": 0, "draws": 0, "losses": 0, "penta": [0] * 5, "margin_sum": 0.0
            }  # fmt: skip
            for pair in accepted.get(key, ()):
                outcome = pair_outcome(_legs(self.results.get(pair, {})))
                sums["done"] += 1
                sums["wins"] += outcome.wins
                sums["draws"] += outcome.draws
                sums["losses"] += outcome.losses
                sums["margin_sum"] += outcome.margin
                if outcome.games == 2:
                    sums["penta"][outcome.score] += 1
            for name, value in sums.items():
                self.found.same(f"round {key[0]}, table {key[1]}", name, value, pairing[name])

    @property
    def _rule(self) -> MatchRule | None:
        """The rule of matches to points, or None if none were played."""
        return rule_of(self.head["options"])

    def _matches(self) -> None:
        """Check that the totals and the winner of each match follow from its pairs, in order."""
        rule = self._rule
        if rule is None:
            return
        live: dict[tuple[int, int], list[MatchPair]] = {}
        for (number, table, *_), pair in self.pairs.items():
            if pair["status"] != "void":
                points = (pair["points"][0] or 0, pair["points"][1] or 0)
                one = MatchPair(pair["number"], pair["status"] == "accepted", points)
                live.setdefault((number, table), []).append(one)
        for key, pairing in self.pairings.items():
            stands, where = state(rule, count_points(live.get(key, ()))), f"round {key[0]}, table {key[1]}"
            self.found.same(where, "points", list(stands.points), pairing["points"])
            self.found.same(where, "match", winner_by_forfeit(pairing) or stands.result, pairing["match"])
            if self.head["status"] == "finished" and len(pairing["entrants"]) == 2 and not pairing["match"]:
                self.found.add(where, "match", "expected a finished match, got one that is not over")

    def _schedule(self) -> None:
        """Check that everyone meets everyone in a two-player round-robin, in the circle method's order, and
        the rounds of a Swiss."""
        head = self.head
        if head["format_name"] == "groups":
            self._staged.check()
            return
        if head["format_name"] == "swiss":
            event = SwissEvent(
                head,
                self.entrants,
                self.pairings,
                self._meeting,
                self._bye,
                {key[:2] for key, pair in self.pairs.items() if _counted_once(pair)},
                self.found,
            )
            self.caveats += filter(None, [event.check()])
            return
        if head["format_name"] != "round-robin" or head["players"] != 2 or not self.pairings:
            return
        numbers = sorted(self.entrants)
        expected = {
            (number, table): [numbers[first], numbers[second]]
            for number, tables in enumerate(circle.circle(len(numbers), head["cycles"]), start=1)
            for table, (first, second) in enumerate(tables, start=1)
        }
        lacking = set() if self._is_over else expected.keys() - self.pairings.keys()
        if lacking:
            rounds = ", ".join(map(str, sorted({number for number, _ in lacking})))
            self.caveats.append(f"Not checked: who meets whom at tables of round {rounds} that are hidden.")
        for key in sorted((expected.keys() | self.pairings.keys()) - lacking):
            where = f"round {key[0]}, table {key[1]}"
            got = self.pairings[key]["entrants"] if key in self.pairings else None
            self.found.same(where, "entrants", expected.get(key), got)

    @property
    def _staged(self) -> StagedEvent:
        """The tournament as one with groups."""
        numbers = sorted(self.entrants)
        parts = (self.head, numbers, self.pairings, self._meeting, self._played_match)
        # Ties in the groups of a former one were broken otherwise, as after a pair was voided.
        former = {key for key, line in self.pairings.items() if self._is_former and in_group(line["label"])}
        return StagedEvent(*parts, self._voided | former, self.found)

    @property
    def _voided(self) -> set[tuple[int, int]]:
        """The rounds and tables in which a pair was voided."""
        return {key[:2] for key, pair in self.pairs.items() if pair["status"] == "void"}

    @property
    def _is_over(self) -> bool:
        """Whether the tournament has ended, so that nothing of it is hidden."""
        return self.head["status"] in ("finished", "cancelled")

    @property
    def _is_former(self) -> bool:
        """Whether the bundle is from before ties were broken as now (`verifiable_bundle.STATISTICS`)."""
        return bool(self.head.get("statistics", 1) < STATISTICS)

    @property
    def _bye(self) -> float:
        """What a bye is worth in a Swiss."""
        return 0.5 if self._rule else float(self.head["players"] * self.head["pairs_per_pairing"] / 2)

    def _meeting(self, line: Line) -> list[Meeting]:
        """What two made against each other, played and forfeited; nothing if nothing counts, and of a bye."""
        if len(line["entrants"]) != 2:
            return []
        one, other = line["entrants"]
        if self._rule is not None:
            if left_by(line) is not None:
                return forfeit(line["entrants"], line["forfeited_by"], 1)
            margin = line["points"][0] - line["points"][1]
            return [match_as_game(one, other, line["match"], margin)] if line["match"] else []
        counts = (line["wins"], line["draws"], line["losses"])
        played = Meeting(one, other, *counts, tuple(line["penta"]), 2 * line["margin_sum"])
        return [*([played] if line["done"] else []), *self._forfeits(line)]

    def _forfeits(self, line: Line) -> list[Meeting]:
        """The games that were not played because an entrant left."""
        if left_by(line) is None:
            return []
        return forfeit(line["entrants"], line["forfeited_by"], self.head["players"] * line["forfeited"])

    def _meetings(self) -> list[Meeting]:
        if self.head["players"] == 2:
            return [one for line in self.pairings.values() for one in self._meeting(line)]
        found = [one for line in self.pairings.values() for one in self._forfeits(line)]
        for seated, result in self._group_games():
            rank = {seat: place for place, group in enumerate(result["ranking"]) for seat in group}
            worth = margins(result["points"], result["left"], result["seat"])
            share = (len(seated) - 1) / len(seated)
            for one, other in combinations(range(len(seated)), 2):
                ahead, behind = rank[one] < rank[other], rank[one] > rank[other]
                level = not (ahead or behind)
                margin = (worth[one] - worth[other]) * share
                counts = (int(ahead), int(level), int(behind))
                found.append(Meeting(seated[one], seated[other], *counts, margin=margin))
        return found

    def _group_games(self) -> list[tuple[tuple[int, ...], Line]]:
        """Return the accepted games: the entrants by seat, and the result."""
        return [
            (circle.rotations(self.pairings[key]["entrants"])[leg], result)
            for key, pairs in self._accepted().items()
            for pair in pairs
            for leg, result in self.results.get(pair, {}).items()
        ]

    def _deals(self) -> list[list[list[list[int]]]]:
        """The finishing orders of the accepted games, in lists of one deal each."""
        found: dict[tuple[int, int], list[list[list[int]]]] = {}
        for key, pairs in self._accepted().items():
            seatings = circle.rotations(self.pairings[key]["entrants"])
            for pair in pairs:
                for leg, result in self.results.get(pair, {}).items():
                    ranking = [[seatings[leg][seat] for seat in group] for group in result["ranking"]]
                    line = self.pairs[pair]  # whose deal may still be secret
                    found.setdefault((line["batch"], line["deal"]), []).append(ranking)
        return list(found.values())

    def _standings(self) -> None:
        byes: dict[int, float] = {}
        for line in self.pairings.values():
            if len(line["entrants"]) == 1 and self.head["format_name"] == "swiss":
                byes[line["entrants"][0]] = byes.get(line["entrants"][0], 0.0) + self._bye
        gauntlet = self.head["format_name"] == "gauntlet"
        ordered = standings(sorted(self.entrants), self._meetings(), byes, per_game=gauntlet)
        if self.head["format_name"] in KNOCK_OUT and len(self.entrants) > 1:
            ordered = order_by_place(ordered, self._bracket())
        elif self.head["format_name"] == "groups":
            ordered = order_by_place(ordered, self._staged.places())
        rows = {row.entrant: row for row in ordered}
        self.found.same("standings", "entrants", sorted(rows), sorted(s["entrant"] for s in self.standings))
        former = self._is_former
        decided = self.head["format_name"] in KNOCK_OUT and self.head["status"] == "finished"
        if former:
            self.caveats.append(
                "Not checked: how ties are broken, because this download is older than the rules for it."
            )
        for line in self.standings:
            where, row = f"standing of entrant {line['entrant']}", rows[line["entrant"]]
            for name in ("wins", "draws", "losses", *(() if former and not decided else ("place",))):
                self.found.same(where, name, getattr(row, name), line[name])
            for name in ("points", "margin", *(() if former else SUMS)):
                self.found.same(where, name, float(getattr(row, name)), line[name])
        for one, other in pairwise(self.standings):
            if (
                former
                and self.head["format_name"] not in (*KNOCK_OUT, "groups")
                and one["points"] < other["points"]
            ):
                what = f"entrant {one['entrant']} is listed before entrant {other['entrant']}, which has more"
                self.found.add("standings", "points", what)
            if one["place"] > other["place"]:
                self.found.add(
                    "standings", "place", f"place {one['place']} is listed before place {other['place']}"
                )

    def _bracket(self) -> list[list[int]]:
        """Return the groups of equal place in a knockout."""
        over = (line for line in self.pairings.values() if is_over(line) and len(line["entrants"]) == 2)
        numbers = sorted(self.entrants)
        won, _ = winners(list(map(self._played_match, over)), {number: number for number in numbers})
        nodes = self._nodes(len(numbers))
        went_on = after_voids(nodes, won, self.pairings, self._voided)
        return rank_groups((), numbers, resolve(numbers, nodes, went_on))

    def _nodes(self, entrants: int) -> list[Node]:
        """Return the matches of its bracket."""
        return bracket(entrants, double=self.head["format_name"] == "double-elimination")

    def _played_match(self, line: Line) -> PlayedMatch:
        """A match of the bracket as its rule sees it."""
        rule = group_rule_of(self.head["options"])
        planned = (rule.knockout_pairs if rule else 0) or self.head["pairs_per_pairing"]
        points = (line["wins"] + line["draws"] / 2, line["losses"] + line["draws"] / 2)
        margin, extra = line["margin_sum"], line["planned"] - planned
        entrants = rule.for_entrants(len(self.entrants)).qualifiers if rule else len(self.entrants)
        most = most_extra(line["label"], self._nodes(entrants), self.head["options"])
        if winner := winner_by_forfeit(line):
            points = MATCH_POINTS[winner]
        elif self._rule is not None:
            points, extra = MATCH_POINTS[line["match"]], most
            margin = line["points"][0] - line["points"][1]
        one, other = line["entrants"]
        return PlayedMatch(line["label"], (one, other), points, margin, extra, most)

    def _ratings(self) -> None:
        """Check the ratings computed from this tournament alone."""
        anchor = self.head["anchor"]
        fixed = {} if anchor is None else {anchor: elo.ANCHOR_ELO}
        if self.head["players"] == 2:
            sums: dict[tuple[int, int], list[int]] = {}
            for line in self.pairings.values():
                if len(line["entrants"]) == 2 and line["done"]:
                    counts = sums.setdefault((line["entrants"][0], line["entrants"][1]), [0] * 5)
                    for index, count in enumerate(line["penta"]):
                        counts[index] += count
            met = [[*couple, *counts] for couple, counts in sorted(sums.items())]
            told = [[line["first"], line["second"], *line["penta"]] for line in self.met]
            self.found.same("ratings", "met", met, told)
            matches = [Match(row[0], row[1], tuple(row[2:])) for row in met]  # type: ignore[arg-type]
            fitted = elo.fit(matches, fixed)
            estimates = dict(zip(fitted.players, fitted.estimates, strict=True))
        else:
            estimates = plackett_luce.fit(self._deals(), fixed)
        if self.head.get("statistics", 1) < STATISTICS:
            self.caveats += widen(self.ratings, estimates)
        check_estimates(estimates, self.ratings, self.found)

    def _test(self) -> None:
        """Check the verdict of a finished sequential test."""
        options = self.head["options"]
        if self.head["format_name"] != "sprt" or "verdict" not in options:
            return
        scores: list[int] = []
        live = sorted(key for key, pair in self.pairs.items() if pair["status"] != "void")
        for number, key in enumerate(live, start=1):
            if key[2] != number or self.pairs[key]["status"] != "accepted":
                break
            scores.append(self.pairs[key]["score"])
        self.caveats += check_test(options, scores, self.found)


def _counted_once(pair: Line) -> bool:
    """Whether a pair is void that had been accepted: rounds may have been paired by its result."""
    return pair["status"] == "void" and pair["score"] is not None


def left_by(line: Line) -> int | None:
    """The entrant that left the event before a pairing was over; bundles of earlier versions know of none."""
    found: int | None = line.get("forfeited_by")
    return found


def winner_by_forfeit(line: Line) -> str:
    """Which of two the other one left the match to; empty if nobody left."""
    if left_by(line) is None:
        return ""
    return "second" if line["entrants"][0] == left_by(line) else "first"


def check_estimates(estimates: dict[int, elo.Estimate], told: dict[int, Line], found: Findings) -> None:
    """Compare published with computed ratings, by player."""
    found.same("ratings", "players", sorted(estimates), sorted(told))
    for key in sorted(estimates.keys() & told.keys()):
        for name in ("elo", "error", "anchored"):
            found.same(f"rating of {key}", name, getattr(estimates[key], name), told[key][name])


def _legs(results: dict[int, Line]) -> list[Leg]:
    return [
        Leg(number, result["ranking"], result["points"], result["left"], result["seat"])
        for number, result in sorted(results.items())
    ]


def _pair_name(key: Key) -> str:
    run = f", run {key[3]}" if key[3] != 1 else ""
    return f"round {key[0]}, table {key[1]}, pair {key[2]}{run}"
