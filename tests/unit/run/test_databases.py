"""Which tests run on which database."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from tools.run.databases import CHOSEN, run_by_no_step
from tools.run.steps import ROOT


@dataclass
class Item:
    """A test as pytest tells of it."""

    markers: dict[str, Any] = field(default_factory=dict)
    fixturenames: Sequence[str] = ()
    nodeid: str = ""

    @property
    def path(self) -> Path:
        return ROOT / self.nodeid.partition("::")[0]

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        if name not in self.markers:
            return None
        marked: pytest.MarkDecorator = getattr(pytest.mark, name)(**self.markers[name])
        return marked.mark


BOTH, COMMITS = {"only", "own"}, {"transaction": True}


@pytest.mark.parametrize(
    ("item", "chosen"),
    [
        (Item(), {"without"}),
        (Item(fixturenames=("tmp_path",)), {"without"}),
        (Item(fixturenames=("db",)), {"only"}),
        (Item({"django_db": {}}), {"only"}),
        (Item({"django_db": {}, "any_database": {}}), BOTH),
        (Item({"django_db": {}, "each_database": {}}), BOTH),
        (Item({"django_db": COMMITS}), BOTH),
        (Item(fixturenames=("db", "transactional_db")), BOTH),
        (Item({"django_db": COMMITS, "on_postgresql": {}}), {"only"}),
        (Item({"django_db": COMMITS, "on_postgresql": {}, "each_database": {}}), BOTH),
    ],
)
def test_each_choice_of_tests_leaves_in_what_it_says(item: Item, chosen: set[str]) -> None:
    assert {name for name, wanted in CHOSEN.items() if wanted(cast("pytest.Item", item))} == chosen


def test_a_test_with_a_database_where_no_step_looks_for_it_is_found() -> None:
    names = [f"tests/unit/{file}.py::test_one" for file in ("bots/test_bots", "kit/test_x")]
    items = cast("list[pytest.Item]", [Item(nodeid=name) for name in names])
    assert run_by_no_step(items) == names[1:]
