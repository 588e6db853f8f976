"""Comments that suppress findings: their syntax, their scopes, and the findings about useless ones."""

from __future__ import annotations

from random import Random
from textwrap import dedent

import pytest
from harness import Files, lint, manifest, reported
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.finding import Finding
from extlint.linting.suppression.comment import MAX_NAMES, Comment, Directive
from extlint.linting.suppression.comments import ALL_RULES, MAX_COMMENTS, comments_in_text
from extlint.registry import RULES
from extlint.text.positions import Position

RULE = "unknown-api"
RULES_BY_DEFAULT = [name for name, rule in RULES.items() if not rule.group.only_packed]


def check_files(files: Files, target: str = "chrome") -> list[Finding]:
    return lint(files, RULES_BY_DEFAULT, target)


def finding_lines(files: Files, target: str = "chrome") -> list[tuple[str, int]]:
    """Returns the rule and the line of each finding."""
    return [(each.rule, each.span.start.line) for each in check_files(files, target)]


def script(text: str, name: str = "background.js") -> Files:
    return {
        "manifest.json": manifest(background={"service_worker": name}, permissions=["alarms"]),
        name: dedent(text).lstrip("\n"),
        "used.js": "chrome.alarms.clearAll();",
    }


SUPPRESSING = {
    "the next line": """
        // extlint-disable-next-line unknown-api
        chrome.alarms.gett();
        """,
    "with a reason": """
        // extlint-disable-next-line unknown-api -- it is new, and not known yet
        chrome.alarms.gett();
        """,
    "a reason on several lines": """
        /* extlint-disable-next-line unknown-api -- it is new,
         * and not known yet
         */
        chrome.alarms.gett();
        """,
    "several rules": """
        // extlint-disable-next-line missing-global, unknown-api -- both
        chrome.alarms.gett(), document.title;
        /* extlint-disable-line missing-global */ document.title;
        """,
    "a group": """
        // extlint-disable-next-line uses
        chrome.alarms.gett();
        """,
    "all rules": """
        // extlint-disable-next-line
        chrome.alarms.gett();
        """,
    "all rules with a reason": """
        // extlint-disable-next-line -- it is new
        chrome.alarms.gett();
        """,
    "its own line": """
        chrome.alarms.gett(); // extlint-disable-line unknown-api
        """,
    "its own line, before the code": """
        /* extlint-disable-line unknown-api */ chrome.alarms.gett();
        """,
    "the next line of code": """
        // extlint-disable-next-line unknown-api -- a reason that goes on
        // in the next line

        /* and here */
        chrome.alarms.gett();
        """,
    "one comment above another": """
        // extlint-disable-next-line unknown-api
        // extlint-disable-next-line missing-global
        chrome.alarms.gett(document.title);
        """,
    "from one comment to another": """
        /* extlint-disable unknown-api */
        chrome.alarms.gett();
        chrome.alarms.gett();
        /* extlint-enable unknown-api */
        """,
    "up to the end of the file": """
        // extlint-disable unknown-api
        chrome.alarms.gett();
        chrome.alarms.gett();""",
    "in one line": """
        /* extlint-disable unknown-api */ chrome.alarms.gett(); /* extlint-enable */ chrome.alarms.clearAll();
        """,
    "a call over several lines": """
        // extlint-disable-next-line unknown-api
        chrome.alarms.gett(
          1,
          2
        );
        """,
    "in a call": """
        chrome.alarms.create("a", {
          // extlint-disable-next-line invalid-argument
          delay: 1,
          periodInMinutes: 1,
        });
        """,
    "a colon": """
        // extlint-disable-next-line: unknown-api
        chrome.alarms.gett();
        """,
    "a comment of documentation": """
        /** extlint-disable-next-line unknown-api */
        chrome.alarms.gett();
        """,
}


@pytest.mark.parametrize("name", SUPPRESSING)
def test_comment_suppresses_findings(name: str) -> None:
    files = script(SUPPRESSING[name])
    assert finding_lines(files) == []
    text = str(files["background.js"])
    crlf = {**files, "background.js": text.replace("\n", "\r\n").encode()}
    assert finding_lines(crlf) == []
    assert finding_lines({**files, "background.js": b"\xef\xbb\xbf" + text.encode()}) == []
    assert finding_lines({**files, "background.js": text.encode("utf-16")}) == []


