"""Keyboard shortcuts in Firefox and Chrome."""

from __future__ import annotations

import pytest
from format_tables import Row, accepted, told

FIREFOX = "firefox-shortcut"
CHROME = "chrome-shortcut"
MAC = "chrome-shortcut-mac"
CHROMEOS = "chrome-shortcut-chromeos"
EVERY = (FIREFOX, CHROME, MAC, CHROMEOS)

TAKEN = [
    "Ctrl+Shift+Y",
    "Alt+A",
    "Ctrl+1",
    "Shift+Alt+Comma",
    "Ctrl+PageUp",
    "Alt+Space",
    "Ctrl + Shift + Y",
    "MediaPlayPause",
]

REFUSED: list[Row] = [
    ("", "it is empty", None),
    ("A", "it requires a modifier other than `Shift`", None),
    ("Shift+A", "it requires a modifier other than `Shift`", None),
    ("Ctrl+", "a key is missing next to a `+`", None),
    ("Ctrl+Shift", "it has modifiers, but no key", None),
    ("Ctrl+a", "the key `a` must be uppercase", "Ctrl+A"),
    ("Ctrl+Periad", "`Periad` is not a key that shortcuts can use", "Ctrl+Period"),
    ("Ctrl+,", "`,` is not a key that shortcuts can use", "Ctrl+Comma"),
    ("Ctrl+Enter", "`Enter` is not a key that shortcuts can use", None),
    ("Ctrl-Shift-Y", "keys must be joined by `+`", "Ctrl+Shift+Y"),
    ("Ctrl+MediaStop", "the media key `MediaStop` cannot be combined with other keys", None),
]


@pytest.mark.parametrize("name", EVERY)
def test_what_is_a_shortcut_everywhere(name: str) -> None:
    assert accepted(name, TAKEN) == TAKEN
    assert told(name, REFUSED) == REFUSED


def test_modifiers_have_exact_names() -> None:
    these = "is not a modifier; the modifiers are `Ctrl`, `Alt` and `Shift`"
    table: list[Row] = [
        ("ctrl+shift+y", f"`ctrl` {these}", "Ctrl+Shift+Y"),
        ("Control+Y", f"`Control` {these}", "Ctrl+Y"),
        ("CmdOrCtrl+Y", f"`CmdOrCtrl` {these}", "Ctrl+Y"),
        ("Win+Y", f"`Win` {these}", None),
    ]
    assert told(CHROME, table) == table
    assert [row[2] for row in told(FIREFOX, table)] == [row[2] for row in table]


def test_chrome_has_modifiers_of_one_system_in_its_suggestion_only() -> None:
    of_mac = ["Command+Y", "MacCtrl+Shift+Y", "Option+Y", "Command+MacCtrl+Y"]
    of_chromeos = ["Search+Y", "Search+Shift+Y"]
    assert accepted(MAC, [*of_mac, *of_chromeos]) == of_mac
    assert accepted(CHROMEOS, [*of_mac, *of_chromeos]) == of_chromeos
    table: list[Row] = [
        ("Command+Y", "the modifier `Command` is only for `mac`; elsewhere, `Ctrl` stands for it", "Ctrl+Y"),
        ("MacCtrl+Y", "the modifier `MacCtrl` is only for `mac`", None),
        ("Option+Y", "the modifier `Option` is only for `mac`", "Alt+Y"),
        ("Search+Y", "the modifier `Search` is only for `chromeos`", None),
    ]
    assert told(CHROME, table) == table


def test_chrome_does_not_combine_alt_with_others() -> None:
    table: list[Row] = [("Ctrl+Alt+Y", "`Ctrl` and `Alt` cannot be used together", None)]
    for name in (CHROME, MAC, CHROMEOS):
        assert told(name, table) == table
    assert told(MAC, [("Command+Option+Y", "`Command` and `Alt` cannot be used together", None)])
    assert accepted(FIREFOX, ["Ctrl+Alt+Y"])


def test_chrome_takes_the_tab_and_keys_in_any_order_and_no_function_keys() -> None:
    takes = ["Ctrl+Tab", "Ctrl+Y+Shift", "Ctrl+Ctrl+Y"]
    assert accepted(CHROME, takes) == takes
    table: list[Row] = [
        ("F1", "Chrome does not accept the function key `F1` in shortcuts", None),
        ("Ctrl+Y+Z", "it has two keys, `Y` and `Z`", None),
        ("Ctrl+Shift+Shift+Y", "at most two modifiers are allowed", "Ctrl+Shift+Y"),
    ]
    assert told(CHROME, table) == table


def test_firefox_takes_function_keys_and_the_modifiers_of_macos() -> None:
    takes = ["F1", "Shift+F2", "Alt+F12", "Command+Y", "MacCtrl+Y", "Ctrl+MacCtrl+Y"]
    assert accepted(FIREFOX, takes) == takes
    table: list[Row] = [
        ("Ctrl+F13", "the key `F13` is not allowed here; only the user can choose it", None),
        ("Ctrl+Tab", "`Tab` is not a key that shortcuts can use", None),
        ("Ctrl+Y+Shift", "the key `Y` must come last", "Ctrl+Shift+Y"),
        ("Ctrl+Alt+Shift+Y", "it has 3 modifiers, but at most two are allowed", None),
        ("Alt+Alt+F8", "`Alt` and `Alt` are the same key", "Alt+F8"),
        ("Ctrl+Command+Y", "`Ctrl` and `Command` are the same key", None),
    ]
    assert told(FIREFOX, table) == table
