"""Converts the errors of a JSON Schema to the mistakes of an author, one for each location.

A mistake also states the reaction of a browser to the value that its schema rejects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from jsonschema import Draft7Validator, FormatChecker
from jsonschema.exceptions import FormatError, ValidationError
from msgspec.structs import replace

from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import Schema, intended_choice, schemas_along
from extlint.schema.validation.sentences import SENTENCES, Sentences, no_choice_matches, wrong_format
from extlint.schema.words.formats import title_with_article
from extlint.schema.words.values import (
    full_location_text,
    kind_of,
    kind_with_items,
    location_text,
    quoted_scalar,
)
from extlint.text.formats.registry import problem
from extlint.text.json.values import JsonValue
from extlint.text.nearest import suggest_name
from extlint.text.wording import available_names, manifest_v, must_be, unknown_key_message
from extlint_schemas import thunderbird_names

_BY_ANNOTATION = {"refuse": Reaction.REJECTS, "warn": Reaction.IGNORES, "ignore": Reaction.IGNORES}


def reaction_to(schema: Mapping[str, Any], error: ValidationError) -> Reaction | None:
    """Returns the reaction in the annotations of the schema on the path to an error.

    Returns None without annotations.

    A mistake inside a value that the browser ignores is ignored with it; the nearest annotation
    counts. `tools/extlint_facts/manifests/json_schema.py` lists them.
    """
    own: Any = error.schema
    if error.validator in own.get("x-mild", ()):
        return Reaction.IGNORES
    if error.validator == "additionalProperties" and _rejects_unknown_keys(error):
        return Reaction.REJECTS
    found = [node["x-on-error"] for _, node in schemas_along(schema, error) if "x-on-error" in node]
    return _BY_ANNOTATION[found[-1]] if found else None


def _rejects_unknown_keys(error: ValidationError) -> bool:
    """Whether an object, or the choice that it is one form of, is rejected for an unknown key."""
    nodes: list[Any] = [error.schema]
    if error.parent is not None and error.parent.validator == "anyOf":
        nodes.append(error.parent.schema)
    return any(node.get("x-unknown-keys") == "refuse" for node in nodes)


MAX_EXPLAINED = 1_000
"""The maximum number of errors explained for one value; no user reads more."""


def explain(
    schema: Schema, value: JsonValue, top: Steps = (), sentences: Sentences = SENTENCES
) -> tuple[Mistake, ...]:
    """Returns the mistakes of a value, one per location, in the order in which the schema finds them.

    `top` is the path of the value in its file.
    """
    checker = Draft7Validator(schema, format_checker=_Checker())
    errors = list(islice(checker.iter_errors(value), MAX_EXPLAINED))
    found: dict[object, Mistake] = {}
    for mistake in _Explanation(schema, value, sentences).mistakes(errors, top):
        found.setdefault((mistake.steps, mistake.at_key, mistake.missing), mistake)
    return tuple(_without_misnamed(found.values(), sentences))


class _Checker(FormatChecker):
    """Checks extlint's formats only."""

    def check(self, instance: object, format: str) -> None:
        """Raises FormatError if a text does not match a format."""
        if isinstance(instance, str) and problem(format, instance) is not None:
            raise FormatError(format)


