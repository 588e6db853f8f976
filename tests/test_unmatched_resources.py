"""Entries of `web_accessible_resources` that match no file."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported
from hypothesis import given
from hypothesis import strategies as st
from packages import package_in, package_of

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets import Target
from extlint_rules import unmatched_resource as resources

RULES = ["unmatched-resource"]
OTHERS: Files = dict.fromkeys(
    [
        *("a.js", "d/a.png", "d/ab.png", "d/e/f.svg", "Img/logo.png", "images/x.png", "images/y.png"),
        *("my files/a b.png", "u/ü.png", "brackets/[id].js", "node_modules/m/m.js"),
    ],
    "",
)


def package_files(*patterns: str) -> dict[str, str | bytes]:
    entries = [{"resources": list(patterns), "matches": ["<all_urls>"]}]
    return {**OTHERS, "manifest.json": manifest(web_accessible_resources=entries)}


def suggested_entry(pattern: str, target: str = "reference") -> str | None:
    """Returns the suggested entry, `nothing` without a suggestion, or None for a valid entry."""
    findings = lint(package_files(pattern), RULES, target)
    if not findings:
        return None
    _, _, other = findings[0].message.partition("did you mean `")
    return other.removesuffix("`?") or "nothing"


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "a.js",
            "/a.js",
            "//a.js",
            "*",
            "/*",
            "*.js",
            "*.svg",
            "d/*.svg",
            "d/*",
            "d/*/f.svg",
            "d/**",
            "**/*",
        ),
        *(
            "d/*b.png",
            "d/ab*.png",
            "*a*b*.p*g*",
            "my%20files/a%20b.png",
            "my*b.png",
            "u/ü.png",
            "u/%C3%BC.png",
        ),
        "brackets/[id].js",
    ],
)
def test_pattern_that_matches_a_file_is_not_reported(pattern: str) -> None:
    assert suggested_entry(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        pytest.param("./a.js", "a.js", id="a dot at the start"),
        pytest.param("./d/*.png", "d/*.png", id="a dot before a pattern"),
        pytest.param("d//a.png", "d/a.png", id="two slashes"),
        pytest.param("d\\a.png", "d/a.png", id="a backslash"),
        pytest.param(" a.js", "a.js", id="a space before it"),
        pytest.param("my files/a b.png", "my%20files/a%20b.png", id="spaces"),
        pytest.param("a.js#x", "a.js", id="a hash"),
        pytest.param("d/", "d/*", id="a folder with a slash"),
        pytest.param("d", "d/*", id="a folder"),
        pytest.param("images/**/*.png", "images/*.png", id="two stars, and no folder between"),
        pytest.param("img/logo.png", "Img/logo.png", id="other letter case"),
        pytest.param("img/*.PNG", "Img/*.png", id="other letter case around a star"),
        pytest.param("image/*.png", "images/*.png", id="a misspelled folder"),
        pytest.param("image/x.png", "images/x.png", id="a file in a misspelled folder"),
        pytest.param("images/xx.png", "nothing", id="another short name"),
        pytest.param("gone/*", "nothing", id="no such folder"),
        pytest.param("*.gif", "nothing", id="no such suffix"),
        pytest.param("d/*.{png,svg}", "nothing", id="braces"),
        pytest.param("https://example.com/*", "nothing", id="an address"),
        pytest.param("<all_urls>", "nothing", id="a pattern of addresses"),
        pytest.param("*a*a*a*a*a*a*a*a*a*a*a*z", "nothing", id="many stars"),
    ],
)
def test_unmatched_pattern_has_a_suggestion(pattern: str, other: str) -> None:
    assert suggested_entry(pattern) == other


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("", id="nothing at all"),
        pytest.param("_favicon/*", id="files served by Chrome"),
        pytest.param("node_modules/n/*.js", id="files installed by npm"),
        pytest.param("a.js.map", id="a source map"),
        pytest.param("d/*.map", id="source maps"),
        pytest.param("__MSG_file__.png", id="by locale"),
        pytest.param("${name}.js", id="a placeholder"),
        pytest.param("x" * 1000, id="an endless name"),
    ],
)
def test_pattern_with_unknown_matches_is_not_reported(pattern: str) -> None:
    assert suggested_entry(pattern) is None


@pytest.mark.parametrize(
    ("target", "is_reported"), [("reference", False), ("firefox", False), ("chrome", True), ("edge", True)]
)
def test_question_mark_is_literal_in_chrome(target: str, is_reported: bool) -> None:
    assert (suggested_entry("d/?b.png", target) is not None) == is_reported


def test_each_entry_is_reported_in_both_manifest_versions() -> None:
    two = {"manifest.json": manifest(manifest_version=2, web_accessible_resources=["x/*", "y.js"])}
    assert reported(two, RULES) == [("unmatched-resource", '"x/*"'), ("unmatched-resource", '"y.js"')]
    assert reported(package_files("x/*", "a.js", "y.js"), RULES) == reported(two, RULES)


def unmatched_entries(package: Package) -> list[str]:
    findings = check_package(package, [Target("reference")], RULES).findings
    return [each.message.split("`")[1] for each in findings]


@pytest.mark.parametrize(
    ("build", "names"),
    [
        pytest.param({}, ["assets/*", "./a.js"], id="no build"),
        pytest.param({"Makefile": ""}, ["./a.js"], id="a build may make files"),
        pytest.param({"package.json": '{"devDependencies": {"wxt": "1"}}'}, [], id="a build may read names"),
    ],
)
def test_unmatched_entry_is_not_reported_if_a_build_may_generate_it(build: Files, names: list[str]) -> None:
    files = {f"e/{path}": content for path, content in package_files("assets/*", "./a.js").items()}
    built = package_in({**files, **build}, "e/")
    assert unmatched_entries(built) == names
    built.packed = True
    assert unmatched_entries(built) == ["assets/*", "./a.js"]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        pytest.param({"e/a.js": "fetch(chrome.runtime.getURL('main.wasm'));"}, [], id="ignored and named"),
        pytest.param({"e/p.html": "<img src='m/main.wasm?1'>"}, [], id="ignored and named in a page"),
        pytest.param({"e/a.js": "fetch('m/main.js')"}, ["*.wasm"], id="another suffix"),
        pytest.param({"e/a.js": "fetch('other.wasm')"}, ["*.wasm"], id="named, and not ignored"),
        pytest.param({"e/a.js": "// main.wasm"}, ["*.wasm"], id="not in a string"),
        pytest.param({}, ["*.wasm"], id="ignored, and not named"),
    ],
)
def test_pattern_may_match_a_missing_file_that_code_names(files: Files, names: list[str]) -> None:
    entries = [{"resources": ["*.wasm"], "matches": ["<all_urls>"]}]
    text = manifest(web_accessible_resources=entries)
    built = package_in({"e/manifest.json": text, ".gitignore": "main.wasm", **files}, "e/")
    assert unmatched_entries(built) == names


@pytest.mark.parametrize(
    ("folder", "tool", "names"),
    [
        pytest.param("e/", "wxt.config.ts", [], id="a source"),
        pytest.param(".output/chrome-mv3/", "wxt.config.ts", ["x.js"], id="existing build output"),
        pytest.param("dist/", "vite.config.mts", ["x.js"], id="by another tool"),
        pytest.param("dist/", "release.js", [], id="a program may go on with that"),
    ],
)
def test_resource_named_in_a_build_configuration_is_not_reported(
    folder: str, tool: str, names: list[str]
) -> None:
    entries = [{"resources": ["x.js"], "matches": ["<all_urls>"]}]
    config = "import 'fs'; const manifest = {web_accessible_resources: [{resources: ['x.js']}]};"
    files: Files = {f"{folder}manifest.json": manifest(web_accessible_resources=entries), tool: config}
    assert unmatched_entries(package_in(files, folder)) == names


def test_work_for_many_files_and_patterns_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "MAX_CHARACTERS", 100_000)
    files = {f"folder/{number}.png": "" for number in range(100)}
    text = manifest(web_accessible_resources=[f"*{number}*{number}*x.png" for number in range(200)])
    assert 0 < len(unmatched_entries(package_of({"manifest.json": text, **files}))) < 200


@given(
    st.text("ab./*?[ü \n", max_size=10), st.lists(st.text("ab./ü[? \n", min_size=1, max_size=8), max_size=5)
)
def test_any_pattern_and_paths_can_be_checked(pattern: str, paths: list[str]) -> None:
    text = manifest(web_accessible_resources=[pattern])
    files: Files = {"manifest.json": text, **dict.fromkeys(paths, "")}
    assert len(lint(files, RULES)) <= (pattern.strip("*") != "")
