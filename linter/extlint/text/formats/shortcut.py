"""Keyboard shortcuts of commands, as each browser accepts them.

Chrome accepts different modifiers in the suggestions for macOS and ChromeOS.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.text.formats.registry import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted

_LETTERS_AND_DIGITS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_NAMED_KEYS = tuple("Comma Period Home End PageUp PageDown Space Insert Delete Up Down Left Right".split())
_MEDIA_KEYS = ("MediaNextTrack", "MediaPlayPause", "MediaPrevTrack", "MediaStop")
_FUNCTION_KEYS = tuple(f"F{number}" for number in range(1, 13))

_OTHER_NAMES = {
    "control": "Ctrl",
    "ctl": "Ctrl",
    "commandorcontrol": "Ctrl",
    "cmdorctrl": "Ctrl",
    "command": "Command",
    "cmd": "Command",
    "⌘": "Command",
    "option": "Alt",
    "opt": "Alt",
    ",": "Comma",
    ".": "Period",
    "dot": "Period",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "del": "Delete",
    "ins": "Insert",
    "spacebar": "Space",
    "arrowup": "Up",
    "arrowdown": "Down",
    "arrowleft": "Left",
    "arrowright": "Right",
}
"""Other names of keys, in lower case, with the names that browsers know."""

_OTHER_SEPARATOR = lazy(r"\s*+[-+ ]\s*+")
_HIGHER_FUNCTION_KEY = lazy(r"F1[3-9]")
_ASCII_SPACES = " \t\n\v\f\r"
_MAX_PARTS = 6


class _Keys(Struct, frozen=True):
    modifiers: tuple[str, ...]
    keys: tuple[str, ...]


_FIREFOX = _Keys(
    ("Ctrl", "Alt", "Shift", "Command", "MacCtrl"), (*_LETTERS_AND_DIGITS, *_NAMED_KEYS, *_FUNCTION_KEYS)
)
_CHROME_KEYS = (*_LETTERS_AND_DIGITS, *_NAMED_KEYS, "Tab")
_CHROME = _Keys(("Ctrl", "Alt", "Shift"), _CHROME_KEYS)
_CHROME_MAC = _Keys(("Ctrl", "Alt", "Shift", "Command", "MacCtrl", "Option"), _CHROME_KEYS)
_CHROME_CHROMEOS = _Keys(("Ctrl", "Alt", "Shift", "Search"), _CHROME_KEYS)


def firefox(text: str) -> Problem | None:
    """Checks one or two modifiers and a key; optional with function keys, forbidden with media keys."""
    return _problem(text, _FIREFOX)


def chrome(text: str) -> Problem | None:
    """Checks one or two of Ctrl, Alt and Shift with a key, but not Ctrl with Alt; or a media key."""
    return _problem(text, _CHROME)


def chrome_or_none(text: str) -> Problem | None:
    """Checks a shortcut as Chrome accepts it, or an empty text, which is equivalent to no shortcut."""
    return chrome(text) if text else None


def chrome_mac(text: str) -> Problem | None:
    """Checks a shortcut with the modifiers of macOS."""
    return _problem(text, _CHROME_MAC)


def chrome_chromeos(text: str) -> Problem | None:
    """Checks a shortcut with the modifiers of ChromeOS."""
    return _problem(text, _CHROME_CHROMEOS)


def _problem(text: str, known: _Keys) -> Problem | None:
    reason = _reason(text, known)
    if reason is None:
        return None
    suggestion = _suggestion(text, known)
    if suggestion is not None and _reason(suggestion, known) is not None:
        suggestion = None
    return Problem(reason, suggestion)


def _reason(text: str, known: _Keys) -> str | None:
    spaces = None if known is _FIREFOX else _ASCII_SPACES
    parts = [each.strip(spaces) for each in text.split("+")]
    if not all(parts):
        return "a key is missing next to a `+`" if len(parts) > 1 else "it is empty"
    if len(parts) == 1 and _OTHER_SEPARATOR.search(parts[0]):
        return "keys must be joined by `+`"
    media = [each for each in parts if each in _MEDIA_KEYS]
    if media:
        return (
            None
            if len(parts) == 1
            else f"the media key {quoted(media[0])} cannot be combined with other keys"
        )
    return _reason_in_firefox(parts) if known is _FIREFOX else _reason_in_chrome(parts, known)


def _reason_in_firefox(parts: Sequence[str]) -> str | None:
    *modifiers, key = parts
    wrong = next((each for each in modifiers if each not in _FIREFOX.modifiers), None)
    if wrong is not None:
        if wrong in _FIREFOX.keys:
            return f"the key {quoted(wrong)} must come last"
        return _no_modifier(wrong, _FIREFOX)
    if key not in _FIREFOX.keys:
        return _no_key(key, _FIREFOX)
    if key not in _FUNCTION_KEYS and modifiers in ([], ["Shift"]):
        return "it requires a modifier other than `Shift`"
    if len(modifiers) > 2:
        return f"it has {len(modifiers)} modifiers, but at most two are allowed"
    if len(modifiers) == 2 and len({"Ctrl" if each == "Command" else each for each in modifiers}) == 1:
        return f"{quoted(modifiers[0])} and {quoted(modifiers[1])} are the same key"
    return None


def _reason_in_chrome(parts: Sequence[str], known: _Keys) -> str | None:
    keys = [each for each in parts if each not in known.modifiers]
    if not keys:
        return "it has modifiers, but no key"
    wrong = next((each for each in keys if each not in known.keys), None)
    if wrong is not None:
        return _no_key(wrong, known) if wrong == parts[-1] else _no_modifier(wrong, known)
    if len(keys) > 1:
        return f"it has two keys, {quoted(keys[0])} and {quoted(keys[1])}"
    modifiers = {"Alt" if each == "Option" else each for each in parts if each in known.modifiers}
    if modifiers <= {"Shift"}:
        return "it requires a modifier other than `Shift`"
    second = modifiers - {"Alt", "Shift"}
    if "Alt" in modifiers and second:
        return f"{quoted(min(second))} and `Alt` cannot be used together"
    if len(parts) > 3:
        return "at most two modifiers are allowed"
    return None


def _no_modifier(name: str, known: _Keys) -> str:
    if name in _CHROME_MAC.modifiers:
        hint = "; elsewhere, `Ctrl` stands for it" if name == "Command" else ""
        return f"the modifier {quoted(name)} is only for `mac`{hint}"
    if name in _CHROME_CHROMEOS.modifiers:
        return f"the modifier {quoted(name)} is only for `chromeos`"
    modifiers = listed([quoted(each) for each in known.modifiers], "and")
    return f"{quoted(name)} is not a modifier; the modifiers are {modifiers}"


def _no_key(name: str, known: _Keys) -> str:
    if name in known.modifiers:
        return "it has modifiers, but no key"
    if known is _FIREFOX and _HIGHER_FUNCTION_KEY.fullmatch(name):
        return f"the key {quoted(name)} is not allowed here; only the user can choose it"
    if name in _FUNCTION_KEYS:
        return f"Chrome does not accept the function key {quoted(name)} in shortcuts"
    if len(name) == 1 and name.upper() in known.keys:
        return f"the key {quoted(name)} must be uppercase"
    return f"{quoted(name)} is not a key that shortcuts can use"


def _suggestion(text: str, known: _Keys) -> str | None:
    parts = [each.strip() for each in text.split("+")]
    if len(parts) == 1:
        parts = _OTHER_SEPARATOR.split(text.strip(), _MAX_PARTS)
    if len(parts) > _MAX_PARTS:
        return None
    meant = [_meant(each, known) for each in parts]
    names = list(dict.fromkeys(each for each in meant if each is not None))
    keys = [each for each in names if each not in known.modifiers]
    if None in meant or len(keys) != 1:
        return None
    return "+".join([*(each for each in names if each in known.modifiers), *keys])


def _meant(part: str, known: _Keys) -> str | None:
    """Returns the key that a name stands for, or None."""
    names = (*known.modifiers, *known.keys, *_MEDIA_KEYS)
    if part in names:
        return part
    meant = _OTHER_NAMES.get(part.lower()) or nearest(part, names)
    if meant == "Command" and meant not in names:
        meant = "Ctrl"
    return meant if meant in names else None
