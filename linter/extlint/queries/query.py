"""Defines queries: functions whose results are stored with everything that they depend on.

And methods whose results are stored by their object, which lives no longer than a check.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial, wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeVar, overload

from extlint.queries.database import Database
from extlint.queries.memos import Ingredient


class Owner(Protocol):
    """An object with queries about it, such as an extension in one target."""

    @property
    def queries(self) -> Database:
        """The database with the results of queries."""
        ...

    @property
    def query_scope(self) -> Hashable:
        """A name of the owner, which is the same in each revision; the owner itself may be a new object."""
        ...


OwnerT = TypeVar("OwnerT", bound=Owner)
ObjectT = TypeVar("ObjectT")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_Function: TypeAlias = Callable[Concatenate[OwnerT, Arguments], Result]


class _Decorator(Protocol):
    def __call__(
        self, function: Callable[Concatenate[OwnerT, Arguments], Result], /
    ) -> Query[OwnerT, Arguments, Result]: ...


class Query(Ingredient, Generic[OwnerT, Arguments, Result]):
    """A function of an owner and of hashable arguments, passed by position, which runs once for each key.

    See `query` for the flags.
    """

    def __init__(
        self,
        function: _Function[OwnerT, Arguments, Result],
        *,
        is_kept: bool,
        is_of_package: bool,
        in_cycle: Callable[..., Result] | None,
        is_stored: bool,
    ) -> None:
        module = function.__module__.rpartition(".")[2]
        compute: Callable[..., Any] = function
        if is_stored:
            from extlint.queries.stored import storing

            compute = storing(function)
        super().__init__(
            f"{module}.{function.__name__}",
            compute,
            is_kept=is_kept,
            in_cycle=in_cycle,
        )
        self.is_of_package = is_of_package
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function

    @overload
    def __get__(self, owner: None, _: type) -> Query[OwnerT, Arguments, Result]: ...

    @overload
    def __get__(self, owner: OwnerT, _: type) -> Callable[Arguments, Result]: ...

    def __get__(self, owner: OwnerT | None, _: type) -> Any:
        """Returns the query about an owner whose method it is."""
        return self if owner is None else partial(self, owner)

    def __call__(self, owner: OwnerT, *arguments: Arguments.args, **_: Arguments.kwargs) -> Result:
        """Returns the result, which is computed unless it is known."""
        scope = None if self.is_of_package else owner.query_scope
        found: Result = owner.queries.result(self, scope, owner, arguments)
        return found


@overload
def query(function: _Function[OwnerT, Arguments, Result], /) -> Query[OwnerT, Arguments, Result]: ...


@overload
def query(
    *,
    is_kept: bool = False,
    is_of_package: bool = False,
    in_cycle: Callable[..., Any] | None = None,
    is_stored: bool = False,
) -> _Decorator: ...


def query(
    function: Any = None,
    /,
    *,
    is_kept: bool = False,
    is_of_package: bool = False,
    in_cycle: Callable[..., Any] | None = None,
    is_stored: bool = False,
) -> Any:
    """Decorates a function of an owner and of hashable arguments, or a method of the owner, as a `Query`.

    With `is_kept`, results are kept from one check to the next, and must be plain values: they may refer
    neither to the owner nor to anything else that a check replaces. The results of other queries are dropped
    after each check; only what they depended on is remembered. With `is_of_package`, all owners in a database
    share the results. `in_cycle` is called like the function, and returns the value that a query uses if it
    depends on itself.
    With `is_stored`, results outlive the database: the owner is a `StoringOwner`, and arguments are bytes.
    """
    decorate = partial(
        Query,
        is_kept=is_kept,
        is_of_package=is_of_package,
        in_cycle=in_cycle,
        is_stored=is_stored,
    )
    return decorate if function is None else decorate(function)


def cached_method(
    method: Callable[Concatenate[ObjectT, Arguments], Result],
) -> Callable[Concatenate[ObjectT, Arguments], Result]:
    """Decorates a method, or a function of an object, to run once for each list of hashable arguments.

    They are passed by position. The object keeps the results as an attribute. An exception is not kept.
    Unlike those of a query, the results have no recorded dependencies: the object must not outlive what they
    depend on.
    """
    attribute = f"{method.__module__}.{method.__qualname__} results"
    compute: Callable[..., Result] = method

    @wraps(method)
    def cached(owner: ObjectT, /, *arguments: Arguments.args, **_: Arguments.kwargs) -> Result:
        results: dict[Any, Result] = owner.__dict__.setdefault(attribute, {})
        if arguments not in results:
            results[arguments] = compute(owner, *arguments)
        return results[arguments]

    return cached
