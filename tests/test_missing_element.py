"""Elements that the page of a script does not have."""

from __future__ import annotations

import json

import pytest
from fixing import fixed
from harness import Files, lint, reported

RULES = ["missing-element"]
PAGE = '<!doctype html><button id="save">Save</button><ul id="list"></ul><script src="popup.js"></script>'


def extension(script: str, page: str = PAGE, **files: str) -> Files:
    manifest = {
        "manifest_version": 3,
        "name": "Test",
        "version": "1.0",
        "action": {"default_popup": "popup.html"},
        "permissions": ["scripting"],
    }
    more = {name.replace("_", "."): text for name, text in files.items()}
    return {"manifest.json": json.dumps(manifest), "popup.html": page, "popup.js": script, **more}


FAILING = {
    "a method of the element": 'document.getElementById("ID").addEventListener("click", run);',
    "an assignment": 'document.getElementById("ID").hidden = true;',
    "a selector": "document.querySelector('#ID').remove();",
    "a longer selector": "document.querySelector('#ID > li.new').remove();",
    "a selector in TypeScript": "document.querySelector('#ID').remove();",
    "a constant": 'const save = document.getElementById("ID"); save.onclick = () => { save.hidden = true; };',
    "a variable that is read in a function": (
        'let save = document.getElementById("ID"); setInterval(() => { save.textContent = Date.now(); }, 1);'
    ),
    "a variable that a function reads on a click": (
        'const save = document.getElementById("ID"); const show = () => save.focus();'
        'document.getElementById("list").addEventListener("click", show);'
    ),
    "an object of elements": (
        'const ui = {save: document.getElementById("ID"), list: document.getElementById("list")};'
        "ui.save.onclick = () => ui.list.replaceChildren();"
    ),
    "a field of a class": (
        'class Ui { constructor() { this.save = document.getElementById("ID"); }'
        "start() { this.save.addEventListener('click', run); } } new Ui().start();"
    ),
    "a short function": 'const $ = (id) => document.getElementById(id); $("ID").onclick = run;',
    "a function declaration": (
        'function byId(id) { return document.getElementById(id); } byId("ID").onclick = run;'
    ),
    "a short function for selectors": (
        "const $ = (selector) => document.querySelector(selector); $('#ID').onclick = run;"
    ),
    "in a listener": (
        'document.addEventListener("DOMContentLoaded", async () => { await load();'
        ' document.getElementById("ID").onclick = run; });'
    ),
    "in a function": 'init(); function init() { document.getElementById("ID").focus(); }',
    "of the window": 'window.document.getElementById("ID").focus();',
    "a variable of the same name": 'const ID = document.getElementById("ID"); ID.focus();',
    "a function of the same name": 'document.getElementById("ID").onclick = ID; function ID() {}',
    "looked up before in another function": (
        'function f() { return document.getElementById("ID") !== null; } f();'
        'document.getElementById("ID").focus();'
    ),
}


@pytest.mark.parametrize("script", FAILING.values(), ids=FAILING)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_missing_element_is_reported(script: str, target: str) -> None:
    (finding,) = lint(extension(script.replace("ID", "sav")), RULES, target)
    assert finding.message == "`popup.html` has no element with the id `sav`, so that this is null"
    assert finding.help == "did you mean `save`?"
    assert reported(extension(script.replace("ID", "save")), RULES, target) == []


MAY_NOT_RUN = {
    "under a condition": 'if (location.hash) document.getElementById("ID").hidden = true;',
    "under a condition in a listener": (
        'chrome.tabs.onRemoved.addListener((id) => { if (id) document.getElementById("ID").remove(); });'
    ),
    "in a function that nothing calls": 'function show() { document.getElementById("ID").focus(); }',
}


@pytest.mark.parametrize("script", MAY_NOT_RUN.values(), ids=MAY_NOT_RUN.keys())
def test_lookup_that_may_not_run_is_not_reported(script: str) -> None:
    assert lint(extension(script), RULES, "chrome") == []


def test_each_lookup_without_a_test_is_reported() -> None:
    twice = "document.getElementById('sav').focus(); document.getElementById('sav').hidden = true;"
    assert len(reported(extension(twice), RULES, "chrome")) == 2