class _Explanation:
    """The explanation of the errors of one schema."""

    def __init__(self, schema: Schema, value: JsonValue, sentences: Sentences) -> None:
        self.schema = schema
        self.value = value
        self.sentences = sentences

    def mistakes(self, errors: Iterable[ValidationError], top: Steps) -> Iterator[Mistake]:
        """Yields the mistakes behind the errors; a key that several schema parts reject is one mistake."""
        names: dict[object, list[ValidationError]] = {}
        for error in errors:
            steps = (*top, *error.relative_path)
            if "propertyNames" in error.absolute_schema_path:
                names.setdefault((steps, error.instance), []).append(error)
            elif error.validator == "anyOf" and not _is_permission_error(error):
                yield from self._choice_mistakes(error, steps)
            else:
                yield from self._keyword_mistakes(error, steps)
        for refused in names.values():
            first = refused[0]
            holder: Any = self.value
            for step in first.absolute_path:
                holder = holder[step]
            yield self.sentences.rejected_key(refused, (*top, *first.relative_path), holder)

    def _keyword_mistakes(self, error: ValidationError, steps: Steps) -> Iterator[Mistake]:
        reaction = reaction_to(self.schema, error)
        if reaction is None and error.validator == "anyOf":
            reaction = Reaction.IGNORES  # Every browser ignores a permission that it does not know.
        for mistake in self._error_mistakes(error, steps):
            yield mistake if mistake.reaction is not None else replace(mistake, reaction=reaction)

    def _error_mistakes(self, error: ValidationError, steps: Steps) -> Iterator[Mistake]:
        match error.validator:
            case "anyOf":
                yield from _unknown_permission(error, steps)
            case "additionalProperties":
                yield from _unknown_keys(error, steps)
            case "required":
                required_keys: Any = error.validator_value
                there: Any = error.instance
                for key in required_keys:
                    if key not in there:
                        yield self.sentences.missing(error, steps, (key,))
            case "not":
                yield _forbidden(error, steps)
            case _:
                yield self.sentences.wrong_value(error, steps)

    def _choice_mistakes(self, error: ValidationError, steps: Steps) -> Iterator[Mistake]:
        reaction = reaction_to(self.schema, error)
        if _is_of_permissions(error):
            message = must_be(location_text(steps), "a string", kind_of(error.instance))
            yield Mistake("invalid-value", steps, message, reaction=reaction)
        elif alternatives := _required_alternatives(error):
            yield replace(self.sentences.missing(error, steps, alternatives), reaction=reaction)
        elif (branch := intended_choice(error)) is not None:
            yield from self.mistakes(branch, steps)
        else:
            yield replace(no_choice_matches(error, steps), reaction=reaction)


def _is_permission_error(error: ValidationError) -> bool:
    return _is_of_permissions(error) and isinstance(error.instance, str)


def _is_of_permissions(error: ValidationError) -> bool:
    """Whether a list of permissions rejects an item. Only apps may have objects: no message mentions them."""
    schema: Any = error.schema
    return bool(schema.get("x-permission"))


def _required_alternatives(error: ValidationError) -> tuple[str, ...]:
    """Returns the alternative keys if an object requires any of them and all choices are about that.

    Returns an empty tuple for all other choices.
    """
    choices: Any = error.validator_value
    if all(set(choice) == {"required"} and len(choice["required"]) == 1 for choice in choices):
        return tuple(choice["required"][0] for choice in choices)
    return ()


def _unknown_permission(error: ValidationError, steps: Steps) -> Iterator[Mistake]:
    """Yields the mistake of a string that is not a permission: a misplaced or wrong host pattern, or name."""
    text: Any = error.instance
    choices: Any = error.validator_value
    named, *others = choices
    pattern = others[-1]
    if any(mark in text for mark in ":/*<"):
        what = f"match patterns in {location_text(steps[:-1])}"
        moved = _wrong_version(pattern, steps, what, are_many=True) if "x-only-in" in pattern else None
        if problem(pattern["format"], text) is not None:
            help = None if moved is None else f"{moved.message}: {moved.advice}"
            yield replace(wrong_format(pattern["format"], text, steps), help=help)
        elif moved is not None:
            yield moved
        return
    reserved = next((each for each in others if text in each.get("enum", ())), None)
    if reserved is not None and "x-only-in" in reserved:
        yield _wrong_version(reserved, steps, f"the permission {quoted_scalar(text)}")
        return
    if reserved is not None:
        message = f"the permission {quoted_scalar(text)} is only for {reserved['x-only-for']}"
        reaction = Reaction.REJECTS if reserved.get("x-on-error") == "refuse" else None
        yield Mistake("unknown-permission", steps, message, reaction=reaction, is_reserved=True)
        return
    message = f"unknown permission {quoted_scalar(text)}"
    is_namespace = text in thunderbird_names().namespaces
    near = None if is_namespace else suggest_name(text, named["enum"])
    yield Mistake("unknown-permission", steps, message, suggestion=near, general=message)


