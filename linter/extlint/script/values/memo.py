"""Results about one script that are computed once and cached.

A function that is called with the same arguments again and again is marked where it is defined:

    @once_per_script
    def return_statements(evaluator: Evaluator, body: Node) -> list[Node] | None: ...

What several functions find out together about a script, piece by piece, is what such a function of the
script alone gives: a dictionary or an object that is empty at first.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from extlint.script.syntax.node import Node

_Script = TypeVar("_Script", bound="Memo")
_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_Key = TypeVar("_Key")

_ANEW = object()


class Memo:
    """Caches the results of the functions that are marked with `once_per_script`."""

    @property
    def whole(self) -> Any:
        """What such functions are called with: itself, unless this is a view of something else."""
        return self

    def __init__(self) -> None:
        self._kept: dict[Callable[..., Any], dict[tuple[Any, ...], Any]] = {}

    def answers_of(self, function: Callable[..., Any]) -> dict[tuple[Any, ...], Any]:
        """The answers that a function gave so far, by its other arguments; nodes count by their `id`."""
        kept = self._kept.get(function)
        if kept is None:
            kept = self._kept[function] = {}
        return kept

    def forget_answers(self) -> None:
        """Drops the answers of all functions."""
        self._kept.clear()


class _Tentative(Generic[_Key, _Answer]):
    """What `tentative` returns; the library's way to make it of a generator takes three times as long."""

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
    """Has an answer for those who ask while a question is being answered, and takes it back if that fails."""
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
    """Makes a function of a script, and of nodes or hashable values by position, run once for each of them.

    Who asks while the question is being answered is told `meanwhile`; without that the function runs
    for them as well. An exception is no answer.
    """
    if find is None:
        return lambda function: _kept(function, meanwhile)
    return _kept(find, meanwhile)


def _kept(find: Callable[..., _Answer], meanwhile: Any) -> Callable[..., _Answer]:
    @wraps(find)
    def answer(script: Memo, *asked: Any) -> _Answer:
        script = script.whole
        kept = script.answers_of(answer)
        key = tuple([each.id if isinstance(each, Node) else each for each in asked])
        found: _Answer = kept.get(key, _ANEW)
        if found is not _ANEW:
            return found
        if meanwhile is _ANEW:
            found = kept[key] = find(script, *asked)
        else:
            with tentative(kept, key, meanwhile):
                found = kept[key] = find(script, *asked)
        return found

    return answer
