"""Commands of the manifest that do nothing."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, reported
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import package_in
from thorough import examples

from extlint.checker import check_package
from extlint.schema.targets import Target

RULES = ["unhandled-command"]
LISTENER = "browser.commands.onCommand.addListener(name => run(name));"
UNHANDLED = "no script handles the command `mute-tab`: none uses `commands.onCommand`"


def extension(script: str | None, *commands: str, version: int = 3, **keys: object) -> Files:
    """Returns an extension with commands and, if given, a background script."""
    text = json.dumps(
        {
            "manifest_version": version,
            "name": "Test",
            "version": "1.0",
            "commands": {name: {"description": "x"} for name in commands},
            **({} if script is None else {"background": {"service_worker": "a.js"}}),
            **keys,
        }
    )
    return {"manifest.json": text, **({} if script is None else {"a.js": script})}


def messages(files: Files, target: str = "reference") -> list[str]:
    return [finding.message for finding in lint(files, RULES, target)]


@pytest.mark.parametrize(
    ("script", "is_reported"),
    [
        ("browser.runtime.getURL('');", True),
        ("browser.omnibox.setDefaultSuggestion({description: 'a'});", True),
        (None, True),
        ("chrome.omnibox.onInputEntered.addListener(f);", False),
        ("chrome.omnibox.onInputStarted.addListener(f);", False),
        ("import './gone.js';", False),
    ],
)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome"])
def test_keyword_without_listener_is_reported(script: str | None, is_reported: bool, target: str) -> None:
    expected = "no script handles the keyword `list`: none uses `omnibox.onInputEntered`"
    assert messages(extension(script, omnibox={"keyword": "list"}), target) == [expected] * is_reported


@pytest.mark.parametrize(
    ("script", "message"),
    [
        pytest.param("browser.runtime.getURL('');", UNHANDLED, id="a script that does something else"),
        pytest.param("console.log(1);", UNHANDLED, id="a script that uses no API"),
        pytest.param(None, UNHANDLED, id="no script at all"),
        pytest.param("chrome.commands.getAll();", UNHANDLED, id="a script that lists commands"),
        pytest.param(LISTENER, None, id="a listener"),
        pytest.param("const {onCommand} = chrome.commands; onCommand.addListener(f);", None, id="in parts"),
        pytest.param("listen(chrome.commands, 'onCommand');", None, id="by other code"),
        pytest.param("chrome[name][event].addListener(f);", None, id="through unknown names"),
        pytest.param("import './gone.js';", None, id="perhaps in a script that is not there"),
        pytest.param("browser.runtime.getURL(", None, id="a script that is broken"),
    ],
)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome"])
def test_command_without_listener_is_reported(script: str | None, message: str | None, target: str) -> None:
    expected = [] if message is None else [message]
    assert messages(extension(script, "mute-tab"), target) == expected


def test_listener_may_be_in_any_script() -> None:
    files = {
        **extension("importScripts('b.js');", "mute-tab"),
        "b.js": LISTENER,
    }
    assert messages(files) == []


def test_each_command_is_reported_at_its_name() -> None:
    assert reported(extension("run();", "a", "b"), RULES) == [(RULES[0], '"a"'), (RULES[0], '"b"')]


@pytest.mark.parametrize(
    ("name", "key", "version"),
    [
        ("_execute_action", "action", 3),
        ("_execute_browser_action", "browser_action", 2),
        ("_execute_page_action", "page_action", 2),
        ("_execute_page_action", "page_action", 3),
        ("_execute_sidebar_action", "sidebar_action", 2),
        ("_execute_sidebar_action", "sidebar_action", 3),
    ],
)
def test_reserved_command_requires_its_manifest_key(name: str, key: str, version: int) -> None:
    message = f"the command `{name}` does nothing because the manifest has no `{key}`"
    assert messages(extension(LISTENER, name, version=version)) == [message]
    assert messages(extension(LISTENER, name, version=version), "firefox") == [message]
    assert messages(extension(LISTENER, name, version=version, **{key: {}})) == []


def test_sidebar_command_is_an_ordinary_command_in_chrome() -> None:
    assert messages(extension(LISTENER, "_execute_sidebar_action"), "chrome") == []


@pytest.mark.parametrize(
    ("name", "version", "meant"),
    [
        ("_execute_browser_action", 3, "_execute_action"),
        ("_execute_action", 2, "_execute_browser_action"),
    ],
)
def test_reserved_command_of_the_other_manifest_version_is_reported(
    name: str, version: int, meant: str
) -> None:
    message = f"the command `{name}` does nothing in Manifest V{version}; did you mean `{meant}`?"
    in_chrome = [message] if version == 2 else []
    keys: dict[str, object] = {"action": {}, "browser_action": {}}
    with_listener = extension(LISTENER, name, version=version, **keys)
    assert messages(with_listener) == []
    assert messages(with_listener, "firefox") == []
    assert messages(with_listener, "chrome") == in_chrome
    unheard = extension("run();", name, version=version, **keys)
    assert messages(unheard) == messages(unheard, "firefox") == [message]
    assert messages(unheard, "chrome") == in_chrome
    assert messages(extension("run();", name, meant, version=version, **keys), "chrome") == []


@pytest.mark.parametrize("name", ["_execute_browser_action", "_execute_page_action"])
def test_command_rejected_by_chrome_mv3_is_reported_once(name: str) -> None:
    rules = [*RULES, "wrong-manifest-version"]
    (finding,) = lint(extension("run();", name, version=3), rules, "chrome")
    assert finding.rule == "wrong-manifest-version"


def test_unknown_reserved_command_is_an_ordinary_one_in_firefox() -> None:
    files = extension("run();", "_execute_side_panel")
    assert messages(files) == messages(files, "chrome") == []
    assert messages(files, "firefox") == [UNHANDLED.replace("mute-tab", "_execute_side_panel")]
    assert messages(extension(LISTENER, "_execute_side_panel"), "firefox") == []


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda of: st.lists(of) | st.dictionaries(st.text(), of)
    )
)
@settings(max_examples=examples(40))
def test_any_commands_value_can_be_checked(commands: object) -> None:
    files = extension("run();", commands=commands)
    assert len(lint(files, RULES)) <= (len(commands) if isinstance(commands, dict) else 0)


@pytest.mark.parametrize(
    ("part", "count"),
    [
        ({}, 1),
        ({"src/manifest_chrome.json": '{"action": {}}'}, 0),
        ({"src/manifest_chrome.json": '{"background": {}}'}, 1),
    ],
    ids=["a build", "a part with the key", "a part with another key"],
)
def test_build_may_add_the_key_of_a_reserved_command(part: dict[str, str], count: int) -> None:
    keys = {"manifest_version": 3, "name": "Test", "commands": {"_execute_action": {}}}
    files = {"src/manifest.json": json.dumps(keys), "webpack.config.js": "", **part}
    package = package_in(files, "src/")
    assert len(check_package(package, [Target("chrome")], RULES).findings) == count
