"""Every attack of the corpus, at both levels, beside an honest opponent and before the next game."""

from __future__ import annotations

import dataclasses
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

from sandbox import Level, memory_of
from sandbox.plan import LAYERS
from sandbox.walls import jail
from tests.security.arena import try_attack
from tests.security.corpus import Attack, all_attacks, together
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from sandbox import Stage

CORPUS = all_attacks()
SHARED = [attack for attack in CORPUS if attack.shares]
OWN = [attack for attack in CORPUS if not attack.shares]
ABLATIONS = [attack for attack in CORPUS if attack.without]
FAULTS = {
    "memory": "BotOutOfMemory",
    "cpu": "BotOutOfCpu",
    "silent": "BotSilent",
    "flooded": "BotFlooded",
    "exited": "BotExited",
    "crashed": "BotExited",
    "forbidden": "BotExited",
}
CAUSES = {"memory": "memory", "cpu": "cpu", "crashed": "crash", "forbidden": "forbidden"}
FEWEST_ATTACKS = 124
ABLATION_SECONDS = 2.0
STDERR_KEPT = (64 << 10) + 100
MORE_BYTES = 88 << 20
"""What it may have in memory beyond its limit: the interpreter's files, and what sampling lets pass."""
DIFFERENT = frozenset({"files", "inherited descriptors", "memory", "processes"})
"""What is not contained by the filter alone, which all Python bots share."""


def test_the_corpus_is_of_every_family_and_large_enough() -> None:
    assert len({attack.name for attack in CORPUS}) == len(CORPUS) >= FEWEST_ATTACKS
    assert {attack.family for attack in CORPUS} == {
        *("processes", "memory", "time", "output", "files", "other processes", "network"),
        *("kernel interfaces", "inherited descriptors"),
    }
    assert {layer for attack in ABLATIONS for layer in attack.without} >= LAYERS - {
        *("no-proc", "net", "ipc", "uts", "pid", "pdeathsig", "no_new_privs")
    }


def levels(attack: Attack) -> list[Level]:
    """Where an attack is tried: what only the filter, the clock or the reader holds back is alike at both."""
    elsewhere = attack.without == {"seccomp"} or attack.family in {"time", "output"}
    the_same = elsewhere and attack.expect == attack.confined
    return [at_one_level(attack.name)] if the_same and not THOROUGH else list(Level)


def at_one_level(name: str) -> Level:
    """The level at which an attack is tried where one is enough: one half of them at each."""
    return list(Level)[crc32(name.encode()) % 2]


@pytest.mark.parametrize(
    ("attack", "level"),
    [(attack, level) for attack in OWN for level in levels(attack)],
    ids=lambda value: value.name if isinstance(value, Attack) else str(value),
)
def test_an_attack_is_contained(attack: Attack, level: Level, stage: Stage) -> None:
    assert_contained(attack, level, stage)


@pytest.mark.parametrize("packages", [False, pytest.param(True, marks=pytest.mark.at_length)])
def test_what_a_python_bot_tries_is_refused(packages: bool, level: Level, stage: Stage) -> None:
    attacks = [attack for attack in SHARED if not packages or attack.name != "packages_of_others"]
    bot = together(attacks)
    seen = try_attack(bot.with_packages() if packages else bot, level, stage)
    expected = {attack.name: attack.expected(level, jail=jail.possible()) for attack in attacks}
    found = dict(line.split(" ", 1) for line in seen["heard"])
    assert {name: found.get(name) for name, ends in expected.items() if ends == ["denied"]} == {
        name: "denied" for name, ends in expected.items() if ends == ["denied"]
    }, seen
    assert_nobody_is_harmed(seen)


@pytest.mark.at_length
@pytest.mark.parametrize(
    "attack",
    [one for one in OWN if one.family in DIFFERENT and one.language == "python"],
    ids=lambda attack: attack.name,
)
def test_an_attack_is_contained_where_bots_have_packages_too(attack: Attack, stage: Stage) -> None:
    assert_contained(attack.with_packages(), at_one_level(attack.name), stage)


def assert_contained(attack: Attack, level: Level, stage: Stage) -> None:
    seen = try_attack(attack, level, stage)
    assert "unavailable" not in seen, seen
    expected = attack.expected(level, jail=jail.possible())
    most = attack.most_confined if level == "confined" and attack.most_confined else attack.most
    ended_so = [way for way in expected if ended(way, seen, most)]
    assert ended_so, f"expected {expected}, got {seen}"
    assert_nobody_is_harmed(seen)
    assert seen["max_rss_kb"] < (memory_of(attack.language) + MORE_BYTES) >> 10


def ended(expected: str, seen: dict[str, Any], most: int) -> bool:
    heard = " ".join(seen["heard"])
    if expected == "denied":
        return heard.startswith("denied")
    if expected == "bounded":
        word, _, amount = heard.partition(" ")
        return word == "bounded" and int(amount) <= most
    if expected == "unasked":
        return seen.get("unasked", 0) > 0 and seen["fault"] in ("", "BotFlooded")
    return bool(seen["fault"] == FAULTS[expected] and seen["cause"] == CAUSES.get(expected, seen["cause"]))


def assert_nobody_is_harmed(seen: dict[str, Any]) -> None:
    for what in ("opponent_well", "next_well", "nobody_left", "we_live"):
        assert seen[what], (what, seen)
    assert (seen["litter"], seen["damage"]) == ([], ""), seen
    assert seen["killed_in"] < 5.0, seen
    assert len(seen["stderr"]) <= STDERR_KEPT


def of_one_start(attack: Attack) -> tuple[str, str, str]:
    """What attacks have alike that are tried by one bot where a layer is left out."""
    by_itself = attack.is_alone or not attack.shares
    return attack.without_at, " ".join(sorted(attack.without)), attack.name if by_itself else ""


@pytest.mark.parametrize(
    "attacks",
    [[*each] for _, each in groupby(sorted(ABLATIONS, key=of_one_start), key=of_one_start)],
    ids=lambda attacks: "+".join(attack.name for attack in attacks),
)
def test_without_its_layer_an_attack_succeeds(attacks: list[Attack], stage: Stage) -> None:
    attack = attacks[0]
    level = Level(attack.without_at)
    if attack.shares:
        bot = together(attacks)
        seen = try_attack(bot, level, stage, without=attack.without)
        assert "unavailable" not in seen, seen
        refused = {line for line in seen["heard"] if line.endswith(" denied") or " failed: " in line}
        assert not refused, f"without {sorted(attack.without)} they should have succeeded: {seen}"
        return
    patient = dataclasses.replace(attack, seconds=min(attack.seconds, ABLATION_SECONDS))
    seen = try_attack(patient, level, stage, without=attack.without)
    assert "unavailable" not in seen, seen
    assert not any(ended(way, seen, attack.most) for way in attack.expected(level, jail=True)), (
        f"without {sorted(attack.without)} it should have succeeded: {seen}"
    )


@pytest.mark.parametrize("name", ["mmap_stack", "mremap_stack", "forged_name"])
def test_a_bot_that_gets_round_its_limits_is_ended_for_its_size(
    name: str, level: Level, stage: Stage
) -> None:
    attack = next(attack for attack in CORPUS if attack.name == name)
    seen = try_attack(attack, level, stage, without=frozenset({"seccomp"}))
    assert (seen["cause"], seen["words"]) == ("memory", "held more than its 512 MB of memory"), seen
