"""Statements that are run for every game, prepared once.

Django compiles a statement again each time it runs, which takes longer than the database needs for it. The
words of most statements are always the same, and only values differ; here the words are kept. What is sent
is what Django would send.

Without, pages take a third more processor time, and those that show what is going on half again or twice as
much: it goes to compiling the same dozen queries again.
"""

from __future__ import annotations

import copy
from functools import cache, lru_cache, partial, wraps
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Expression
from django.db.models.expressions import Col
from django.db.models.sql import UpdateQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import ParamSpec

    from django.db.models import Field, Model, QuerySet
    from django.db.models.sql.compiler import SQLCompiler

    Arguments = ParamSpec("Arguments")
    Words = tuple[str, tuple[Any, ...]]

Row = TypeVar("Row")

NOTHING: Final[Mapping[str, Any]] = {}


class Param(Expression):
    """Stands in a query for a value of this field's type that each asking gives (`PreparedQuery`)."""

    def __init__(self, name: str, field: Field[Any, Any]) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Itself, where its value will be."""
        return "%s", (self,)


class PreparedQuery(Generic[Row]):
    """A query that is compiled when it is first asked, by `make`, and from then on asked again and again.

    What differs each time are `Param` in it. Whether it sees hidden rows is decided where it is compiled, so
    `make` says so itself. It cannot prefetch.
    """

    def __init__(self, make: Callable[[], QuerySet[Any, Row]]) -> None:
        self._make = make
        self._kept: dict[str, tuple[QuerySet[Any, Row], SQLCompiler, Words]] = {}

    def rows(self, **given: Any) -> list[Row]:
        """The rows that the query finds now."""
        # The thread's own: through `connection` each of a hundred looks would find it anew.
        link = connections[DEFAULT_DB_ALIAS]
        queryset, compiler, words = self._kept.get(link.vendor) or self._compile()
        asked = queryset.all()
        # A compiler belongs to one thread's connection.
        now = copy.copy(compiler)
        now.connection = link
        filled = _filled(words, given)
        now.as_sql = lambda *_, **__: filled  # type: ignore[method-assign]
        asked.query.get_compiler = lambda *_, **__: now  # type: ignore[method-assign]
        return list(asked)

    def first(self, **given: Any) -> Row | None:
        """The first row, or None. The query has a limit of its own, if it needs one."""
        return next(iter(self.rows(**given)), None)

    def _compile(self) -> tuple[QuerySet[Any, Row], SQLCompiler, Words]:
        queryset = self._make()
        compiler = queryset.query.get_compiler(connection.alias)
        sql, values = compiler.as_sql()
        # The thread that came first may end, and its connection with it.
        compiler.connection = None
        kept = self._kept[connection.vendor] = queryset, compiler, (sql, tuple(values))
        return kept


def prepare_apart(
    make: Callable[Arguments, QuerySet[Any, Row]], by: Callable[[], object]
) -> Callable[Arguments, PreparedQuery[Row]]:
    """Keep what `make` prepares for each of its (hashable) arguments, apart for each value of `by` now.

    What is read differs by the values that are `Param`. Ask at once: `by` counts where the query is first
    asked.
    """

    @lru_cache(maxsize=256)
    def kept(
        apart: object, arguments: tuple[Any, ...], named: tuple[tuple[str, Any], ...]
    ) -> PreparedQuery[Row]:
        return PreparedQuery(partial(make, *arguments, **dict(named)))

    @wraps(make)
    def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> PreparedQuery[Row]:
        return kept(by(), arguments, tuple(sorted(named.items())))

    return call


def some(count: int, field: Field[Any, Any]) -> list[Any]:
    """So many values (`Param`) in a query, of `values_of`. For a foreign key look up its ``__pk``."""
    return [Param(f"some_{number}", field) for number in range(count)]


def values_of(values: Sequence[Any]) -> dict[str, Any]:
    """What to give for `some` values."""
    return {f"some_{number}": value for number, value in enumerate(values)}


class PreparedUpdate:
    """An update that is compiled when it is first made, like a query: rows, and what becomes of them."""

    def __init__(self, make: Callable[[], tuple[QuerySet[Any], Mapping[str, Any]]]) -> None:
        self._make = make
        self._kept: dict[str, Words] = {}
        self._model: type[Model]

    def __call__(self, **given: Any) -> int:
        """Make it, and return how many rows it changed."""
        sql, values = _filled(self._kept.get(connection.vendor) or self._compile(), given)
        with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
            cursor.execute(sql, values)
            return int(cursor.rowcount)

    def returning(self, columns: Sequence[str], **given: Any) -> list[tuple[Any, ...]]:
        """Make it, and return these columns of the rows that it changed, as they are now."""
        sql, values = _filled(self._kept.get(connection.vendor) or self._compile(), given)
        fields = [_field(self._model, name) for name in columns]
        names = ", ".join(_quoted(field.column) for field in fields)
        with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
            cursor.execute(f"{sql} RETURNING {names}", values)
            rows = cursor.fetchall()
        return [tuple(map(_read, fields, row)) for row in rows]

    def _compile(self) -> Words:
        queryset, changes = self._make()
        self._model = queryset.model
        query: Any = queryset.order_by().query.chain(UpdateQuery)
        query.add_update_values(changes)
        sql, values = query.get_compiler(connection.alias).as_sql()
        kept = self._kept[connection.vendor] = sql, tuple(values)
        return kept


def _filled(words: Words, given: Mapping[str, Any]) -> Words:
    """The words of a query with the values that are given now.

    Raises TransactionManagementError if it locks rows outside a transaction: Django says so only while it
    compiles a query, and it may have been compiled in one.
    """
    sql, values = words
    link = connections[DEFAULT_DB_ALIAS]
    if (" FOR UPDATE" in sql or " FOR NO KEY UPDATE" in sql) and not link.in_atomic_block:
        raise transaction.TransactionManagementError(f"expected a transaction around {sql!r}, got none")
    filled = (
        one.output_field.get_db_prep_value(given[one.name], link) if isinstance(one, Param) else one
        for one in values
    )
    return sql, tuple(filled)


def update(
    model: type[Model], where: Mapping[str, Any], to: Mapping[str, Any], plus: Mapping[str, Any] = NOTHING
) -> int:
    """Set columns of the rows whose columns have the values `where` (None: no value), and return how many.

    The columns in `plus` grow by what it says. As with `QuerySet.update`, zero rows mean that another was
    first. What a model's manager hides is not hidden from this.
    """
    empty = tuple(name for name, value in where.items() if value is None)
    words, fields = _update_words(model, tuple(where), empty, tuple(to), tuple(plus))
    values = [*to.values(), *plus.values(), *(value for value in where.values() if value is not None)]
    with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
        cursor.execute(words, _prepared(fields, values))
        return int(cursor.rowcount)


def delete(model: type[Model], where: Mapping[str, Any]) -> int:
    """Delete the rows whose columns have these values, to which no other row may refer; return how many."""
    words, fields = _delete_words(model, tuple(where))
    with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
        cursor.execute(words, _prepared(fields, list(where.values())))
        return int(cursor.rowcount)


def insert(row: Model) -> None:
    """Store a new row and give it the key that the database chose."""
    words, fields, returns = _insert_words(type(row), row.pk is None)
    values = [field.pre_save(row, True) for field in fields]
    with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
        cursor.execute(words, _prepared(fields, values))
        if returns:
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def insert_all(rows: Sequence[Model]) -> None:
    """Store new rows of one model, whose keys are known, in one statement."""
    words, fields = _insert_all_words(type(rows[0]), len(rows))
    values = [value for row in rows for value in _prepared(fields, [f.pre_save(row, True) for f in fields])]
    with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
        cursor.execute(words, values)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def _prepared(fields: tuple[Field[Any, Any], ...], values: list[Any]) -> list[Any]:
    """The values in the form in which this database takes them."""
    found = zip(fields, values, strict=True)
    return [field.get_db_prep_save(value, connection=connection) for field, value in found]


@cache
def _update_words(
    model: type[Model],
    where: tuple[str, ...],
    empty: tuple[str, ...],
    to: tuple[str, ...],
    plus: tuple[str, ...],
) -> tuple[str, tuple[Field[Any, Any], ...]]:
    changes = [f"{_column(model, name)} = %s" for name in to]
    changes += [f"{_column(model, name)} = {_column(model, name)} + %s" for name in plus]
    conditions = [
        f"{_column(model, name)} IS NULL" if name in empty else f"{_column(model, name)} = %s"
        for name in where
    ]
    words = f"UPDATE {_table(model)} SET {', '.join(changes)} WHERE {' AND '.join(conditions)}"  # noqa: S608
    named = (*to, *plus, *(name for name in where if name not in empty))
    return words, tuple(_field(model, name) for name in named)


@cache
def _delete_words(model: type[Model], where: tuple[str, ...]) -> tuple[str, tuple[Field[Any, Any], ...]]:
    conditions = " AND ".join(f"{_column(model, name)} = %s" for name in where)
    words = f"DELETE FROM {_table(model)} WHERE {conditions}"  # noqa: S608 (our own names)
    return words, tuple(_field(model, name) for name in where)


@cache
def _insert_words(
    model: type[Model],
    keyless: bool,
) -> tuple[str, tuple[Field[Any, Any], ...], bool]:
    key = model._meta.pk
    fields = tuple(field for field in model._meta.concrete_fields if not (keyless and field is key))
    columns = ", ".join(_quoted(field.column) for field in fields)
    words = f"INSERT INTO {_table(model)} ({columns}) VALUES ({', '.join(['%s'] * len(fields))})"  # noqa: S608
    if keyless:
        words += f" RETURNING {_quoted(key.column)}"
    return words, fields, keyless


@cache
def _insert_all_words(model: type[Model], count: int) -> tuple[str, tuple[Field[Any, Any], ...]]:
    words, fields, _ = _insert_words(model, keyless=False)
    (one,) = words.rpartition(" VALUES ")[2:]
    return words + f", {one}" * (count - 1), fields


def _read(field: Field[Any, Any], value: Any) -> Any:
    """A column's value as a query of Django's would give it."""
    column = Col("", field)
    for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection)):
        value = convert(value, column, connection)
    return value


def _field(model: type[Model], name: str) -> Field[Any, Any]:
    field: Field[Any, Any] = model._meta.pk if name == "pk" else model._meta.get_field(name)  # type: ignore[assignment]
    return field


def _column(model: type[Model], name: str) -> str:
    return _quoted(_field(model, name).column)


def _table(model: type[Model]) -> str:
    return _quoted(model._meta.db_table)


def _quoted(name: str | None) -> str:
    """A name in the words of a statement; PostgreSQL and SQLite quote it alike."""
    return f'"{name}"'