RIGHT = {
    "tested before": "const a = document.getElementById('a'); if (a) a.hidden = true;",
    "tested after": "const a = document.getElementById('a'); a?.focus(); a.hidden = true;",
    "looked up before": "if (document.getElementById('a')) document.getElementById('a').focus();",
    "looked up before in another way": (
        "if (document.querySelector('#a')) document.getElementById('a').focus();"
    ),
    "looked up around a listener": (
        "if (document.getElementById('a')) list.onclick = () => document.getElementById('a').focus();"
    ),
    "looked up and compared": (
        "if (document.getElementById('a') !== null) { document.getElementById('a').focus(); }"
    ),
    "looked up in a conjunction": "document.getElementById('a') && document.getElementById('a').focus();",
    "looked up and left": (
        "function f() { if (!document.getElementById('a')) return;"
        " document.getElementById('a').focus(); } f();"
    ),
    "optional": "document.getElementById('a')?.focus();",
    "with an alternative": "(document.getElementById('a') ?? document.body).focus();",
    "tested and left": "const a = document.getElementById('a'); if (!a) throw 1; a.focus();",
    "passed to unknown code": "const a = document.getElementById('a'); assert(a); a.focus();",
    "caught": "try { document.getElementById('a').focus(); } catch {}",
    "another document": "frame.contentDocument.getElementById('a').focus();",
    "a local variable": "function show(document) { document.getElementById('a').focus(); } show(frame);",
    "an unknown function": "$('a').focus();",
    "a function that does more": (
        "const $ = (id) => document.getElementById(id) || make(id); $('a').focus();"
    ),
    "a function for selectors": "const $ = (tag) => document.querySelector(tag); $('ul').focus();",
    "a list of selectors": "document.querySelector('#a, #list').focus();",
    "an id with a dot": "document.getElementById('a.b').focus(); const id = 'a.b';",
    "a variable that is assigned again": (
        "let a = document.getElementById('a'); a = document.body; a.focus();"
    ),
    "a property that is assigned elsewhere": (
        "const ui = {a: document.getElementById('a')}; if (!ui.a) ui.a = make(); ui.a.focus();"
    ),
    "an element with this id": "const b = make(); b.id = 'a'; document.getElementById('a').focus();",
    "an attribute": "make().setAttribute('id', 'a'); document.getElementById('a').focus();",
    "markup": "list.innerHTML = `<li id=\"a\">1</li>`; document.getElementById('a').focus();",
    "a key": "for (const id in {a: 1}) make().id = id; document.getElementById('a').focus();",
    "a short key": (
        "const a = document.getElementById('a'); for (const id in {a, b}) make().id = id; a.focus();"
    ),
    "markup in a comment of a function that is read as a text": (
        "list.innerHTML = f.toString().replace(/^[^*]*../, ''); function f() { /* <li id=\"a\"> */ }"
        "document.getElementById('a').focus();"
    ),
    "a list of ids": "for (const id of ['a', 'b']) add(id); document.getElementById('a').focus();",
    "an id with a number": (
        "[1, 2].forEach((i) => { make().id = 'row' + i; }); document.getElementById('row1').focus();"
    ),
    "an id with a letter and a number": (
        "for (let i = 0; i < 3; i++) make().id = `p${i}`; document.getElementById('p2').focus();"
    ),
    "an id with a letter and a number in markup": (
        "list.innerHTML = '<p id=\"x' + 1 + '\">'; document.getElementById('x1').focus();"
    ),
    "an id in a template": (
        '[1, 2].forEach((i) => { list.innerHTML += `<li id="row-${i}">`; });'
        "document.getElementById('row-1').focus();"
    ),
    "an id in a compiled template": (
        "list.innerHTML = '<li id=\"row-'.concat(i, '\">'); document.getElementById('row-1').focus();"
    ),
    "the end of an id in a compiled template": (
        "make().id = ''.concat(name, 'Input'); document.getElementById('hostInput').focus();"
    ),
    "an id with an ending": (
        "names.forEach((name) => { make().id = `${name}Input`; });"
        "document.getElementById('hostInput').focus();"
    ),
    "code that never runs": "if (false) document.getElementById('a').focus();",
    "a function that nothing calls": "function init() { document.getElementById('a').focus(); }",
    "a variable that such a function reads": (
        "const a = document.getElementById('a'); function init() { a.focus(); }"
    ),
    "a variable that an unused constant reads": (
        "const a = document.getElementById('a'); const init = () => { a.focus(); };"
    ),
    "a property that such a function reads": (
        "const ui = {a: document.getElementById('a')}; function init() { ui.a.focus(); }"
    ),
    "a variable whose use is caught": "const a = document.getElementById('a'); try { a.focus(); } catch {}",
    "a variable whose use never runs": "const a = document.getElementById('a'); if (false) a.focus();",
    "a comment": "// document.getElementById('a').focus();",
    "code for a web page": (
        "chrome.scripting.executeScript({target: {tabId: 1},"
        " func: () => { document.getElementById('a').focus(); }});"
    ),
}


