"""Keyboard shortcuts in Firefox and Chrome."""

from __future__ import annotations

import pytest
from format_tables import Row, accepted_texts, reported

FIREFOX = "firefox-shortcut"
CHROME = "chrome-shortcut"
MAC = "chrome-shortcut-mac"
CHROMEOS = "chrome-shortcut-chromeos"
ALL_FORMATS = (FIREFOX, CHROME, MAC, CHROMEOS)

ACCEPTED = [
    "Ctrl+Shift+Y",
    "Alt+A",
    "Ctrl+1",
    "Shift+Alt+Comma",
    "Ctrl+PageUp",
    "Alt+Space",
    "Ctrl + Shift + Y",
    "MediaPlayPause",
]

REJECTED: list[Row] = [
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


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_shortcuts_in_every_browser(name: str) -> None:
    assert accepted_texts(name, ACCEPTED) == ACCEPTED
    assert reported(name, REJECTED) == REJECTED


def test_modifier_names_are_exact() -> None:
    these = "is not a modifier; the modifiers are `Ctrl`, `Alt` and `Shift`"
    table: list[Row] = [
        ("ctrl+shift+y", f"`ctrl` {these}", "Ctrl+Shift+Y"),
        ("Control+Y", f"`Control` {these}", "Ctrl+Y"),
        ("CmdOrCtrl+Y", f"`CmdOrCtrl` {these}", "Ctrl+Y"),
        ("Win+Y", f"`Win` {these}", None),
    ]
    assert reported(CHROME, table) == table
    assert [row[2] for row in reported(FIREFOX, table)] == [row[2] for row in table]


def test_chrome_accepts_platform_modifiers_only_in_their_key() -> None:
    of_mac = ["Command+Y", "MacCtrl+Shift+Y", "Option+Y", "Command+MacCtrl+Y"]
    of_chromeos = ["Search+Y", "Search+Shift+Y"]
    assert accepted_texts(MAC, [*of_mac, *of_chromeos]) == of_mac
    assert accepted_texts(CHROMEOS, [*of_mac, *of_chromeos]) == of_chromeos
    table: list[Row] = [
        ("Command+Y", "the modifier `Command` is only for `mac`; elsewhere, `Ctrl` stands for it", "Ctrl+Y"),
        ("MacCtrl+Y", "the modifier `MacCtrl` is only for `mac`", None),
        ("Option+Y", "the modifier `Option` is only for `mac`", "Alt+Y"),
        ("Search+Y", "the modifier `Search` is only for `chromeos`", None),
    ]
    assert reported(CHROME, table) == table


def test_chrome_rejects_alt_with_ctrl_or_command() -> None:
    table: list[Row] = [("Ctrl+Alt+Y", "`Ctrl` and `Alt` cannot be used together", None)]
    for name in (CHROME, MAC, CHROMEOS):
        assert reported(name, table) == table
    assert reported(MAC, [("Command+Option+Y", "`Command` and `Alt` cannot be used together", None)])
    assert accepted_texts(FIREFOX, ["Ctrl+Alt+Y"])


def test_chrome_accepts_tab_and_any_order_but_no_function_keys() -> None:
    takes = ["Ctrl+Tab", "Ctrl+Y+Shift", "Ctrl+Ctrl+Y"]
    assert accepted_texts(CHROME, takes) == takes
    table: list[Row] = [
        ("F1", "Chrome does not accept the function key `F1` in shortcuts", None),
        ("Ctrl+Y+Z", "it has two keys, `Y` and `Z`", None),
        ("Ctrl+Shift+Shift+Y", "at most two modifiers are allowed", "Ctrl+Shift+Y"),
    ]
    assert reported(CHROME, table) == table


def test_firefox_accepts_function_keys_and_macos_modifiers() -> None:
    takes = ["F1", "Shift+F2", "Alt+F12", "Command+Y", "MacCtrl+Y", "Ctrl+MacCtrl+Y"]
    assert accepted_texts(FIREFOX, takes) == takes
    table: list[Row] = [
        ("Ctrl+F13", "the key `F13` is not allowed here; only the user can choose it", None),
        ("Ctrl+Tab", "`Tab` is not a key that shortcuts can use", None),
        ("Ctrl+Y+Shift", "the key `Y` must come last", "Ctrl+Shift+Y"),
        ("Ctrl+Alt+Shift+Y", "it has 3 modifiers, but at most two are allowed", None),
        ("Alt+Alt+F8", "`Alt` and `Alt` are the same key", "Alt+F8"),
        ("Ctrl+Command+Y", "`Ctrl` and `Command` are the same key", None),
    ]
    assert reported(FIREFOX, table) == table
