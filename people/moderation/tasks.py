"""What beat asks of moderation."""

from celery import shared_task

from people.moderation import decisions, hidden_in_datasets


@shared_task(name="moderation.sweep")
def sweep() -> None:
    """End bans whose time is over, and drop files that were made while a name in them was being hidden."""
    decisions.end_bans_that_are_over()
    hidden_in_datasets.drop_files_again()
