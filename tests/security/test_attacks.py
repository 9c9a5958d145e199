"""Every attack of the corpus, at both levels, beside an honest opponent and before the next game."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

from sandbox import Level, memory_of
from sandbox.plan import LAYERS
from sandbox.walls import jail
from tests.security.arena import try_attack
from tests.security.corpus import Attack, all_attacks
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from sandbox import Stage

CORPUS = all_attacks()
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
FEWEST_ATTACKS = 60
ABLATION_SECONDS = 3.0
STDERR_KEPT = (64 << 10) + 100
MORE_BYTES = 88 << 20
"""What it may have in memory beyond its limit: the interpreter's files, and what sampling lets pass."""
DIFFERENT = frozenset({"files", "inherited descriptors", "memory", "processes"})
"""What is not contained by the filter alone, which all Python bots share."""
AGAIN = [
    attack.with_packages()
    for attack in CORPUS
    if attack.path.suffix == ".py"
    and attack.family in DIFFERENT
    and attack.language == "python"
    and attack.name != "packages_of_others"
]


def test_the_corpus_is_of_every_family_and_large_enough() -> None:
    """The families of the operator's table, and what has been added since."""
    assert len(CORPUS) >= FEWEST_ATTACKS
    assert {attack.family for attack in CORPUS} == {
        *("processes", "memory", "time", "output", "files", "other processes", "network"),
        *("kernel interfaces", "inherited descriptors"),
    }


def levels(attack: Attack) -> list[Level]:
    """Where an attack is tried: what only the filter holds back meets the same filter at both levels."""
    of_the_filter = attack.without == {"seccomp"} and attack.expect == attack.confined
    return [at_one_level(attack.name)] if of_the_filter and not THOROUGH else list(Level)


def at_one_level(name: str) -> Level:
    """The level at which an attack is tried where one is enough: one half of them at each."""
    return list(Level)[crc32(name.encode()) % 2]


@pytest.mark.parametrize(
    ("attack", "level"),
    [(attack, level) for attack in CORPUS for level in levels(attack)],
    ids=lambda value: value.name if isinstance(value, Attack) else str(value),
)
def test_an_attack_is_contained(attack: Attack, level: Level, stage: Stage) -> None:
    """By what its header says, with nobody else the worse for it."""
    assert_contained(attack, level, stage)


@pytest.mark.at_length
@pytest.mark.parametrize("attack", AGAIN, ids=lambda attack: attack.name)
def test_an_attack_is_contained_where_bots_have_packages_too(attack: Attack, stage: Stage) -> None:
    """The filter is the same as for other Python bots; limits, files and memory are not."""
    assert_contained(attack, at_one_level(attack.name), stage)


def assert_contained(attack: Attack, level: Level, stage: Stage) -> None:
    """Try an attack and look at everything it might have harmed."""
    seen = try_attack(attack, level, stage)
    assert "unavailable" not in seen, seen
    expected = attack.expected(level, jail=jail.possible())
    most = attack.most_confined if level == "confined" and attack.most_confined else attack.most
    ended_so = [way for way in expected if ended(way, seen, most)]
    assert ended_so, f"expected {expected}, got {seen}"
    assert_nobody_is_harmed(seen)
    assert seen["max_rss_kb"] < (memory_of(attack.language) + MORE_BYTES) >> 10


def ended(expected: str, seen: dict[str, Any], most: int) -> bool:
    """Whether it went as expected."""
    heard = " ".join(seen["heard"])
    if expected == "denied":
        return heard.startswith("denied")
    if expected == "leaks":
        return bool(heard)
    if expected == "bounded":
        word, _, amount = heard.partition(" ")
        return word == "bounded" and int(amount) <= most
    if expected == "unasked":
        return seen.get("unasked", 0) > 0 and seen["fault"] in ("", "BotFlooded")
    return bool(seen["fault"] == FAULTS[expected] and seen["cause"] == CAUSES.get(expected, seen["cause"]))


def assert_nobody_is_harmed(seen: dict[str, Any]) -> None:
    """The opponent, the host and the next game are as they were."""
    assert seen["opponent_well"], seen
    assert seen["next_well"], seen
    assert seen["nobody_left"], seen
    assert seen["we_live"], seen
    assert seen["litter"] == [], seen
    assert seen["damage"] == "", seen
    assert seen["killed_in"] < 5.0, seen
    assert len(seen["stderr"]) <= STDERR_KEPT


ABLATIONS = [attack for attack in CORPUS if attack.without]


@pytest.mark.parametrize("attack", ABLATIONS, ids=lambda attack: attack.name)
def test_without_its_layer_an_attack_succeeds(attack: Attack, stage: Stage) -> None:
    """So a layer that does nothing fails here: the attack is real, and it is that layer that holds it."""
    level = Level(attack.without_at)
    expected = attack.expected(level, jail=True)
    patient = dataclasses.replace(attack, seconds=min(attack.seconds, ABLATION_SECONDS))
    seen = try_attack(patient, level, stage, without=attack.without)
    assert "unavailable" not in seen, seen
    assert not any(ended(way, seen, attack.most) for way in expected), (
        f"without {sorted(attack.without)} it should have succeeded: {seen}"
    )


@pytest.mark.parametrize("name", ["mmap_stack", "mremap_stack", "forged_name"])
def test_a_bot_that_gets_round_its_limits_is_ended_for_its_size(
    name: str, level: Level, stage: Stage
) -> None:
    """The second layer: what the kernel counts as no data is seen in samples."""
    attack = next(attack for attack in CORPUS if attack.name == name)
    seen = try_attack(attack, level, stage, without=frozenset({"seccomp"}))
    assert (seen["cause"], seen["words"]) == ("memory", "held more than its 512 MB of memory"), seen


def test_every_layer_that_can_be_left_out_is_missed_by_some_attack() -> None:
    """No layer goes without proof."""
    assert {layer for attack in ABLATIONS for layer in attack.without} >= LAYERS - {
        *("no-proc", "net", "ipc", "uts", "pid", "pdeathsig", "no_new_privs")
    }