NOT_SUPPRESSING = {
    "another rule": ("// extlint-disable-next-line wrong-context\nchrome.alarms.gett();", 2),
    "another line": ("// extlint-disable-next-line unknown-api\nself();\nchrome.alarms.gett();", 3),
    "the line below": ("self(); // extlint-disable-line unknown-api\nchrome.alarms.gett();", 2),
    "its own line": ("/* extlint-disable-next-line unknown-api */ chrome.alarms.gett();", 1),
    "before it": ("chrome.alarms.gett(); /* extlint-disable unknown-api */", 1),
    "after its end": ("/* extlint-disable */ self(); /* extlint-enable */ chrome.alarms.gett();", 1),
    "after its end for the rule": (
        "/* extlint-disable */\n/* extlint-enable unknown-api */\nchrome.alarms.gett();",
        3,
    ),
    "in a string": ("let a = '// extlint-disable-line unknown-api'; chrome.alarms.gett();", 1),
    "in a template": ("let a = `\n// extlint-disable-next-line unknown-api\n${chrome.alarms.gett()}`;", 3),
    "in a regular expression": ("let a = /[/*]extlint-disable/; chrome.alarms.gett(); /*/ */", 1),
    "in a sentence": ("// see extlint-disable-next-line unknown-api\nchrome.alarms.gett();", 2),
    "of another linter": ("// eslint-disable-next-line unknown-api\nchrome.alarms.gett();", 2),
}


@pytest.mark.parametrize("name", NOT_SUPPRESSING)
def test_comment_does_not_suppress_other_findings(name: str) -> None:
    text, line = NOT_SUPPRESSING[name]
    assert (RULE, line) in finding_lines(script(text))


def test_rules_can_be_enabled_separately() -> None:
    text = """
        /* extlint-disable */
        chrome.alarms.gett(document.title);
        /* extlint-enable missing-global */
        chrome.alarms.gett(document.title);
        /* extlint-enable */
        chrome.alarms.gett(document.title);
        """
    assert finding_lines(script(text)) == [("missing-global", 4), (RULE, 6), ("missing-global", 6)]


JSX = """
    export const View = () => (
      <div>
        {/* extlint-disable-next-line unknown-api */}
        <a onClick={() => chrome.alarms.gett()}>// extlint-disable-line unknown-api</a>
        <a onClick={() => chrome.alarms.gett()}>// extlint-disable-line unknown-api</a>
      </div>
    );
    """
TYPESCRIPT = """
    // extlint-disable-next-line unknown-api
    (chrome as any as typeof chrome).alarms!.gett() as string;
    chrome.alarms.gett() as string;
    """


@pytest.mark.parametrize(
    ("name", "text", "line"), [("a.jsx", JSX, 5), ("a.tsx", JSX, 5), ("a.ts", TYPESCRIPT, 3)]
)
def test_comments_suppress_in_jsx_and_typescript(name: str, text: str, line: int) -> None:
    assert finding_lines({"manifest.json": manifest(), name: dedent(text).strip()}) == [(RULE, line)]


PAGE = """
<!DOCTYPE html>
<!-- extlint-disable-next-line missing-file -- made by the build -->
<script src="built.js"></script>
<script src="one.js"></script>
<!-- extlint-disable -->
<script src="old.js"></script>
<!-- extlint-enable -->
<p>// extlint-disable-next-line missing-file</p>
<script src="two.js"></script>
<textarea><!-- extlint-disable-next-line missing-file --></textarea>
<script src="three.js"></script>
"""


def test_comments_suppress_in_pages() -> None:
    files = {"manifest.json": manifest(action={"default_popup": "popup.html"}), "popup.html": PAGE.lstrip()}
    missing = [line for rule, line in finding_lines(files) if rule == "missing-file"]
    assert missing == [4, 9, 11]
    assert len(finding_lines(files)) == 3


def test_comments_suppress_in_inline_scripts() -> None:
    page = """<script>
        // extlint-disable-next-line unknown-api
        chrome.alarms.gett();
        chrome.alarms.gett();
        </script>"""
    keys = {
        "permissions": ["alarms"],
        "manifest_version": 2,
        "browser_action": {"default_popup": "popup.html"},
    }
    files = {"manifest.json": manifest(**keys), "popup.html": page}
    assert [line for rule, line in finding_lines(files) if rule == RULE] == [4]


