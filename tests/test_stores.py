"""Requirements of browser stores for manifests: tables of small packages and their findings."""

from __future__ import annotations

import json
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from harness import Files, lint, manifest, reported
from hypothesis import given, settings
from hypothesis import strategies as st
from images import png
from thorough import examples

from extlint.cli.main import main
from extlint.registry import RULES, module_name, rules_in

ID = "missing-store-id"
DATA = "missing-data-collection"
CONTRADICTORY = "contradictory-data-collection"
NAME = "long-name"
DESCRIPTION = "long-description"
NO_DESCRIPTION = "missing-description"
ICON = "missing-store-icon"
UPDATES = "store-update-url"
KEY = "store-key"
VERSION = "unpublishable-version"
BROWSER = "wrong-browser-name"
ALL = (ID, DATA, CONTRADICTORY, NAME, DESCRIPTION, NO_DESCRIPTION, ICON, UPDATES, KEY, VERSION, BROWSER)

CHROME_UPDATES = "https://clients2.google.com/service/update2/crx"
OWN_UPDATES = "https://example.com/updates.xml"


def gecko(**keys: object) -> dict[str, object]:
    return {"browser_specific_settings": {"gecko": keys}}


def data(**keys: object) -> dict[str, object]:
    return gecko(id="a@example.com", data_collection_permissions=keys)


def store_findings(target: str, *rules: str, **keys: object) -> list[tuple[str, str]]:
    """Returns the rule and the source text of each finding in a manifest with these keys."""
    return reported({"manifest.json": manifest(**keys)}, rules or ALL, target)


FOR_CHROME = {"name": "n" * 76, "minimum_chrome_version": "120"}


@pytest.mark.parametrize(
    ("path", "options", "expected"),
    [
        pytest.param("ext", "", [], id="not on a folder"),
        pytest.param("ext.zip", "", [ICON, NO_DESCRIPTION, NAME], id="on an archive"),
        pytest.param(
            "ext", "--extend-select stores", [ICON, NO_DESCRIPTION, NAME], id="a folder, if asked for"
        ),
        pytest.param("ext", "--select stores", [ICON, NO_DESCRIPTION, NAME], id="only the group"),
        pytest.param("ext", "--extend-select long-name", [NAME], id="one of them"),
        pytest.param("ext", "--select stores --ignore long-name", [ICON, NO_DESCRIPTION], id="all but one"),
        pytest.param("ext.zip", "--ignore stores", [], id="not on an archive, if they are ignored"),
        pytest.param("ext.zip", "--select long-name", [NAME], id="one of them on an archive"),
        pytest.param("ext.zip", "--select unknown-key", [], id="no findings if other rules are selected"),
        pytest.param("ext.zip", "--target reference", [NAME], id="what every store rejects"),
    ],
)
def test_group_runs_on_archives_or_if_selected(
    path: str,
    options: str,
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ext").mkdir()
    Path("ext/manifest.json").write_text(manifest(**FOR_CHROME))
    with zipfile.ZipFile("ext.zip", "w") as archive:
        archive.writestr("manifest.json", manifest(**FOR_CHROME))
    assert main(["check", path, "--output-format", "json", *options.split()]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert sorted(each["rule"] for each in found) == sorted(expected)


WHOLE = {
    **data(required=["none"]),
    "description": "A test.",
    "icons": {"128": "128.png"},
}


@pytest.mark.parametrize("target", ["firefox", "firefox_android", "chrome", "edge", "safari", "reference"])
def test_complete_manifest_has_no_findings_for_any_target(target: str) -> None:
    assert store_findings(target, **WHOLE) == []


@pytest.mark.parametrize(
    ("target", "rules"),
    [
        ("reference", []),
        ("safari", []),
        ("firefox", [ID, DATA]),
        ("firefox_android", [ID, DATA]),
        ("chrome", [NO_DESCRIPTION, ICON]),
        ("edge", []),
    ],
)
def test_only_the_rules_of_the_target_store_apply(target: str, rules: list[str]) -> None:
    assert sorted(rule for rule, _ in store_findings(target)) == sorted(rules)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(gecko(id="a@example.com"), [], id="an id"),
        pytest.param(gecko(id=5), [], id="an id of another type is another mistake"),
        pytest.param(gecko(strict_min_version="140.0"), ['{"strict_min_version": "140.0"}'], id="no id"),
        pytest.param({"browser_specific_settings": {"safari": {}}}, ['{"safari": {}}'], id="only for Safari"),
        pytest.param({"browser_specific_settings": {"gecko": []}}, [], id="a wrong type on the way"),
        pytest.param(gecko(id=None), ['{"id": null}'], id="null is nothing"),
        pytest.param({"theme": {}, **gecko()}, ["{}"], id="themes are signed too"),
        pytest.param({"manifest_version": 2, **gecko()}, ["{}"], id="Manifest V2"),
        pytest.param(
            {"manifest_version": 2, "applications": {"gecko": {"id": "a@b.c"}}}, [], id="Manifest V2, its key"
        ),
    ],
)
def test_missing_add_on_id_is_reported(keys: dict[str, object], expected: list[str]) -> None:
    assert store_findings("firefox", ID, **keys) == [(ID, each) for each in expected]


