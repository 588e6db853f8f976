"""Parts of a document that are missing while the first scripts run: `missing-global`."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest, text_under
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

BOTH = ("chrome", "firefox")
OBSERVE = "const observer = new MutationObserver(f);\nobserver.observe(%s, { childList: true });"


def found(files: Files, target: str = "chrome") -> list[tuple[str, str]]:
    """Returns the path and the source text of each finding."""
    return [(each.path, text_under(files, each)) for each in lint(files, ["missing-global"], target)]


def content_script(source: str, **entry: object) -> Files:
    keys = {"matches": ["<all_urls>"], "js": ["c.js"], "run_at": "document_start", **entry}
    return {"manifest.json": manifest(content_scripts=[keys]), "c.js": source}


AT_START: dict[str, tuple[str, list[str]]] = {
    "an element of the body": ("document.body.append(node);", ["document.body"]),
    "a style of it": ("document.body.style.color = 'red';", ["document.body"]),
    "a listener": ("document.body.addEventListener('click', (e) => f(e));", ["document.body"]),
    "by the window": ("window.document.body.append(node);", ["window.document.body"]),
    "the head": ("document.head.appendChild(style);", ["document.head"]),
    "both": ("document.head.append(a);\ndocument.body.append(b);", ["document.head", "document.body"]),
    "in a function that is called": ("function go() { document.body.append(a); }\ngo();", ["document.body"]),
    "in one that another calls": (
        "const go = () => { document.body.append(a); };\nconst main = () => go();\nmain();",
        ["document.body"],
    ),
    "in an asynchronous function": (
        "(async () => { document.body.append(a); await chrome.storage.local.get(); })();",
        ["document.body"],
    ),
    "before a wait": (
        "async function main() { document.body.append(a); await f(); }\nmain();",
        ["document.body"],
    ),
    "in a constructor": (
        "class A { constructor() { document.body.append(a); } }\nnew A();",
        ["document.body"],
    ),
    "by a name": ("const body = document.body;\nbody.append(node);", ["body"]),
    "observed": (OBSERVE % "document.body", ["document.body"]),
    "observed at once": ("new ResizeObserver(f).observe(document.body);", ["document.body"]),
    "observed by a name": (f"const root = document.body;\n{OBSERVE % 'root'}", ["root"]),
    "a class of it": ("document.body.classList.add('dark');", ["document.body"]),
    "the root": ("document.documentElement.append(node);", []),
    "the root, observed": (OBSERVE % "document.documentElement", []),
    "something else is observed": ("store.observe(document.body);", []),
    "optional": ("document.body?.append(node);", []),
    "tested": ("if (document.body) document.body.append(node);", []),
    "with an alternative": ("(document.body || document.documentElement).append(node);", []),
    "after a test": ("if (!document.body) throw 1;\ndocument.body.append(a);", []),
    "caught": ("try { document.body.append(node); } catch { later(); }", []),
    "when it is there": (
        "document.addEventListener('DOMContentLoaded', () => { document.body.append(a); });",
        [],
    ),
    "in a listener by its name": (
        "addEventListener('load', go);\nfunction go() { document.body.append(a); }",
        [],
    ),
    "when it is there, or now": (
        "if (document.readyState === 'loading') addEventListener('DOMContentLoaded', go); else go();\n"
        "function go() { document.body.append(a); }",
        [],
    ),
    "after a wait": ("(async () => { await f(); document.body.append(a); })();", []),
    "in an answer": ("chrome.storage.local.get('a', () => document.body.append(a));", []),
    "in a promise": ("chrome.storage.local.get('a').then(() => document.body.append(a));", []),
    "in a timer": ("setTimeout(() => document.body.append(a), 0);", []),
    "in an observer": ("new MutationObserver(() => document.body.append(a)).observe(document, {});", []),
    "a function that nothing calls": ("function go() { document.body.append(a); }", []),
    "a wait for it": (
        "const id = setInterval(() => { if (!document.body) return; document.body.append(a); }, 10);",
        [],
    ),
    "another document": ("frame.contentDocument.body.append(a);", []),
    "own document": ("const document = parse(text);\ndocument.body.append(a);", []),
    "only passed on": ("wait(document.body);", []),
    "a name that is tested": ("const body = document.body;\nif (body) body.append(node);", []),
    "a name that changes": ("let body = document.body;\nbody = other();\nbody.append(node);", []),
}


@pytest.mark.parametrize(("source", "expected"), AT_START.values(), ids=AT_START.keys())
@pytest.mark.parametrize("target", BOTH)
def test_parts_missing_at_document_start_are_reported(source: str, expected: list[str], target: str) -> None:
    assert found(content_script(source), target) == [("c.js", text) for text in expected]


MOMENTS: dict[str, tuple[dict[str, object], bool]] = {
    "at document_start": ({}, True),
    "in the main world": ({"world": "MAIN"}, True),
    "in all frames": ({"all_frames": True}, True),
    "at document_end": ({"run_at": "document_end"}, False),
    "at document_idle": ({"run_at": "document_idle"}, False),
    "by default": ({"run_at": None}, False),
    "second of two": ({"js": ["a.js", "c.js"]}, True),
    "with a leading slash": ({"js": ["/c.js"]}, True),
}


@pytest.mark.parametrize(("entry", "fails"), MOMENTS.values(), ids=MOMENTS.keys())
def test_moment_of_a_content_script_counts(entry: dict[str, object], fails: bool) -> None:
    files = {**content_script("document.body.append(node);", **entry), "a.js": "f();"}
    assert found(files) == ([("c.js", "document.body")] if fails else [])


def test_one_of_two_moments_is_enough() -> None:
    start, idle = (
        {"matches": ["<all_urls>"], "js": ["c.js"], "run_at": f"document_{each}"}
        for each in ("start", "idle")
    )
    files = {"manifest.json": manifest(content_scripts=[start, idle]), "c.js": "document.body.append(a);"}
    assert found(files) == [("c.js", "document.body")]


def test_imported_scripts_run_with_the_content_script() -> None:
    files = {**content_script("import './d.js';\nf();"), "d.js": "document.body.append(a);"}
    assert found(files) == [("d.js", "document.body")]
    later = {**content_script("import('./d.js');\nf();"), "d.js": "document.body.append(a);"}
    assert found(later) == []


PAGES: dict[str, tuple[str, bool]] = {
    "in the head": (
        "<!doctype html><html><head><title>A</title>SCRIPT</head><body><p>a</p></body></html>",
        True,
    ),
    "after the head": ("<!doctype html><html><head></head>SCRIPT<body></body></html>", True),
    "before a body that is not written": ("<!doctype html>\nSCRIPT<p>a</p>", True),
    "after comments and styles": (
        "<!-- <body> --><meta charset=utf-8><link rel=stylesheet href=a.css><style>body{}</style>SCRIPT<p>a",
        True,
    ),
    "after another script": ("<!doctype html><script src=a.js></script>SCRIPT<p>a</p>", True),
    "in the body": ("<!doctype html><html><head></head><body><p>a</p>SCRIPT</body></html>", False),
    "at the start of the body": ("<body>SCRIPT<p>a</p></body>", False),
    "after an element": ("<!doctype html><p>a</p>SCRIPT", False),
    "after text": ("<!doctype html>a SCRIPT", False),
    "deferred": ("<!doctype html><script defer src=p.js></script><p>a</p>", False),
    "deferred, after its name": ("<!doctype html><script src=p.js defer></script><p>a</p>", False),
    "asynchronous": ("<!doctype html><script src='p.js' async></script><p>a</p>", False),
    "a module": ("<!doctype html><script type=module src=p.js></script><p>a</p>", False),
}


@pytest.mark.parametrize(("page", "fails"), PAGES.values(), ids=PAGES.keys())
@pytest.mark.parametrize("target", BOTH)
def test_body_is_missing_in_the_head(page: str, fails: bool, target: str) -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}),
        "p.html": page.replace("SCRIPT", "<script src='p.js'></script>"),
        "p.js": "document.head.append(a);\ndocument.body.append(b);",
        "a.js": "f();",
        "a.css": "",
    }
    assert found(files, target) == ([("p.js", "document.body")] if fails else [])


def test_message_and_help_name_the_moment() -> None:
    (finding,) = lint(content_script("document.body.append(a);"), ["missing-global"], "chrome")
    assert finding.message == "`document.body` is null in a content script at `document_start`"
    assert finding.help == 'run it at `"document_end"`, or wait for the event `DOMContentLoaded`'
    files = {
        "manifest.json": manifest(options_page="p.html"),
        "p.html": "<!doctype html><script src=p.js></script><p>a</p>",
        "p.js": "document.body.append(a);",
    }
    (finding,) = lint(files, ["missing-global"], "chrome")
    assert finding.message == "`document.body` is null in an extension page before its `<body>`"
    assert finding.help == "add `defer` to the script, or move it to the end of the page"


def test_moment_is_named_only_for_parts_of_the_document() -> None:
    (finding,) = lint(content_script("customElements.define('a-b', C);"), ["missing-global"], "chrome")
    assert finding.message == "`customElements` is null in a content script"


@pytest.mark.parametrize(("dependency", "count"), [("@crxjs/vite-plugin", 0), ("vite", 1)])
def test_crxjs_loads_content_scripts_later(dependency: str, count: int) -> None:
    package = {"scripts": {"build": "vite build"}, "devDependencies": {dependency: "1", "vite": "5"}}
    files = {**content_script("document.head.append(style);"), "package.json": json.dumps(package)}
    report = check_package(package_in(files, ""), [Target("chrome")], ["missing-global"])
    assert len(report.findings) == count