@pytest.mark.parametrize("script", RIGHT.values(), ids=RIGHT)
def test_lookup_that_may_succeed_is_not_reported(script: str) -> None:
    assert reported(extension(script), RULES, "chrome") == []


LOOKUP = "document.getElementById('sav').focus();"
PACKAGES: dict[str, tuple[Files, bool]] = {
    "a plain page": (extension(LOOKUP), True),
    "an id in a comment of the page": (extension(LOOKUP, PAGE + '<!-- <p id="sav"> -->'), True),
    "an id in a script's comment": (extension(LOOKUP + "// sav"), True),
    "markup in a comment": (extension(LOOKUP + "/* <b id='sav'> */"), True),
    "a name in a comment, next to a text of a number": (
        extension(LOOKUP + "/* sav */ console.log(Date.now().toString());"),
        True,
    ),
    "an id in a style sheet": (extension(LOOKUP, PAGE + "<style>#sav {}</style>"), True),
    "an id without quotes": (extension(LOOKUP, PAGE + "<p id=sav>"), False),
    "an id in a template element": (extension(LOOKUP, PAGE + '<template><p id="sav"></template>'), False),
    "a page that a build fills in": (extension(LOOKUP, PAGE + "{{ body }}"), False),
    "a page that includes others": (extension(LOOKUP, PAGE + '<include src="sav.html"></include>'), False),
    "a script that is missing": (extension(LOOKUP, PAGE + '<script src="gone.js"></script>'), False),
    "another script that creates it": (
        extension(LOOKUP, PAGE + '<script src="b.js"></script>', b_js="add({id: 'sav'});"),
        False,
    ),
    "data that names it": (extension(LOOKUP, fields_json='[{"id": "sav"}]'), False),
    "data with markup": (extension(LOOKUP, text_json=json.dumps({"a": '<a id="sav">'})), False),
    "a message with markup": (
        {**extension(LOOKUP), "_locales/en/messages.json": json.dumps({"a": {"message": '<a id="sav">'}})},
        False,
    ),
    "a message of that name": (
        {**extension(LOOKUP), "_locales/en/messages.json": json.dumps({"sav": {"message": "Save"}})},
        True,
    ),
    "markup of a server": (
        extension(f"const text = await (await fetch(URL)).text();\nlist.innerHTML = text;\n{LOOKUP}"),
        False,
    ),
    "markup of a response": (extension(f"list.innerHTML += request.responseText; {LOOKUP}"), False),
    "stored markup": (
        extension(
            "const { text } = await chrome.storage.local.get('text');\n"
            f"list.insertAdjacentHTML('beforeend', text);\n{LOOKUP}"
        ),
        False,
    ),
    "markup of its own": (
        extension(
            f"const part = '<b>';\nlist.innerHTML = part;\nfetch(URL).then((r) => r.text());\n{LOOKUP}"
        ),
        True,
    ),
    "another page with the id, whose name is put together": (
        extension(
            LOOKUP + "fetch(`views/${name}.html`).then(show);", **{"views/options_html": '<p id="sav">'}
        ),
        False,
    ),
    "another id with the same letter": (
        extension(LOOKUP + "for (const i of list) make().id = `s${i}`;"),
        True,
    ),
    "another page with the id": (extension(LOOKUP, options_html='<p id="sav">'), True),
    "another page that loads the script": (
        extension(
            LOOKUP + "open('options.html');", options_html='<p id="sav"></p><script src="popup.js"></script>'
        ),
        False,
    ),
}


