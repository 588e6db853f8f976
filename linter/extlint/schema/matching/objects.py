"""Matches objects: their class, and each of their properties."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol

from msgspec.structs import replace

from extlint.analysis.facts.values import Field, InstanceValue, Kind, Literal, ObjectValue, Typed, Value
from extlint.schema.matching.bases import has_no_own_keys, is_instance, is_known_class, is_proxy
from extlint.schema.matching.environment import (
    MAYBE,
    YES,
    Environment,
    No,
    Path,
    Problem,
    Verdict,
    all_of,
    unless_omitted,
)
from extlint.schema.types import AnyType, ObjectType, Property, Type
from extlint.text.nearest import nearest, suggest_name
from extlint.text.wording import listed, manifest_v


class Matcher(Protocol):
    """The match of the outermost value, and the work that remains for it."""

    env: Environment

    def verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Returns whether a value matches a type; `path` leads to it from the outermost value."""
        ...

    def optional_verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Returns the same as `verdict`, but null and undefined stand for an omitted value."""
        ...

    def refusal(self, value: Value, path: Path, expected: str, nearest: str | None = None) -> No:
        """Returns the refusal of a value as a whole."""
        ...


def match_object(matching: Matcher, value: Value, kind: ObjectType, path: Path) -> Verdict:
    """Returns whether a value, which may be an object, matches an object type."""
    if matching.env.is_gecko:
        return _in_firefox(matching, value, kind, path)
    return _in_chromium(matching, value, kind, path)


def _in_firefox(matching: Matcher, value: Value, kind: ObjectType, path: Path) -> Verdict:
    """Checks only the class if the type names one; otherwise accepts only plain objects."""
    if kind.is_instance_of is not None:
        return _instance(matching, value, kind, kind.is_instance_of, path)
    if isinstance(value, ObjectValue):
        return _properties(matching, value, kind, path)
    if isinstance(value, InstanceValue) and (is_known_class(value) or is_proxy(value)):
        return matching.refusal(value, path, "a plain object")
    return MAYBE


def _in_chromium(matching: Matcher, value: Value, kind: ObjectType, path: Path) -> Verdict:
    """Checks the properties of any object first, then its class if the type names one."""
    looked_into: Value = value
    if isinstance(value, InstanceValue) and has_no_own_keys(value):
        looked_into = ObjectValue(span=value.span)
    if not isinstance(looked_into, ObjectValue):
        return MAYBE
    found = _properties(matching, looked_into, kind, path)
    if kind.is_instance_of is None:
        return found
    right = _instance(matching, value, kind, kind.is_instance_of, path)
    return right if isinstance(right, No) else all_of((found, right))


def _instance(matching: Matcher, value: Value, kind: ObjectType, name: str, path: Path) -> Verdict:
    from extlint.schema.words.types import described_type

    right: bool | None = None
    if isinstance(value, ObjectValue):
        may_pretend = bool({"constructor", "nodeType"} & set(value.fields)) or value.open
        right = True if name == "Object" else None if may_pretend else False
    elif isinstance(value, InstanceValue) and is_proxy(value):
        right = False if matching.env.is_gecko else None
    elif isinstance(value, InstanceValue):
        right = is_instance(value, name, inherited=not matching.env.is_gecko)
    if right is None:
        return MAYBE
    return YES if right else matching.refusal(value, path, described_type(kind, matching.env))


def _properties(matching: Matcher, value: ObjectValue, kind: ObjectType, path: Path) -> Verdict:
    declared = (
        _declared(matching, value, name, each, kind, (*path, name))
        for name, each in kind.properties.items()
        if name in value.fields or value.open or not each.optional
    )
    undeclared = (
        _other(matching, name, each, kind, (*path, name), value.fields)
        for name, each in value.fields.items()
        if name not in kind.properties
    )
    found = _without_misspelled(all_of((*declared, *undeclared)), path)
    return MAYBE if found is YES and value.open and not _accepts_every_other(matching, kind) else found


def _declared(
    matching: Matcher, value: ObjectValue, name: str, declared: Property, kind: ObjectType, path: Path
) -> Verdict:
    env = matching.env
    field = value.fields.get(name)
    if field is None and value.open:
        return MAYBE
    if env.is_gecko and env.manifest_version not in declared.versions:
        return _outdated(field, declared, kind, path)
    if declared.unsupported and env.is_gecko:
        return _unsupported(field, declared, kind, path)
    if field is None:
        if declared.optional or declared.unsupported or declared.on_error is not None:
            return YES
        return No((Problem(value.span, "missing", path),))
    found = _property(matching, field, declared, path)
    if declared.on_error is not None:
        return YES if found is YES else MAYBE
    if env.is_gecko and found is YES and isinstance(field.value, Literal | Typed):
        by_pattern = all_of((found, *_by_pattern(matching, name, field.value, kind, path)))
        found = by_pattern if isinstance(field.value, Literal) or by_pattern is YES else MAYBE
    may_be_absent = field.maybe_absent and (declared.optional or declared.unsupported)
    if field.maybe_absent and not may_be_absent:
        return found if isinstance(found, No) else MAYBE
    return unless_omitted(found) if may_be_absent else found


def _property(matching: Matcher, field: Field, declared: Property, path: Path) -> Verdict:
    """Matches an existing property with its own type."""
    if declared.optional or declared.unsupported:
        return matching.optional_verdict(field.value, declared.type, path)
    if not matching.env.is_gecko and _is_nullish(field.value):
        from extlint.schema.words.types import described_type

        return matching.refusal(field.value, path, described_type(declared.type, matching.env))
    return matching.verdict(field.value, declared.type, path)


def _is_nullish(value: Value) -> bool:
    return isinstance(value, Literal | Typed) and value.kind in (Kind.NULL, Kind.UNDEFINED)


def _outdated(field: Field | None, declared: Property, kind: ObjectType, path: Path) -> Verdict:
    """Returns the verdict on a property of other manifest versions: unexpected, unless it is only logged.

    It is only logged if other properties are allowed.
    """
    if field is None or kind.additional is not None or kind.ignore_additional:
        return YES
    lowest, highest = declared.versions.minimum, declared.versions.maximum
    versions = listed([manifest_v(each) for each in dict.fromkeys((lowest, highest))], "and")
    return _unexpected(field, path, f"is only available in {versions}")


def _unsupported(field: Field | None, declared: Property, kind: ObjectType, path: Path) -> Verdict:
    """Returns an error, unless errors are only logged and the property counts as an additional one."""
    if field is None:
        return YES
    if declared.on_error is not None and kind.additional is not None:
        return MAYBE
    return _unexpected(field, path, "is not supported")


def _without_misspelled(found: Verdict, path: Path) -> Verdict:
    """Returns a refusal without missing properties that exist misspelled, which are one mistake, not two."""
    if not isinstance(found, No) or len(found.problems) < 2:
        return found
    own = [problem for problem in found.problems if problem.path[:-1] == path]
    missing = {problem.path[-1] for problem in own if problem.what == "missing"}
    there = {problem.suggestion for problem in own if problem.what == "unexpected"} & missing
    if not there:
        return found
    return No(
        tuple(
            replace(problem, is_required=problem.suggestion in there)
            if problem.what == "unexpected" and problem.path[:-1] == path
            else problem
            for problem in found.problems
            if not (problem.what == "missing" and problem.path[:-1] == path and problem.path[-1] in there)
        )
    )


def _unexpected(
    field: Field, path: Path, why: str | None, suggestion: str | None = None, known: tuple[str, ...] = ()
) -> Verdict:
    span = field.key or field.value.span
    problem = Problem(span, "unexpected", path, why=why, suggestion=suggestion, known=known)
    return unless_omitted(No((problem,))) if field.maybe_absent else No((problem,))


def _other(
    matching: Matcher, name: str, field: Field, kind: ObjectType, path: Path, given: Collection[str]
) -> Verdict:
    """Returns the verdict on a property that the type does not name; `given` are the object's names."""
    by_pattern = list(_by_pattern(matching, name, field.value, kind, path))
    if by_pattern:
        found = all_of(by_pattern)
    elif _accepts_unknown_keys(matching, kind):
        found = _additional(matching, field.value, kind.additional, path)
    elif kind.unasked and _is_far(name, kind):
        return MAYBE
    else:
        known = tuple(_names(matching, kind))
        near = suggest_name(name, known)
        near = None if near in given else near
        return _unexpected(field, path, None, near, () if kind.unasked else known)
    return unless_omitted(found) if field.maybe_absent else found


