"""NumPy and ONNX Runtime for bots: copied once, found by who is playing already, left out if unwanted."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.staging import store, wheels
from sandbox.staging.tree_locks import MANIFEST

PYTHON = Path(sys.executable).resolve()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "python-onnx"
    for name, text in {
        "numpy/__init__.py": "VALUE = 1\n",
        "numpy/tests/test_all.py": "left out",
        "numpy.libs/libblas.so.3": "a library",
        "numpy-9.8.7.dist-info/METADATA": "",
        "onnxruntime/__init__.py": "",
        "onnxruntime/capi/libonnxruntime.so.1": "left out",
        "onnxruntime/capi/provider.so": "a library",
        "onnxruntime/tools/huge.py": "left out",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(wheels, "FOLDER", folder)
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "memory").mkdir()
    yield tmp_path / "memory"
    store.remove_tree(tmp_path / "memory")


def used(memory: Path) -> Path:
    copy = wheels.ensure(memory, {}, PYTHON)
    assert copy is not None
    wheels.use(copy, memory, {})
    return copy


def test_a_copy_holds_what_bots_import_compiled_and_read_only(installed: Path, memory: Path) -> None:
    copy = wheels.ensure(memory, {}, PYTHON)
    assert copy is not None
    found = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    tag = sys.implementation.cache_tag
    assert {name for name in found if not name.startswith("lib/")} == {
        *("packages/numpy/__init__.py", f"packages/numpy/__pycache__/__init__.{tag}.pyc"),
        *("packages/onnxruntime/__init__.py", f"packages/onnxruntime/__pycache__/__init__.{tag}.pyc"),
        *("packages/numpy.libs/libblas.so.3", "packages/onnxruntime/capi/provider.so"),
        *("cpuinfo", "cpu/online", "cpu/possible", "cpu/present", MANIFEST),
    }
    assert all(path.stat().st_mode & 0o222 == 0 for path in copy.rglob("*"))
    program = "import sys; sys.path.append(sys.argv[1]); import numpy; print(numpy.VALUE)"
    command: list[str | Path] = [PYTHON, "-I", "-S", "-c", program, str(copy / "packages")]
    assert subprocess.check_output(command, text=True) == "1\n"


def test_what_was_installed_since_is_found_by_who_is_playing_already(installed: Path, memory: Path) -> None:
    first = used(memory)
    assert used(memory) == first
    playing = {wheels.LINK: str(wheels.link(memory, {}))}
    assert wheels.current(Path("/nowhere"), playing) == first
    (installed / "numpy" / "__init__.py").write_text("VALUE = 'another'\n")
    second = wheels.ensure(memory, {}, PYTHON)
    assert second not in (None, first)
    assert wheels.current(Path("/nowhere"), playing) == first, "until there is a jail with it"
    assert used(memory) == second
    assert wheels.current(Path("/nowhere"), playing) == second


def test_nothing_is_copied_without_room_or_if_a_package_is_missing(
    installed: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(wheels, "ROOM", 1 << 60)
        assert wheels.ensure(memory, {}, PYTHON) is None
    assert list(memory.iterdir()) == []
    store.remove_tree(installed / "onnxruntime")
    assert wheels.ensure(memory, {}, PYTHON) is None
    assert wheels.current(memory, {}) is None
    assert wheels.places() == []
