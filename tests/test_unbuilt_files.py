"""Source files that are named where a browser requires the files that are built from them."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported
from packages import package_in, package_of

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets import Target
from extlint_rules.unbuilt_file import source_language_of

RULES = ["unbuilt-file"]
TYPED = "const a: number = 1;"


def messages(package: Package) -> list[str]:
    return [each.message for each in check_package(package, [Target("reference")], RULES).findings]


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        pytest.param("a.ts", TYPED, "TypeScript", id="a type"),
        pytest.param("a.ts", "interface A { b: string }", "TypeScript", id="an interface"),
        pytest.param("a.ts", "const a = b as string;", "TypeScript", id="a cast"),
        pytest.param("a.ts", "enum A { B }", "TypeScript", id="an enum"),
        pytest.param("a.ts", "import './b';", "TypeScript", id="an import"),
        pytest.param("A.TS", TYPED, "TypeScript", id="capital letters"),
        pytest.param("a.mts", "export const a = 1;", "TypeScript", id="an export"),
        pytest.param("a.tsx", "const a = <b/>;", "TypeScript with JSX", id="an element in TypeScript"),
        pytest.param("a.jsx", "const a = <b>c</b>;", "JavaScript with JSX", id="an element"),
        pytest.param("a.ts", "const a = 1;", None, id="JavaScript in a file for TypeScript"),
        pytest.param("a.jsx", "const a = 1;", None, id="JavaScript in a file for JSX"),
        pytest.param("a.ts", "G\0\0\0", None, id="a video"),
        pytest.param("a.ts", "const a: = {", None, id="a syntax error"),
        pytest.param("a.ts", "", None, id="nothing"),
        pytest.param("a.js", TYPED, None, id="the name of a script"),
        pytest.param("a.vue", "<template/>", "a Vue component", id="a Vue component"),
        pytest.param("a.svelte", "\n<p>", "a Svelte component", id="a Svelte component"),
        pytest.param("a.scss", "$a: 1px;", "Sass", id="a variable of Sass"),
        pytest.param("a.scss", "a {\n  @include b;\n}", "Sass", id="a mixin"),
        pytest.param("a.scss", "a { b { c: d } }", None, id="valid CSS"),
        pytest.param("a.sass", "a\n  b: c", "Sass", id="Sass without brackets"),
        pytest.param("a.less", "@a: 1px;", "Less", id="a variable of Less"),
        pytest.param("a.less", "@media print { a { b: c } }", None, id="CSS in a file for Less"),
    ],
)
def test_source_language_is_recognized(path: str, text: str, language: str | None) -> None:
    found = source_language_of(path, text.encode())
    assert (None if found is None else found.language) == language


def test_source_file_is_reported_at_its_name() -> None:
    files: Files = {
        "manifest.json": manifest(
            background={"service_worker": "a.ts"},
            content_scripts=[{"js": ["a.ts"], "css": ["s.scss"]}],
            action={"default_popup": "p.html"},
        ),
        "p.html": "<script type=module src=a.ts></script><link rel=stylesheet href=s.scss>",
        "a.ts": TYPED,
        "s.scss": "$a: 1px;",
    }
    assert reported(files, RULES) == [
        ("unbuilt-file", '"a.ts"'),
        ("unbuilt-file", '"a.ts"'),
        ("unbuilt-file", '"s.scss"'),
        ("unbuilt-file", "a.ts"),
        ("unbuilt-file", "s.scss"),
    ]


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ([], "`src/a.ts` is TypeScript, which no browser reads"),
        (["src/a.js"], "`src/a.ts` is TypeScript, which no browser reads; did you mean `src/a.js`?"),
        (["lib/a.js"], "`src/a.ts` is TypeScript, which no browser reads; did you mean `lib/a.js`?"),
        (["lib/a.js", "out/a.js"], "`src/a.ts` is TypeScript, which no browser reads"),
    ],
    ids=["nothing is built", "next to the source", "elsewhere", "in two places"],
)
def test_built_file_is_suggested(others: list[str], message: str) -> None:
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "src/a.ts"}),
        "src/a.ts": TYPED,
        **dict.fromkeys(others, ""),
    }
    (finding,) = lint(files, RULES)
    assert finding.message == message
    assert (finding.help is None) == ("did you mean" in message)


@pytest.mark.parametrize(
    ("around", "is_reported"),
    [
        pytest.param({}, True, id="nothing"),
        pytest.param({"package.json": '{"devDependencies": {"typescript": "5"}}'}, True, id="a compiler"),
        pytest.param({"package.json": '{"devDependencies": {"vite": "5"}}'}, False, id="a bundler"),
        pytest.param({"vite.config.ts": ""}, False, id="the configuration of one"),
        pytest.param({"e/wxt.config.ts": ""}, False, id="in the folder"),
    ],
)
def test_source_file_is_allowed_if_a_bundler_is_used(around: Files, is_reported: bool) -> None:
    files = {"e/manifest.json": manifest(background={"service_worker": "a.ts"}), "e/a.ts": TYPED}
    package = package_in({**files, **around}, "e/")
    assert bool(messages(package)) == is_reported
    package.packed = True
    assert messages(package)


def test_missing_source_file_is_not_reported() -> None:
    assert messages(package_of({"manifest.json": manifest(background={"service_worker": "a.ts"})})) == []


@pytest.mark.parametrize(
    ("folder", "config", "is_found"),
    [
        pytest.param("public", "", True, id="the usual folder"),
        pytest.param("static", "", True, id="another usual folder"),
        pytest.param("assets", "export default {publicDir: './assets'}", True, id="a configured folder"),
        pytest.param("a/b", "export default {publicDir: path.resolve(__dirname, 'a/b')}", True, id="a call"),
        pytest.param("a/b", "new CopyPlugin({patterns: [{from: 'a/b', to: '.'}]})", True, id="a plugin"),
        pytest.param("a/b", "copy({targets: [{src: ['a/b/*.html'], dest: 'out'}]})", True, id="a pattern"),
        pytest.param("a/b", "new CopyPlugin({patterns: [{from: 'a/b/tools.html'}]})", True, id="a file"),
        pytest.param("a/b", "new CopyPlugin({patterns: [{from: 'a'}]})", False, id="the outer folder"),
        pytest.param("a/b", "new CopyPlugin({patterns: [{to: 'a/b'}]})", False, id="a target"),
        pytest.param("assets", "export default {outDir: 'assets'}", False, id="another setting"),
        pytest.param("lib", "export default {publicDir: false}", False, id="no folder"),
    ],
)
def test_pages_in_folders_that_a_build_copies(folder: str, config: str, is_found: bool) -> None:
    files: Files = {
        "manifest.json": manifest(devtools_page="tools.html"),
        "package.json": '{"scripts": {"build": "vite build"}}',
        "vite.config.js": config,
        f"{folder}/tools.html": "<script src=tools.js></script>",
        f"{folder}/tools.js": "importScripts('a.css')",
    }
    report = check_package(package_in(files, ""), [Target("chrome")], ["missing-global"])
    assert [each.path for each in report.findings] == [f"{folder}/tools.js"] * is_found


@pytest.mark.parametrize(
    ("function", "is_found"),
    [
        ("const own = (name) => path.resolve(import.meta.dirname, '..', name);", True),
        ("const own = (...names) => path.join(__dirname, '..', ...names);", True),
        ("function own(name: string) { return resolve(__dirname, '..', name); }", True),
        ("const own = (name) => path.resolve(__dirname, '..', other);", False),
        ("const own = (name) => rename(__dirname, '..', name);", False),
    ],
)
def test_script_of_a_copied_page_is_relative_to_the_copy(function: str, is_found: bool) -> None:
    config = (
        f"{function} new CopyPlugin({{patterns: [{{from: own('html')}}, {{from: own('js'), to: 'js'}}]}})"
    )
    files: Files = {
        "manifest.json": manifest(devtools_page="tools.html"),
        "package.json": '{"scripts": {"build": "webpack"}}',
        "tools/webpack.config.ts": config,
        "html/tools.html": "<script src=js/panel.js></script>",
        "js/panel.js": "importScripts('a.css')",
    }
    report = check_package(package_in(files, ""), [Target("chrome")], ["missing-global"])
    assert [each.path for each in report.findings] == ["js/panel.js"] * is_found
    assert [each.names for each in report.unchecked_code][:1] == [("tools.html",)]


INJECTED = {
    "injected": "chrome.scripting.executeScript({target: {tabId: 1}, files: ['%s']});",
    "registered": "chrome.scripting.registerContentScripts([{id: 'a', matches: [], js: ['%s']}]);",
}


@pytest.mark.parametrize("call", INJECTED.values(), ids=INJECTED)
def test_source_file_in_call_is_reported(call: str) -> None:
    keys = {"permissions": ["scripting"], "host_permissions": ["<all_urls>"]}
    manifest_text = manifest(background={"service_worker": "b.js"}, **keys)
    files = {"manifest.json": manifest_text, "src/a.ts": TYPED, "c.js": ""}
    (finding,) = lint({**files, "b.js": call % "src/a.ts"}, RULES, "chrome")
    assert (finding.path, finding.message) == ("b.js", "`src/a.ts` is TypeScript, which no browser reads")
    assert lint({**files, "b.js": call % "c.js"}, RULES, "chrome") == []
