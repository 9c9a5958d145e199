"""How the database is emptied after a test that committed."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.test import TransactionTestCase

from tests.emptying import KEPT, empty
from tests.factories.accounts import author
from tests.factories.tournaments import entrants, running


@pytest.mark.django_db(transaction=True)
def test_a_test_that_committed_leaves_only_what_migrations_make() -> None:
    made = ContentType.objects.count(), Permission.objects.count()
    ada = author("ada")
    running(ada, entrants(ada, 3))

    empty(TransactionTestCase())

    models = [model for model in apps.get_models() if model._meta.db_table not in KEPT]
    assert [model for model in models if model._default_manager.exists()] == []
    assert min(made) > 0
    assert (ContentType.objects.count(), Permission.objects.count()) == made
