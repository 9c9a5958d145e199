"""What stands in place of a text that moderators hid.

It is put into the row itself, and the text is kept elsewhere (`moderation`). So nothing that reads the row
can show the text: no page, cache, feed, download, search, preview, socket or e-mail.
"""

from typing import Final

from django.utils.translation import gettext_noop

HIDDEN: Final = gettext_noop("Hidden by moderators.")
"""In place of a description, an announcement or release notes. Pages say it in the reader's language."""
