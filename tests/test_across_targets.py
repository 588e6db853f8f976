"""Merges the findings of one mistake across targets and rules, but keeps separate mistakes separate."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, text_under
from images import png
from msgspec.structs import replace

from extlint.finding import Edit, Finding, Fix, Related, Severity
from extlint.linting.merge import across_targets, mark_unsafe_fixes
from extlint.registry import RULES
from extlint.text.positions import Position, Span

PLACE = Span(Position(1, 1), Position(1, 2))
OTHER = Span(Position(2, 1), Position(2, 2))
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


def finding(
    target: str,
    message: str,
    general: str | None = None,
    *,
    rule: str = "a",
    severity: Severity = ERROR,
    help: str | None = None,
    reason: str | None = None,
    related: tuple[Related, ...] = (),
) -> Finding:
    return Finding(
        rule, severity, message, "x", PLACE, None, help, related, (target,), general=general, reason=reason
    )


def firefox(message: str, general: str | None = None, **rest: object) -> Finding:
    return finding("firefox", message, general, **rest)  # type: ignore[arg-type]


def chrome(message: str, general: str | None = None, **rest: object) -> Finding:
    return finding("chrome", message, general, **rest)  # type: ignore[arg-type]


MERGED = {
    "the same message": ([firefox("m"), chrome("m")], "m", None),
    "the same message, whatever is general": ([firefox("m", "g"), chrome("m", "h")], "m", None),
    "the same general words": ([firefox("m", "g"), chrome("n", "g")], "g", "Firefox: m; Chrome: n"),
    "reasons": (
        [firefox("it is m", "g", reason="m"), chrome("it is n", "g", reason="n")],
        "g",
        "Firefox: m; Chrome: n",
    ),
    "an empty reason": ([firefox("m", "g", reason=""), chrome("n", "g")], "g", "Chrome: n"),
    "no general words": ([firefox("m"), chrome("n")], "Firefox: m; Chrome: n", None),
    "different general words": ([firefox("m", "g"), chrome("n", "h")], "Firefox: m; Chrome: n", None),
    "different words and help": (
        [firefox("m", help="h"), chrome("n", help="i")],
        "Firefox: m; Chrome: n",
        "Firefox: h; Chrome: i",
    ),
    "browsers that say the same": (
        [
            firefox("m", "g"),
            chrome("n", "g"),
            finding("edge", "n", "g"),
            finding("firefox_android", "m", "g"),
        ],
        "g",
        "Firefox and Firefox for Android: m; Chrome and Edge: n",
    ),
    "a help for all": (
        [firefox("m", "g", help="h"), chrome("n", "g", help="h")],
        "g",
        "Firefox: m; Chrome: n; h",
    ),
    "a help for each": (
        [firefox("m", "g", help="h"), chrome("n", "g", help="i")],
        "g",
        "Firefox: m (h); Chrome: n (i)",
    ),
    "the same message with different help": (
        [firefox("m", help="h"), chrome("m", help="i")],
        "m",
        "Firefox: h; Chrome: i",
    ),
    "the same message with help for one": ([firefox("m", help="h"), chrome("m")], "m", "Firefox: h"),
    "different messages and severities": (
        [firefox("m", "g", severity=WARNING), chrome("n", "g", help="h")],
        "g",
        "Firefox: m (this is a warning); Chrome: n (h; this is an error)",
    ),
    "different severities": (
        [firefox("m", severity=WARNING), chrome("m")],
        "m",
        "Firefox: this is a warning; Chrome: this is an error",
    ),
}


@pytest.mark.parametrize(("findings", "message", "help"), MERGED.values(), ids=MERGED.keys())
def test_same_mistake_for_several_targets_is_merged(
    findings: list[Finding], message: str, help: str | None
) -> None:
    (found,) = across_targets(findings)
    assert (found.message, found.help) == (message, help)
    assert found.targets == tuple(each.targets[0] for each in findings)
    assert found.severity is ERROR


SEPARATE = {
    "two things for one target": ([firefox("m"), firefox("n")], 2),
    "two things for each target": ([firefox("m"), firefox("n"), chrome("m"), chrome("n")], 2),
    "two things with general words for each": (
        [firefox("m", "g"), firefox("n", "h"), chrome("o", "h"), chrome("p", "g")],
        2,
    ),
    "two things for one and one of them for another": ([firefox("m"), firefox("n"), chrome("n")], 2),
    "two things with the same general words": ([firefox("m", "g"), firefox("n", "g"), chrome("o", "g")], 2),
    "two for one and another for another": ([firefox("m"), firefox("n"), chrome("o")], 2),
    "two rules": ([firefox("m", rule="a"), chrome("m", rule="b")], 2),
}


@pytest.mark.parametrize(("findings", "count"), SEPARATE.values(), ids=SEPARATE.keys())
def test_separate_mistakes_at_one_position_are_not_merged(findings: list[Finding], count: int) -> None:
    assert len(across_targets(findings)) == count


def test_merged_finding_has_all_related_locations() -> None:
    first, second = Related("x", PLACE, "first"), Related("x", OTHER, "second")
    (found,) = across_targets([firefox("m", related=(first,)), chrome("m", related=(first, second))])
    assert found.related == (first, second)


def fix(text: str, *, safe: bool = True) -> Fix:
    return Fix(safe, (Edit("x", PLACE, text),), f"Write {text}")


SAFE, UNSAFE, ANOTHER = fix("a"), fix("a", safe=False), fix("b")
FIXES = {
    "the same": ([SAFE, SAFE], SAFE),
    "the same, for one of them unsafe": ([SAFE, UNSAFE], UNSAFE),
    "different ones": ([SAFE, ANOTHER], None),
    "one for one of them": ([SAFE, None], None),
    "none": ([None, None], None),
}


@pytest.mark.parametrize(("fixes", "expected"), FIXES.values(), ids=FIXES.keys())
def test_merged_finding_has_a_fix_only_if_targets_agree(
    fixes: list[Fix | None], expected: Fix | None
) -> None:
    for order in (fixes, fixes[::-1]):
        found = [replace(say("m", "g"), fix=each) for say, each in zip((firefox, chrome), order, strict=True)]
        assert [each.fix for each in across_targets(found)] == [expected]


def test_fix_for_some_targets_becomes_unsafe() -> None:
    def judged(*names: str) -> list[Fix | None]:
        found = [replace(firefox("m"), fix=each) for each in (SAFE, UNSAFE, None)]
        return [each.fix for each in mark_unsafe_fixes(found, names)]

    assert judged("firefox") == [SAFE, UNSAFE, None]
    assert judged("firefox", "chrome") == [UNSAFE, UNSAFE, None]


def test_consequence_of_invalid_value_is_merged() -> None:
    wrong, lost = chrome("m", rule="invalid-value"), firefox("n", rule="missing-file")
    (found,) = across_targets([wrong, lost])
    assert (found.rule, found.message, found.help) == ("invalid-value", "m", "Firefox: n")
    assert found.targets == ("chrome", "firefox")
    assert len(across_targets([wrong, firefox("n", rule="missing-key")])) == 2


BOTH = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
STATUS = 'chrome.tabs.query({ status: "loaded" });'
SVG = "<svg xmlns='http://www.w3.org/2000/svg'/>"


def script(source: str, **keys: object) -> Files:
    return {"manifest.json": manifest(**BOTH, **keys), "b.js": source}


PACKAGES: dict[str, tuple[Files, str, list[tuple[str, str, str]]]] = {
    "a value outside two enums": (
        script(STATUS),
        "firefox,chrome",
        [("invalid-argument", '"loaded"', '`tabs.query` does not accept the string "loaded" here')],
    ),
    "the same value and another one": (
        script('chrome.tabs.query({ status: "loaded", windowType: "tab" });'),
        "firefox,chrome",
        [
            ("invalid-argument", '"loaded"', '`tabs.query` does not accept the string "loaded" here'),
            ("invalid-argument", '"tab"', '`tabs.query` does not accept the string "tab" here'),
        ],
    ),
    "a misspelled name that one browser has": (
        script("chrome.tabs.hidee(1);", permissions=["tabHide"]),
        "firefox,chrome",
        [("unknown-api", "chrome.tabs.hidee", "`tabs.hidee` does not exist")],
    ),
    "missing in two browsers, present in a third": (
        script("chrome.tabs.hide(1);", permissions=["tabHide"]),
        "chrome,edge",
        [
            ("unknown-api", "chrome.tabs.hide", "`tabs.hide` is not available in these browsers"),
        ],
    ),
    "two keys that are missing": (
        {"manifest.json": '{"manifest_version": 3}'},
        "firefox,chrome",
        [
            ("missing-key", '{"manifest_version": 3}', "the manifest is missing the required key `name`"),
            ("missing-key", '{"manifest_version": 3}', "the manifest is missing the required key `version`"),
        ],
    ),
    "keys of which browsers require different ones": (
        {"manifest.json": manifest(web_accessible_resources=[{"resources": ["*"]}])},
        "firefox,chrome",
        [
            (
                "missing-key",
                '{"resources": ["*"]}',
                "an item of `web_accessible_resources` is missing a required key",
            )
        ],
    ),
    "keys that different browsers miss": (
        {"manifest.json": manifest(background={"type": "module"})},
        "firefox,chrome",
        [("missing-key", '{"type": "module"}', "`background` requires `scripts` or `page`")],
    ),
    "a locale that neither reads": (
        {
            "manifest.json": manifest(default_locale="en"),
            "_locales/en/messages.json": "{}",
            "_locales/jp/messages.json": "{}",
        },
        "firefox,chrome",
        [("unknown-locale", "", "the locale `jp` is ignored")],
    ),
    "keys that two browsers treat differently": (
        {
            "manifest.json": manifest(manifest_version=2, background={"scripts": ["b.js"], "page": "b.html"}),
            "b.js": "",
            "b.html": "",
        },
        "firefox,safari,chrome<=138",
        [("conflicting-keys", '"page"', "`page` cannot be used together with `scripts`")],
    ),
    "a wrong type, with one message for any schema order": (
        {"manifest.json": manifest(action={"default_icon": 5})},
        "chrome,firefox",
        [("invalid-value", "5", "`default_icon` must be a string or an object, not a number")],
    ),
    "a wrong type with different messages per browser": (
        {"manifest.json": manifest(action={}, commands={"_execute_action": {"suggested_key": 5}})},
        "chrome,firefox",
        [("invalid-value", "5", "`suggested_key` has an invalid value")],
    ),
    "settings for Firefox under both keys": (
        {
            "manifest.json": manifest(
                manifest_version=2,
                browser_specific_settings={"gecko": {"id": "a@b"}},
                applications={"gecko": {"id": "a@b"}},
            )
        },
        "firefox",
        [
            (
                "conflicting-keys",
                '"applications"',
                "`applications` cannot be used together with `browser_specific_settings`:"
                " Firefox ignores `applications`",
            )
        ],
    ),
    "only the deprecated settings key": (
        {"manifest.json": manifest(manifest_version=2, applications={"gecko": {"id": "a@b"}})},
        "firefox",
        [("deprecated-key", '"applications"', "`applications` is deprecated")],
    ),
    "one icon in two places": (
        {
            "manifest.json": manifest(icons={"48": "i.png"}, action={"default_icon": {"48": "i.png"}}),
            "i.png": png(16),
        },
        "chrome",
        [("wrong-image-size", '"i.png"', "`i.png` is 16x16 pixels, not 48x48")],
    ),
    "one icon for two sizes": (
        {"manifest.json": manifest(icons={"48": "i.png", "96": "i.png"}), "i.png": png(16)},
        "chrome",
        [
            ("wrong-image-size", '"i.png"', "`i.png` is 16x16 pixels, not 48x48"),
            ("wrong-image-size", '"i.png"', "`i.png` is 16x16 pixels, not 96x96"),
        ],
    ),
    "one icon that two browsers do not show": (
        {"manifest.json": manifest(icons={"48": "i.svg"}, action={"default_icon": "i.svg"}), "i.svg": SVG},
        "firefox,chrome,edge",
        [("invalid-image", '"i.svg"', "`i.svg` cannot be shown")],
    ),
    "one icon that is not there": (
        {"manifest.json": manifest(icons={"48": "i.png"}, action={"default_icon": "i.png"})},
        "firefox,chrome",
        [("missing-file", '"i.png"', "the package has no file `i.png`")],
    ),
    "two icons that are not there": (
        {"manifest.json": manifest(icons={"48": "i.png"}, action={"default_icon": "j.png"})},
        "chrome",
        [
            ("missing-file", '"i.png"', "the package has no file `i.png`"),
            ("missing-file", '"j.png"', "the package has no file `j.png`"),
        ],
    ),
    "a default locale that one browser refuses and another one looks for": (
        {"manifest.json": manifest(default_locale="pt_br"), "_locales/pt_BR/messages.json": "{}"},
        "firefox,chrome",
        [
            (
                "invalid-value",
                '"pt_br"',
                "`pt_br` is not a valid locale: a locale must look like `en`, `pt_BR` or `sr_Latn`; "
                "did you mean `pt_BR`?",
            )
        ],
    ),
}
RULES_OF_BROWSERS = tuple(
    name for name, rule in RULES.items() if not rule.group.only_packed and name != "unused-permission"
)


@pytest.mark.parametrize(("files", "target", "expected"), PACKAGES.values(), ids=PACKAGES.keys())
def test_mistakes_in_packages_are_merged(
    files: Files, target: str, expected: list[tuple[str, str, str]]
) -> None:
    found = [each for each in lint(files, RULES_OF_BROWSERS, target) if each.severity is not INFO]
    assert [(each.rule, text_under(files, each), each.message) for each in found] == expected


def test_merged_help_has_a_sentence_per_browser() -> None:
    (found,) = lint(script(STATUS), ["invalid-argument"], "firefox,chrome")
    assert found.targets == ("firefox", "chrome")
    assert found.help == (
        'Firefox: `queryInfo.status` must be "loading" or "complete", not the string "loaded"; '
        'Chrome: `queryInfo.status` must be one of "unloaded", "loading" or "complete", '
        'not the string "loaded" (did you mean `unloaded`?)'
    )


def test_reference_target_uses_the_general_message() -> None:
    (found,) = lint(script(STATUS), ["invalid-argument"], "reference")
    assert found.targets == ("reference",)
    assert found.message == '`tabs.query` does not accept the string "loaded" here'


def test_finding_about_icon_shows_both_keys() -> None:
    files = PACKAGES["one icon in two places"][0]
    (found,) = lint(files, ["wrong-image-size"], "chrome")
    assert [each.message for each in found.related] == ["the same image is also named here"]
    files = PACKAGES["one icon that is not there"][0]
    (found,) = lint(files, ["missing-file"], "chrome")
    assert [each.message for each in found.related] == ["it is also named here"]
