"""Notes above the permissions in a manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from editing import FILES, MANIFEST, SETTINGS, package_with
from packages import package_of

from extlint.analysis.cache.cache import MemoryCache
from extlint.analysis.cache.store import Store
from extlint.checking.report_of import report_of, storing_with_reports
from extlint.package.files import Package
from extlint.services.editor.lenses import MAX_LOCATIONS, Lens, lenses, permission_uses


def checked(files: Mapping[str, str]) -> tuple[Package, Store]:
    """Returns a package that was checked, and the store with its report."""
    package = package_of(files)
    store = MemoryCache().store_for(package)
    with storing_with_reports(permission_uses):
        report_of(package, SETTINGS, store)
    return package, store


def shown(found: tuple[Lens, ...]) -> list[str]:
    return [f"{each.span.start.line}:{each.span.start.column} {each.title}" for each in found]


def with_manifest(**keys: object) -> dict[str, str]:
    return {**FILES, "manifest.json": json.dumps({**MANIFEST, **keys})}


def titles(files: Mapping[str, str]) -> list[str]:
    package, store = checked(files)
    found = lenses(package, SETTINGS, "manifest.json", files["manifest.json"], store)
    text = files["manifest.json"]
    return [f"{text[each.span.start.column : each.span.end.column - 2]}: {each.title}" for each in found]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"permissions": ["cookies", "alarms"]}, ["cookies: 2 uses", "alarms: no use found"]),
        ({"optional_permissions": ["cookies", "alarms"], "permissions": []}, ["cookies: 2 uses"]),
        ({"permissions": ["unlimitedStorage2", "background"]}, []),
        ({"permissions": [], "host_permissions": ["https://a.example/*"]}, []),
        ({"permissions": ["cookies", 3, None]}, ["cookies: 2 uses"]),
        ({"permissions": "cookies"}, []),
    ],
)
def test_permissions_have_their_uses(keys: dict[str, object], expected: list[str]) -> None:
    assert titles(with_manifest(**keys)) == expected


def test_one_use() -> None:
    files = {**with_manifest(permissions=["cookies"]), "popup/popup.js": ""}
    assert titles(files) == ["cookies: 1 use"]


def test_uses_have_locations() -> None:
    files = with_manifest(permissions=["cookies"])
    package, store = checked(files)
    (lens,) = lenses(package, SETTINGS, "manifest.json", files["manifest.json"], store)
    assert [(each.path, each.line, each.column, each.api) for each in lens.uses] == [
        ("background.js", 2, 1, "cookies.getAll"),
        ("popup/popup.js", 1, 1, "cookies.get"),
    ]


def test_uses_in_a_page_have_the_lines_of_the_page() -> None:
    page = "<!doctype html>\n<p>é</p><script>\n  chrome.cookies.get({});\n</script>\n"
    files = {**with_manifest(permissions=["cookies"], manifest_version=2), "popup/popup.html": page}
    package, store = checked(files)
    (lens,) = lenses(package, SETTINGS, "manifest.json", files["manifest.json"], store)
    assert ("popup/popup.html", 3, 3) in [(each.path, each.line, each.column) for each in lens.uses]


def test_locations_are_limited() -> None:
    files = {**with_manifest(permissions=["cookies"]), "background.js": "chrome.cookies.get({});\n" * 300}
    package, store = checked(files)
    (lens,) = lenses(package, SETTINGS, "manifest.json", files["manifest.json"], store)
    assert (lens.title, len(lens.uses)) == ("301 uses", MAX_LOCATIONS)


def test_notes_follow_the_permissions_in_a_manifest_that_does_not_parse() -> None:
    files = with_manifest(permissions=["cookies", "alarms"])
    package, store = checked(files)
    lenses(package, SETTINGS, "manifest.json", files["manifest.json"], store)
    text = '{"name": "a",\n"permissions": [\n"alarms", "tabs" "cookies"'
    changed = package_with(files, "manifest.json", text)
    assert shown(lenses(changed, SETTINGS, "manifest.json", text, store)) == [
        "3:1 no use found",
        "3:18 2 uses",
    ]


def test_an_extension_has_notes_only_after_a_check() -> None:
    package = package_of(FILES, "unchecked")
    store = MemoryCache().store_for(package)
    assert lenses(package, SETTINGS, "manifest.json", FILES["manifest.json"], store) == ()


def test_only_manifests_have_notes() -> None:
    package, store = checked(FILES)
    assert lenses(package, SETTINGS, "background.js", FILES["manifest.json"], store) == ()


def test_a_stored_report_has_its_uses() -> None:
    files = with_manifest(permissions=["cookies"])
    package, store = checked(files)
    changed = package_with(files, "background.js", "")
    with storing_with_reports(permission_uses):
        report_of(changed, SETTINGS, store)
    text = files["manifest.json"]
    assert [each.title for each in lenses(changed, SETTINGS, "manifest.json", text, store)] == ["1 use"]
    assert [each.title for each in lenses(package, SETTINGS, "manifest.json", text, store)] == ["2 uses"]
