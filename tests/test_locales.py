"""Locales: the default one, what `messages.json` may hold, and the messages that an extension names."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest, told, under

EN = "_locales/en/messages.json"


def messages(*names: str) -> str:
    """A `messages.json` that has these messages."""
    return json.dumps({name: {"message": "Text"} for name in names})


def localized(files: Files | None = None, **keys: object) -> Files:
    """A package with these keys in its manifest; its default locale has the messages `title` and `Menu_1`."""
    return {
        "manifest.json": manifest(default_locale="en", **keys),
        EN: messages("title", "Menu_1"),
        **(files or {}),
    }


def missing(files: Files, target: str = "reference") -> list[tuple[str, str]]:
    """What is told of missing messages: the source text, and the message."""
    return [(under(files, each), each.message) for each in lint(files, ["missing-message"], target)]


LACKS = "the default locale `en` has no message "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("__MSG_title__", None, id="it is there"),
        pytest.param("__MSG_TITLE__", None, id="letter case does not count"),
        pytest.param("a __MSG_menu_1__ b __MSG_title__", None, id="inside a text, twice"),
        pytest.param("__MSG_@@ui_locale__", None, id="browsers define it"),
        pytest.param("no message", None, id="no name"),
        pytest.param("__MSG_titel__", LACKS + "`titel`; did you mean `title`?", id="misspelt"),
        pytest.param(
            "__MSG_mnu_1__", LACKS + "`mnu_1`; did you mean `Menu_1`?", id="the nearest as it is written"
        ),
        pytest.param("__MSG_other__", LACKS + "`other`", id="nothing is near"),
        pytest.param(
            "__MSG_@@ui_local__", LACKS + "`@@ui_local`; did you mean `@@ui_locale`?", id="predefined"
        ),
        pytest.param("__MSG_File__1__", LACKS + "`File`", id="a name ends at the first two underscores"),
        pytest.param(
            "__msg_title__", "browsers put no message here; did you mean `__MSG_title__`?", id="small"
        ),
        pytest.param(
            "__MSG_title_", "browsers put no message here; did you mean `__MSG_title__`?", id="one short"
        ),
        pytest.param(
            "__MSG_title", "browsers put no message here; did you mean `__MSG_title__`?", id="no end"
        ),
        pytest.param("__msg_other__", None, id="nothing that is known"),
        pytest.param("see __MSG_title", None, id="no end, in other text"),
    ],
)
def test_messages_that_the_manifest_names(text: str, message: str | None) -> None:
    assert missing(localized(description=text)) == ([] if message is None else [(json.dumps(text), message)])


@pytest.mark.parametrize(
    ("script", "message"),
    [
        pytest.param('chrome.i18n.getMessage("title")', None, id="it is there"),
        pytest.param('chrome.i18n.getMessage("Title", ["a"])', None, id="letter case does not count"),
        pytest.param('chrome.i18n.getMessage("@@bidi_dir")', None, id="browsers define it"),
        pytest.param(
            'chrome.i18n.getMessage("titel")', LACKS + "`titel`; did you mean `title`?", id="misspelt"
        ),
        pytest.param('const n = "x"; browser.i18n.getMessage(n)', LACKS + "`x`", id="a constant"),
        pytest.param("chrome.i18n.getMessage(name)", None, id="a name that is not known"),
        pytest.param("chrome.i18n.getMessage(`menu_${name}`)", None, id="a name that is put together"),
        pytest.param('chrome.i18n.getMessage(a ? "x" : "title")', None, id="one of two is there"),
        pytest.param(
            'chrome.i18n.getMessage(a ? "x" : "y")', LACKS + "`x` or `y`", id="neither of two is there"
        ),
        pytest.param('chrome.i18n.getMessage("")', None, id="no name at all"),
        pytest.param("chrome.i18n.getMessage()", None, id="no argument"),
        pytest.param("chrome.i18n.getMessage(5)", None, id="no string"),
        pytest.param('other.i18n.getMessage("x")', None, id="another library"),
        pytest.param('if (isFirefox) chrome.i18n.getMessage("x")', None, id="for one browser"),
        pytest.param('if (a) chrome.i18n.getMessage("x")', LACKS + "`x`", id="under another condition"),
    ],
)
def test_messages_that_scripts_ask_for(script: str, message: str | None) -> None:
    files = localized({"background.js": script}, background={"service_worker": "background.js"})
    assert [told for _, told in missing(files)] == ([] if message is None else [message])


def test_a_missing_message_stands_at_the_argument() -> None:
    script = "const name = 'x';\nchrome.i18n.getMessage(name, ['title']);"
    files = localized({"background.js": script}, background={"service_worker": "background.js"})
    assert told(files, ["missing-message"]) == [("missing-message", "name")]


def test_messages_that_style_sheets_name() -> None:
    style = "/* __MSG_x__ */\nbody { direction: __MSG_@@bidi_dir__; --é: 'é'; content: '__MSG_y__'; }"
    scripts = [{"matches": ["https://*/*"], "css": ["a.css"]}, {"matches": ["http://*/*"], "css": ["a.css"]}]
    files = localized({"a.css": style, "other.css": "__MSG_z__"}, content_scripts=scripts)
    assert missing(files) == [("__MSG_y__", LACKS + "`y`")]


@pytest.mark.parametrize(
    ("locales", "told"),
    [
        pytest.param(["de"], "`de` has it", id="one"),
        pytest.param(["de", "fr"], "`de` and `fr` have it", id="two"),
        pytest.param(["de", "es", "fr", "it", "ja"], "`de`, `es`, `fr` and 2 more have it", id="many"),
    ],
)
def test_other_locales_that_have_the_message_are_told(locales: list[str], told: str) -> None:
    files = {f"_locales/{locale}/messages.json": messages("titel") for locale in locales}
    (finding,) = missing(localized(files, name="__MSG_titel__"))
    assert finding[1] == f"{LACKS}`titel`; {told}"


@pytest.mark.parametrize(
    ("files", "stated"),
    [
        pytest.param({}, "en", id="the default locale has no file"),
        pytest.param({EN: "{"}, "en", id="its file is no JSON"),
        pytest.param({EN: "[]"}, "en", id="its file holds no object"),
        pytest.param({EN: messages("other")}, None, id="no default locale is stated"),
        pytest.param({EN: messages("other")}, 5, id="the default locale is no text"),
        pytest.param(
            {EN: messages("title"), "_locales/en_GB/messages.json": "{}"}, "en_GB", id="its parent has it"
        ),
        pytest.param({"_locales/pt_BR/messages.json": messages("title")}, "pt-BR", id="a hyphen"),
    ],
)
def test_what_may_have_the_message_is_silent(files: Files, stated: object) -> None:
    keys = {"name": "__MSG_title__"} | ({} if stated is None else {"default_locale": stated})
    assert missing({"manifest.json": manifest(**keys), **files}) == []


def test_without_any_locale_one_message_is_told() -> None:
    files = {
        "manifest.json": manifest(
            name="__MSG_a__", description="__MSG_b__", background={"scripts": ["a.js"]}
        ),
        "a.js": 'browser.i18n.getMessage("c")',
    }
    told = "there is no message `a`: the package has no folder `_locales`"
    assert missing(files) == [('"__MSG_a__"', told)]


def test_without_any_locale_browsers_still_define_messages() -> None:
    text = "__MSG_@@ui_locale__ __MSG_@@Extension_ID__"
    assert missing({"manifest.json": manifest(description=text)}) == []


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        pytest.param({"message": "$A$", "placeholders": {"A": {"content": "$1"}}}, [], id="defined"),
        pytest.param({"message": "$A$", "placeholders": {"a": {"content": "$1"}}}, [], id="in small letters"),
        pytest.param({"message": "$1 $2 $$ $ 5$ or 7$"}, [], id="no names"),
        pytest.param({"message": "x", "placeholders": {"a": {"content": "$1"}}}, [], id="never named"),
        pytest.param({"message": "a $NAME$ b"}, ["`$NAME$`"], id="no placeholders at all"),
        pytest.param({"message": "$5$"}, ["`$5$`"], id="a number is a name"),
        pytest.param({"message": "$$a$$"}, ["`$a$`"], id="with more dollar signs"),
        pytest.param({"message": "$a$b$"}, ["`$a$`"], id="a dollar sign ends one name and begins none"),
        pytest.param({"message": "$a$ $A$ $b$"}, ["`$a$`", "`$b$`"], id="each is told once"),
        pytest.param({"message": "$a$", "placeholders": []}, ["`$a$`"], id="placeholders are no object"),
        pytest.param({"message": 5}, [], id="the message is no text"),
        pytest.param("$a$", [], id="no entry"),
    ],
)
def test_placeholders_that_are_not_defined(entry: object, told: list[str]) -> None:
    files = localized({"_locales/de/messages.json": json.dumps({"x": entry})})
    findings = lint(files, ["undefined-placeholder"])
    assert [each.message for each in findings] == [f"the placeholder {name} is not defined" for name in told]
    text = json.dumps(entry["message"]) if isinstance(entry, dict) else None
    assert {under(files, each) for each in findings} <= {text}


def test_the_nearest_placeholder_is_offered() -> None:
    entry = {"message": "$NAM$", "placeholders": {"Name": {"content": "$1"}}}
    (finding,) = lint(localized({EN: json.dumps({"x": entry})}), ["undefined-placeholder"])
    assert finding.message == "the placeholder `$NAM$` is not defined; did you mean `$Name$`?"