@pytest.mark.parametrize(("files", "is_reported"), PACKAGES.values(), ids=PACKAGES)
def test_element_is_searched_for_in_the_whole_package(files: Files, is_reported: bool) -> None:
    assert bool(reported(files, RULES, "chrome")) == is_reported


def test_scripts_of_web_pages_are_not_checked() -> None:
    manifest = {
        "manifest_version": 3,
        "name": "Test",
        "version": "1.0",
        "content_scripts": [{"matches": ["https://example.com/*"], "js": ["popup.js"]}],
    }
    files = {**extension(LOOKUP), "manifest.json": json.dumps(manifest)}
    assert reported(files, RULES, "chrome") == []


XML = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
    '<body><p id="a"/><script src="popup.js"/></body></html>'
)


@pytest.mark.parametrize(("name", "expected"), [("popup.xhtml", ["b"]), ("popup.html", [])])
def test_page_in_xml_closes_its_elements(name: str, expected: list[str]) -> None:
    script = "document.getElementById('a').focus(); document.getElementById('b').focus();"
    files = extension(script)
    described = str(files["manifest.json"]).replace("popup.html", name)
    found = [text for _, text in reported({**files, "manifest.json": described, name: XML}, RULES, "firefox")]
    assert found == [f"document.getElementById('{each}')" for each in expected]


HEAD = '<!doctype html><html><head>%s</head><body><button id="save">Save</button></body></html>'
IN_HEAD = HEAD % '<script src="popup.js"></script>'
USE = "document.getElementById('save').onclick = run;"


def messages(script: str, page: str) -> list[str]:
    return [each.message for each in lint(extension(script, page), RULES, "chrome")]


@pytest.mark.parametrize("script", [USE, f"const save = {USE.partition('.on')[0]}; save.onclick = run;"])
def test_element_after_the_script_in_the_head_is_missing(script: str) -> None:
    assert messages(script, IN_HEAD) == [
        "`popup.html` has no element with the id `save` yet, so that this is null"
    ]


@pytest.mark.parametrize(
    ("script", "page"),
    [
        pytest.param(f"addEventListener('load', () => {{ {USE} }});", IN_HEAD, id="a listener"),
        pytest.param(f"(async () => {{ await load(); {USE} }})();", IN_HEAD, id="after a wait"),
        pytest.param(f"setTimeout(() => {{ {USE} }});", IN_HEAD, id="a timer"),
        pytest.param(USE, HEAD % '<script src="popup.js" defer></script>', id="defer"),
        pytest.param(USE, HEAD % '<script type="module" src="popup.js"></script>', id="a module"),
        pytest.param(USE, PAGE, id="at the end"),
        pytest.param(
            "document.getElementById('theme').disabled = true;",
            HEAD % '<style id="theme"></style><script src="popup.js"></script>',
            id="an element before",
        ),
    ],
)
def test_element_that_is_there_when_it_is_looked_up_is_not_missing(script: str, page: str) -> None:
    assert messages(script, page) == []


BACKGROUNDS = {
    "generated": ({"scripts": ["b.js"]}, "the background page"),
    "named": ({"page": "b.html"}, "`b.html`"),
}


@pytest.mark.parametrize(("background", "page"), BACKGROUNDS.values(), ids=BACKGROUNDS)
@pytest.mark.parametrize("version", [2, 3])
def test_element_of_another_page_is_missing_in_the_background(
    background: dict[str, object], page: str, version: int
) -> None:
    keys = {"browser_action" if version == 2 else "action": {"default_popup": "popup.html"}}
    settings = {"manifest_version": version, "name": "Test", "version": "1.0", "background": background}
    files = {
        "manifest.json": json.dumps({**settings, **keys}),
        "popup.html": PAGE,
        "popup.js": "",
        "b.html": "<audio id=sound></audio><script src=b.js></script>",
    }
    found = [each.message for each in lint({**files, "b.js": USE}, RULES, "firefox")]
    assert found == [f"{page} has no element with the id `save`, so that this is null"]
    made = "const a = document.createElement('a'); a.id = 'save'; document.body.append(a);"
    assert lint({**files, "b.js": f"{made} {USE}"}, RULES, "firefox") == []


