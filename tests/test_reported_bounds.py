"""Each bound on the analysis is reported when it is reached. The tests use small bounds."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest

from extlint.analysis.expressions import table
from extlint.analysis.scope import reaching_definitions
from extlint.analysis.syntax import parse, tree
from extlint.analysis.trace import destinations, discover
from extlint.analysis.values import fixpoint, property_index
from extlint.checks import request_rules, rulesets
from extlint.checks.manifest_values import named_images
from extlint.program import delegated_uses, global_uses, searched_scripts, shared_layout
from extlint.project.contexts import collector, layout
from extlint.registry import RULES
from extlint_rules import unmatched_resource

USE = "browser.management.getAll();"
RULE_FILES = {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]}


def with_rules(*rules: object) -> Files:
    keys = {"declarative_net_request": RULE_FILES, "permissions": ["declarativeNetRequest"]}
    return {"manifest.json": manifest(**keys), "rules.json": json.dumps(rules)}


def redirect(number: int, path: str) -> object:
    action = {"type": "redirect", "redirect": {"extensionPath": path}}
    return {"id": number, "condition": {"urlFilter": "a"}, "action": action}


def with_accessible_resources(*patterns: str) -> Files:
    manifest_text = manifest(manifest_version=2, web_accessible_resources=patterns)
    return {"manifest.json": manifest_text, "a.html": "<p>", "b.html": "<p>"}


def with_sandboxed_pages(*patterns: str) -> Files:
    manifest_text = manifest(sandbox={"pages": patterns})
    return {"manifest.json": manifest_text, "a.html": "<p>", "b.html": "<p>"}


def with_script(text: str) -> Files:
    return {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": text}


def with_scripts(*texts: str) -> Files:
    names = [f"{name}.js" for name, _ in zip("abcdef", texts, strict=False)]
    return {
        "manifest.json": manifest(background={"scripts": names}),
        **dict(zip(names, texts, strict=True)),
    }


DELEGATED = with_scripts(
    "globalThis.api = { list() { return browser.management.getAll(); } };", "api.list(); api.list();"
)
PASSED_ON = with_scripts("d = c;", "c = b;", "b = a;", "a = browser;", "d.management.getAll();")
CYCLE = (
    "const f0=()=>x?f9():browser;"
    + "".join(f"const f{at}=()=>f{at - 1}();" for at in range(1, 10))
    + "f9().management.getAll();"
)
IMAGE = b"\x89PNG\r\n\x1a\n" + bytes(40)

BOUNDS: dict[str, tuple[object, str, int, Files, str]] = {
    "rounds of globals": (shared_layout, "MAX_ROUNDS", 1, PASSED_ON, "c.js"),
    "patterns of pages": (
        layout,
        "MAX_PATTERNS",
        1,
        with_sandboxed_pages("a*.html", "b*.html"),
        "manifest.json",
    ),
    "stars in a pattern": (
        layout,
        "MAX_STARS",
        1,
        with_sandboxed_pages("*a*.html"),
        "manifest.json",
    ),
    "bytes of a page": (
        collector,
        "MAX_PAGE_BYTES",
        10,
        {"manifest.json": manifest(options_ui={"page": "a.html"}), "a.html": "<p>" * 20},
        "a.html",
    ),
    "bytes of images": (
        named_images,
        "MAX_IMAGE_BYTES",
        10,
        {
            "manifest.json": manifest(icons={"16": "a.png", "32": "b.png"}),
            "a.png": IMAGE,
            "b.png": IMAGE,
        },
        "manifest.json",
    ),
    "expressions that the API is followed to": (discover, "MAX_FOLLOWED", 4, with_script(USE * 3), "a.js"),
    "conditional expressions in one another": (
        table,
        "MAX_NESTED",
        2,
        with_script(f"x = {f'a ? {USE[:-1]} : ' * 5} 0;"),
        "a.js",
    ),
    "bytes of a script": (parse, "MAX_SCRIPT_BYTES", 10, with_script(USE), "a.js"),
    "patterns of resources": (
        unmatched_resource,
        "MAX_PATTERNS",
        1,
        with_accessible_resources("a.html", "b.html"),
        "manifest.json",
    ),
    "characters of paths": (
        unmatched_resource,
        "MAX_CHARACTERS",
        1,
        with_accessible_resources("x*.html"),
        "manifest.json",
    ),
    "missing files of redirects": (
        rulesets,
        "MAX_FILES",
        1,
        with_rules(redirect(1, "/a.png"), redirect(2, "/b.png")),
        "rules.json",
    ),
    "rules with the same id": (
        request_rules,
        "MAX_RULES_SHOWN",
        1,
        with_rules(*[{"id": 1, "condition": {}, "action": {"type": "block"}}] * 3),
        "rules.json",
    ),
    "rules that are explained": (
        request_rules,
        "MAX_RULES_EXPLAINED",
        1,
        with_rules({"id": "a"}, {"id": "b"}),
        "rules.json",
    ),
    "generated scripts that are parsed for callers": (
        searched_scripts,
        "MAX_LARGE_SCRIPTS",
        0,
        with_scripts(
            f"function f() {{ {USE} }}", "if (browser.management.getAll) f(); //# sourceMappingURL=b"
        ),
        "b.js",
    ),
    "bytes of scripts that are parsed for callers": (
        searched_scripts,
        "MAX_HAND_WRITTEN_BYTES",
        50,
        with_scripts(f"function f() {{ {USE} }}", "if (browser.management.getAll) f();"),
        "b.js",
    ),
    "uses of a function that delegates to the API": (
        delegated_uses,
        "MAX_USES",
        1,
        DELEGATED,
        "b.js",
    ),
    "evaluations of a script for globals": (
        global_uses,
        "MAX_EVALUATIONS",
        0,
        with_script("importScripts(a)"),
        "a.js",
    ),
    "steps of a script": (tree, "MAX_STEPS", 30, with_script(USE * 9), "a.js"),
    "questions that wait": (
        fixpoint,
        "MAX_DEPTH",
        4,
        with_script(CYCLE),
        "a.js",
    ),
    "writes to a variable": (
        destinations,
        "MAX_WRITES",
        2,
        with_script("let api = browser; api = browser; api = browser; api.management.getAll();"),
        "a.js",
    ),
    "work on a property": (
        destinations,
        "MAX_STEPS_OF_PROPERTY",
        20,
        with_script("const a = {}; a.b = browser; f(a.b, a.b, a.b, a.b);"),
        "a.js",
    ),
    "places of a property": (
        property_index,
        "MAX_PLACES",
        2,
        with_script("const o = { api: browser }; x.api; x.api; x.api; o.api.management.getAll();"),
        "a.js",
    ),
}  # fmt: skip
"""The module and name of each bound, a small value, files that exceed it, and the reported path."""


@pytest.mark.parametrize(("module", "name", "value", "files", "path"), BOUNDS.values(), ids=BOUNDS.keys())
def test_exceeded_bound_is_reported(
    module: object, name: str, value: int, files: Files, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert incomplete_paths(files) == []
    monkeypatch.setattr(module, name, value)
    if name == "MAX_WRITES":
        monkeypatch.setattr(reaching_definitions, name, value)
    if name == "MAX_STEPS":
        monkeypatch.setattr(tree, "MAX_STEPS_PER_BYTE", 0)
    assert path in incomplete_paths(files)


def incomplete_paths(files: Files) -> list[str]:
    """Returns the paths of the files that are reported as only partly checked."""
    return [
        each.path for each in lint(files, list(RULES), target="firefox") if each.rule == "incomplete-analysis"
    ]


def test_message_names_the_exceeded_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets, "MAX_FILES", 1)
    files = with_rules(redirect(1, "/a.png"), redirect(2, "/b.png"))
    found = lint(files, ["incomplete-analysis", "missing-file"])
    assert [each.message for each in found if each.rule == "incomplete-analysis"] == [
        "there is more here than extlint checks: "
        "the first 1 missing files to which rules redirect are reported"
    ]


def test_script_without_shared_values_is_not_reevaluated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(global_uses, "MAX_KEPT_BYTES", 0)
    monkeypatch.setattr(global_uses, "MAX_EVALUATIONS", 12)
    steps = " ".join(f"f{at}(); function f{at}() {{ importScripts('a') }}" for at in range(20))
    user = "import { tool } from './b.js'; f(tool.length);"
    files = {
        "manifest.json": manifest(background={"scripts": ["a.js"], "type": "module"}),
        "a.js": user,
        "b.js": f"import './c.js'; export const tool = {{ run() {{ {steps} }} }};",
        "c.js": user,
    }
    assert incomplete_paths(files) == []
