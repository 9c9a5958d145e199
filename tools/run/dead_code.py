"""``python -m tools.run.dead_code``: names that the product, or the tests, define and nobody uses.

vulture reads Python alone. Templates, scripts, settings, queries and JSON use names too: as words in their
text, in strings and as keywords, so these count as uses. What only the tests use is dead in the product.
"""

from __future__ import annotations

import ast
import re
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from vulture.core import Vulture

from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PRODUCT = (
    *(
        "analysis",
        "arena",
        "bots",
        "engine",
        "friendlies",
        "kit",
        "manage.py",
        "people",
        "referee",
        "sandbox",
    ),
    "tournaments",
)
TEXTS = (
    "templates/**/*.html",
    "arena/static/js/**/*.js",
    "docs/author/engine.md",
    "docs/author/protocol.md",
    "Procfile",
)
"""What else uses names: pages and their scripts, and the READMEs that offer the engine to authors."""
LEFT_OUT = (
    # Bots, and attacks on the sandbox.
    *(
        "*/bots/house/*",
        "*/sandbox/*/canaries/*",
        "*/sandbox/walls/stub.py",
        "*/kit/sdk/*",
        "*/kit/templates/*",
        "*/kit/examples/imitation/onnx_bot/*",
        "*/kit/examples/ppo/bot/*",
    ),
    "*/tests/security/attacks/*",
    *("*/tests/integration/referee/bots/*", "*/tools/bench/bots/*"),
)
USED_BY_OTHERS = (
    # Django reads their names.
    *("migrations/*", "admin.py", "inlines.py", "apps.py", "settings.py"),
    # Compiled, with constants of C.
    *(
        "engine/turns/core/*.py",
        "engine/ticks/core/*.py",
        "engine/completion_base.py",
        "engine/bits.py",
        "engine/digest.py",
    ),
    # What authors train bots with: PettingZoo and OpenSpiel call it.
    "kit/environments/*.py",
    # The types of messages and events that are formatted by hand: a test compares games with them.
    "referee/messages.py",
)
HOOKS = (
    # `ast.NodeVisitor` calls them by name.
    *("visit_AnnAssign", "visit_JoinedStr"),
    # Django, its responses and Python's import system call them by name.
    *(
        "create_module",
        "exec_module",
        "handler403",
        "handler400",
        "handler404",
        "handler429",
        "process_template_response",
        "process_exception",
        "process_view",
        "close_connection",
    ),
    # ast's visitors, of which vulture knows the most common by itself.
    "visit_*",
    # Names that Django, Celery, uvicorn, allauth, zipfile and pytest look for.
    *(
        "Meta",
        "regex",
        "to_python",
        "to_url",
        "Command",
        "add_arguments",
        "handle",
        "help",
        "clean_*",
        "authentication_failed",
        "respond_user_inactive",
        "urlpatterns",
        "app_name",
        "*_capable",
        "CELERY_*",
        "_from_testcase",
    ),
    *(
        "app_label",
        "default_error_messages",
        "field_order",
        "label_from_instance",
        "ordering",
        "verbose_name*",
    ),
    *(
        "extra_context",
        "has_*_permission",
        "is_open_for_signup",
        "optionxform",
        "requires",
        "should_stop",
        "site_*",
        "capture_signals",
        "force_exit",
        "create_compressor",
        "flavor",
        "_handler_class",
        "_prefetch_done",
        "_prefetched_objects_cache",
        "_result_cache",
    ),
    *("_get_login_attempts_cache_key", "get_totp_*", "redirect_request", "process_redirect"),
    "install_signal_handlers",
    *(
        "create_system",
        "daemon_threads",
        "do_DELETE",
        "do_GET",
        "do_HEAD",
        "do_POST",
        "do_PUT",
        "handle_*",
        "_fixture_teardown",
        # Marks what templates look up for translation.
        "STATES",
        "log_message",
        "sock",
        "item_*",
        "get_object",
        "feed_type",
        "author_name",
        "STATICFILES_*",
        "ACCOUNT_RATE_LIMITS",
        "pytest*",
        "test_*",
        "Test*",
        "__getattr__",
    ),
    # pydantic reads it; ninja calls the security of a route; rich calls it when a reader has left.
    *("model_config", "authenticate", "on_broken_pipe"),
    # Offered to authors of bots by the engine.
    *("is_full", "is_mine", "ends_turn", "to_race"),
    # Ways in that only tests take.
    *("drain", "enterable_by", "forget_all", "work_off"),
)
DECORATORS = (
    "@pytest.fixture",
    "@*.fixture",
    "@register.*",
    "@shared_task",
    "@*.task",
    "@admin.*",
    "@route",
    "@*.exception_handler",
)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def words_in_strings(tree: ast.AST) -> Iterator[str]:
    """The words in strings that are no documentation, and the keywords of calls, in their parts too."""
    nodes = list(ast.walk(tree))
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            found = WORD.findall(node.value)
        elif isinstance(node, ast.keyword) and node.arg:
            found = [node.arg]
        else:
            continue
        for word in found:
            yield word
            yield from word.split("__")


class Search(Vulture):  # type: ignore[misc]  # it has no types
    """Reads folders, each file once, and says what nobody in those read so far uses."""

    def __init__(self, root: Path) -> None:
        # What its hooks are called is asked at the end: of the few unused names, and not of all.
        super().__init__(ignore_decorators=list(DECORATORS))
        self._root = root
        for pattern in TEXTS:
            for path in root.glob(pattern):
                self.used_names.update(WORD.findall(path.read_text()))

    def read(self, folders: Sequence[str]) -> None:
        """Read files and folders, by their names below the root."""
        self.scavenge([str(self._root / folder) for folder in folders], exclude=list(LEFT_OUT))
        # What is left out uses names all the same.
        for path in (path for folder in folders for path in (self._root / folder).rglob("*.py")):
            if any(fnmatchcase(str(path), pattern) for pattern in LEFT_OUT):
                self.used_names.update(words_in_strings(ast.parse(path.read_bytes())))

    def visit_Module(self, node: ast.Module) -> None:  # noqa: N802 (vulture calls it by this name)
        """Take the words of a file; vulture then visits what is in it."""
        self.used_names.update(words_in_strings(node))

    def unused(self) -> list[str]:
        """What nobody uses, as "file:line: unused function 'name'"."""
        return [
            f"{item.filename.relative_to(self._root)}:{item.first_lineno}: {item.message}"
            for item in self.get_unused_code(min_confidence=60)
            if not any(fnmatchcase(item.name, pattern) for pattern in HOOKS)
            and not any(item.filename.match(pattern) for pattern in USED_BY_OTHERS)
            # The members of choices are values in the database.
            and not (item.name.isupper() and "models" in item.filename.parts)
        ]


def unused(root: Path, *parts: Sequence[str]) -> list[str]:
    """What nobody uses in the first part, what nobody uses in the first two together, and so on."""
    search, found = Search(root), set()
    for folders in parts:
        search.read(folders)
        found |= set(search.unused())
    return sorted(found)


def main() -> int:
    """Print what is unused in the product alone, and in product and tests together; 1 if there is any."""
    found = unused(ROOT, PRODUCT, ("tests", "tools"))
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
