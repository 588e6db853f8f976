"""Arbitrary manifests: reproducible findings, each at the position of the key or value it names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from harness import lint, manifest, text_under
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples, some

from extlint.checks.manifest_values.known_keys import TARGETS as SCHEMAS
from extlint.finding import Finding
from extlint.schema.validation import explain
from extlint.text.formats.registry import FORMATS, MAX_TEXT_LENGTH, problem
from extlint.text.json.reader import MAX_DEPTH
from extlint.text.nearest import nearest
from extlint_schemas import json_schema

TARGETS = ("reference", "firefox", "chrome", "safari")
RULES = (
    "conflicting-keys",
    "deprecated-key",
    "duplicate-key",
    "invalid-json",
    "invalid-value",
    "missing-key",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)


def keys_in(node: object) -> Iterator[str]:
    """Yields every key name in a schema."""
    if isinstance(node, Mapping):
        for key in ("properties", "patternProperties"):
            yield from node.get(key, ())
        for each in node.values():
            yield from keys_in(each)
    elif isinstance(node, list):
        for each in node:
            yield from keys_in(each)


def words_in(node: object) -> Iterator[str]:
    """Yields every text that a schema allows."""
    if isinstance(node, Mapping):
        yield from (each for each in node.get("enum", ()) if isinstance(each, str))
        for each in node.values():
            yield from words_in(each)
    elif isinstance(node, list):
        for each in node:
            yield from words_in(each)


def top_keys(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yields the manifest keys of a schema, including those in the branches of its conditions."""
    yield from schema.get("properties", ())
    for branch in ("then", "else"):
        if branch in schema:
            yield from top_keys(schema[branch])


def all_schemas() -> list[Mapping[str, Any]]:
    return [json_schema(f"manifests/{target}_{version}") for target in SCHEMAS for version in (2, 3)]


TOP = sorted({key for schema in all_schemas() for key in top_keys(schema)})
NESTED = sorted({key for schema in all_schemas() for key in keys_in(schema)})
WORDS = sorted({word for schema in all_schemas() for word in words_in(schema)})

ODD_TEXTS = (
    *(
        "",
        " ",
        "\0",
        "\ud800",
        "\udfff\ud800",
        "\u2028",
        "é" * 50,
        "*",
        "/",
        ".",
        "..",
        "__MSG_",
        "__MSG_x__",
    ),
    *(
        "*://*/*",
        "<all_urls>",
        "https://*/",
        "http://[::1]/*",
        "%",
        "%zz",
        "a" * 5000,
        "0" * 5000,
        "1." * 999,
    ),
    *("#" * 4000, "rgb(" * 900, "linear-gradient(" * 300, "script-src " * 500, "Ctrl+" * 500, "{" * 999),
    *("1e999", "\ud83d\ude00", "_execute_action", "C:\\a", "data:image/png;base64,", "javascript:1", "@"),
)
NUMBERS = ("1e999", "-1e999", "1" * 400, "-0", "0.1", "1e-999", "3.0", "3e0", "2147483648", "9" * 60)


class Raw(str):
    """A number as written in the file, which Python may be unable to represent."""


texts = st.one_of(st.text(max_size=8), st.sampled_from(ODD_TEXTS), st.sampled_from(WORDS))
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 300), texts, texts, st.sampled_from(NUMBERS).map(Raw)
)
names = st.one_of(st.sampled_from(NESTED), texts)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)
manifests = st.one_of(
    st.dictionaries(st.sampled_from(TOP), values, max_size=5),
    st.dictionaries(st.one_of(st.sampled_from(TOP), texts), values, max_size=5),
).flatmap(
    lambda keys: st.sampled_from(
        [
            {"manifest_version": 3, "name": "A", "version": "1", **keys},
            {"manifest_version": 2, "name": "A", "version": "1", **keys},
            keys,
        ]
    )
)


