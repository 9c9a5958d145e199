"""The Django app of notices."""

from django.apps import AppConfig

from arena.web import banner


class NoticesConfig(AppConfig):
    """Registers the models of :mod:`arena.notices.models`, and what every page shows of them."""

    name = "arena.notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Show site notices on every page."""
        from arena.notices.banner import SiteNoticeBanner  # noqa: PLC0415 (models can be loaded only now)

        banner.show(SiteNoticeBanner())
