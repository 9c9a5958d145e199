"""What a user's name may be at sign-up."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy

from arena.accounts.models import User
from arena.web import names

LONGEST: Final = 30
"""Characters: a name stands beside a bot's in every list, on phones too."""
HIDDEN_START: Final = "hidden-user-"
"""What accounts are called whose name moderators hid."""
TAKEN: Final = gettext_lazy("This name looks too much like an existing one.")


def validate_plain(name: str) -> None:
    """Refuse what is invisible, mixes alphabets, or has nothing to read in it."""
    sentence = names.flaw(name)
    if sentence:
        raise ValidationError(sentence, code="flaw")


def validate_look(name: str) -> None:
    """Refuse what looks like the name of somebody else, or like one that nobody may have."""
    if User.objects.filter(username__iexact=name).exists():
        return  # allauth says that it is taken
    seen = names.look(name)
    reserved = {names.look(word) for word in settings.ACCOUNT_USERNAME_BLACKLIST}
    if seen.startswith(names.look(HIDDEN_START)) or User.objects.filter(former_name__iexact=name).exists():
        raise ValidationError(TAKEN, code="look")
    if (seen in reserved and name.lower() not in settings.ACCOUNT_USERNAME_BLACKLIST) or (
        User.objects.filter(look=seen).exists()
    ):
        raise ValidationError(TAKEN, code="look")


VALIDATORS: Final[list[Callable[[str], None]]] = [
    UnicodeUsernameValidator(),
    MaxLengthValidator(LONGEST),
    validate_plain,
    validate_look,
]


def present_name(name: str) -> str:
    """The name of the account that this name signs in: another one if moderators replaced it."""
    if name and not User.objects.filter(username__iexact=name).exists():
        renamed = User.objects.filter(former_name__iexact=name).values_list("username", flat=True).first()
        return renamed or name
    return name


def run_validators(name: str) -> None:
    """Raises ValidationError for a name that nobody could sign up with."""
    for validator in VALIDATORS:
        validator(name)
