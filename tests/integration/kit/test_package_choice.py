"""Which file of the package pip takes, for every machine and Python of the matrix: by tags, none is run."""

import tomllib
from collections.abc import Iterator

import pytest
from packaging.tags import cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

from kit.package.tree import TEMPLATE

PLATFORMS = {
    "manylinux_x86_64": ("manylinux_2_17_x86_64", [f"manylinux_2_{n}_x86_64" for n in range(39, 16, -1)]),
    "manylinux_aarch64": ("manylinux_2_17_aarch64", [f"manylinux_2_{n}_aarch64" for n in range(39, 16, -1)]),
    "musllinux_x86_64": ("musllinux_1_2_x86_64", ["musllinux_1_2_x86_64", "linux_x86_64"]),
    "musllinux_aarch64": ("musllinux_1_2_aarch64", ["musllinux_1_2_aarch64", "linux_aarch64"]),
    "macosx_x86_64": ("macosx_10_9_x86_64", list(mac_platforms((14, 0), "x86_64"))),
    "macosx_arm64": ("macosx_11_0_arm64", list(mac_platforms((14, 0), "arm64"))),
    "win_amd64": ("win_amd64", ["win_amd64"]),
}
"""What cibuildwheel calls a platform, the name of a wheel for it, and the names that pip there takes."""
PYTHONS = tuple(range(11, 16))
SITE = ("cp311-cp311-manylinux_2_17_x86_64", "cp311-abi3-manylinux_2_17_x86_64")
"""What a site on Debian builds by itself."""


def matrix() -> Iterator[str]:
    """What cibuildwheel builds by the package's settings, run for the exact ABIs and for the stable one."""
    settings = tomllib.loads((TEMPLATE / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    assert set(settings) == {"build", "environment", "test-command", "linux", "macos", "windows"}
    archs = [("manylinux", arch) for arch in settings["linux"]["archs"]]
    archs += [("musllinux", arch) for arch in settings["linux"]["archs"]]
    archs += [("macosx", arch) for arch in settings["macos"]["archs"]]
    archs += [("win", arch.lower()) for arch in settings["windows"]["archs"]]
    for platform, arch in archs:
        name, _ = PLATFORMS[f"{platform}_{arch}"]
        yield f"cp311-abi3-{name}"
        for build in settings["build"].split():
            python = build.removesuffix("-*")
            yield f"{python}-{python}-{name}"


def choice(offered: list[str], minor: int, platform: str) -> str:
    """The tag of the wheel that pip takes; empty if it takes the sources."""
    _, names = PLATFORMS[platform]
    order = {tag: rank for rank, tag in enumerate(cpython_tags((3, minor), platforms=names))}
    ranked = []
    for offer in offered:
        _, _, _, tags = parse_wheel_filename(f"crapette-1.0-{offer}.whl")
        ranked += [(order[tag], offer) for tag in tags if tag in order]
    return min(ranked)[1] if ranked else ""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_pip_takes_the_fastest_that_fits(platform: str) -> None:
    name, _ = PLATFORMS[platform]
    every = list(matrix())
    assert len(every) == len(PLATFORMS) * 5
    for minor in PYTHONS:
        exact = f"cp3{minor}-cp3{minor}-{name}"
        assert choice(every, minor, platform) == (exact if minor < 15 else f"cp311-abi3-{name}")
        here = {11: SITE[0]}.get(minor, SITE[1]) if platform == "manylinux_x86_64" else ""
        assert choice(list(SITE), minor, platform) == here
