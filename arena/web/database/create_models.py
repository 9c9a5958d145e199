"""An operation of migrations that creates several models at once."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState


def models_at_once(operations: Iterable[Operation]) -> list[Operation]:
    """The operations of a migration, those that create models and follow each other as one."""
    found: list[Operation] = []
    for creates, group in groupby(operations, lambda one: isinstance(one, CreateModel)):
        together = tuple(group)
        found += [CreateModels(together)] if creates else together
    return found


class CreateModels(Operation):
    """Does what so many `CreateModel` do, one after the other.

    After each of these, Django builds all models again that are related to the new one, which are nearly all:
    on an empty database, the migrations took 10 s of processor time, and without that take 5.
    """

    def __init__(self, models: tuple[Operation, ...]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models. They are built with all others when somebody asks for one."""
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: ProjectState
    ) -> None:
        """Create the tables."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, *states)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: ProjectState
    ) -> None:
        """Delete the tables, those first that refer to others."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, *states)

    def describe(self) -> str:
        """What `migrate --plan` says."""
        return "; ".join(model.describe() for model in self.models)
