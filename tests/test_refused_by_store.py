"""Values, scripts and files that browsers accept and stores refuse: tables of small packages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from harness import Files, lint, manifest
from images import gif, png
from packages import open_archive

from extlint.checker import check_package
from extlint.finding import Finding, Severity
from extlint.schema.targets import Target

RULE = "refused-by-store"
NO_FILES: Files = {}
LETTERS = {Severity.ERROR: "E", Severity.WARNING: "W", Severity.INFO: "I"}


def summary(findings: list[Finding]) -> list[str]:
    return [f"{LETTERS[each.severity]} {each.message}" for each in findings]


def store_findings(keys: Mapping[str, object], target: str = "firefox", files: Files = NO_FILES) -> list[str]:
    """Returns the findings in a manifest with these keys, and in the files that it names."""
    return summary(lint({"manifest.json": manifest(**keys), **files}, [RULE], target))


def gecko(**keys: object) -> dict[str, object]:
    return {"browser_specific_settings": {"gecko": {"id": "a@example.com", **keys}}}


def policy(text: str, version: int = 3) -> dict[str, object]:
    value: object = {"extension_pages": text} if version == 3 else text
    return {"manifest_version": version, "content_security_policy": value}


@pytest.mark.parametrize(
    "keys",
    [
        {"name": "__MSG_a__"},
        {"name": "Two words"},
        {"homepage_url": "https://example.com/addons"},
        {"homepage_url": "https://addons.mozilla.org/", "developer": {"url": "https://example.com/"}},
        {"permissions": ["proxy"], **gecko(strict_min_version="91.1.0")},
        {"permissions": ["proxy"], "applications": {"gecko": {"strict_min_version": "100.0"}}},
        gecko(update_url=""),
        gecko(data_collection_permissions={"required": ["none"], "has_previous_consent": False}),
        {"dictionaries": {"en": "a.dic"}},
        {"langpack_id": "en", **gecko(strict_max_version="140.*")},
        {"granted_host_permissions": False},
        {"theme": {"images": {"additional_backgrounds": ["a.png"]}}},
        {
            "theme": {"images": {"additional_backgrounds": [{"linear-gradient": "red, blue"}]}},
            **gecko(strict_min_version="153.0"),
        },
        policy("script-src 'self'; connect-src http://localhost:8080"),
        policy("script-src 'self' 'wasm-unsafe-eval'; object-src 'self'", 2),
        policy("default-src 'none'; script-src 'self'; img-src https://example.com", 2),
        policy("script-src 'self' http://localhost:8080", 2) | {"manifest_version": 3},
    ],
)
def test_accepted_values(keys: dict[str, object]) -> None:
    assert store_findings(keys) == []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"name": "Name "}, "E addons.mozilla.org refuses white space around `name`"),
        ({"name": "N"}, "E addons.mozilla.org requires at least 2 characters in `name`"),
        (
            {"homepage_url": "https://addons.mozilla.org/a/"},
            "E addons.mozilla.org refuses links to `addons.mozilla.org` here",
        ),
        (
            {"developer": {"url": "https://addons.mozilla.org/a/"}},
            "E addons.mozilla.org refuses links to `addons.mozilla.org` here",
        ),
        (
            {"permissions": ["proxy"], **gecko(strict_min_version="91.0")},
            "E addons.mozilla.org accepts `proxy` only with `strict_min_version` 91.1.0 or later",
        ),
        (
            gecko(update_url="https://example.com/a.json"),
            "W addons.mozilla.org refuses `update_url`, because it updates the add-ons that it lists",
        ),
        (
            {"manifest_version": 2, "applications": {"gecko": {"admin_install_only": False}}},
            "E `admin_install_only` is for add-ons that administrators install;"
            " addons.mozilla.org refuses it",
        ),
        (
            gecko(data_collection_permissions={"required": ["none"], "has_previous_consent": True}),
            "E addons.mozilla.org refuses `has_previous_consent` with the value `true`",
        ),
        (
            {"dictionaries": {"en": "a.dic", "de": "b.dic"}},
            "E addons.mozilla.org accepts one dictionary in an add-on, not 2",
        ),
        ({"dictionaries": {}}, "E addons.mozilla.org accepts one dictionary in an add-on, not none"),
        (
            {"dictionaries": {"en": "a.dic"}, **gecko(strict_max_version="140.*")},
            "E addons.mozilla.org refuses `strict_max_version` in dictionaries",
        ),
        (
            gecko(strict_max_version="140.*"),
            "I addons.mozilla.org advises against `strict_max_version`: the add-on stops with a new version",
        ),
        (
            {"granted_host_permissions": True},
            "W Firefox reads `granted_host_permissions` only in privileged add-ons of Mozilla",
        ),
        (
            {"dark_theme": {"images": {"additional_backgrounds": [{"linear-gradient": "red, blue"}]}}},
            "E addons.mozilla.org accepts a gradient only with `strict_min_version` 153.0 or later",
        ),
        (
            policy("script-src 'self' http://localhost:8080"),
            "W Firefox ignores the policy with `http://localhost:8080`, except while an add-on is loaded"
            " temporarily",
        ),
        (
            policy("script-src 'self' https://example.com; object-src 'self'", 2),
            "W addons.mozilla.org examines an add-on more closely if its policy allows scripts from"
            " `https://example.com`",
        ),
    ],
)
def test_refused_values(keys: dict[str, object], expected: str) -> None:
    assert store_findings(keys) == [expected]
    assert store_findings(keys, "chrome") == []


THEME = "E addons.mozilla.org accepts only PNG, JPEG, GIF and SVG images in a theme"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.png", png(8), []),
        ("a.gif", gif(8, 8), []),
        ("a.jpg", png(8), ["W `a.jpg` is a PNG image: its name should end accordingly"]),
        ("a.bmp", png(8), [THEME]),
    ],
)
def test_images_of_a_theme(name: str, data: bytes, expected: list[str]) -> None:
    assert store_findings({"theme": {"images": {"theme_frame": name}}}, files={name: data}) == expected


@pytest.mark.parametrize(("name", "is_reported"), [("a.png", False), ("a.ico", True), ("a", True)])
def test_names_of_icons(name: str, is_reported: bool) -> None:
    message = "W addons.mozilla.org expects the name of an icon to end like that of an image"
    assert store_findings({"icons": {"48": name}}, files={name: png(48)}) == [message] * is_reported


@pytest.mark.parametrize(("name", "is_reported"), [("a", False), ("@a", False), ("@@a", True)])
def test_names_of_messages(name: str, is_reported: bool) -> None:
    files = {"_locales/en/messages.json": json.dumps({name: {"message": "A"}})}
    found = lint({"manifest.json": manifest(default_locale="en"), **files}, [RULE], "firefox")
    assert [each.path for each in found] == ["_locales/en/messages.json"] * is_reported


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([("a.js", "1;")], []),
        ([("a.js", "1;"), ("a.js", "2;")], ["E the archive has several files with the name `a.js`"]),
        ([("b/mozilla-recommendation.json", "{}")], ["E addons.mozilla.org reserves the name"]),
        ([("META-INF/manifest.mf", "")], ["W `META-INF/manifest.mf` is the signature of a package"]),
        ([("a.js", " " * 5_242_879)], []),
        ([("a.js", " " * 5_242_880)], ["E `a.js` has 5242880 bytes"]),
        ([("a.png", " " * 5_242_880)], []),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_files_of_an_archive(entries: list[tuple[str, str]], expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with ZipFile(path, "w") as packed:
        for name, text in [("manifest.json", manifest()), *entries]:
            packed.writestr(name, text)
    found = list(check_package(open_archive(path, "a.zip"), [Target("firefox")], [RULE]).findings)
    assert len(found) == len(expected)
    assert all(text.startswith(start) for text, start in zip(summary(found), expected, strict=True))


INSERT = "const e = document.createElement('script'); e.src = {}; document.head.append(e);"
REMOTE = "'https://cdn.example.com/a.js'"


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        (INSERT.format(REMOTE), True),
        (f"const add = (u) => {{ {INSERT.format('u')} }}; add({REMOTE});", True),
        (INSERT.format("chrome.runtime.getURL('b.js')"), False),
        (f"const e = document.createElement('img'); e.src = {REMOTE}; document.body.append(e);", False),
        (f"const e = document.createElement('script'); e.src = {REMOTE};", False),
        (f"if (false) {{ {INSERT.format(REMOTE)} }}", False),
    ],
)
def test_remote_scripts_that_content_scripts_insert(text: str, is_reported: bool) -> None:
    keys = {"content_scripts": [{"matches": ["https://example.org/*"], "js": ["a.js"]}]}
    for target, store in (("chrome", "the Chrome Web Store"), ("edge", "Microsoft Edge Add-ons")):
        found = store_findings(keys, target, {"a.js": text})
        assert [each[: len(store) + 10] for each in found] == [f"E {store} refuses"] * is_reported
    assert store_findings(keys, "firefox", {"a.js": text}) == []


SEARCH = {"chrome_settings_overrides": {"search_provider": {"name": "a"}}}
TAB = {"chrome_url_overrides": {"newtab": "a.html"}}


@pytest.mark.parametrize(
    ("target", "keys", "is_reported"),
    [
        ("chrome", {**SEARCH, **TAB}, True),
        ("chrome", SEARCH, False),
        ("chrome", TAB, False),
        ("chrome", {**SEARCH, **TAB, "update_url": "https://example.com/a.xml"}, False),
        ("firefox", {**SEARCH, **TAB}, False),
    ],
)
def test_extension_with_two_purposes(target: str, keys: dict[str, object], is_reported: bool) -> None:
    message = "W the extension replaces the new tab page and the search engine;"
    found = store_findings(keys, target)
    assert [each.partition(" the Chrome Web Store")[0] for each in found] == [message] * is_reported
