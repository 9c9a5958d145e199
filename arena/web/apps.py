"""The app of what every page shares."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db.models.signals import post_migrate

from arena import __version__
from arena.web.i18n.catalogues import not_compiled
from arena.web.processes import error_reports


class CommonConfig(AppConfig):
    """Headers, import map, heartbeat and stamps."""

    name = "arena.web"
    label = "common"

    def ready(self) -> None:
        """Let every migration end with its tables stamped, and commands warn of what is not set up."""
        # The one signal used here: Django offers no other place after all migrations of all apps.
        post_migrate.connect(_install_stamps, sender=self)
        checks.register(check_translations)
        error_reports.start(settings.SENTRY_DSN, release=__version__, environment=settings.MODE)


def check_translations(**_: Any) -> list[checks.CheckMessage]:
    """A warning if pages in other languages would show English, or what the texts used to be."""
    languages = sorted({source.parent.parent.name for source in not_compiled()})
    if not languages:
        return []
    return [
        checks.Warning(
            f"These translations are not compiled, or have changed since: {', '.join(languages)}.",
            hint="Run ./crapette install, then restart what serves pages.",
            id="common.W001",
        )
    ]


def _install_stamps(using: str, **_: Any) -> None:
    from arena.web.cache import versions  # noqa: PLC0415 (its model needs the apps loaded)

    versions.install(using)