def _wrong_version(
    schema: Mapping[str, Any], steps: Steps, what: str, *, at_key: bool = False, are_many: bool = False
) -> Mistake:
    """Returns the mistake of a form or key of the other manifest version.

    `are_many` means that `what` is plural.
    """
    was, requires = ("were", "require") if are_many else ("was", "requires")
    is_removed = schema["x-only-in"] == 2
    when = f"{was} removed in {manifest_v(3)}" if is_removed else f"{requires} {manifest_v(3)}"
    replacement = schema.get("x-instead")
    return Mistake("wrong-manifest-version", steps, f"{what} {when}", at_key=at_key, replacement=replacement)


def _forbidden(error: ValidationError, steps: Steps) -> Mistake:
    schema: Any = error.schema
    if "x-only-in" in schema:
        if "type" not in schema:
            return _wrong_version(schema, steps, full_location_text(steps), at_key=True)
        remaining = _other_format(error)
        if remaining is not None:
            what = f"{location_text(steps)} in {manifest_v(5 - schema['x-only-in'])}"
            message = must_be(what, title_with_article(remaining), quoted_scalar(error.instance))
            return Mistake("wrong-manifest-version", steps, message)
        return _wrong_version(schema, steps, f"{location_text(steps)} as {kind_with_items(error.instance)}")
    if "x-only-for" in schema:
        message = f"{full_location_text(steps)} is only for {schema['x-only-for']}"
        return Mistake("unknown-key", steps, message, at_key=True, is_reserved=True)
    if "x-deprecated" in schema:
        message = f"{full_location_text(steps)} is deprecated"
        return Mistake("deprecated-key", steps, message, at_key=True, replacement=schema.get("x-instead"))
    return Mistake("invalid-value", steps, f"{location_text(steps)} cannot be {kind_of(error.instance)} here")


def _other_format(error: ValidationError) -> str | None:
    """Returns the format of another choice for values of the same type, or None."""
    schema: Any = error.schema
    parent = error.parent
    choices: Any = parent.validator_value if parent is not None and parent.validator == "anyOf" else ()
    same = (each for each in choices if "not" not in each and each.get("type") == schema["type"])
    return next((each["format"] for each in same if "format" in each), None)


def _unknown_keys(error: ValidationError, steps: Steps) -> Iterator[Mistake]:
    schema: Any = error.schema
    known = schema.get("properties", {})
    patterns = list(schema.get("patternProperties", ()))
    where = location_text(steps)
    keys: Any = error.instance
    checks = [Draft7Validator({"pattern": each}) for each in patterns]
    unknown = (key for key in keys if key not in known and not any(check.is_valid(key) for check in checks))
    for key in islice(unknown, MAX_EXPLAINED):
        names = [name for name, each in known.items() if not _is_forbidden(each)]
        near = suggest_name(key, names)
        message = unknown_key_message(key, where)
        yield Mistake(
            "unknown-key",
            (*steps, key),
            message,
            at_key=True,
            suggestion=None if near in keys else near,
            accepted=None if patterns else available_names(names, "the known keys are"),
            general=message,
        )


def _is_forbidden(schema: Mapping[str, Any]) -> bool:
    """Whether a key is described only to forbid or discourage it."""
    return "not" in schema or any("not" in each for each in schema.get("allOf", ()))


def _without_misnamed(mistakes: Iterable[Mistake], sentences: Sentences) -> Iterator[Mistake]:
    """Yields the mistakes without missing keys that exist under another name: that is one mistake, not two.

    The other name is a misspelling, or the key of the other manifest version.
    """
    every = list(mistakes)
    written: dict[Steps, list[int]] = {}
    for at, each in enumerate(every):
        if each.at_key:
            written.setdefault(each.steps[:-1], []).append(at)
    left_out: set[int] = set()
    for at, each in enumerate(every):
        others = written.get(each.steps, ()) if each.missing else ()
        for other in others:
            if _replaces(every[other], each.missing, sentences):
                left_out.add(at)
                if every[other].rule == "unknown-key":
                    every[other] = every[other].in_place_of(each)
    yield from (each for at, each in enumerate(every) if at not in left_out)


def _replaces(key: Mistake, missing_keys: Sequence[str], sentences: Sentences) -> bool:
    if key.rule == "unknown-key":
        return key.suggestion in missing_keys and sentences.may_be_misspelled(str(key.steps[-1]))
    return key.replacement is not None and key.replacement.rpartition(".")[2] in missing_keys
