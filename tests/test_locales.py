"""Locales: the default one, the contents of `messages.json`, and references to messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from harness import Files, lint, manifest, reported, text_under
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import package_in
from test_ignored_extensions import git_index
from thorough import examples

from extlint.checker import check_package
from extlint.finding import Severity
from extlint.schema.targets import Target

EN = "_locales/en/messages.json"


def messages(*names: str) -> str:
    """Returns a `messages.json` with these messages."""
    return json.dumps({name: {"message": "Text"} for name in names})


def localized(files: Files | None = None, **keys: object) -> Files:
    """Returns a package with these manifest keys and two messages, `title` and `Menu_1`."""
    return {
        "manifest.json": manifest(default_locale="en", **keys),
        EN: messages("title", "Menu_1"),
        **(files or {}),
    }


def missing_messages(files: Files, target: str = "reference") -> list[tuple[str, str]]:
    """Returns the findings about missing messages: the source text, and the message."""
    return [(text_under(files, each), each.message) for each in lint(files, ["missing-message"], target)]


MISSING_MESSAGE = "the default locale `en` has no message "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("__MSG_title__", None, id="it is there"),
        pytest.param("__MSG_TITLE__", None, id="letter case does not count"),
        pytest.param("a __MSG_menu_1__ b __MSG_title__", None, id="inside a text, twice"),
        pytest.param("__MSG_@@ui_locale__", None, id="browsers define it"),
        pytest.param("no message", None, id="no name"),
        pytest.param("__MSG_titel__", MISSING_MESSAGE + "`titel`; did you mean `title`?", id="misspelt"),
        pytest.param(
            "__MSG_mnu_1__",
            MISSING_MESSAGE + "`mnu_1`; did you mean `Menu_1`?",
            id="the nearest as it is written",
        ),
        pytest.param("__MSG_other__", MISSING_MESSAGE + "`other`", id="nothing is near"),
        pytest.param(
            "__MSG_@@ui_local__",
            MISSING_MESSAGE + "`@@ui_local`; did you mean `@@ui_locale`?",
            id="predefined",
        ),
        pytest.param(
            "__MSG_File__1__", MISSING_MESSAGE + "`File`", id="a name ends at the first two underscores"
        ),
        pytest.param(
            "__msg_title__",
            "browsers do not replace this with a message; did you mean `__MSG_title__`?",
            id="small",
        ),
        pytest.param(
            "__MSG_title_",
            "browsers do not replace this with a message; did you mean `__MSG_title__`?",
            id="one short",
        ),
        pytest.param(
            "__MSG_title",
            "browsers do not replace this with a message; did you mean `__MSG_title__`?",
            id="no end",
        ),
        pytest.param("__msg_other__", None, id="nothing that is known"),
        pytest.param("see __MSG_title", None, id="no end, in other text"),
    ],
)
def test_messages_referenced_by_the_manifest(text: str, message: str | None) -> None:
    assert missing_messages(localized(description=text)) == (
        [] if message is None else [(json.dumps(text), message)]
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        pytest.param('chrome.i18n.getMessage("title")', None, id="it is there"),
        pytest.param('chrome.i18n.getMessage("Title", ["a"])', None, id="letter case does not count"),
        pytest.param('chrome.i18n.getMessage("@@bidi_dir")', None, id="browsers define it"),
        pytest.param(
            'chrome.i18n.getMessage("titel")',
            MISSING_MESSAGE + "`titel`; did you mean `title`?",
            id="misspelt",
        ),
        pytest.param('const n = "x"; browser.i18n.getMessage(n)', MISSING_MESSAGE + "`x`", id="a constant"),
        pytest.param("chrome.i18n.getMessage(name)", None, id="a name that is not known"),
        pytest.param("chrome.i18n.getMessage(`menu_${name}`)", None, id="a name that is put together"),
        pytest.param('chrome.i18n.getMessage(a ? "x" : "title")', None, id="one of two is there"),
        pytest.param(
            'chrome.i18n.getMessage(a ? "titel" : "menu_1")',
            MISSING_MESSAGE + "`titel`; did you mean `title`?",
            id="one of two is misspelled",
        ),
        pytest.param(
            'const t = name => chrome.i18n.getMessage(name); t("title"); t("titel"); t("other")',
            MISSING_MESSAGE + "`titel`; did you mean `title`?",
            id="a function that asks for what it is given",
        ),
        pytest.param(
            'chrome.i18n.getMessage(a ? "titel" : b)',
            MISSING_MESSAGE + "`titel`; did you mean `title`?",
            id="or another",
        ),
        pytest.param('chrome.i18n.getMessage(a ? "x" : b)', None, id="or another, which may be there"),
        pytest.param('chrome.i18n.getMessage(a ? "x" : "")', None, id="or none"),
        pytest.param(
            'chrome.i18n.getMessage(a ? "x" : "y")',
            MISSING_MESSAGE + "`x` or `y`",
            id="neither of two is there",
        ),
        pytest.param(
            'chrome.i18n.getMessage("__MSG_title__")',
            MISSING_MESSAGE + "`__MSG_title__`; did you mean `title`?",
            id="as a manifest names it",
        ),
        pytest.param('chrome.i18n.getMessage("")', None, id="no name at all"),
        pytest.param("chrome.i18n.getMessage()", None, id="no argument"),
        pytest.param("chrome.i18n.getMessage(5)", None, id="no string"),
        pytest.param('other.i18n.getMessage("x")', None, id="another library"),
        pytest.param('if (isFirefox) chrome.i18n.getMessage("x")', None, id="for one browser"),
        pytest.param(
            'if (a) chrome.i18n.getMessage("x")', MISSING_MESSAGE + "`x`", id="under another condition"
        ),
    ],
)
def test_messages_referenced_by_scripts(script: str, message: str | None) -> None:
    files = localized({"background.js": script}, background={"service_worker": "background.js"})
    assert [text for _, text in missing_messages(files)] == ([] if message is None else [message])


def test_manifest_comments_reference_no_messages() -> None:
    keys: dict[str, object] = {
        "_comment": "__MSG_x__",
        "action": {"//": ["__MSG_y__"], "default_title": "__MSG_z__"},
    }
    keys["commands"] = {"_execute_action": {"description": "__MSG_a__"}}
    assert [message for _, message in missing_messages(localized(None, **keys))] == [
        MISSING_MESSAGE + "`z`",
        MISSING_MESSAGE + "`a`",
    ]


def test_missing_message_in_a_test_is_not_reported() -> None:
    assert missing_messages(localized({"tests/a.test.js": 'chrome.i18n.getMessage("x")'})) == []


def test_missing_message_is_reported_at_the_argument() -> None:
    script = "const name = 'x';\nchrome.i18n.getMessage(name, ['title']);"
    files = localized({"background.js": script}, background={"service_worker": "background.js"})
    assert reported(files, ["missing-message"]) == [("missing-message", "name")]


def test_messages_referenced_by_style_sheets() -> None:
    style = "/* __MSG_x__ */\nbody { direction: __MSG_@@bidi_dir__; --é: 'é'; content: '__MSG_y__'; }"
    scripts = [{"matches": ["https://*/*"], "css": ["a.css"]}, {"matches": ["http://*/*"], "css": ["a.css"]}]
    page = '<link rel="stylesheet" href="b.css">'
    styles = {"a.css": style, "b.css": "/* */ __MSG_z__", "other.css": "__MSG_o__", "page.html": page}
    files = localized(styles, content_scripts=scripts, options_page="page.html")
    assert missing_messages(files) == [
        ("__MSG_y__", MISSING_MESSAGE + "`y`"),
        ("__MSG_z__", MISSING_MESSAGE + "`z`"),
    ]


@pytest.mark.parametrize(
    ("locales", "expected"),
    [
        pytest.param(["de"], "`de` has it", id="one"),
        pytest.param(["de", "fr"], "`de` and `fr` have it", id="two"),
        pytest.param(["de", "es", "fr", "it", "ja"], "`de`, `es`, `fr` and 2 more have it", id="many"),
    ],
)
def test_other_locales_with_the_message_are_listed(locales: list[str], expected: str) -> None:
    files = {f"_locales/{locale}/messages.json": messages("titel") for locale in locales}
    (finding,) = missing_messages(localized(files, name="__MSG_titel__"))
    assert finding[1] == f"{MISSING_MESSAGE}`titel`; {expected}"


@pytest.mark.parametrize(
    ("files", "stated"),
    [
        pytest.param({}, "en", id="the default locale has no file"),
        pytest.param({EN: "{"}, "en", id="its file is not valid JSON"),
        pytest.param({EN: "[]"}, "en", id="its file holds no object"),
        pytest.param({EN: messages("other")}, None, id="no default locale is stated"),
        pytest.param({EN: messages("other")}, 5, id="the default locale is not a string"),
        pytest.param(
            {EN: messages("title"), "_locales/en_GB/messages.json": "{}"}, "en_GB", id="its parent has it"
        ),
        pytest.param({"_locales/pt_BR/messages.json": messages("title")}, "pt-BR", id="a hyphen"),
    ],
)
def test_possibly_defined_message_is_not_reported(files: Files, stated: object) -> None:
    keys = {"name": "__MSG_title__"} | ({} if stated is None else {"default_locale": stated})
    assert missing_messages({"manifest.json": manifest(**keys), **files}) == []


BUILD = {"build.sh": "node merge.js"}
PART = {"ext/_locales/en/popup.json": messages("Title")}


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param(BUILD | PART, False, id="a part that a build may merge"),
        pytest.param(BUILD | {"ext/_locales/en/pages/a.json": messages("title")}, False, id="in a folder"),
        pytest.param(PART, True, id="browsers do not read it"),
        pytest.param(BUILD, True, id="no part"),
        pytest.param(BUILD | {"ext/_locales/en/popup.json": messages("other")}, True, id="another message"),
        pytest.param(BUILD | {"ext/_locales/fr/popup.json": messages("title")}, True, id="another locale"),
        pytest.param(BUILD | {"ext/_locales/en/a.json": '{"title": "Text"}'}, True, id="no message"),
        pytest.param(BUILD | {"ext/_locales/en/a.json": '{"title": '}, True, id="no JSON"),
        pytest.param(BUILD | {"ext/_locales/en/a.json": '["title"]'}, True, id="no object"),
    ],
)
def test_build_may_merge_messages(files: Files, is_reported: bool) -> None:
    own = {
        "ext/manifest.json": manifest(default_locale="en", background={"service_worker": "b.js"}),
        "ext/b.js": "chrome.i18n.getMessage('title');",
        f"ext/{EN}": messages("other"),
    }
    report = check_package(package_in({**own, **files}, "ext/"), (Target("chrome"),), ["missing-message"])
    assert bool(report.findings) == is_reported


@pytest.mark.parametrize("target", ["chrome", "edge"])
def test_extension_id_message_is_unavailable_in_chrome_manifests(target: str) -> None:
    files = localized(description="__MSG_@@extension_id__")
    expected = "the message `@@extension_id` does not exist yet when Chrome reads the manifest"
    assert [message for _, message in missing_messages(files, target)] == [expected]
    assert missing_messages(files, "firefox") == missing_messages(files) == []


def test_firefox_requires_messages_in_every_locale_folder() -> None:
    files = localized({"_locales/kaa/notes.txt": ""})
    assert reported(files, ["missing-file"], "firefox") == [("missing-file", '"en"')]
    assert reported(files, ["missing-file"], "chrome") == reported(files, ["missing-file"]) == []


def test_missing_message_is_reported_once_without_locales() -> None:
    files = {
        "manifest.json": manifest(
            name="__MSG_a__", description="__MSG_b__", background={"scripts": ["a.js"]}
        ),
        "a.js": 'browser.i18n.getMessage("c")',
    }
    expected = "the message `a` does not exist: the package has no folder `_locales`"
    assert missing_messages(files) == [('"__MSG_a__"', expected)]


def test_predefined_messages_exist_without_locales() -> None:
    text = "__MSG_@@ui_locale__ __MSG_@@Extension_ID__"
    assert missing_messages({"manifest.json": manifest(description=text)}) == []


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param({"message": "$A$", "placeholders": {"A": {"content": "$1"}}}, [], id="defined"),
        pytest.param({"message": "$A$", "placeholders": {"a": {"content": "$1"}}}, [], id="in small letters"),
        pytest.param({"message": "$1 $2 $$ $ 5$ or 7$"}, [], id="no names"),
        pytest.param({"message": "x", "placeholders": {"a": {"content": "$1"}}}, [], id="never named"),
        pytest.param({"message": "a $NAME$ b"}, ["`$NAME$`"], id="no placeholders at all"),
        pytest.param({"message": "$5$"}, ["`$5$`"], id="a number is a name"),
        pytest.param({"message": "$$a$$"}, ["`$a$`"], id="with more dollar signs"),
        pytest.param({"message": "$a$b$"}, ["`$a$`"], id="a dollar sign ends one name and begins none"),
        pytest.param({"message": "$a$ $A$ $b$"}, ["`$a$`", "`$b$`"], id="each placeholder is reported once"),
        pytest.param({"message": "$a$", "placeholders": []}, ["`$a$`"], id="placeholders are not an object"),
        pytest.param({"message": 5}, [], id="the message is not a string"),
        pytest.param("$a$", [], id="no entry"),
    ],
)
def test_undefined_placeholders(entry: object, expected: list[str]) -> None:
    files = localized({"_locales/de/messages.json": json.dumps({"x": entry})})
    findings = lint(files, ["undefined-placeholder"])
    assert [each.message for each in findings] == [
        f"the placeholder {name} is not defined" for name in expected
    ]
    text = json.dumps(entry["message"]) if isinstance(entry, dict) else None
    assert {text_under(files, each) for each in findings} <= {text}


def test_placeholder_of_several_messages_is_one_finding() -> None:
    entries = {name: {"message": "$NAME$"} for name in ("a", "b", "c")}
    (found,) = lint(localized({"_locales/de/messages.json": json.dumps(entries)}), ["undefined-placeholder"])
    assert [each.message for each in found.related] == ["it is also used here"] * 2


def test_nearest_placeholder_is_suggested() -> None:
    entry = {"message": "$NAM$", "placeholders": {"Name": {"content": "$1"}}}
    (finding,) = lint(localized({EN: json.dumps({"x": entry})}), ["undefined-placeholder"])
    assert finding.message == "the placeholder `$NAM$` is not defined; did you mean `$Name$`?"


def package_with_entry(value: object) -> Files:
    """Returns a package with an additional message `x` in its default locale."""
    return localized({EN: json.dumps({"title": {"message": "Text"}, "x": value})})


MESSAGE_RULES = ["invalid-value", "missing-key", "unknown-key", "duplicate-key", "undefined-placeholder"]
P = {"message": "$P$"}


@pytest.mark.parametrize(
    ("value", "firefox", "chrome"),
    [
        pytest.param({"message": "x"}, [], [], id="a message"),
        pytest.param({"message": ""}, [], [], id="an empty message"),
        pytest.param({"message": "x", "hash": "1", "description": 5}, [], [], id="keys that browsers ignore"),
        pytest.param("x", [("invalid-value", '"x"')], None, id="a text"),
        pytest.param(None, [("invalid-value", "null")], None, id="null"),
        pytest.param([], [("invalid-value", "[]")], None, id="a list"),
        pytest.param({"description": "x"}, [("missing-key", '{"description": "x"}')], None, id="no message"),
        pytest.param({"message": 5}, [("invalid-value", "5")], None, id="a message that is a number"),
        pytest.param({"message": ["x"]}, [("invalid-value", '["x"]')], None, id="a message that is a list"),
        pytest.param({"mesage": "x"}, [("unknown-key", '"mesage"')], None, id="misspelt, and then missing"),
        pytest.param({"message": "x", "messages": "y"}, [], [], id="like a key that is there"),
        pytest.param(
            {"message": "x", "descripton": "y"}, [("unknown-key", '"descripton"')], None, id="misspelt"
        ),
        pytest.param(
            {**P, "placeholder": {"p": {"content": "$1"}}},
            [("unknown-key", '"placeholder"')],
            None,
            id="misspelt placeholders",
        ),
        pytest.param({"message": "x", "placeholders": []}, [], [("invalid-value", "[]")], id="an empty list"),
        pytest.param(
            {"message": "x", "placeholders": None}, [], [("invalid-value", "null")], id="null in it"
        ),
        pytest.param({**P, "placeholders": {"p": "$1"}}, [("invalid-value", '"$1"')], None, id="no object"),
        pytest.param({**P, "placeholders": {"p": {}}}, [("missing-key", "{}")], None, id="no content"),
        pytest.param(
            {**P, "placeholders": {"p": {"contnt": "$1"}}},
            [("unknown-key", '"contnt"')],
            None,
            id="misspelt content",
        ),
        pytest.param(
            {**P, "placeholders": {"p": {"content": 1}}},
            [],
            [("invalid-value", "1")],
            id="placeholder content that is a number",
        ),
        pytest.param(
            {"message": "x", "placeholders": {"p-q": {"content": "1"}}},
            [("invalid-value", '"p-q"')],
            None,
            id="a placeholder with a hyphen",
        ),
        pytest.param(
            {"message": "$P$", "placeholders": {"p": {"content": "1"}, "P": {"content": "2"}}},
            [("duplicate-key", '"P"')],
            None,
            id="one placeholder twice",
        ),
    ],
)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome", "edge", "safari"])
def test_message_entry_is_validated(
    value: object, firefox: list[tuple[str, str]], chrome: list[tuple[str, str]] | None, target: str
) -> None:
    expected = chrome if target in ("chrome", "edge") and chrome is not None else firefox
    assert reported(package_with_entry(value), MESSAGE_RULES, target) == expected


@pytest.mark.parametrize(
    ("names", "firefox", "chrome"),
    [
        pytest.param(["a", "B_1", "x@y", "@@own"], [], [], id="names"),
        pytest.param(["a-b"], [], [("invalid-value", '"a-b"')], id="a hyphen"),
        pytest.param(["a.b"], [], [("invalid-value", '"a.b"')], id="a period"),
        pytest.param([""], [], [("invalid-value", '""')], id="nothing"),
        pytest.param(["é"], [], [("invalid-value", '"\\u00e9"')], id="another letter"),
        pytest.param(["@@UI_locale"], [], [("invalid-value", '"@@UI_locale"')], id="one of Chrome's own"),
        pytest.param(
            ["@@extension_id"],
            [("invalid-value", '"@@extension_id"')],
            [("invalid-value", '"@@extension_id"')],
            id="one that every browser passes over",
        ),
        pytest.param(["a", "b", "A"], [("duplicate-key", '"A"')], [("duplicate-key", '"A"')], id="one twice"),
    ],
)
def test_message_names_are_validated(
    names: list[str], firefox: list[tuple[str, str]], chrome: list[tuple[str, str]]
) -> None:
    files = localized({EN: messages("title", *names)})
    assert reported(files, MESSAGE_RULES) == reported(files, MESSAGE_RULES, "firefox") == firefox
    assert reported(files, MESSAGE_RULES, "chrome") == reported(files, MESSAGE_RULES, "edge") == chrome


def test_duplicate_message_name_links_to_the_first() -> None:
    files = localized({EN: messages("title", "other", "TITLE")})
    (finding,) = lint(files, ["duplicate-key"])
    assert finding.message == "`TITLE` repeats `title`: browsers ignore case here"
    assert finding.severity is Severity.WARNING
    assert [each.message for each in finding.related] == ["`title` is here"]


@pytest.mark.parametrize("text", ["[]", '"x"', "5", "null", "true"])
def test_messages_must_be_an_object(text: str) -> None:
    assert reported(localized({EN: text}), MESSAGE_RULES) == [("invalid-value", text)]


def test_chrome_ignores_messages_of_unknown_locales() -> None:
    files = localized({"_locales/kaa/messages.json": '{"a": {}}'})
    assert reported(files, ["missing-key"], "chrome") == []
    assert reported(files, ["missing-key"], "firefox") == [("missing-key", "{}")]


MISSING_FILE = "the package has no file `_locales/%s/messages.json`"
FOLDER_WITHOUT_FILE = "the folder `_locales/%s` has no file `messages.json`"


@pytest.mark.parametrize(
    ("locale", "files", "messages"),
    [
        pytest.param("en", ["en/messages.json"], [], id="there"),
        pytest.param("en-US", ["en_US/messages.json"], [], id="a hyphen: Firefox takes it"),
        pytest.param("en", [], [MISSING_FILE % "en"], id="no locale at all"),
        pytest.param(
            "en",
            ["en/Messages.json"],
            [MISSING_FILE % "en" + ", only `_locales/en/Messages.json`, which differs in letter case"],
            id="the file in other letter case",
        ),
        pytest.param(
            "pt_br",
            ["pt_BR/messages.json"],
            [MISSING_FILE % "pt_br" + ", only `_locales/pt_BR/messages.json`, which differs in letter case"],
            id="the folder in other letter case",
        ),
        pytest.param(
            "EN-us",
            ["en_US/messages.json"],
            [MISSING_FILE % "EN-us" + ", only `_locales/en_US/messages.json`"],
            id="in other letter case, with a hyphen",
        ),
        pytest.param(
            "en",
            ["en_US/messages.json", "de/messages.json"],
            [MISSING_FILE % "en" + "; did you mean `en_US`?"],
            id="of the same language",
        ),
        pytest.param(
            "en",
            ["de/messages.json"],
            [MISSING_FILE % "en" + ", only `_locales/de/messages.json`"],
            id="of another language",
        ),
        pytest.param(
            "en", ["de/messages.json", "fr/messages.json"], [MISSING_FILE % "en"], id="of two other languages"
        ),
        pytest.param(
            "en", ["en/messages.yml", "de/messages.yml"], [], id="a build makes them of other files"
        ),
        pytest.param("en", ["en.yml"], [], id="a build makes them of one other file"),
        pytest.param(
            "en",
            ["en/messages.json", "de/other.json"],
            [FOLDER_WITHOUT_FILE % "de"],
            id="another folder has none",
        ),
        pytest.param(
            "en",
            ["en/messages.json", "de/notes/messages.json"],
            [FOLDER_WITHOUT_FILE % "de"],
            id="only deeper",
        ),
        pytest.param(
            "en", ["en/messages.json", ".git/config", "README.md", "shared/a.txt"], [], id="no locales"
        ),
        pytest.param("../en", [], [], id="no name of a locale"),
        pytest.param("", [], [], id="nothing"),
        pytest.param(["en"], [], [], id="no text"),
    ],
)
def test_messages_file_of_the_default_locale(locale: object, files: list[str], messages: list[str]) -> None:
    package = {
        "manifest.json": manifest(default_locale=locale),
        **{f"_locales/{path}": "{}" for path in files},
    }
    findings = lint(package, ["missing-file"])
    assert [each.message for each in findings] == messages
    refused = "browsers refuse to load the extension without this file"
    assert {each.help for each in findings} <= {refused}
    assert {text_under(package, each) for each in findings} <= {json.dumps(locale)}


MESSAGES_FROM_ELSEWHERE = {
    "nothing": ({}, True),
    "a build": ({"vite.config.js": ""}, False),
    "a build that may move them": ({"build.sh": "", "ext/locales/en/messages.json": "{}"}, False),
    "a submodule": ({".gitmodules": '[submodule "l10n"]\n\tpath = ext/_locales\n'}, False),
    "an archive": ({"ext/_locales.zip": b"PK"}, False),
    "a command that copies them": ({"ext/pack.sh": "cp -r ../l10n _locales\n"}, False),
    "a command that copies others": ({"ext/pack.sh": "cp -r ../l10n locales\n"}, True),
    "a script of npm": ({"ext/package.json": '{"scripts": {"start": "cp -r l10n/* _locales/"}}'}, False),
    "an ignored folder of locales": ({"ext/.gitignore": "_locales/\n"}, False),
    "another ignored folder": ({"ext/.gitignore": "locales/\n"}, True),
    "an ignored folder with a tracked manifest": (
        {".gitignore": "/ext\n", ".git/index": git_index("ext/manifest.json")},
        False,
    ),
    "an ignored folder": ({".gitignore": "/ext\n"}, True),
    "an ignored folder with tracked messages": (
        {
            ".gitignore": "/ext\n",
            ".git/index": git_index("ext/manifest.json", "ext/_locales/en/messages.json"),
        },
        True,
    ),
}


@pytest.mark.parametrize(
    ("around", "is_reported"), MESSAGES_FROM_ELSEWHERE.values(), ids=MESSAGES_FROM_ELSEWHERE
)
def test_messages_may_be_generated_or_downloaded(around: Files, is_reported: bool) -> None:
    package = package_in({"ext/manifest.json": manifest(default_locale="en"), **around}, "ext/")
    report = check_package(package, (Target("reference"),), ["missing-file"])
    assert bool(report.findings) == is_reported


def test_messages_of_another_locale_may_be_ignored() -> None:
    files = {
        "ext/manifest.json": manifest(default_locale="en"),
        f"ext/{EN}": "{}",
        "ext/_locales/de/notes.txt": "",
    }
    for ignored, number in (("messages.json", 0), ("notes.txt", 1)):
        package = package_in({**files, "ext/.gitignore": f"/_locales/de/{ignored}\n"}, "ext/")
        assert len(check_package(package, (Target("firefox"),), ["missing-file"]).findings) == number


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param([EN], True, id="messages"),
        pytest.param(["_locales/README.md"], False, id="another file"),
        pytest.param(["other/_locales/en/messages.json"], False, id="elsewhere"),
        pytest.param([], False, id="no locales"),
    ],
)
def test_default_locale_is_required_with_messages(files: list[str], is_reported: bool) -> None:
    package = {"manifest.json": manifest(), **dict.fromkeys(files, "{}")}
    findings = lint(package, ["missing-key"])
    assert [each.message for each in findings] == [
        "the manifest is missing the key `default_locale`, which a package with messages requires"
    ] * is_reported
    assert {text_under(package, each) for each in findings} <= {manifest()}


@pytest.mark.parametrize(
    ("target", "severity", "effect"),
    [
        ("chrome", Severity.ERROR, "which a package with messages requires"),
        ("firefox", Severity.ERROR, "which a package with messages requires"),
        ("safari", Severity.WARNING, "without which Safari finds no message"),
    ],
)
def test_safari_loads_a_package_without_a_default_locale(
    target: str, severity: Severity, effect: str
) -> None:
    (found,) = lint({"manifest.json": manifest(), EN: "{}"}, ["missing-key"], target)
    assert found.severity is severity
    assert found.message == f"the manifest is missing the key `default_locale`, {effect}"


LOCALE_WRITER = """
const fs = require("fs");
const manifest = JSON.parse(fs.readFileSync("manifest.json"));
fs.writeFileSync("manifest.json", JSON.stringify({default_locale: "en", ...manifest}));
"""


def test_build_script_may_add_the_default_locale() -> None:
    files = {"manifest.json": manifest(), EN: "{}"}
    assert lint({**files, "scripts/build.js": LOCALE_WRITER}, ["missing-key"]) == []
    assert lint({**files, "scripts/build.js": LOCALE_WRITER.replace("locale", "icon")}, ["missing-key"]) != []


def test_equivalent_locale_folders_are_for_different_browsers() -> None:
    files = localized({"_locales/no/messages.json": "{}", "_locales/nb/messages.json": "{}"})
    assert lint(files, ["unknown-locale"], "firefox") == []


KEYS = st.sampled_from(
    ["title", "Title", "x-y", "", "message", "mesage", "placeholders", "P", "content", "@@ui_locale"]
)
TEXTS = st.sampled_from(["", "$P$", "$p$ $1", "é\n", "__MSG_title__", "\ud800"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.dictionaries(
    KEYS,
    st.fixed_dictionaries(
        {},
        optional={
            "message": TEXTS | VALUES,
            "mesage": TEXTS,
            "placeholders": VALUES
            | st.dictionaries(KEYS, st.dictionaries(KEYS, TEXTS, max_size=2), max_size=3),
        },
    )
    | VALUES,
    max_size=4,
)


def values_and_keys(value: Any) -> Iterator[Any]:
    """Yields a value, all values inside it, and the keys of its objects."""
    yield value
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from values_and_keys(inner)


@given(MESSAGES | VALUES, VALUES, st.sampled_from(["reference", "chrome", "firefox", "safari"]))
@settings(max_examples=examples(100))
def test_every_finding_is_at_a_key_or_value(value: object, locale: object, target: str) -> None:
    files = {
        "manifest.json": manifest(name="__MSG_title__", default_locale=locale),
        EN: json.dumps(value),
        "_locales/de/messages.json": json.dumps(value, indent=1, ensure_ascii=True),
        "_locales/jp/messages.json": "{}",
    }
    for package in (files, {**files, "manifest.json": manifest(name="__MSG_title__", default_locale="en")}):
        for finding in lint(
            package, [*MESSAGE_RULES, "missing-message", "missing-file", "unknown-locale"], target
        ):
            text = text_under(package, finding)
            assert (finding.rule == "unknown-locale") == (text == "")
            assert text == "" or json.loads(text) in values_and_keys(json.loads(package[finding.path]))


@pytest.mark.parametrize(
    ("folder", "reference", "firefox", "chrome"),
    [
        pytest.param("pt_BR", None, None, None, id="a locale"),
        pytest.param("sr_Latn", None, None, None, id="with a script"),
        pytest.param("jp", "ja", "ja", "ja", id="a country"),
        pytest.param("cn", "zh_CN", "zh_CN", "zh_CN", id="another country"),
        pytest.param("pt-BR", None, None, "pt_BR", id="a hyphen"),
        pytest.param("pt_br", None, None, "pt_BR", id="other letter case"),
        pytest.param("no", None, "nb", None, id="Norwegian"),
        pytest.param("no_NO", None, "nb", None, id="Norwegian in Norway"),
        pytest.param("zh_HK", None, None, None, id="a country missing from Chrome's own list"),
        pytest.param("sr_RS", None, None, None, id="an unnecessary country"),
        pytest.param("zh_Hans", None, None, None, id="a script"),
        pytest.param("zh-Hans", None, None, "zh_CN", id="a script after a hyphen"),
        pytest.param("zh-Hant", None, None, "zh_TW", id="another script after a hyphen"),
        pytest.param("iw", "he", "he", "he", id="an old code"),
        pytest.param("en_UK", None, None, "en_GB", id="a country by another code"),
        pytest.param("kaa", None, None, None, id="a language that is not known"),
        pytest.param("english", "", "", "", id="no locale"),
        pytest.param("fr_temp", None, None, "", id="another word after the language"),
        pytest.param("zh_hant", None, None, "zh_Hant", id="a script in other letter case"),
        pytest.param(".git", None, None, None, id="hidden"),
    ],
)
def test_unknown_locale_folders(
    folder: str, reference: str | None, firefox: str | None, chrome: str | None
) -> None:
    files = localized({f"_locales/{folder}/messages.json": "{}"})
    prefixes = {
        "reference": "no browser reads",
        "firefox": "Firefox does not read",
        "chrome": "Chrome does not read",
    }
    for target, meant in (("reference", reference), ("firefox", firefox), ("chrome", chrome)):
        expected = f"{prefixes[target]} the locale `{folder}`" + (
            f"; did you mean `{meant}`?" if meant else ""
        )
        findings = lint(files, ["unknown-locale"], target)
        assert [each.message for each in findings] == ([] if meant is None else [expected])
        assert {each.path for each in findings} <= {f"_locales/{folder}/messages.json"}


@pytest.mark.parametrize("folder", ["_locale", "locales", "locale", "_local"])
def test_messages_in_a_misspelled_folder(folder: str) -> None:
    files = {"manifest.json": manifest(default_locale="en"), f"{folder}/en/messages.json": "{}"}
    (finding,) = lint(files, ["missing-file"])
    assert finding.message == f"{MISSING_FILE % 'en'}, only `{folder}/en/messages.json`"


@pytest.mark.parametrize(
    ("locale", "folder", "firefox", "chrome"),
    [
        pytest.param("pt_BR", "pt_BR", [], [], id="right"),
        pytest.param("pt-BR", "pt_BR", [], ["invalid-value"], id="stated with a hyphen"),
        pytest.param("pt_BR", "pt-BR", [], ["missing-file"], id="a folder with a hyphen"),
        pytest.param("pt-BR", "pt-BR", [], ["invalid-value"], id="both with a hyphen"),
        pytest.param("pt_br", "pt_BR", ["missing-file"], ["invalid-value"], id="stated in other letter case"),
        pytest.param(
            "pt_BR", "pt_br", ["missing-file"], ["missing-file"], id="a folder in other letter case"
        ),
        pytest.param("jp", "jp", [], ["invalid-value"], id="a locale that only Firefox takes"),
        pytest.param("jp", "ja", ["missing-file"], ["invalid-value"], id="a country"),
        pytest.param("", "en", ["invalid-value"], ["invalid-value"], id="nothing"),
        pytest.param(None, "en", ["invalid-value"], ["invalid-value"], id="null"),
    ],
)
def test_wrong_default_locale_is_reported_once(
    locale: str | None, folder: str, firefox: list[str], chrome: list[str]
) -> None:
    files = {"manifest.json": manifest(default_locale=locale), f"_locales/{folder}/messages.json": "{}"}
    about = ["invalid-value", "missing-file", "unknown-locale", "missing-key"]
    found_rules = {
        target: [each.rule for each in lint(files, about, target)] for target in ("firefox", "chrome")
    }
    assert found_rules == {"firefox": firefox, "chrome": chrome}


def test_misspelled_default_locale_key_is_reported_once() -> None:
    files = {"manifest.json": manifest(defualt_locale="en"), EN: messages("title")}
    assert reported(files) == [("unknown-key", '"defualt_locale"')]


def test_duplicate_keys_in_ignored_messages_are_not_reported() -> None:
    twice = '{"title": {"message": "a"}, "title": {"message": "b"}}'
    files = localized({"_locales/fr/messages.json": twice, "_locales/fr_temp/messages.json": twice})
    found = {each.path for each in lint(files, ["duplicate-key"], "chrome")}
    assert found == {"_locales/fr/messages.json"}
    assert len(lint(files, ["duplicate-key"], "firefox")) == 2
