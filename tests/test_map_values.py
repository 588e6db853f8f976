"""Fields of the values of an object with a value for each key: `changes.color.newValue`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ["unknown-result-field"]
KEYS = {"permissions": ["storage"], "background": {"service_worker": "b.js", "scripts": ["b.js"]}}
LISTENS = "chrome.storage.onChanged.addListener"


def found(script: str, target: str = "chrome,firefox") -> list[str]:
    """Returns the source text of each finding in a background."""
    return [text for _, text in reported({"manifest.json": manifest(**KEYS), "b.js": script}, RULES, target)]


WRONG = {
    "a field of a change": (f"{LISTENS}((changes) => show(changes.newValue));", "newValue"),
    "a pattern": (f"{LISTENS}(({{ oldValue }}) => show(oldValue));", "oldValue"),
    "an area": ("chrome.storage.local.onChanged.addListener((all) => show(all.newValue));", "newValue"),
    "a misspelled field": (f"{LISTENS}((changes) => show(changes.color.newvalue));", "newvalue"),
    "a field that no change has": (f"{LISTENS}((changes) => show(changes.color.current));", "current"),
}
RIGHT = {
    "a key": f"{LISTENS}((changes) => show(changes.color.newValue, changes.color?.oldValue));",
    "a computed key": f"{LISTENS}((changes) => {{ for (const k in changes) show(changes[k].newValue); }});",
    "a test": f"{LISTENS}((changes) => {{ if (changes.newValue) show(changes); }});",
    "a member of objects": f"{LISTENS}((changes) => show(changes.hasOwnProperty('color')));",
    "a key that is assigned": f"{LISTENS}((changes) => show(changes.newValue)); data.newValue = 1;",
    "all changes": f"{LISTENS}((changes) => show(Object.entries(changes)));",
}


@pytest.mark.parametrize(("script", "name"), WRONG.values(), ids=WRONG)
def test_field_of_values_is_reported(script: str, name: str) -> None:
    """The object has the field at no key, or its values do not have it."""
    assert found(script) == [name]


@pytest.mark.parametrize("script", RIGHT.values(), ids=RIGHT)
def test_reads_by_key(script: str) -> None:
    """A key may have any name."""
    assert found(script) == []


def test_message() -> None:
    """The message says where the field is."""
    script = f"{LISTENS}((changes) => show(changes.newValue));"
    (finding,) = lint({"manifest.json": manifest(**KEYS), "b.js": script}, RULES, "chrome")
    assert finding.message == (
        "what `storage.onChanged` passes has no field `newValue`; the value of each of its keys has it"
    )
    assert finding.help == "read it from the value of a key: `.key.newValue`"
