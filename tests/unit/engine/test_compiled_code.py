"""The hot functions of the cores compile to C that touches no Python object."""

import re
from pathlib import Path

import pytest
from Cython.Compiler import Main

import setup

ROOT = Path(setup.__file__).parent
HOT = {
    "turns": """
        apply generate generate_tops generate_drawn retop spread_out pick_move undo hash_position
        pick_ranked play_ranked become rename same result margin push plan_turn move_gain ends_line
        table_code pile_code 11Completions__play_on 11Completions__look_ahead 11Completions__go_on
        14CompletionBase__value 14CompletionBase__add 14CompletionBase__show 14CompletionBase__account
        digest 6Dealer_deal 6Dealer__shuffle 6Dealer__set_up 5Batch__begin 5Batch__move 5Batch__make
        5Batch__play_on any_legal answer 5Batch__tell write_seen write_pile write_position spell_public
        spell_legal read_position position_key 6Proofs__turn_of 6Proofs__link 6Proofs__count
        6Proofs__descend 6Solver__repeated 6Solver__move
    """,
    "ticks": """
        choices act turn_card place_on_foundation look play pick_action first_of rename become
        count_points same play_greedily list_actions stop_wins plan_tick worth_of mix_shares play_planned
        show_tops 15TickCompletions__play_on 15TickCompletions__shows 15TickCompletions__look_ahead
        15TickCompletions__go_on 15TickCompletions__learn
    """,
}

CORES = [module for module in setup.PARTS if module.startswith("engine.")]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    found = {}
    joined = setup.write_joined(tmp_path_factory.mktemp("joined"))
    for module, source in ((each, joined[each]) for each in CORES):
        target = source.with_suffix(".c")
        options = Main.CompilationOptions(output_file=str(target), language_level=3, include_path=[str(ROOT)])
        Main.compile(str(source), options, full_module_name=module)
        found[module.split(".")[1]] = target.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("kind", HOT)
def test_no_hot_function_touches_a_python_object(code: dict[str, str], kind: str) -> None:
    text, touches = code[kind], {}
    for name in HOT[kind].split():
        symbol = f"__pyx_f_6engine_5{kind}_4core_5whole_{name}"
        start = re.search(rf"^static [^;]*{symbol}\([^;]*\) {{$", text, re.MULTILINE)
        assert start, f"{name} is no C function"
        body = text[start.end() : text.index("\n}\n", start.end())]
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
        touches[name] = re.findall(r"\b(?:PyObject|Py_[A-Z]|PyLong|PyNumber|__Pyx_Py)\w*", body)
    assert {name: found for name, found in touches.items() if found} == {}


@pytest.mark.parametrize("module", CORES)
def test_every_module_beside_the_core_is_a_part_of_it_or_runs_uncompiled_only(module: str) -> None:
    folder = ROOT / "/".join(module.split(".")[:-1])
    uncompiled = {"__init__", "whole", "plain", "plain_steps"}
    assert {path.stem for path in folder.glob("*.py")} - uncompiled == set(setup.PARTS[module])
