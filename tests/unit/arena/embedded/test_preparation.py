"""What is made ready before the first page."""

from pathlib import Path

from pytest_django.fixtures import Settings

from arena.embedded.preparation import collect_static

HASHED = "whitenoise.storage.CompressedManifestStaticFilesStorage"
PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"


def test_files_collected_for_debugging_are_collected_again_for_use(
    tmp_path: Path, settings: Settings
) -> None:
    """Else the first page would miss the names of files that are new since."""
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_DIRS = []
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    said = []
    for backend in (PLAIN, PLAIN, HASHED):
        settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": backend}}
        said.append(collect_static())
    assert said == ["collected", "up to date", "collected"]
    assert (tmp_path / "staticfiles.json").exists()