@pytest.mark.parametrize("target", ["firefox", "chrome"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"manifest_version": 3, "name": "A"}', id="no version"),
        pytest.param('{"manifest_version": 3, "version": "1"}', id="no name"),
        pytest.param('{"manifest_version": 0, "name": "A", "version": "1"}', id="no manifest version"),
    ],
)
def test_manifest_completed_by_a_build_has_no_findings(target: str, text: str) -> None:
    assert reported({"manifest.json": text}, ALL, target) == []


@pytest.mark.parametrize("key", ["applications", "browser_specific_setting"])
def test_id_under_a_wrong_key_is_not_missing(key: str) -> None:
    keys = {key: {"gecko": {"id": "a@example.com"}}}
    assert lint({"manifest.json": manifest(**keys)}, [ID], "firefox") == []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(data(required=["none"]), [], id="no data"),
        pytest.param(data(required=["locationInfo"], optional=["technicalAndInteraction"]), [], id="data"),
        pytest.param(data(), ["{}"], id="nothing said"),
        pytest.param(data(optional=["locationInfo"]), ['{"optional": ["locationInfo"]}'], id="optional data"),
        pytest.param(data(required=[]), ["[]"], id="an empty list"),
        pytest.param(data(required="none"), [], id="no list is another mistake"),
        pytest.param(gecko(data_collection_permissions=True), [], id="no object is another mistake"),
        pytest.param(gecko(id="a@b.c"), ['{"id": "a@b.c"}'], id="a gecko object without it"),
        pytest.param({"theme": {}, **gecko()}, [], id="a theme"),
        pytest.param({"dictionaries": {}, **gecko()}, [], id="a dictionary"),
        pytest.param({"langpack_id": "de", **gecko()}, [], id="a language pack"),
        pytest.param({"manifest_version": 2, **gecko()}, ["{}"], id="version 2"),
        pytest.param(gecko(update_url="https://a.b/"), ['{"update_url": "https://a.b/"}'], id="self-hosted"),
    ],
)
def test_missing_data_collection_is_reported(keys: dict[str, object], expected: list[str]) -> None:
    assert store_findings("firefox", DATA, **keys) == [(DATA, each) for each in expected]


def test_data_collection_help_renames_the_old_key() -> None:
    keys = {"manifest_version": 2, "applications": {"gecko": {"id": "a@example.com"}}}
    (finding,) = lint({"manifest.json": manifest(**keys)}, [DATA], "firefox")
    assert finding.help is not None
    assert finding.help.startswith("rename `applications` to `browser_specific_settings`")


@pytest.mark.parametrize(
    ("required", "expected"),
    [
        (["none"], []),
        (["locationInfo", "searchTerms"], []),
        (["locationInfo", "none"], ['"none"']),
        (["none", "locationInfo", "searchTerms"], ['"none"']),
        (["none", "none"], []),
        (["none", 5, None], []),
        ("none", []),
    ],
)
def test_contradictory_data_collection_is_reported(required: object, expected: list[str]) -> None:
    assert store_findings("firefox", CONTRADICTORY, **data(required=required)) == [
        (CONTRADICTORY, each) for each in expected
    ]


