"""Checks schema files against the dialect, locates their mistakes, and describes their nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError
from msgspec import Struct

from extlint.schema.validation.mistake import Mistake, Steps
from extlint.schema.validation.schema_path import dereference, schemas_along
from extlint.schema.validation.sentences import Sentences
from extlint.schema.words.types import json_types
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.nearest import suggest_name
from extlint.text.positions import ByteSpan, Position, TextIndex
from extlint.text.wording import after_semicolon, listed, quoted, suggestion_question
from extlint_schemas import dialect

_INTO_INSTANCE = frozenset({"items", "properties", "additionalProperties"})


class DialectSentences(Sentences):
    """The sentences of an explanation about a schema file."""

    def wrong_value(self, error: ValidationError, steps: Steps) -> Mistake:
        """Returns the mistake of a value that a keyword rejects."""
        return _wrong_value(error, steps)

    def missing(self, error: ValidationError, steps: Steps, keys: Sequence[str]) -> Mistake:
        """Returns the mistake of a node that requires a key, or one of several."""
        message = f"{_titles(error)[0]} requires {listed([*map(quoted, keys)], 'or')}"
        return Mistake("missing-key", steps, message, missing=tuple(keys))

    def rejected_key(
        self, errors: Sequence[ValidationError], steps: Steps, holder: Mapping[str, Any]
    ) -> Mistake:
        """Returns the mistake of a rejected key, by a node's role (a parameter), kind (a string), or both."""
        key: Any = errors[0].instance
        outer, inner = _titles(errors[0])
        allowed = set.intersection(*(set(_allowed_keys(error)) for error in errors)) - holder.keys()
        message = f"{quoted(key)} is not a key of {outer if len(errors) > 1 else inner}"
        return Mistake(
            "unknown-key", (*steps, key), message, at_key=True, suggestion=suggest_name(key, allowed)
        )

    def may_be_misspelled(self, key: str) -> bool:  # noqa: ARG002
        """Whether an unknown key may be a misspelling of a known one: always, because no key is a comment."""
        return True


def _wrong_value(error: ValidationError, steps: Steps) -> Mistake:
    named = [step for step in steps if isinstance(step, str)]
    what = "the file" if not steps else quoted(named[-1]) if named[-1:] == [steps[-1]] else "this"
    limit: Any = error.validator_value
    if error.validator == "enum":
        names = [each for each in limit if isinstance(each, str)]
        near = suggest_name(error.instance, names) if isinstance(error.instance, str) else None
        message = f"{what} cannot be {json.dumps(error.instance, ensure_ascii=False)}"
        accepted = f"it can be {listed([*map(json.dumps, limit)], 'or')}"
        return Mistake("invalid-value", steps, message, suggestion=near, accepted=accepted)
    return Mistake("invalid-value", steps, f"{what}{_reason(error, limit)}")


def _reason(error: ValidationError, limit: Any) -> str:
    match error.validator:
        case "type":
            return f" must be {json_types(limit)}"
        case "const":
            return f" must be {json.dumps(limit)}"
        case "minItems" | "minLength":
            return " must not be empty"
        case "maxItems":
            return " must be an object"
        case "minimum":
            return f" must be at least {limit}"
        case "uniqueItems":
            return " has the same item twice"
    return f": {error.message}"


def _titles(error: ValidationError) -> tuple[str, str]:
    """Returns the titles of a node: by its role (a parameter), and by its kind (a string)."""
    outer = inner = ""
    for step, schema in schemas_along(dialect(), error):
        if step in _INTO_INSTANCE:
            outer = inner = ""
        if "title" in schema:
            outer, inner = outer or schema["title"], schema["title"]
    return outer, inner


def _allowed_keys(error: ValidationError) -> Iterator[str]:
    names = next(schema for step, schema in schemas_along(dialect(), error) if step == "propertyNames")
    for branch in names.get("anyOf", [names]):
        yield from dereference(dialect(), branch)["enum"]


class DialectProblem(Struct, frozen=True):
    """A mistake in a schema file. `pointer` is the JSON pointer of the node that contains it."""

    file: str
    position: Position
    pointer: str
    message: str

    def __str__(self) -> str:
        line, column = self.position
        return f"{self.file}:{line}:{column}: {self.pointer or '/'}: {self.message}"


class _LocatedMistake(Struct, frozen=True):
    steps: Steps
    message: str
    where: ByteSpan


def check_dialect(text: bytes, name: str) -> list[DialectProblem]:
    """Returns the mistakes of a schema file in the dialect, in text order, or an empty list if it is valid.

    `name` is the name of the file in the result.
    """
    index = TextIndex(text)
    document = read_json(text)
    if document.root is None:
        problem = document.problem
        span, message = ((0, 0), "this is not JSON") if problem is None else (problem.span, problem.message)
        return [DialectProblem(name, index.position(span[0]), "", message)]
    mistakes = [
        _LocatedMistake((), f"duplicate key `{each.name}`", each.second) for each in document.duplicates
    ]
    mistakes += _dialect_mistakes(document.root)
    mistakes += _wrong_callbacks(document.root)
    mistakes.sort(key=lambda each: (each.where, each.message))
    return [
        DialectProblem(name, index.position(each.where[0]), _pointer(each.steps), each.message)
        for each in mistakes
    ]


def _pointer(steps: Steps) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _dialect_mistakes(root: JsonNode) -> Iterator[_LocatedMistake]:
    from extlint.schema.validation.explain import explain

    for mistake in explain(dialect(), root.plain, sentences=DialectSentences()):
        steps = mistake.steps[:-1] if mistake.at_key else mistake.steps
        node = root.get(*steps)
        if node is not None:
            span = _key_span(node, str(mistake.steps[-1])) if mistake.at_key else node.span
            yield _LocatedMistake(steps, _text(mistake), span)


def _key_span(node: JsonNode, key: str) -> ByteSpan:
    return next(member.key for name, member in node.members() if name == key)


def _text(mistake: Mistake) -> str:
    """Returns a mistake with its suggestion, in quotes if it is a value."""
    if mistake.rule != "invalid-value" or mistake.suggestion is None:
        return mistake.sentence
    return mistake.message + after_semicolon(suggestion_question(json.dumps(mistake.suggestion)))


def _wrong_callbacks(root: JsonNode) -> Iterator[_LocatedMistake]:
    """Yields the functions whose `async` does not name the trailing callback."""
    for at, namespace in enumerate(root.items()):
        functions = namespace.get("functions")
        for number, function in enumerate(functions.items() if functions is not None else ()):
            name, parameters = function.get("async"), function.get("parameters")
            if name is None or not isinstance(name.value, str) or parameters is None:
                continue
            last = parameters.get(len(parameters.items()) - 1, "name") if parameters.items() else None
            if last is None or last.value != name.value:
                message = f"`async` must name the last parameter, not `{name.value}`"
                yield _LocatedMistake((at, "functions", number), message, name.span)
