"""Results of the API, and of promises, as arguments of other calls."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from harness import manifest, reported

PERMISSIONS = ["management", "tabs", "cookies", "storage"]


def found(script: str, target: str = "firefox", rule: str = "invalid-argument") -> list[str]:
    """Returns the source text of each finding in a background script."""
    files = {
        "manifest.json": manifest(
            manifest_version=2, background={"scripts": ["b.js"]}, permissions=PERMISSIONS
        ),
        "b.js": script,
    }
    return [text for _, text in reported(files, [rule], target)]


def assert_found(cases: Iterable[tuple[str, list[str]]], target: str, rule: str = "invalid-argument") -> None:
    """Checks all scripts as lines of one, and compares the source text of the findings in each."""
    scripts, expected = zip(*cases, strict=True)
    assert found("\n".join(scripts), target, rule) == [text for texts in expected for text in texts]


ARGUMENTS = {
    "the record for its id": (
        "browser.management.getSelf().then((me) => browser.management.get(me));",
        ["me"],
    ),
    "its id": ("browser.management.getSelf().then((me) => browser.management.get(me.id));", []),
    "a string for a boolean": (
        "browser.management.getSelf().then((me) => browser.management.uninstallSelf("
        "{showConfirmDialog: me.name}));",
        ["me.name"],
    ),
    "a list for an item": ("browser.tabs.query({}).then((tabs) => browser.tabs.get(tabs));", ["tabs"]),
    "an item that may be missing": (
        "browser.tabs.query({}).then((tabs) => browser.tabs.remove(tabs[0].id));",
        [],
    ),
    "an optional field": ("browser.tabs.query({}).then(([tab]) => browser.tabs.get(tab.url));", ["tab.url"]),
    "an optional field for an optional property": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.query({url: tab.url}));",
        [],
    ),
    "the number of items for a text": (
        "browser.tabs.query({}).then((tabs) => browser.browserAction.setBadgeText({text: tabs.length}));",
        ["tabs.length"],
    ),
    "the number of items as a text": (
        "browser.tabs.query({}).then((it) => browser.browserAction.setBadgeText({text: `${it.length}`}));",
        [],
    ),
    "the length of a text for a number": (
        "browser.management.getSelf().then((me) => browser.tabs.remove(me.name.length));",
        [],
    ),
    "a list of objects for a list of ids": (
        "browser.tabs.query({}).then((tabs) => browser.tabs.remove(tabs));",
        ["tabs"],
    ),
    "a list of ids": (
        "browser.tabs.query({}).then((tabs) => browser.tabs.remove(tabs.map((tab) => tab.id)));",
        [],
    ),
    "an item for an optional id": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.update(tab, {active: true}));",
        ["{active: true}"],
    ),
    "an item in an array": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.move([tab], {index: 0}));",
        ["tab"],
    ),
    "an item in an object": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.create({openerTabId: tab}));",
        ["tab"],
    ),
    "an object without a required property": (
        "browser.cookies.getAll({}).then((all) => all.forEach((each) => browser.cookies.set(each)));",
        ["each"],
    ),
    "an object with properties that the function does not have": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.create(tab));",
        ["tab"],
    ),
    "a changed object": (
        "browser.cookies.getAll({}).then((all) => { for (const each of all) { each.url = 'https://a';"
        " delete each.hostOnly; delete each.session; browser.cookies.set(each); } });",
        [],
    ),
    "a copy of an object": (
        "browser.tabs.query({}).then(([{ id, ...tab }]) => browser.tabs.create({ ...tab }));",
        [],
    ),
    "an object with the properties of the function": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.create({url: tab.url, index: tab.index}));",
        [],
    ),
    "a string object": ("browser.tabs.get(new String('a'));", ["new String('a')"]),
    "a value that may be null": (
        "browser.cookies.get({url: 'http://a', name: 'b'}).then((it) => browser.tabs.get(it));",
        ["it"],
    ),
    "a promise of a string": (
        "(async () => browser.tabs.get(await Promise.resolve('a')))();",
        ["await Promise.resolve('a')"],
    ),
    "a promise of a number": ("(async () => browser.tabs.get(await Promise.resolve(1)))();", []),
    "a promise of something unknown": ("(async () => browser.tabs.get(await Promise.resolve(f())))();", []),
}


@pytest.mark.parametrize("target", ["firefox", "chrome<=138"])
def test_results_as_arguments(target: str) -> None:
    assert_found(ARGUMENTS.values(), target)


FIELDS = {
    "of an array, misspelled": ("browser.tabs.query({}).then((it) => it.lenght);", ["lenght"]),
    "a method of an array, misspelled": ("browser.tabs.query({}).then((it) => it.foreach(f));", ["foreach"]),
    "of an array": ("browser.tabs.query({}).then((it) => it.length);", []),
    "a method that arrays do not have": ("browser.tabs.query({}).then((it) => it.has(1));", ["has"]),
    "a member that the package adds to arrays": (
        "Array.prototype.last = f; browser.tabs.query({}).then((it) => it.last());",
        [],
    ),
    "a member that the package defines for arrays": (
        "Object.defineProperty(Array.prototype, 'last', {value: f});"
        " browser.tabs.query({}).then((it) => it.last());",
        [],
    ),
    "of an array, if it exists": ("browser.tabs.query({}).then((it) => it.custom && it.custom());", []),
    "of a string": ("browser.tabs.query({}).then(([it]) => it.url.hostname);", ["hostname"]),
    "of a string, misspelled": ("browser.tabs.query({}).then(([it]) => it.title.lenght);", ["lenght"]),
    "a method of arrays, of a string": ("browser.tabs.query({}).then(([it]) => it.title.map(f));", ["map"]),
    "methods of strings": (
        "browser.tabs.query({}).then(([it]) => it.url.split('/').length + it.title.trim().length);",
        [],
    ),
    "the character of a string": ("browser.tabs.query({}).then(([it]) => it.title[0]);", []),
    "of a returned string": ("f(browser.runtime.getURL('a').pathname);", ["pathname"]),
    "of a URL": ("f(new URL(browser.runtime.getURL('a')).pathname);", []),
    "of a call that returns nothing": ("f(browser.runtime.reload().status);", ["status"]),
    "of nothing": ("browser.management.uninstallSelf({}).then((it) => it.status);", ["status"]),
    "of nothing, after a test": ("browser.management.uninstallSelf({}).then((it) => it && it.status);", []),
    "of nothing, if it exists": ("browser.management.uninstallSelf({}).then((it) => it?.status);", []),
    "of something": ("browser.management.getSelf().then((it) => it.name);", []),
}


OF_OTHER_TYPE = {
    "a branch": "if (typeof it === 'number') GET(it);",
    "a branch that assigns it": "if (typeof it === 'number') it = await GET(it); log(it);",
    "the other branch": "if ('object' == typeof it) log(it); else GET(it);",
    "after a return": "if (typeof it !== 'number') return; GET(it);",
    "after a throw": "if (!Number.isInteger(it)) { throw it } GET(it);",
    "and": "typeof it === 'number' && it > 0 && GET(it);",
    "or": "typeof it === 'object' || GET(it);",
    "one of two types": "if (typeof it === 'number' || typeof it === 'string') GET(it);",
    "a class": "if (!(it instanceof Object)) GET(it);",
    "a case": "switch (typeof it) { case 'string': case 'number': GET(it); }",
    "the default": "switch (typeof it) { case 'object': return; default: GET(it); }",
    "a question": "typeof (it) === 'number' ? GET(it) : log(it);",
    "a callback in a branch": "if (typeof it === 'number') list.forEach(() => GET(it));",
    "a variable with it": "if (isNumber(it)) { const id = it; GET(id); }",
}

OF_ANY_TYPE = {
    "no test": "GET(it);",
    "an object": "if (typeof it === 'object') GET(it);",
    "after a return": "if (typeof it !== 'object') return; GET(it);",
    "not a function": "if (typeof it === 'function') log(it); else GET(it);",
    "defined": "if (typeof it !== 'undefined') GET(it);",
    "another variable": "if (typeof other === 'number') GET(it);",
    "another variable or this one": "if (other || typeof it === 'number') GET(it);",
    "after the branch": "if (typeof it === 'number') log(it); GET(it);",
    "a case of something else": "switch (other) { case 1: GET(it); }",
    "assigned in the branch": (
        "if (typeof it === 'number') { it = await browser.management.get(it); GET(it); }"
    ),
}


def found_in_function(body: str) -> list[str]:
    """Returns the source text of each wrong argument in a function that gets information about an add-on."""
    text = body.replace("GET", "browser.management.get")
    return found(f"async function show(it) {{ {text} }} browser.management.getSelf().then((me) => show(me));")


@pytest.mark.parametrize("body", OF_OTHER_TYPE.values(), ids=OF_OTHER_TYPE.keys())
def test_argument_may_be_of_the_type_that_a_test_requires(body: str) -> None:
    assert found_in_function(body) == []


@pytest.mark.parametrize("body", OF_ANY_TYPE.values(), ids=OF_ANY_TYPE.keys())
def test_argument_has_the_type_that_callers_pass(body: str) -> None:
    assert found_in_function(body) == ["it"]


COPIED = {
    "an object": "Object.assign(Array.prototype, E);",
    "an object, by an own function": "extend(Array.prototype, E);",
    "an object, with an alias": "var arrayProto = Array.prototype; Object.extend(arrayProto, E);",
    "an object, with a short alias": "var e=Array.prototype;Object.assign(e,E);",
    "the second argument": "$.extend(true, Array.prototype, E);",
    "a module": "Object.assign(window.Array.prototype, require('./e'));",
    "several objects": "Object.assign(Array.prototype, ...all);",
    "a literal with an object": "Object.assign(Array.prototype, { a: 1, ...E });",
    "one member after the other": "for (const key in E) Array.prototype[key] = E[key];",
    "all descriptors": "Object.defineProperties(Array.prototype, Object.getOwnPropertyDescriptors(E));",
}

NOT_COPIED = {
    "an object elsewhere": "Object.assign(target, E);",
    "a literal": "Object.assign(Array.prototype, { other: f });",
    "a short name in other code": "var e=Array.prototype,s=e.slice;f(e,E);",
    "a prototype that inherits": "var proto = Object.create(Array.prototype); f(Array.prototype);",
    "another prototype": "Object.assign(Store.prototype, E);",
    "a method": "Array.prototype.push.apply(all, E);",
    "a test": "for (const key in E) if (Array.prototype[key] === E[key]) f();",
}


@pytest.mark.parametrize("script", COPIED.values(), ids=COPIED.keys())
def test_members_copied_to_all_arrays_exist(script: str) -> None:
    source = f"const E = {{ pluck() {{}} }}; {script} browser.tabs.query({{}}).then((it) => it.NAME());"
    assert found(source.replace("NAME", "pluck"), rule="unknown-result-field") == []
    of_string = source.replace("Array", "String").replace("it.NAME", "it[0].url.pluck")
    assert found(of_string, rule="unknown-result-field") == []
    assert found(source.replace("NAME", "has"), rule="unknown-result-field") == ["has"]


@pytest.mark.parametrize("script", NOT_COPIED.values(), ids=NOT_COPIED.keys())
def test_other_members_are_not_copied_to_arrays(script: str) -> None:
    source = f"const E = {{ pluck() {{}} }}; {script} browser.tabs.query({{}}).then((it) => it.pluck());"
    assert found(source, rule="unknown-result-field") == ["pluck"]


@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "reference"])
def test_fields_of_results(target: str) -> None:
    assert_found(FIELDS.values(), target, "unknown-result-field")


@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "reference"])
@pytest.mark.parametrize(
    ("script", "is_wrong"),
    [
        ("tabs.onUpdated(f);", True),
        ("tabs(f);", True),
        ("storage.local(f);", True),
        ("runtime.id(f);", True),
        ("tabs.onUpdated;", False),
        ("tabs.query({}, f);", False),
    ],
)
def test_event_or_object_is_not_a_function(script: str, is_wrong: bool, target: str) -> None:
    assert found(f"browser.{script}", target) == ["(f)"] * is_wrong


STATUS = {
    "of a change": "browser.tabs.onUpdated.addListener((id, change) => { if (change.status === %s) f(); });",
    "of a tab": "browser.tabs.query({}).then(([tab]) => tab.status === %s && f());",
    "in a switch": (
        "browser.tabs.onUpdated.addListener((id, change) => { switch (change.status) { case %s: f(); } });"
    ),
}


@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "reference"])
@pytest.mark.parametrize("script", STATUS.values(), ids=STATUS.keys())
def test_status_that_no_tab_has(script: str, target: str) -> None:
    assert found(script % "'completed'", target, "impossible-comparison") == ["'completed'"]
    assert found(script % "'complete'", target, "impossible-comparison") == []


NAMES = {
    "misspelled": ("managment", True),
    "unknown": ("fly", True),
    "of both browsers": ("bookmarks", False),
    "of one browser": ("menus", False),
    "of Thunderbird": ("messagesRead", False),
    "of an experiment": ("experiments.fly", False),
}


@pytest.mark.parametrize(("name", "is_wrong"), NAMES.values(), ids=NAMES.keys())
def test_names_of_permissions(name: str, is_wrong: bool) -> None:
    script = f"chrome.permissions.contains({{permissions: ['{name}']}});"
    assert found(script, "chrome<=138") == [f"'{name}'"] * is_wrong
    assert found(script, "reference") == [f"'{name}'"] * is_wrong


WITHOUT_THE_MEMBER = {
    "a branch": "if (it.done) SEND;",
    "a part of the member": "if (it && it.result?.done) SEND;",
    "a value of the member": "if (it.status === 'done') SEND;",
    "an order": "if (it.length > 0) SEND;",
    "the name of the member": "if ('done' in it) SEND;",
    "after a return": "if (!it.done) return; SEND;",
    "and": "it.done && it && SEND;",
}
WITH_THE_MEMBER = {
    "no test": "SEND;",
    "a member of promises": "if (it.then) SEND;",
    "a member of objects": "if (it.constructor) SEND;",
    "the other outcome": "if (!it.done) SEND;",
    "no value": "if (it.status !== 'done') SEND;",
    "an undefined value": "if (it.status === undefined) SEND;",
    "a computed name": "if (it[name]) SEND;",
    "another variable": "if (other.done) SEND;",
    "either": "if (it.done || other) SEND;",
    "after the branch": "if (it.done) log(it); SEND;",
}


def found_with_promise(body: str) -> list[str]:
    """Returns the source text of each wrong argument in a function that has a promise."""
    text = body.replace("SEND", "chrome.runtime.sendMessage({it})")
    work = "async function work() { return 1; }"
    return found(f"{work} function f() {{ const it = work(); {text} }} f();", "chrome<=138")


@pytest.mark.parametrize("body", WITHOUT_THE_MEMBER.values(), ids=WITHOUT_THE_MEMBER.keys())
def test_promise_without_the_member_that_a_test_requires(body: str) -> None:
    assert found_with_promise(body) == []


@pytest.mark.parametrize("body", WITH_THE_MEMBER.values(), ids=WITH_THE_MEMBER.keys())
def test_promise_where_no_test_excludes_it(body: str) -> None:
    assert found_with_promise(body) == ["it"]