def test_contradictory_data_collection_is_reported_in_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"id": "a@b.c", "data_collection_permissions": {"required": ["none", "locationInfo"]}}
    text = manifest(browser_specific_settings={"gecko": settings})
    (tmp_path / "manifest.json").write_text(text, "utf-8")
    main(["check", str(tmp_path), "--output-format", "concise"])
    assert f"warning[{CONTRADICTORY}]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "key", "most"),
    [
        ("firefox", "name", 45),
        ("chrome", "name", 75),
        ("edge", "name", 45),
        ("firefox", "description", 250),
        ("chrome", "description", 132),
        ("edge", "description", 10_000),
        ("reference", "name", 75),
        ("safari", "description", 10_000),
    ],
)
@pytest.mark.parametrize("letter", ["a", "é", "😀"])
def test_text_length_is_counted_in_code_points(target: str, key: str, most: int, letter: str) -> None:
    rules = {"name": NAME, "description": DESCRIPTION}
    assert store_findings(target, *rules.values(), **{key: letter * most}) == []
    found = store_findings(target, *rules.values(), **{key: letter * (most + 1)})
    assert [rule for rule, _ in found] == ([] if most == 10_000 else [rules[key]])


LONG = "a" * 133
SHORT = "b"


def locale_files(name: str, **messages: object) -> dict[str, str]:
    texts = {key: {"message": text} for key, text in messages.items()}
    return {f"_locales/{name}/messages.json": json.dumps(texts)}


@pytest.mark.parametrize(
    ("text", "files", "is_reported"),
    [
        pytest.param("__MSG_d__", locale_files("en", d=LONG), True, id="in the default locale"),
        pytest.param(
            "__MSG_d__", {**locale_files("en", d=SHORT), **locale_files("de", d=LONG)}, False, id="in another"
        ),
        pytest.param("__MSG_D__", locale_files("en", d=LONG), True, id="letter case does not count"),
        pytest.param("__MSG_e__", locale_files("en", d=LONG), False, id="a message that is not there"),
        pytest.param("__MSG_d__", locale_files("en", d=LONG + "$n$"), False, id="a placeholder"),
        pytest.param("__MSG_d__", locale_files("en", d=5), False, id="no text"),
        pytest.param("__MSG_d__", {"_locales/en/messages.json": "["}, False, id="no JSON"),
        pytest.param("__MSG_d__", {"_locales/en/messages.json": "[]"}, False, id="no object"),
        pytest.param("__MSG_d__", {"_locales/en/messages.json": '{"d": []}'}, False, id="no message"),
        pytest.param("__MSG_d__", {}, False, id="no file"),
        pytest.param(
            "__MSG_d__", locale_files("en", d="a" * 132 + "  \n"), False, id="white space at the end"
        ),
        pytest.param("Hi: __MSG_d__", locale_files("en", d="a" * 128), False, id="text around, 132 in all"),
        pytest.param("Hi: __MSG_d__", locale_files("en", d="a" * 129), True, id="text around, 133 in all"),
        pytest.param(
            "__MSG_d__ __MSG_e__", locale_files("en", d="a" * 66, e="a" * 66), True, id="two messages"
        ),
        pytest.param("__MSG_d__ __MSG_f__", locale_files("en", d=LONG), False, id="one of two is not there"),
        pytest.param("__MSG_@@ui_locale__", locale_files("en", d=LONG), False, id="a message of the browser"),
        pytest.param("__MSG_d__" * 9, locale_files("en", d=LONG), True, id="many messages"),
        pytest.param("__MSG_d__" * 50, locale_files("en", d=LONG), False, id="more than are looked at"),
    ],
)
def test_long_message_is_reported_in_its_locale_file(
    text: str, files: dict[str, str], is_reported: bool
) -> None:
    package = {"manifest.json": manifest(description=text, default_locale="en"), **files}
    found = lint(package, [DESCRIPTION], "chrome")
    assert [each.path for each in found] == ["_locales/en/messages.json"] * is_reported
    assert [[related.path for related in each.related] for each in found] == [["manifest.json"]] * is_reported


