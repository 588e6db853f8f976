"""Calls that are written as an older API takes them, or another one that people know.

Nothing is wrong by this module: it only puts what is wrong into words that say how to write the call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.checks.calls.legacy_signature_table import TABLE
from extlint.matching.bases import bases
from extlint.matching.call import CallProblem
from extlint.matching.environment import Environment
from extlint.script.facts.values import ObjectValue, Value
from extlint.text.wording import quoted

_KINDS: Mapping[str, frozenset[str]] = {
    "a": frozenset({"array"}),
    "b": frozenset({"boolean"}),
    "f": frozenset({"function"}),
    "n": frozenset({"integer", "number"}),
    "o": frozenset({"object"}),
    "s": frozenset({"string"}),
}


class Part(Struct, frozen=True):
    """One argument of a signature: what it may be, and keys that an object has one of, and lacks."""

    kinds: frozenset[str]
    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()

    def may_be(self, value: Value, env: Environment) -> bool:
        """Whether a value may be such an argument; of keys that must be certain."""
        if not bases(value, env) & self.kinds:
            return False
        if not self.has and not self.lacks:
            return True
        if not isinstance(value, ObjectValue):
            return "object" not in bases(value, env)
        is_lacking = not value.open and self.lacks.isdisjoint(value.fields)
        return is_lacking and (not self.has or not self.has.isdisjoint(value.fields))


def parts(shape: str) -> tuple[Part, ...]:
    """A signature as the table has it, argument by argument: `n s/a o+file-target`.

    `a` is an array, `b` a boolean, `f` a function, `n` a number, `o` an object, `s` a string, `_` any of
    these. After `+` is a key that the object has, of several one of them, after `-` one that it lacks.
    """
    return tuple(map(_part, shape.split()))


def _part(text: str) -> Part:
    rest, *lacks = text.split("-")
    names, *has = rest.split("+")
    kinds = _KINDS.values() if names == "_" else [_KINDS[name] for name in names.split("/")]
    return Part(frozenset().union(*kinds), frozenset(has), frozenset(lacks))


def as_signature(
    api: str, arguments: Sequence[Value], env: Environment, problems: tuple[CallProblem, ...]
) -> tuple[CallProblem, ...]:
    """The problems of a call, as one if it has a signature that is known from elsewhere; else as they are.

    A callback may follow each signature.
    """
    family, *_, name = api.split(".")
    for shape, takes, write in TABLE.get(api) or TABLE.get(f"{family}.*.{name}") or ():
        if _has_shape(arguments, parts(shape), env):
            return (
                replace(
                    problems[0],
                    message=f"{quoted(api)} {takes}",
                    refusal="cannot be called like this",
                    help=f"write {quoted(write.replace('@', api))}",
                ),
            )
    return problems


def _has_shape(arguments: Sequence[Value], shape: Sequence[Part], env: Environment) -> bool:
    more = len(arguments) - len(shape)
    ends = more == 0 or (more == 1 and "function" in bases(arguments[-1], env))
    return ends and all(part.may_be(value, env) for part, value in zip(shape, arguments, strict=False))
