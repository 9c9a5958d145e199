"""Which file each module goes to, what it becomes there, and what is refused."""

import pytest

from arena.web.storage.static_files import ScriptError, bundle

VIEW = (
    'import { word } from "arena/words";\nexport class View { open = () => import("arena/replay/sweep"); }\n'
)
MODULES = {
    "arena/site": 'import { word } from "arena/words";\nword();\n',
    "arena/words": (
        "/** Says\n * so. */\nexport function word() {}\n  /** @type {any} */ (word)();\n/** End. */\n"
    ),
    "arena/replay/view": VIEW,
    "arena/replay/sweep": 'export const sweep = new Worker(import.meta.resolve("arena/replay/sweeper"));\n',
    "arena/replay/sweeper": "postMessage(1);\n",
    "arena/play/seat": (
        'import { View } from "arena/replay/view";\nimport { legal as may } from "arena/replay/legal";\n'
        "export const seat = [View, may];\n"
    ),
    "arena/replay/legal": "export async function legal() {}\n",
    "arena/pages/play": 'import { seat } from "arena/play/seat";\nawait seat;\n',
    "arena/pages/game": (
        'import { View } from "arena/replay/view";\n/** @type {import("arena/replay/legal").L} */\n'
        'const { legal } = await import("arena/replay/legal");\n'
    ),
}


def test_each_module_is_in_one_file_after_those_that_it_imports() -> None:
    files = bundle(MODULES)
    assert files["js/site.js"] == (
        'import { $words } from "arena/shared/common";\n// js/site.js\nconst { word } = $words;\nword();\n'
    )
    assert files["js/shared/common.js"] == (
        "// js/words.js\nexport const $words = (() => {\nfunction word() {}\n"
        "  /** @type {any} */ (word)();\nreturn { word };\n})();\n"
    )
    # Playing needs it at once and watching later: it is not in a file that only one of them has.
    assert "$replay_legal = (() => {\nasync function legal() {}\n" in files["js/shared/table.js"]
    assert (
        'await import("arena/shared/table").then((file) => file.$replay_legal);' in files["js/pages/game.js"]
    )
    assert "/**" not in files["js/pages/game.js"]
    assert "const { legal: may } = $replay_legal;" in files["js/pages/play.js"]
    assert "$replay_sweep" in files["js/shared/table-later.js"]
    assert files["js/replay/sweeper.js"] == "postMessage(1);\n"
    assert set(files) == {
        *("js/site.js", "js/pages/play.js", "js/pages/game.js", "js/replay/sweeper.js"),
        *("js/shared/common.js", "js/shared/table.js", "js/shared/table-later.js"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'import { gone } from "arena/gone";',
            "a module that exists, got 'arena/gone', imported by 'arena/words'",
        ),
        ('import { View } from "arena/replay/view";', "do not import each other in a ring, got "),
    ],
)
def test_what_cannot_be_put_together_stops_the_collection(text: str, said: str) -> None:
    with pytest.raises(ScriptError, match=said):
        bundle({**MODULES, "arena/words": text})
