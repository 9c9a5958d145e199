"""What a user's name may be at sign-up."""

from typing import Final

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import MaxLengthValidator

LONGEST: Final = 30
"""Characters: a name stands beside a bot's in every list, on phones too."""
VALIDATORS = [UnicodeUsernameValidator(), MaxLengthValidator(LONGEST)]
