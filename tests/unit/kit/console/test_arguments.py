"""What the commands that play accept as a file to write."""

from pathlib import Path

import pytest

from kit.console.arguments import BadUsage
from kit.console.output_files import writable_file, write_whole


def test_a_link_keeps_pointing_to_the_file_that_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "kept.json", tmp_path / "link.json"
    link.symlink_to(target)
    writable_file("--json", link)
    write_whole(link, b"{}")
    assert link.is_symlink()
    assert target.read_bytes() == b"{}"


@pytest.mark.parametrize("path", ["/dev/null", "/dev/full", "/proc/self/fd/0", "/proc/self/no-such-file"])
def test_a_device_is_no_file_to_write(path: str) -> None:
    with pytest.raises(BadUsage, match="--json"):
        writable_file("--json", Path(path))