def test_long_text_is_reported_at_its_longest_message() -> None:
    text = manifest(description="__MSG_d__ __MSG_e__", default_locale="en")
    files = {"manifest.json": text, **locale_files("en", d="a" * 70, e="b" * 71)}
    assert reported(files, [DESCRIPTION], "chrome") == [(DESCRIPTION, '"' + "b" * 71 + '"')]


def test_localized_name_may_be_longer_for_firefox() -> None:
    text = manifest(name="__MSG_n__", default_locale="en")
    for length, count in ((50, 0), (51, 1)):
        files = {"manifest.json": text, **locale_files("en", n="a" * length)}
        assert len(lint(files, [NAME], "firefox")) == count


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param({}, ["{...}"], id="no icons"),
        pytest.param({"icons": {"48": "48.png"}}, ['{"48": "48.png"}'], id="no icon of 128 pixels"),
        pytest.param({"icons": {"128": "128.png"}}, [], id="the icon"),
        pytest.param({"icons": "128.png"}, [], id="no object is another mistake"),
        pytest.param({"theme": {}}, [], id="a theme"),
        pytest.param({"app": {}}, [], id="an app"),
        pytest.param({"export": {}}, [], id="a shared module"),
        pytest.param({"manifest_version": 2}, [], id="Manifest V2, no longer accepted by the store"),
        pytest.param({"update_url": OWN_UPDATES}, [], id="distributed elsewhere"),
        pytest.param({"update_url": CHROME_UPDATES}, ["{...}"], id="downloaded from the store"),
        pytest.param({"icons": {"256": "128.png"}}, [], id="an image of that size under another number"),
        pytest.param({"icons": {"64": "64.png"}}, ['{"64": "64.png"}'], id="another image"),
        pytest.param({"action": {"default_icon": "128.png"}}, ["{...}"], id="no icon of the extension"),
    ],
)
def test_missing_store_icon_is_reported(keys: dict[str, object], expected: list[str]) -> None:
    text = manifest(**keys)
    files: Files = {"manifest.json": text, "128.png": png(128), "64.png": png(64)}
    assert reported(files, [ICON], "chrome") == [
        (ICON, text if each == "{...}" else each) for each in expected
    ]


@pytest.mark.parametrize(
    ("keys", "is_reported"),
    [
        pytest.param({}, True, id="none"),
        pytest.param({"description": None}, True, id="null"),
        pytest.param({"description": ""}, True, id="an empty one"),
        pytest.param({"description": " \n"}, True, id="white space"),
        pytest.param({"description": "__MSG_a__"}, False, id="a message that is not there"),
        pytest.param({"description": "a"}, False, id="one"),
        pytest.param({"description": 5}, False, id="no text is another mistake"),
        pytest.param({"theme": {}}, False, id="a theme"),
        pytest.param({"update_url": OWN_UPDATES}, False, id="distributed elsewhere"),
    ],
)
def test_missing_description_is_reported(keys: dict[str, object], is_reported: bool) -> None:
    assert [rule for rule, _ in store_findings("chrome", NO_DESCRIPTION, **keys)] == [
        NO_DESCRIPTION
    ] * is_reported


@pytest.mark.parametrize(
    ("target", "address", "is_reported"),
    [
        ("edge", CHROME_UPDATES, True),
        ("edge", CHROME_UPDATES.replace("https", "http"), True),
        ("edge", OWN_UPDATES, False),
        ("edge", "https://edge.microsoft.com/extensionwebstorebase/v1/crx", False),
        ("edge", ["https://clients2.google.com/service/update2/crx"], False),
        ("chrome", CHROME_UPDATES, False),
        ("firefox", CHROME_UPDATES, False),
    ],
)
def test_store_update_url_is_reported(target: str, address: object, is_reported: bool) -> None:
    found = store_findings(target, UPDATES, update_url=address)
    assert found == [(UPDATES, json.dumps(address))] * is_reported


