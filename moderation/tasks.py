"""What beat asks of moderation."""

from celery import shared_task

from moderation import services


@shared_task(name="moderation.sweep")
def sweep() -> None:
    """End bans whose time is over."""
    services.end_bans_that_are_over()
