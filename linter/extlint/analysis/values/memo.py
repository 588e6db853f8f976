"""Computes results about one script once and caches them.

A function that is called repeatedly with the same arguments is marked at its definition:

    @once_per_script
    def return_statements(evaluator: Evaluator, body: Node) -> list[Node] | None: ...

If several functions build a result about a script together, piece by piece, such a function with the
script as its only parameter returns it: a dictionary or an object that is initially empty.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from extlint.analysis.syntax.node import Node

_Script = TypeVar("_Script", bound="Memo")
_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_Key = TypeVar("_Key")

_ANEW = object()


class Memo:
    """Caches the results of functions marked with `once_per_script`."""

    def __init__(self) -> None:
        self.caches: dict[Callable[..., Any], dict[tuple[Any, ...], Any]] = {}
        """The cached results of each function, by its other arguments; nodes count by their `id`."""

    def cache_of(self, function: Callable[..., Any]) -> dict[tuple[Any, ...], Any]:
        """Returns the cached results of a function."""
        return self.caches.setdefault(function, {})

    def clear_caches(self) -> None:
        """Drops the cached results of all functions."""
        self.caches.clear()


class _Tentative(Generic[_Key, _Answer]):
    """The context manager of `tentative`; `contextlib.contextmanager` would take three times as long."""

    __slots__ = ("_answer", "_answers", "_key")

    def __init__(self, answers: MutableMapping[_Key, _Answer], key: _Key, answer: _Answer) -> None:
        self._answers = answers
        self._key = key
        self._answer = answer

    def __enter__(self) -> None:
        self._answers[self._key] = self._answer

    def __exit__(self, failed: object, *_: object) -> None:
        if failed is not None:
            self._answers.pop(self._key, None)


def tentative(
    answers: MutableMapping[_Key, _Answer], key: _Key, answer: _Answer
) -> _Tentative[_Key, _Answer]:
    """Stores a preliminary result for queries made during its computation, and removes it on failure."""
    return _Tentative(answers, key, answer)


@overload
def once_per_script(
    find: Callable[Concatenate[_Script, _Asked], _Answer], /
) -> Callable[Concatenate[_Script, _Asked], _Answer]: ...


@overload
def once_per_script(
    *, meanwhile: Any
) -> Callable[
    [Callable[Concatenate[_Script, _Asked], _Answer]], Callable[Concatenate[_Script, _Asked], _Answer]
]: ...


def once_per_script(find: Any = None, /, *, meanwhile: Any = _ANEW) -> Any:
    """Caches a function of a script and of nodes or hashable values, which must be passed by position.

    A recursive call with the same arguments returns `meanwhile`; without that, the function runs again. An
    exception is not cached.
    """
    if find is None:
        return lambda function: _cached(function, meanwhile)
    return _cached(find, meanwhile)


def _cached(find: Callable[..., _Answer], meanwhile: Any) -> Callable[..., _Answer]:
    @wraps(find)
    def answer(script: Memo, *asked: Any) -> _Answer:
        cache = script.caches.get(answer)
        if cache is None:
            cache = script.cache_of(answer)
        key = tuple([each.id if isinstance(each, Node) else each for each in asked]) if asked else ()
        found: _Answer = cache.get(key, _ANEW)
        if found is not _ANEW:
            return found
        if meanwhile is _ANEW:
            found = cache[key] = find(script, *asked)
        else:
            with tentative(cache, key, meanwhile):
                found = cache[key] = find(script, *asked)
        return found

    return answer