@pytest.mark.parametrize(
    ("version", "is_reported"),
    [
        ("1", False),
        ("0.0.0.1", False),
        ("65535.65535.65535.65535", False),
        ("1.65536", True),
        ("4294967295", True),
        ("4294967296", False),
        ("0", True),
        ("0.0.0", True),
        ("0.0.0.0.0", False),
        ("", False),
        ("1.a", False),
        ("1.٣", False),
        ("9" * 5000, False),
        (70000, False),
    ],
)
def test_unpublishable_version_is_reported(version: object, is_reported: bool) -> None:
    assert (
        store_findings("chrome", VERSION, version=version) == [(VERSION, json.dumps(version))] * is_reported
    )


@pytest.mark.parametrize(
    ("target", "keys", "expected"),
    [
        pytest.param("edge", {"name": "For Chrome"}, ['"For Chrome"'], id="in the name"),
        pytest.param("edge", {"description": "Chrome's tabs"}, ['"Chrome\'s tabs"'], id="in the description"),
        pytest.param("edge", {"name": "Chrome", "description": "Chrome"}, ['"Chrome"'] * 2, id="in both"),
        pytest.param("edge", {"name": "Monochrome Chromebook chrome"}, [], id="other words"),
        pytest.param("edge", {"short_name": "Chrome", "author": "Chrome"}, [], id="elsewhere"),
        pytest.param("edge", {"name": "Chrome", "update_url": OWN_UPDATES}, [], id="distributed elsewhere"),
        pytest.param("chrome", {"name": "For Chrome"}, [], id="for Chrome"),
        pytest.param("firefox", {"name": "For Chrome"}, [], id="for Firefox, without a restriction on names"),
    ],
)
def test_name_of_another_browser_is_reported(
    target: str, keys: dict[str, object], expected: list[str]
) -> None:
    assert store_findings(target, BROWSER, **keys) == [(BROWSER, each) for each in expected]


def test_name_of_another_browser_in_a_message_is_reported() -> None:
    text = manifest(description="Hi: __MSG_d__", default_locale="en")
    files = {"manifest.json": text, **locale_files("en", d="for Chrome"), **locale_files("de", d="Chrome")}
    assert reported(files, [BROWSER], "edge") == [(BROWSER, '"for Chrome"')]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["none", "__MSG_a__", "1.0", "é" * 200]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["gecko", "id", "data_collection_permissions", "required", "128", "message"]),
            inner,
        )
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        *("name", "version", "description", "icons", "update_url", "default_locale", "applications"),
        *("browser_specific_settings", "theme", "manifest_version"),
    ]
)


@settings(max_examples=examples(100))
@given(
    keys=st.dictionaries(KEYS, VALUES), messages=VALUES, target=st.sampled_from(["firefox", "chrome", "edge"])
)
def test_any_manifest_can_be_checked(keys: dict[str, object], messages: object, target: str) -> None:
    files = {
        "manifest.json": manifest(**keys),
        "_locales/en/messages.json": json.dumps({"a": messages}),
    }
    for finding in lint(files, ALL, target):
        assert finding.path in files


def test_store_rules_are_those_that_import_stores() -> None:
    files = {name: import_module(f"extlint_rules.{module_name(name)}").__file__ for name in RULES}
    importing = {
        name
        for name, file in files.items()
        if "extlint.linting.stores" in Path(file or "").read_text("utf-8")
    }
    of_the_archive_itself = {"misplaced-manifest"}
    assert importing == {*rules_in("stores")} - of_the_archive_itself


@pytest.mark.parametrize(
    ("target", "keys", "is_reported"),
    [
        pytest.param("chrome", {"key": "YWJj"}, True, id="a key of development"),
        pytest.param("edge", {"key": "YWJj"}, False, id="for another store"),
        pytest.param("chrome", {"key": "YWJj", "update_url": CHROME_UPDATES}, False, id="out of the store"),
        pytest.param("chrome", {"key": "YWJj", "update_url": OWN_UPDATES}, False, id="distributed elsewhere"),
        pytest.param("chrome", {}, False, id="no key"),
    ],
)
def test_development_key_is_reported_for_its_store(
    target: str, keys: dict[str, object], is_reported: bool
) -> None:
    files = {"manifest.json": manifest(**keys)}
    assert reported(files, [KEY], target) == [(KEY, '"key"')] * is_reported
