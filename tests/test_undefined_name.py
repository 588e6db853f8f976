"""Names that neither a script of the package nor a browser defines."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, reported

RULES = ["undefined-name"]
LISTENER = "chrome.runtime.onInstalled.addListener(() => {{ {} }});"


def extension(script: str, target: str = "chrome", **files: str) -> Files:
    manifest = {
        "manifest_version": 3,
        "name": "Test",
        "version": "1.0",
        "permissions": ["scripting"],
        "action": {"default_popup": "popup.html"},
        "background": {"service_worker": "a.js"} if target == "chrome" else {"scripts": ["a.js"]},
        "content_scripts": [{"matches": ["https://example.com/*"], "js": ["c.js"]}],
    }
    more = {name.replace("_", "."): text for name, text in files.items()}
    page = '<!doctype html><p id="status"></p><script src="p.js"></script>'
    own = {"a.js": script + "chrome.runtime.id;", "c.js": "", "p.js": "", "popup.html": page}
    return {"manifest.json": json.dumps(manifest), **own, **more}


UNDEFINED = {
    "a function": ("function update() {} " + LISTENER.format("updat();"), "updat"),
    "a function in a function": (
        "async function start() { await loadd(); } start(); async function load() {}",
        "loadd",
    ),
    "an object": ("const config = {}; " + LISTENER.format("confg.save = true;"), "confg"),
    "an object with computed keys": (
        LISTENER.format("confg[navigator.language] = true;") + "const config = {};",
        "confg",
    ),
    "an element of a list": (LISTENER.format("console.log(items[0]);"), "items"),
    "a class": ("class Store {} " + LISTENER.format("new Stroe().open();"), "Stroe"),
    "an argument of another call": (LISTENER.format("console.log(texts.get('a'));"), "texts"),
    "under a condition": (LISTENER.format("if (navigator.onLine) texts.get('a');"), "texts"),
    "jQuery's function": (LISTENER.format("$('p').hide(); console.log(`${1}`);"), "$"),
    "the name of a member elsewhere": (
        "chrome.tabs.onUpdated.addListener((id, info) => { console.log(urls.a(), info.urls, id?.urls); });",
        "urls",
    ),
    "the name of a compared member": (
        LISTENER.format("if (navigator.urls == 1 || navigator.urls) urls.open();"),
        "urls",
    ),
    "a variable of another function": (
        "function one() { const options = {}; return options; }" + LISTENER.format("one(); optins.save();"),
        "optins",
    ),
}


@pytest.mark.parametrize(("script", "name"), UNDEFINED.values(), ids=UNDEFINED)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_undefined_name_is_reported(script: str, name: str, target: str) -> None:
    assert reported(extension(script, target), RULES, target) == [(RULES[0], name)]
    assert reported(extension(f"{script}var {name};", target), RULES, target) == []


DEFINED = {
    "tested before": LISTENER.format("if (typeof later === 'function') later();"),
    "optional": LISTENER.format("globalThis.later?.(); later();"),
    "caught": LISTENER.format("try { later(); } catch {}"),
    "assigned to the global object": "self.later = () => {}; later();",
    "tested as a member of the global object": LISTENER.format("if (self.later) later();"),
    "tested with optional chaining": LISTENER.format("if (self?.later) later();"),
    "assigned to an unknown object": "document.defaultView.later ??= () => {}; later();",
    "assigned to an alias of the global object": "const all = self; all.later = () => {}; later();",
    "counted in an alias of the global object": "const all = self; all.later ++; later.toFixed();",
    "in a spread list": LISTENER.format("console.log(...later); later.open();"),
    "assigned without a declaration": "later = () => {}; later();",
    "defined under its name": "Object.assign(self, {later() {}}); later();",
    "defined under a text": "self['later'] = () => {}; later();",
    "named in a comment": "/* global later */ later();",
    "a global of browsers": "structuredClone({}); console.log(navigator.language);",
    "a global of one browser": LISTENER.format("cloneInto({}, self);"),
    "jQuery's function, defined": "const $ = (text) => self.find(text); $('p');",
    "jQuery's function in another text": LISTENER.format("$('p').hide(); console.log('window.$ = $');"),
    "an element of a declared list": LISTENER.format("console.log(later[0]);") + "var later = [];",
    "a list after a keyword": LISTENER.format("for (const a of[1]) console.log(typeof[a]);"),
    "a parameter": "[1].map((later) => later.toFixed());",
    "a pattern": "const {later, ...rest} = await load(); later(); rest.a(); function load() {}",
    "a name in a catch": "try { chrome.runtime.id; } catch (later) { later.toString(); }",
    "the name of a loop": "for (const later of []) later();",
    "a label": "later: for (;;) break later;",
    "a method": "class A { later() {} } new A();",
    "an element of a page": LISTENER.format("status.remove();"),
    "in a with statement": "with (document.body) { later(); }",
    "code that never runs": "if (false) later();",
    "a function that nothing calls": "function start() { later(); }",
    "code for a web page": (
        "chrome.scripting.executeScript({target: {tabId: 1}, world: 'MAIN', func: () => { later.open(); }});"
    ),
}


@pytest.mark.parametrize("script", DEFINED.values(), ids=DEFINED)
def test_name_that_may_be_defined_is_not_reported(script: str) -> None:
    assert reported(extension(script), RULES, "chrome") == []


CALL = LISTENER.format("later();")
LATER = "<p id='later'></p><script src='p.js'></script>"
PACKAGES: dict[str, tuple[Files, bool]] = {
    "no other script": (extension(CALL), True),
    "a script elsewhere that defines it": (extension(CALL, c_js="function later() {}"), False),
    "an imported script that defines it": (
        extension("importScripts('d.js');" + CALL, d_js="function later() {}"),
        False,
    ),
    "a script that nothing loads": (extension(CALL, d_js="function later() {}"), False),
    "a script that injects functions": (
        extension(CALL + "chrome.scripting.executeScript({});", c_js="function later() {}"),
        False,
    ),
    "another script that calls it": (extension(CALL, c_js="later();"), True),
    "a library that has the name": (extension(CALL, **{"lib.min_js": "var later=1;"}), False),
    "a page that has the name": (extension("", p_js="later();", popup_html=LATER), False),
    "another page that has the name": (extension("", p_js="later();", b_html=LATER), False),
    "a library of another page": (
        extension("", p_js="$('p').hide();", b_html="<script src=q.js></script>", q_js="window.$ = () => 1;"),
        False,
    ),
    "a script that is missing": (extension("importScripts('gone.js');" + CALL), False),
    "a script in TypeScript": (extension(CALL, d_ts="declare function later(): void;"), False),
    "code in an unknown text": (extension("eval(text());" + "function text() {}" + CALL), True),
}


@pytest.mark.parametrize(("files", "is_reported"), PACKAGES.values(), ids=PACKAGES)
def test_name_is_searched_for_in_the_whole_package(files: Files, is_reported: bool) -> None:
    assert bool(reported(files, RULES, "chrome")) == is_reported


def test_message_names_what_is_undefined() -> None:
    (finding,) = lint(extension(CALL), RULES, "chrome")
    assert finding.message == "`later` is not defined: no script of the package declares it"


def test_package_without_the_api() -> None:
    manifest = {
        "manifest_version": 3,
        "name": "Test",
        "version": "1.0",
        "action": {"default_popup": "p.html"},
    }
    files = {
        "manifest.json": json.dumps(manifest),
        "p.html": "<script src=p.js></script>",
        "p.js": "$('b').hide();",
    }
    assert reported(files, RULES, "chrome") == [("undefined-name", "$")]
