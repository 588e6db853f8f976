from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.package.sniff import has_manifest_version, names_manifest_version

LONG = 200_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"manifest_version": 3}', id="a number"),
        pytest.param('{"manifest_version": "3"}', id="a string, which is wrong, but meant"),
        pytest.param(
            '\ufeff// {\n{ /* "[" */ "a": ["}"], "manifest_version" : 2', id="after comments and strings"
        ),
        pytest.param('{"a": "\\"{", "manifest_version":\n3}', id="after an escaped quote"),
        pytest.param('{"version": "1", "manifest_version": 3}', id="after a key with a text"),
        pytest.param('{"version": __VERSION__, "manifest_version": 3, }', id="a template that is not JSON"),
    ],
)
def test_top_level_key_identifies_a_manifest(text: str) -> None:
    assert has_manifest_version(text.encode())
    assert has_manifest_version(text.encode("utf-16"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{}", id="no such key"),
        pytest.param('{"properties": {"manifest_version": 3}}', id="a deeper key"),
        pytest.param('[{"manifest_version": 3}]', id="a list of manifests"),
        pytest.param('{"manifest_version": {"type": "integer"}}', id="a schema of manifests"),
        pytest.param('{"manifest_version": {"message": "x"}}', id="a message of that name"),
        pytest.param('{"keys": ["manifest_version"]}', id="a value"),
        pytest.param('{"say": "\\"manifest_version\\": 3"}', id="inside a string"),
        pytest.param('{/* "manifest_version": 3 */}', id="in a comment"),
    ],
)
def test_other_occurrence_of_the_key_does_not_identify_a_manifest(text: str) -> None:
    assert not has_manifest_version(text.encode())


def test_file_named_manifest_only_has_to_mention_the_key() -> None:
    assert names_manifest_version(b'{"manifest_version" 3')
    assert not names_manifest_version(b'{"name": "web app", "start_url": "/"}')


@pytest.mark.parametrize("unit", ['"', '"\\', "/*", "{", '"" ', '": '])
def test_hostile_text_takes_one_pass(unit: str) -> None:
    assert not has_manifest_version((unit * LONG).encode() + b"manifest_version")


@given(st.text(alphabet='{}[]":\\/*\n manifest_version0', max_size=60))
def test_arbitrary_text_does_not_raise(text: str) -> None:
    assert has_manifest_version(text.encode()) in (True, False)
