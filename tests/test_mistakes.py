"""Mistakes: suggestions and replacements are fields, and sentences are built from them at the end."""

from __future__ import annotations

from typing import Any

import pytest

from extlint.schema.validation.explain import explain
from extlint.schema.validation.mistake import Mistake, Reaction

KEY = Mistake("unknown-key", ("nam",), "unknown key `nam` in the manifest", at_key=True)

SENTENCES: dict[str, tuple[dict[str, Any], str, str | None]] = {
    "nothing more": ({}, KEY.message, None),
    "a suggestion": ({"suggestion": "name"}, f"{KEY.message}; did you mean `name`?", None),
    "a suggestion that is a boolean": ({"suggestion": True}, f"{KEY.message}; did you mean `true`?", None),
    "an accepted form": ({"accepted": "it has `name`"}, f"{KEY.message}; it has `name`", None),
    "a suggestion is better than what is accepted": (
        {"suggestion": "name", "accepted": "it has `name`"},
        f"{KEY.message}; did you mean `name`?",
        None,
    ),
    "a replacement": ({"replacement": "action"}, KEY.message, "use `action`"),
    "a phrase for one": ({"replacement": "a list of paths"}, KEY.message, "use a list of paths"),
    "help is better than a replacement": (
        {"replacement": "action", "help": "add an `action`"},
        KEY.message,
        "add an `action`",
    ),
}


@pytest.mark.parametrize(("fields", "sentence", "advice"), SENTENCES.values(), ids=SENTENCES.keys())
def test_sentence_and_advice_of_a_mistake(fields: dict[str, Any], sentence: str, advice: str | None) -> None:
    mistake = Mistake(KEY.rule, KEY.steps, KEY.message, at_key=True, **fields)
    assert (mistake.sentence, mistake.advice) == (sentence, advice)


def test_rewording_discards_the_suggestion() -> None:
    mistake = Mistake("unknown-key", ("nam",), KEY.message, suggestion="name", accepted="it has `name`")
    assert mistake.reworded("ignored").sentence == "ignored"


SCHEMA = {
    "type": "object",
    "required": ["service_worker", "name"],
    "properties": {
        "name": {"type": "string"},
        "service_worker": {"type": "string"},
        "scripts": {"not": {}, "x-only-in": 2, "x-instead": "background.service_worker"},
        "page": {"not": {}, "x-only-in": 2, "x-instead": "a service_worker"},
    },
    "additionalProperties": False,
}

FOUND: dict[str, tuple[dict[str, Any], list[tuple[str, object, object]]]] = {
    "a replaced key is not reported as missing too": (
        {"name": "a", "scripts": "b"},
        [("wrong-manifest-version", None, "background.service_worker")],
    ),
    "a phrase names no key": (
        {"name": "a", "page": "b"},
        [("missing-key", None, None), ("wrong-manifest-version", None, "a service_worker")],
    ),
    "a misspelled key is not missing too": (
        {"nam": "a", "service_worker": "b"},
        [("unknown-key", "name", None)],
    ),
    "another one is": (
        {"title": "a", "service_worker": "b"},
        [("missing-key", None, None), ("unknown-key", None, None)],
    ),
}


@pytest.mark.parametrize(("value", "expected"), FOUND.values(), ids=FOUND.keys())
def test_key_and_its_alternative_are_one_mistake(
    value: dict[str, Any], expected: list[tuple[str, object, object]]
) -> None:
    found = explain(SCHEMA, value)
    assert sorted((each.rule, each.suggestion, each.replacement) for each in found) == expected


def test_misspelled_required_key_is_as_severe_as_a_missing_one() -> None:
    (mistake,) = explain(SCHEMA, {"nam": "a", "service_worker": "b"})
    assert mistake.reaction is Reaction.REJECTS
    assert mistake.advice == "`name` is required"