@pytest.mark.parametrize("name", ["a.vue", "a.svelte"])
def test_comments_suppress_in_components(name: str) -> None:
    text = """
        <!-- extlint-disable-next-line invalid-syntax -->
        <script lang="ts">
        // extlint-disable-next-line unknown-api
        chrome.alarms.gett();
        chrome.alarms.gett();
        </script>
        """
    found = finding_lines({"manifest.json": manifest(), name: dedent(text).strip()})
    assert [line for rule, line in found if rule == RULE] == [5]


def test_comments_suppress_in_style_sheets() -> None:
    keys = {"action": {"default_popup": "popup.html"}}
    style = """
        /* extlint-disable-next-line missing-file */
        @import "a.css";
        @charset "/* extlint-disable-next-line missing-file */";
        @import "b.css";
        """
    files = {
        "manifest.json": manifest(**keys),
        "popup.html": '<link rel="stylesheet" href="popup.css">',
        "popup.css": dedent(style).strip(),
    }
    assert [line for rule, line in finding_lines(files) if rule == "missing-file"] == [4]


MANIFEST = """{
  "manifest_version": 3, "name": "// extlint-disable-line unknown-key", "version": "1", "one": 1,
  // extlint-disable-next-line unknown-key -- for the build
  "two": 2,
  "permissions": [
    "tabz", // extlint-disable-line unknown-permission
    "bookmarkz"
  ]
}"""


@pytest.mark.parametrize("target", ["chrome", "firefox", "reference", "chrome,firefox"])
def test_comments_suppress_in_manifests(target: str) -> None:
    found = [
        each for each in finding_lines({"manifest.json": MANIFEST}, target) if each[0] != "missing-store-id"
    ]
    assert [each for each in found if each[0].startswith("unknown")] == [
        ("unknown-key", 2),
        ("unknown-permission", 7),
    ]


def test_comment_suppresses_a_finding_of_several_targets() -> None:
    text = "// extlint-disable-next-line unknown-api\nchrome.alarms.gett();\nchrome.alarms.gett();"
    found = finding_lines(script(text), "chrome,firefox")
    assert [each for each in found if each[0] == RULE] == [(RULE, 3)]


def test_bare_comment_does_not_suppress_incomplete_analysis() -> None:
    broken = "/* extlint-disable */chrome.alarms.get" + "(" * 100_000
    found = finding_lines(script(broken))
    assert ("incomplete-analysis", 1) in found
    assert "incomplete-analysis" not in ALL_RULES
    (comment,) = comments_in_text("a.js", b"// extlint-disable incomplete-analysis")
    assert comment.scopes[0].covers("incomplete-analysis", Position(1, 1))


UNUSED = {
    "// extlint-disable-next-line unknown-api\nself();": [("unused-suppression", 1)],
    "self(); // extlint-disable-line unknown-api": [("unused-suppression", 1)],
    "self(); // extlint-disable-line": [("unused-suppression", 1)],
    "self(); // extlint-disable-line uses": [("unused-suppression", 1)],
    "/* extlint-disable unknown-api */\nself();\n/* extlint-enable */": [("unused-suppression", 1)],
    "self();\n/* extlint-enable */\n// extlint-disable-line": [
        ("unused-suppression", 2),
        ("unused-suppression", 3),
    ],
    "// extlint-disable-next-line unkown-api\nchrome.alarms.gett();": [("unused-suppression", 1), (RULE, 2)],
    "// extlint-disable-nextline unknown-api\nchrome.alarms.gett();": [("unused-suppression", 1), (RULE, 2)],
    "// extlint-disable-next-line unknown-api": [("unused-suppression", 1)],
    "self(); // extlint-disable-line unknown-api, unused-suppression": [],
    "// extlint-disable-next-line unused-suppression\nself(); // extlint-disable-line unknown-api": [],
    "self(); // extlint-disable-line unused-suppression": [],
}


@pytest.mark.parametrize("text", UNUSED)
def test_unused_comment_is_reported(text: str) -> None:
    assert finding_lines(script(text)) == UNUSED[text]


