"""What beat asks of moderation."""

from celery import shared_task

from people.moderation import services


@shared_task(name="moderation.sweep")
def sweep() -> None:
    """End bans whose time is over, and drop files that were made while a name in them was being hidden."""
    services.end_bans_that_are_over()
    services.drop_files_again()