def to_json(value: object) -> str:
    """Returns a value as JSON with non-ASCII characters escaped, so that it may have lone surrogates."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(str(key))}: {to_json(each)}" for key, each in value.items()) + "}"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(to_json, value))}]"
    return json.dumps(value)


def checked_findings(text: str, target: str) -> list[Finding]:
    """Returns the findings of a manifest, after checking that each is where its message says."""
    files = {"manifest.json": text}
    findings = lint(files, RULES, target)
    for finding in findings:
        at = text_under(files, finding)
        if finding.rule != "invalid-json":
            json.loads(at, strict=False, parse_int=str)
        if finding.rule == "unknown-key":
            key = json.loads(at, strict=False, parse_int=str)
            assert isinstance(key, str)
            assert _shown(key) in finding.message
        if finding.rule == "missing-key":
            assert at.startswith("{")
    return findings


def _shown(key: str) -> str:
    """Returns the part of a key that a message repeats in any case."""
    found = re.match(r"[\w$-]{0,40}", key, re.ASCII)
    return found[0] if found is not None else ""


@pytest.mark.parametrize("target", TARGETS)
@given(manifests)
@settings(max_examples=examples(40))
def test_arbitrary_manifest_has_reproducible_findings(target: str, keys: dict[str, object]) -> None:
    text = to_json(keys)
    assert checked_findings(text, target) == checked_findings(text, target)


@pytest.mark.parametrize("target", TARGETS)
def test_arbitrary_text_as_a_key(target: str) -> None:
    for text in ODD_TEXTS:
        checked_findings(to_json({"manifest_version": 3, "name": "A", "version": "1", text: None}), target)


KEYS_PER_MANIFEST = 12
"""The number of keys tested in one manifest, small enough for every mistake to be explained."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "value",
    [
        pytest.param("1e999", id="a number beyond all"),
        pytest.param("1" * 5000, id="a number of 5000 digits"),
        pytest.param('"\\ud800"', id="half a pair"),
        pytest.param('"' + "a" * 20_000 + '"', id="a long text"),
        pytest.param('{"": {"": [""]}, "\\u0000": null}', id="empty and odd keys"),
        pytest.param("[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1), id="lists as deep as can be"),
        pytest.param('{"a":' * (MAX_DEPTH - 1) + "0" + "}" * (MAX_DEPTH - 1), id="objects as deep as can be"),
    ],
)
def test_arbitrary_value_of_every_key(value: str, target: str) -> None:
    for version in (2, 3):
        for at in some(range(0, len(TOP), KEYS_PER_MANIFEST), 3):
            keys = ", ".join(f'"{key}": {value}' for key in TOP[at : at + KEYS_PER_MANIFEST])
            checked_findings(
                f'{{"manifest_version": {version}, "name": "A", "version": "1", {keys}}}', target
            )


REPEATED_MISTAKES: dict[str, Any] = {
    "wrong permissions": lambda count: {"permissions": [f"bookmark{at}" for at in range(count)]},
    "unknown keys": lambda count: {f"permission{at}": at for at in range(count)},
    "unknown keys of an object": lambda count: {"action": {f"default_ico{at}": 1 for at in range(count)}},
    "wrong patterns": lambda count: {"host_permissions": [f"htp://{at}/*" for at in range(count)]},
    "wrong icons": lambda count: {"icons": {f"size{at}": 5 for at in range(count)}},
    "wrong colors": lambda count: {"theme": {"colors": {f"fram{at}": "#zz" for at in range(count)}}},
    "wrong scripts": lambda count: {"content_scripts": [{"matches": ["x"], "run_at": "y"}] * count},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", REPEATED_MISTAKES)
def test_number_of_explained_mistakes_is_bounded(
    name: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def counting(written: str, known: Iterable[str]) -> str | None:
        nonlocal steps
        steps += 1
        return nearest(written, known)

    for place in ("schema.validation.explain.suggest_name", "checks.manifest_values.relations.nearest"):
        monkeypatch.setattr(f"extlint.{place}", counting)
    monkeypatch.setattr(explain, "MAX_EXPLAINED", 100)
    findings = lint({"manifest.json": manifest(**REPEATED_MISTAKES[name](300))}, RULES, target)
    assert len(findings) <= 200
    assert steps <= 1_000


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_overlong_text_is_not_validated(name: str) -> None:
    assert problem(name, "1." * MAX_TEXT_LENGTH) is None