MESSAGES = {
    "// extlint-disable-next-line unknown-api, wrong-context\nself();": (
        "this comment suppresses nothing: `unknown-api` and `wrong-context` find nothing in the next line"
    ),
    "self(); // extlint-disable-line": "this comment suppresses nothing: extlint finds nothing in this line",
    "// extlint-disable uses\nself();": "this comment suppresses nothing: `uses` finds nothing below it",
    "// extlint-disable-next-line unknown-api, wrong-context\nchrome.alarms.gett();": (
        "`wrong-context` finds nothing in the next line, so this comment does not have to name it"
    ),
    "// extlint-disable-next-line unkown-api\nself();": (
        "`unkown-api` is not a rule, so nothing is suppressed; did you mean `unknown-api`?"
    ),
    "// extlint-disable-nextline unknown-api\nself();": (
        "`extlint-disable-nextline` means nothing to extlint, so this comment suppresses nothing; "
        "did you mean `extlint-disable-next-line`?"
    ),
    "// extlint-enable\nself(); // extlint-disable-line unused-suppression": (
        "this comment enables nothing: no comment above it disables any of this"
    ),
}


@pytest.mark.parametrize("text", MESSAGES)
def test_unused_comment_message(text: str) -> None:
    assert [each.message for each in check_files(script(text))] == [MESSAGES[text]]


def test_reason_without_dashes_has_help() -> None:
    found = check_files(script("chrome.alarms.gett(); // extlint-disable-line unknown-api quux"))
    assert [each.help for each in found] == ["write a reason after ` -- `"]
    assert [each.fix for each in found] == [None]


def test_excess_comments_are_reported() -> None:
    text = "self(); // extlint-disable-line unknown-api, unused-suppression\n" * (MAX_COMMENTS + 5)
    assert finding_lines(script(text)) == [("unused-suppression", MAX_COMMENTS + 1)]


SILENT: dict[str, tuple[Files, list[str] | None, str]] = {
    "a rule that did not run": (
        script("self(); // extlint-disable-line unknown-api"),
        ["wrong-context"],
        "chrome",
    ),
    "all rules, including some that ran": (
        script("self(); // extlint-disable-line"),
        ["wrong-context"],
        "chrome",
    ),
    "a finding of only one browser": (
        script("browser.tabs.hide(1); // extlint-disable-line unknown-api"),
        None,
        "reference",
    ),
    "a finding for another target": (
        script(
            "chrome.alarms.create('a', {}); chrome.sidePanel.open({}); // extlint-disable-line unknown-api"
        ),
        None,
        "chrome",
    ),
    "a script of another target": (
        {
            "manifest.json": manifest(background={"scripts": ["a.js"], "service_worker": "b.js"}),
            "a.js": "self(); // extlint-disable-line unknown-api",
            "b.js": "",
        },
        None,
        "chrome",
    ),
    "code that the target skips": (
        script(
            "if (!chrome.runtime) {\n  // extlint-disable-next-line unknown-api\n  chrome.alarms.get('a');\n}"
        ),
        None,
        "chrome",
    ),
    "a finding with another manifest": (
        {
            "manifest.json": manifest(background={"service_worker": "a.js"}, permissions=["alarms"]),
            "manifest.firefox.json": manifest(background={"scripts": ["a.js"]}),
            "a.js": "chrome.alarms.getAll(); // extlint-disable-line missing-permission",
        },
        None,
        "chrome",
    ),
    "a script that nothing loads": (
        {"manifest.json": manifest(), "a.js": "self(); // extlint-disable-line unknown-api"},
        None,
        "chrome",
    ),
    "a script that was not analyzed": (
        script("self(); // extlint-disable-line unknown-api\n" + "(" * 100_000),
        None,
        "chrome",
    ),
}


@pytest.mark.parametrize("name", SILENT)
def test_possibly_useful_comment_is_not_reported(name: str) -> None:
    files, rules, target = SILENT[name]
    selected = RULES_BY_DEFAULT if rules is None else [*rules, "unused-suppression"]
    assert [each.message for each in lint(files, selected, target) if each.rule == "unused-suppression"] == []


def without_comment(text: str, comment: Comment) -> str:
    """Returns a text without a comment."""
    lines = text.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + column - 1

    for each in reversed(comment.removals):
        text = text[: offset(*each.span.start)] + each.text + text[offset(*each.span.end) :]
    return text


