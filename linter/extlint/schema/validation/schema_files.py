"""Checks schema files against the dialect, and locates their mistakes."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from extlint.schema.validation.mistake import Mistake, Steps
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.positions import ByteSpan, Position, TextIndex
from extlint.text.wording import after_semicolon, suggestion_question
from extlint_schemas import dialect


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
    from extlint.schema.validation.dialect import DialectSentences
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