def _accepts_unknown_keys(matching: Matcher, kind: ObjectType) -> bool:
    """Whether a type accepts other properties. Chromium ignores a bare `additionalProperties: true`."""
    if kind.ignore_additional:
        return True
    return kind.additional is not None and (matching.env.is_gecko or kind.additional_is_dictionary)


def _accepts_every_other(matching: Matcher, kind: ObjectType) -> bool:
    is_free = kind.ignore_additional or isinstance(kind.additional, AnyType)
    return is_free and _accepts_unknown_keys(matching, kind) and not kind.pattern_properties


def _additional(matching: Matcher, value: Value, kind: Type | None, path: Path) -> Verdict:
    if kind is None or isinstance(kind, AnyType):
        return YES
    if not matching.env.is_gecko:
        return matching.optional_verdict(value, kind, path)
    return matching.verdict(value, kind, path)


def _by_pattern(
    matching: Matcher, name: str, value: Value, kind: ObjectType, path: Path
) -> Iterator[Verdict]:
    """Yields the verdicts of every pattern that the name matches."""
    from extlint.text.javascript_regex import is_match

    for pattern, each in kind.pattern_properties.items():
        found = is_match(pattern, name)
        if found is None:
            yield MAYBE
        elif found:
            yield matching.verdict(value, each, path)


def _is_far(name: str, kind: ObjectType) -> bool:
    """Whether a name is not similar to any property."""
    return nearest(name, [key for key, each in kind.properties.items() if not each.unsupported]) is None


def _names(matching: Matcher, kind: ObjectType) -> Iterator[str]:
    """Yields the properties that an object of a type can have."""
    for name, each in kind.properties.items():
        is_there = not matching.env.is_gecko or matching.env.manifest_version in each.versions
        if is_there and not each.unsupported:
            yield name
