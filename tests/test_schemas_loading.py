"""What the schema package gives: targets, their schemas, and facts about browsers."""

from __future__ import annotations

import json

import pytest

from extlint_schemas import (
    TARGETS,
    browser_support,
    browsers_with,
    dialect,
    known_namespaces,
    load,
    schema_files,
)


def test_the_reference_target_is_the_first_and_so_the_default() -> None:
    assert TARGETS[0] == "reference"


@pytest.mark.parametrize("target", ["reference", "firefox", "chrome", "safari"])
def test_a_target_is_a_list_of_namespaces_in_the_order_of_its_files(target: str) -> None:
    contents = [json.loads(path.read_text("utf-8")) for path in schema_files(target)]
    written = [
        each
        for content in contents
        for each in (content if isinstance(content, list) else content["namespaces"])
    ]
    assert load(target) == written
    assert written


def test_a_target_is_read_once() -> None:
    assert load("reference") is load("reference")


@pytest.mark.parametrize("name", ["opera", "", "Reference", "../reference", "reference/"])
def test_a_target_that_does_not_exist_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        load(name)


def test_the_dialect_is_a_json_schema_of_draft_7() -> None:
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(dialect())
    assert dialect()["$schema"] == "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("member", "browsers"),
    [
        ("management.getAll", ("chrome", "firefox")),
        ("management.get", ("chrome", "firefox")),
        ("management.getSelf", ("chrome", "firefox")),
        ("management.uninstallSelf", ("chrome", "firefox")),
        ("management.setEnabled", ("chrome", "firefox")),
        ("management.onInstalled", ("chrome", "firefox")),
        ("management.install", ("firefox",)),
        ("management.uninstall", ("chrome",)),
        ("management.launchApp", ("chrome",)),
        ("management.LaunchType", ("chrome",)),
        ("management.ExtensionType", ("chrome", "firefox")),
        ("test.assertRejects", ("firefox",)),
        ("test.assertDeepEq", ("firefox",)),
        ("test.checkDeepEq", ("chrome",)),
        ("test.assertBool", ()),
        ("management.getall", ()),
        ("tabs.query", ()),
    ],
    ids=lambda each: each if isinstance(each, str) else " and ".join(each) or "none",
)
def test_today_s_browsers_have_a_member_or_not(member: str, browsers: tuple[str, ...]) -> None:
    assert browsers_with(*member.split(".")) == browsers


def test_every_fact_about_a_browser_names_its_source() -> None:
    assert all(record.source for record in browser_support())


def test_no_browser_has_two_records_of_a_namespace_or_a_member_twice() -> None:
    keys = [(record.browser, record.namespace) for record in browser_support()]
    assert len(set(keys)) == len(keys)
    assert all(len(set(record.members)) == len(record.members) for record in browser_support())


@pytest.mark.parametrize(
    "namespace", ["management", "test", "tabs", "tts", "devtools.panels", "menus", "debugger"]
)
def test_the_namespaces_of_both_browsers_are_known(namespace: str) -> None:
    assert namespace in known_namespaces()