REMOVED = {
    "a();\n  // extlint-disable-next-line x\nb();\n": "a();\nb();\n",
    "a();\r\n\t/* extlint-disable-next-line x */\t\r\nb();": "a();\r\nb();",
    "a(); // extlint-disable-line x\nb();": "a();\nb();",
    "a(); // extlint-disable-line x": "a();",
    "// extlint-disable-next-line x": "",
    "/* extlint-disable-line x */ a();": "a();",
    "  /* extlint-disable-line x */ a();": "  a();",
    "return/* extlint-disable-line x */a": "return a",
    "a /* extlint-disable-line x */ + b": "a + b",
    "a /* extlint-disable-line x */+ b": "a + b",
    "a/* extlint-disable-line x */ + b": "a + b",
    "/* extlint-disable unknown-api */\na();\n/* extlint-enable */\nb();\n": "a();\nb();\n",
    "/* extlint-disable unknown-api */ a(); /* extlint-enable */ b();\n": "a(); b();\n",
    "/* extlint-disable unknown-api */ /* extlint-enable */\nb();\n": "\nb();\n",
}


@pytest.mark.parametrize("text", REMOVED)
def test_comment_is_removed(text: str) -> None:
    assert without_comment(text, comments_in_text("a.js", text.encode())[0]) == REMOVED[text]


def test_braces_around_a_comment_are_removed_only_in_markup() -> None:
    markup = "let a = <p>\n  {/* extlint-disable-next-line x */}\n  <b/></p>;"
    assert (
        without_comment(markup, comments_in_text("a.jsx", markup.encode())[0]) == "let a = <p>\n  <b/></p>;"
    )
    block = "if (a) {/* extlint-disable-line x */}"
    assert without_comment(block, comments_in_text("a.jsx", block.encode())[0]) == "if (a) { }"


def test_multiline_comment_within_code_is_not_removed() -> None:
    (comment,) = comments_in_text("a.js", b"return /* extlint-disable-line x\n*/ a")
    assert comment.removals == ()


def test_fix_removes_one_name_of_several() -> None:
    files = script("// extlint-disable-next-line wrong-context, unknown-api -- so\nchrome.alarms.gett();")
    (found,) = check_files(files)
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["unknown-api"]
    assert found.fix.safe
    assert found.fix.message == "Remove `wrong-context` from the comment"


def test_comment_has_directive_names_and_reason() -> None:
    (comment,) = comments_in_text(
        "a.js", b"/* extlint-disable-line unknown-api, uses -- it is\n * new */ a();"
    )
    assert comment.directive is Directive.LINE
    assert [each.name for each in comment.scopes] == ["unknown-api", "uses"]
    assert comment.reason == "it is new"


LINES = (
    "chrome.alarms.gett();",
    "chrome.alarms.create('a', { delay: 1, when: 'now' });",
    "chrome.alarms.clear(1, 2, 3); chrome.alarmz.clear();",
    "document.title = chrome.runtime.lastErrors;",
    "chrome.alarms.get('a', (alarm, more) => { alarm.nam; });",
    "chrome.alarms.clear(\n  'a',\n  1\n);",
    "let a = 1;",
    "",
    "if (a) {",
    "}",
    "// a comment",
)


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_comment_above_a_finding_suppresses_only_it(parts: list[str], random: Random) -> None:
    files = script("\n".join(parts))
    before = [each for each in check_files(files) if each.path == "background.js"]
    if not before:
        return
    chosen = random.choice(before)
    line = chosen.span.start.line
    lines = str(files["background.js"]).split("\n")
    lines.insert(line - 1, f"// extlint-disable-next-line {chosen.rule}")
    after = check_files({**files, "background.js": "\n".join(lines)})

    def moved(number: int) -> int:
        return number + 1 if number >= line else number

    assert [
        (each.rule, each.span.start.line, each.message) for each in after if each.path != "manifest.json"
    ] == [
        (each.rule, moved(each.span.start.line), each.message)
        for each in before
        if (each.rule, each.span.start.line) != (chosen.rule, line)
    ]


def test_only_findings_under_comments_are_suppressed() -> None:
    text = "chrome.alarms.gett(); // extlint-disable-line unknown-api\nchrome.alarms.gett();"
    assert reported(script(text), RULES_BY_DEFAULT, "chrome") == [(RULE, "chrome.alarms.gett")]


@pytest.mark.parametrize(
    "text",
    [
        "// extlint-disable-next-line unknown-api\n" * 20_000,
        f"// extlint-disable-line {'a, ' * 100_000}",
        f"// extlint-disable-line {'extlint-disable ' * 100_000}",
    ],
)
def test_number_of_parsed_comments_and_names_is_bounded(text: str) -> None:
    found = comments_in_text("a.js", text.encode())
    assert len(found) <= MAX_COMMENTS + 1
    assert max(len(each.scopes) for each in found) <= MAX_NAMES