LOOKUP_OF_OTHER = 'const b = document.getElementById("OTHER"); const n = document.getElementById("sav");'
BEHIND_ANOTHER = {
    "a test of its variable": f"{LOOKUP_OF_OTHER} if (b) b.addEventListener('click', () => n.focus());",
    "a handler": f"{LOOKUP_OF_OTHER} if (b) {{ b.onclick = () => n.focus(); }}",
    "a comparison": f"{LOOKUP_OF_OTHER} if (b !== null && location) n.focus();",
    "an exit": f"{LOOKUP_OF_OTHER} start(); function start() {{ if (!b) return; n.focus(); }}",
    "a test of the lookup": (
        'const n = document.getElementById("sav"); if (document.querySelector("#OTHER")) { n.focus(); }'
    ),
    "its listener": (
        'document.getElementById("OTHER").addEventListener("click", f);'
        'function f() { document.getElementById("sav").focus(); }'
    ),
    "its optional listener": (
        'document.getElementById("OTHER")?.addEventListener("click", () => g());'
        'const g = () => document.getElementById("sav").focus();'
    ),
}


@pytest.mark.parametrize("script", BEHIND_ANOTHER.values(), ids=BEHIND_ANOTHER)
def test_code_behind_another_missing_element_does_not_run(script: str) -> None:
    assert 'document.getElementById("sav")' not in [
        text for _, text in reported(extension(script.replace("OTHER", "gone")), RULES, "chrome")
    ]
    found = reported(extension(script.replace("OTHER", "list")), RULES, "chrome")
    assert found == [("missing-element", 'document.getElementById("sav")')]


UNLIKE = {
    "an id with a hash": ('document.getElementById("#save").focus();', "element with the id `#save`", "save"),
    "a hash in a short function": (
        "const $ = (id) => document.getElementById(id); $('#save').onclick = run;",
        "element with the id `#save`",
        "save",
    ),
    "a selector without a hash": ("document.querySelector('list').remove();", "element `list`", "#list"),
    "no hash in a short function": (
        "const $ = (text) => document.querySelector(text); $('list').onclick = run;",
        "element `list`",
        "#list",
    ),
}


@pytest.mark.parametrize(("script", "what", "meant"), UNLIKE.values(), ids=UNLIKE)
def test_id_as_selector_or_selector_as_id(script: str, what: str, meant: str) -> None:
    files = extension(script)
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == f"`popup.html` has no {what}, so that this is null"
    assert finding.help is not None
    assert meant.startswith("#") == finding.help.startswith(f"write `{meant}` for")
    fixed_script = fixed(files, "chrome", select=RULES)["popup.js"]
    assert fixed_script.replace('"', "'") == script.replace('"', "'").replace(
        f"'{meant.removeprefix('#')}'" if meant.startswith("#") else f"'#{meant}'", f"'{meant}'"
    )


FOUND_ANYWAY = {
    "an element of this name": ("document.querySelector('button').remove();", ""),
    "an element that a script creates": (
        "document.body.append(document.createElement('list')); document.querySelector('list').remove();",
        "",
    ),
    "an element that markup creates": (
        "document.body.innerHTML = '<list></list>'; document.querySelector('list').remove();",
        "",
    ),
    "an element without its tag": ("document.querySelector('title').remove();", "<p id=title>"),
    "an element with the same tag": ("document.querySelector('main').remove();", "<main id=main>"),
    "an id with a hash in the page": ("document.getElementById('#a').remove();", "<p id='#a'>"),
    "an id with a hash in a script": (
        "document.getElementById('save').id = '#b'; document.getElementById('#b').remove();",
        "",
    ),
    "a test": ("const a = document.getElementById('#save'); if (a) a.remove();", ""),
    "functions of one name": (
        "const f = (a) => { const $ = (id) => document.getElementById(id); return $; };"
        "const $ = (text) => document.querySelector(text); $('#save').remove();",
        "",
    ),
}


@pytest.mark.parametrize(("script", "markup"), FOUND_ANYWAY.values(), ids=FOUND_ANYWAY)
def test_lookup_that_may_find_something_is_not_reported(script: str, markup: str) -> None:
    assert lint(extension(script, PAGE + markup), RULES, "chrome") == []


def test_id_with_a_hash_that_no_page_has() -> None:
    files = extension("document.getElementById('#other').remove();")
    assert len(lint(files, RULES, "chrome")) == 1
    assert fixed(files, "chrome", select=RULES, unsafe=True) == {}
