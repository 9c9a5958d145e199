"""Who counts as one author in the ratings, and that nobody takes results back by becoming one."""

import pytest

from arena.accounts.models import User
from bots.errors import OwnersRefused
from bots.models import CoOwner
from bots.teams.co_owners import accept, invite
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, shared
from tests.factories.results import play_all
from tests.factories.tournaments import created
from tournaments.models import AccountLink
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.linked_owners import linked_accounts

pytestmark = pytest.mark.django_db


def test_rated_games_between_two_people_are_not_taken_back_by_owning_a_bot_together(
    ada: User, bob: User
) -> None:
    hers, his, unplayed = accepted_bot(ada, "hers"), accepted_bot(bob, "his"), accepted_bot(ada, "unplayed")
    carol = author("carol")
    asked = invite(unplayed.bot, ada, "bob")
    cup = created(None, [hers, his], pairs_per_pairing=1)
    start_tournament(cup)
    play_all(cup)
    with pytest.raises(OwnersRefused, match="rated games"):
        accept(unplayed.bot, bob)
    with pytest.raises(OwnersRefused, match="rated games"):
        invite(accepted_bot(bob, "another").bot, bob, "ada")
    # Nor by way of a third person who has met neither.
    third = accepted_bot(carol, "third")
    shared(third.bot, ada)
    with pytest.raises(OwnersRefused, match="rated games"):
        invite(third.bot, carol, "bob")
    AccountLink.objects.create(one=ada, other=bob)
    accept(unplayed.bot, bob)
    assert CoOwner.objects.get(pk=asked.pk).status == CoOwner.Status.ACCEPTED


def test_what_a_co_owners_other_bots_do_is_held_against_nobody_else(ada: User, bob: User) -> None:
    shared(accepted_bot(ada).bot, bob)
    assert linked_accounts()[bob.pk] == linked_accounts()[ada.pk]
    assert linked_accounts(by_staff=True) == {}
    AccountLink.objects.create(one=ada, other=bob)
    assert linked_accounts(by_staff=True).keys() == {ada.pk, bob.pk}
