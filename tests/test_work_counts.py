"""Counts of the work for a package: the scripts that are parsed and the exports that are computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest
from harness import Files, lint, manifest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.facts.values import Api, ObjectValue, Value
from extlint.analysis.guards.conditions import implied
from extlint.analysis.guards.forms.facts import Facts
from extlint.analysis.guards.forms.query import ConditionQuery
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.reachability.paths import Paths
from extlint.analysis.syntax.node import Node
from extlint.analysis.trace import inert_documents, written_markup
from extlint.analysis.trace.discover import Discovery
from extlint.analysis.values.evaluator import Evaluator
from extlint.program.script_reader import ScriptReader
from extlint.program.shared_globals import SharedGlobals
from extlint.project.contexts.script import ScriptLocation
from extlint.registry import RULES
from extlint.rule import When

Work = Callable[..., Counter[str]]

ANALYZING = [name for name, rule in RULES.items() if not rule.requires(When.BROWSER)]
"""Rules that parse no script again."""


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """A function that lints a package and counts the parser runs and the computed exports of all scripts."""
    from extlint.analysis.modules import exports
    from extlint.analysis.syntax import parse
    from extlint.analysis.syntax.problems import errors

    done: Counter[str] = Counter()

    def counted(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counting(*arguments: Any) -> Any:
            done[name] += 1
            return function(*arguments)

        monkeypatch.setattr(module, name, counting)

    counted(parse, "parse")
    counted(errors, "parse")
    counted(exports, "exports_of")

    def of(files: Files, target: str = "reference") -> Counter[str]:
        done.clear()
        lint(files, ANALYZING if target == "reference" else None, target)
        return Counter(done)

    return of


def with_background(files: dict[str, str], **keys: object) -> Files:
    """Returns a package whose background is the module `a.js`."""
    background = {"service_worker": "a.js", "type": "module"}
    return {"manifest.json": manifest(background=background, **keys), **files}


USE = 'import { own } from "./b.js"; own.getSelf();'
API = "export const own = chrome.management; own.getSelf();"

EXPORTS = {
    "a module that nothing imports": ({"a.js": API}, 0),
    "a module that another imports": (
        {"a.js": 'import { own } from "./b.js"; own.getSelf();', "b.js": API},
        1,
    ),
    "imported by two": (
        {"a.js": f'import "./c.js"; {USE}', "b.js": API, "c.js": USE},
        1,
    ),
    "a script that exports nothing": (
        {"a.js": 'import "./b.js";', "b.js": "chrome.management.getSelf();"},
        0,
    ),
    "a module without the API that only loads others": (
        {"a.js": 'import "./b.js"; chrome.management.getSelf();', "b.js": 'import "./c.js";', "c.js": ""},
        0,
    ),
}


@pytest.mark.parametrize(("files", "times"), EXPORTS.values(), ids=EXPORTS.keys())
def test_exports_are_computed_only_for_importers(files: dict[str, str], times: int, work: Work) -> None:
    assert work(with_background(files))["exports_of"] == times


PARSED = {
    "scripts that only load others": (
        {"a.js": 'import "./b.js";', "b.js": 'export * from "./c.js";', "c.js": 'f("d.html")'},
        3,
    ),
    "one that names the API": ({"a.js": 'import "./b.js";', "b.js": "chrome.management.getSelf();"}, 2),
    "one that imports it": ({"a.js": USE, "b.js": API}, 2),
    "one that names it in a comment": ({"a.js": '// chrome.tabs\nimport "./b.js";', "b.js": ""}, 2),
    "one that names it in a string of a long line": (
        {"a.js": f'import "./b.js";{"f();" * 200}f("as chrome.tabs.query() does");', "b.js": ""},
        1,
    ),
    "one that calls it in a long line": (
        {"a.js": f'import "./b.js";{"f();" * 200}chrome.tabs.query({{}});', "b.js": ""},
        2,
    ),
    "one whose brackets do not match, which the other grammar explains": (
        {"a.js": 'import "./b.js"; f(', "b.js": ""},
        3,
    ),
}


@pytest.mark.parametrize(("files", "times"), PARSED.values(), ids=PARSED.keys())
def test_loaded_scripts_are_parsed_once_unless_generated(
    files: dict[str, str], times: int, work: Work
) -> None:
    assert work(with_background(files))["parse"] == times


GLOBAL_USES = {
    "a word at the end of a string": ('log("the window");', 0),
    "one global": ("window.b();", 1),
    "globals, timers and imports, in two browsers": (
        "window.b(); setTimeout(f, 60000); importScripts('b.js'); import('./c.js'); eval(d);",
        1,
    ),
}


@pytest.mark.parametrize(("script", "times"), GLOBAL_USES.values(), ids=GLOBAL_USES.keys())
def test_script_is_evaluated_once_for_all_rules_about_globals(
    script: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[ScriptLocation] = []
    evaluator = ScriptReader.evaluator

    def counting(
        reader: ScriptReader, location: ScriptLocation, watched: frozenset[str] = frozenset()
    ) -> Evaluator | None:
        evaluated.append(location)
        return evaluator(reader, location, watched)

    monkeypatch.setattr(ScriptReader, "evaluator", counting)
    background = {"service_worker": "a.js", "scripts": ["a.js"]}
    lint(
        {"manifest.json": manifest(background=background), "a.js": script, "b.js": ""}, None, "chrome,firefox"
    )
    assert len(evaluated) == times


def test_large_script_is_parsed_at_most_twice_for_all_rules(work: Work) -> None:
    script = "/*" + "-" * 700_000 + "*/chrome.runtime.id; clients; eval(a); require('z');"
    pages = {f"{name}.html": f'<script src="{name}.js"></script>' for name in "bcd"}
    keys = {"action": {"default_popup": "b.html"}, "options_page": "c.html", "devtools_page": "d.html"}
    scripts = {f"{name}.js": f"var {name}1;{script}" for name in "abcd"}
    background = {"service_worker": "a.js"}
    files = {"manifest.json": manifest(background=background, **keys), **pages, **scripts}
    done = work(files, "chrome")
    assert 4 < done["parse"] <= 8


UNUSED = {
    "in a function that nothing calls": "function f() { clients.claim(); eval(a); require('z') }",
    "under a condition": "if (typeof WorkerGlobalScope == 'function') { importScripts('z.js'); eval(a) }",
    "no calls": "Function.prototype.call; log(typeof require, clients => eval, setTimeout)",
    "names of others": "var require = n => n; require('z'); a.eval(b); a.clients.claim()",
    "texts": "log('\\n;import z', 'import.meta', 'new Function(a)', `setTimeout('z')`)",
}


@pytest.mark.parametrize("script", UNUSED.values(), ids=UNUSED.keys())
def test_large_script_without_findings_is_parsed_once(script: str, work: Work) -> None:
    script = "/*! a bundle" + "-" * 700_000 + "*/chrome.runtime.id;" + script
    keys = {"action": {"default_popup": "b.html"}, "options_page": "c.html", "devtools_page": "d.html"}
    pages = {f"{name}.html": f'<script src="{name}.js"></script>' for name in "bcd"}
    scripts = {f"{name}.js": f"var {name}1;{script}" for name in "bcd"}
    files = {"manifest.json": manifest(**keys), **pages, **scripts}
    assert work(files, "chrome")["parse"] == 3


FOLLOWED = {
    "a global": ("const f = () => { window.open(); };", 1),
    "a global used only in a feature test": ('const f = () => { if (typeof window === "object") g(); };', 0),
    "a property of the same name": ("class A { f() { this.window = 1; return this.document; } }", 0),
    "a global with only a property missing": ("const f = () => g(URL); URL.createObjectURL(b);", 0),
}


HANDWRITTEN = {
    "a timer that may be too long": ("const f = () => { setTimeout(g, 60000); };", 1),
    "one that runs a string": ("const f = () => { setTimeout('g()', 100); };", 1),
    "one that is neither": ("const f = () => { setTimeout(g, 100); };", 0),
    "a method of something else": (
        "const c = new BroadcastChannel('a'); const f = () => { c.postMessage(1); };",
        0,
    ),
}


def _count_followed_functions(script: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Returns the number of functions in a service worker for which execution paths are searched."""
    followed: list[Node] = []
    find = ExecutedPaths._of

    def counting(paths: ExecutedPaths, function: Node) -> Paths:
        followed.append(function)
        return find(paths, function)

    monkeypatch.setattr(ExecutedPaths, "_of", counting)
    lint({"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script}, None, "chrome")
    return len(followed)


@pytest.mark.parametrize(("script", "functions"), FOLLOWED.values(), ids=FOLLOWED.keys())
def test_callers_are_searched_only_for_possibly_missing_globals(
    script: str, functions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _count_followed_functions(f"/*! bundle */ {script}", monkeypatch) == functions


@pytest.mark.parametrize(("script", "functions"), HANDWRITTEN.values(), ids=HANDWRITTEN.keys())
def test_callers_are_searched_only_for_relevant_uses(
    script: str, functions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _count_followed_functions(script, monkeypatch) == functions


CALLBACKS = {
    "keeps it": ("function g(a, then) { a.then = then; }", 0),
    "calls it": ("function g(a, then) { then(); }", 1),
}


@pytest.mark.parametrize(("function", "times"), CALLBACKS.values(), ids=CALLBACKS.keys())
def test_function_is_evaluated_only_if_it_may_call_its_argument(
    function: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined: list[Node] = []
    find = ExecutedPaths._definition

    def counting(paths: ExecutedPaths, item: Node) -> Node | None:
        examined.append(item)
        return find(paths, item)

    monkeypatch.setattr(ExecutedPaths, "_definition", counting)
    script = f"/*! bundle */ {function} g({{}}, () => window.b());"
    background = {"service_worker": "a.js"}
    lint({"manifest.json": manifest(background=background), "a.js": script}, None, "chrome")
    assert min(len(examined), 1) == times


@pytest.mark.parametrize("depth", [20, 40, 80])
def test_ancestors_of_nested_imports_are_visited_once(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from extlint.analysis.call_graph.definitions import runs_separately
    from extlint.analysis.reachability import executed_paths

    looked_at: list[Node] = []

    def counting(child: Node, parent: Node) -> bool:
        looked_at.append(child)
        return runs_separately(child, parent)

    monkeypatch.setattr(executed_paths, "runs_separately", counting)
    script = "import(typeof " * depth + "a" + ")" * depth
    lint(
        {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script},
        ["misplaced-import"],
        "chrome",
    )
    assert depth < len(looked_at) < 5 * depth


@pytest.mark.parametrize("modules", [10, 20, 40])
def test_each_module_is_parsed_once(modules: int, work: Work) -> None:
    files = {"a.js": "".join(f'import {{ f{at} }} from "./m{at}.js"; f{at}();' for at in range(modules))}
    for at in range(modules):
        later = f'import {{ f{at + 1} }} from "./m{at + 1}.js"; ' if at + 1 < modules else ""
        files[f"m{at}.js"] = f"{later}export function f{at}() {{ return chrome.management.getSelf(); }}"
    done = work(with_background(files))
    assert done["parse"] == modules + 1
    assert done["exports_of"] == modules


def count_sharing_steps(scripts: int, name: Callable[[int], str], value: Value) -> int:
    """Returns the number of reads of facts and texts for scripts that each assign and use a global."""
    steps = 0

    def facts(location: ScriptLocation) -> ScriptFacts:
        nonlocal steps
        steps += 1
        return ScriptFacts(globals={name(int(location[0])): value}, shared_variables=frozenset({"shared"}))

    def text(location: ScriptLocation) -> bytes:
        nonlocal steps
        steps += 1
        return b"use(%b, shared)" % name(int(location[0])).encode()

    realm = [(str(at), None) for at in range(scripts)]
    SharedGlobals(facts, text, lambda _location, _names: {}).compute_for_realms([realm])
    return steps


ASSIGNED = {
    "a global of its own": (lambda at: f"api{at}", Api(("tabs",), "chrome")),
    "one global": (lambda _: "api", Api(("tabs",), "chrome")),
    "one object": (lambda _: "app", ObjectValue({}, True)),
}


@pytest.mark.parametrize(("name", "value"), ASSIGNED.values(), ids=ASSIGNED.keys())
def test_work_for_shared_globals_is_linear_in_the_scripts(name: Callable[[int], str], value: Value) -> None:
    counted = [count_sharing_steps(scripts, name, value) for scripts in (40, 80, 160, 320)]
    assert [later / earlier for earlier, later in pairwise(counted)] == [2, 2, 2]


def test_only_changed_scripts_are_analyzed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    analyzed: Counter[str] = Counter()

    def counting(text: bytes, path: str, *arguments: Any) -> ScriptFacts:
        analyzed[path] += 1
        return analyze(text, path, *arguments)

    monkeypatch.setattr("extlint.analysis.analyze.analyze", counting)
    pages = {
        "popup.html": '<script src="own.js"></script><script src="c.js" type="module"></script>',
        "own.js": "var api = chrome.management;",
        "a.js": 'import { b } from "./b.js"; b(chrome);',
        "b.js": 'import { c } from "./c.js"; export function b() { return c(); }',
        "c.js": "api.getSelf(); export function c() { return chrome.runtime.id; }",
    }
    lint(with_background(pages, action={"default_popup": "popup.html"}))
    assert analyzed["c.js"] == 2, "it reads a global that another script assigns to"
    assert analyzed["a.js"] == 1


def test_syntax_tree_is_freed_without_a_garbage_collector() -> None:
    import gc

    from extlint.analysis.facts.imports import Demand, no_modules
    from extlint.analysis.facts.shared_globals import NOTHING_SHARED
    from extlint.analysis.follow import follow, own_exports
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.syntax.prefilter import candidates

    text = b"""
    import { b } from "./b.js";
    export class Tabs { get all() { return this.is_firefox ? browser.tabs : chrome.tabs; } }
    export function is_firefox() { if (!navigator.userAgent.includes("Firefox")) return false; return b(); }
    export const tabs = new Tabs();
    if (is_firefox()) { tabs.all.query({}).then((found) => found.map((tab) => tab.ttle)); }
    """
    gc.freeze()  # earlier objects do not matter
    gc.disable()
    try:
        before = sum(isinstance(each, Node) for each in gc.get_objects())
        facts = follow(text, "a.js", candidates(text), no_modules, NOTHING_SHARED, Demand.ALL)
        assert {"Tabs", "is_firefox", "tabs"} <= {*facts.exports}
        own_exports(text, "a.js", no_modules, NOTHING_SHARED)
        assert sum(isinstance(each, Node) for each in gc.get_objects()) == before
    finally:
        gc.enable()


def test_modules_required_by_a_chunk_are_followed_only_for_the_api(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[int] = []
    run = Discovery.run

    def recorded(discovery: Discovery, starts: list[int]) -> None:
        started.extend(starts)
        run(discovery, starts)

    monkeypatch.setattr(Discovery, "run", recorded)
    requires = "".join(f"const m{each} = load({each}); m{each}.value;" for each in range(50))
    analyze(
        b"(self.webpackChunkx = self.webpackChunkx || []).push([[1], {7(module, exports, load) {"
        b"%b browser.management.getAll(); }}]);" % requires.encode(),
        "a.js",
    )
    assert len(started) == 1


SHARED = {
    "a variable that others may write": "const state = { on: 1 };\nif (state.on) api.management.getSelf();",
    "a function that others may call": "function show(own) { own.getSelf(); }\nshow(api.management);",
}


@pytest.mark.parametrize("script", SHARED.values(), ids=SHARED)
def test_shared_values_settle_after_one_round(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[bool] = []
    share = ScriptReader.share_globals

    def counted(reader: ScriptReader, realms: Any) -> bool:
        rounds.append(share(reader, realms))
        return rounds[-1]

    monkeypatch.setattr(ScriptReader, "share_globals", counted)
    background = {"scripts": ["a.js", "b.js"]}
    other = "state.on = false; show(1); var api = chrome;"
    lint(
        {"manifest.json": manifest(manifest_version=2, background=background), "a.js": script, "b.js": other}
    )
    assert rounds == [True, False]


@pytest.mark.parametrize(("methods_each", "count"), [(4, 4), (5, 4), (5, 6), (8, 8)])
def test_mutually_recursive_functions_across_scripts_are_searched_once(
    monkeypatch: pytest.MonkeyPatch, methods_each: int, count: int
) -> None:
    """Each script has methods that call those of the others by name, in cycles."""
    from extlint.program.callers import Callers

    searched = Counter[str]()
    search = Callers._callers_in

    def counted(self: Callers, location: ScriptLocation, *rest: Any) -> Any:
        searched[location[0]] += 1
        return search(self, location, *rest)

    monkeypatch.setattr(Callers, "_callers_in", counted)
    names = [f"send{number}" for number in range(methods_each)]
    methods = ", ".join(f"{name}(o) {{ {' '.join(f'o.{each}();' for each in names)} }}" for name in names)
    scripts = {f"{number}.js": f"const o{number} = {{ {methods} }};" for number in range(count)}
    scripts["0.js"] += "o0.own = { send0() { browser.management.getAll(); } };"
    pages = "".join(f"<script src={path}></script>" for path in scripts)
    lint({"manifest.json": manifest(action={"default_popup": "popup.html"}), "popup.html": pages, **scripts})
    assert 0 < sum(searched.values()) <= len(names) * len(scripts) * len(names)


CYCLES = {
    "functions that call one another": (
        "function f{own}(m) {{ {calls} chrome.sidePanel.open({{ tabId: 1 }}); window.x(); }}",
        "f{at}(m);",
        "chrome.runtime.onMessage.addListener((m) => f0(m));",
    ),
    "functions that pass functions on to one another": (
        "function f{own}(m) {{ {calls} m(); chrome.sidePanel.open({{ tabId: 1 }}); }}",
        "f{at}(m); f{at}(f{own});",
        "f0(() => window.x());",
    ),
    "functions that run one another later": (
        "async function f{own}() {{ {calls} await 1; chrome.sidePanel.open({{ tabId: 1 }}); window.x(); }}",
        "setTimeout(f{at}); g().then(f{at});",
        "chrome.action.onClicked.addListener(f0);",
    ),
}


@pytest.mark.parametrize(("function", "call", "first"), CYCLES.values(), ids=CYCLES.keys())
def test_function_cycles_take_few_evaluations_of_each_function(
    monkeypatch: pytest.MonkeyPatch, function: str, call: str, first: str
) -> None:
    """Each function calls all others."""
    from extlint.analysis.reachability.least_solution import LeastSolution

    evaluated = Counter[object]()
    evaluate = LeastSolution._evaluate

    def counted(self: LeastSolution[Any], key: Any, equation: Any) -> None:
        evaluated[id(self), key] += 1
        evaluate(self, key, equation)

    monkeypatch.setattr(LeastSolution, "_evaluate", counted)
    names = range(10)
    lines = [
        function.format(own=own, calls=" ".join(call.format(at=at, own=own) for at in names if at != own))
        for own in names
    ]
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}, permissions=["sidePanel"]),
        "a.js": "\n".join([*lines, first]),
    }
    lint(files, target="chrome")
    assert len(evaluated) >= len(names)
    assert max(evaluated.values()) <= len(names)


def test_implications_of_a_condition_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards, guards within a function, and early exits query the same outcomes."""
    queries = Counter[tuple[str, bool, bool]]()

    def counted(query: ConditionQuery, condition: Node) -> Facts:
        queries[query.evaluator.tree.source(condition), query.outcome, query.present] += 1
        return implied(query, condition)

    monkeypatch.setattr("extlint.analysis.guards.condition_reader.implied", counted)
    use = b"browser.management.getSelf();"
    analyze(b"function f() { if (a.b) { %b } else { %b } if (!c) return; %b } f();" % (use, use, use), "a.js")
    assert {source for source, _, _ in queries} == {"(a.b)", "(!c)"}
    assert {*queries.values()} == {1}


def _cases(count: int) -> str:
    cases = (f"case 'c{at}': {{ chrome.tabs.query({{}}); break; }}" for at in range(count))
    return f"switch (kind) {{ {' '.join(cases)} }}"


def _branches(count: int) -> str:
    branches = (f"if (m.t === 't{at}') {{ await f(); r({at}); }}" for at in range(count))
    return f"chrome.runtime.onMessage.addListener(async (m, s, r) => {{ {' '.join(branches)} }});"


def _table(count: int) -> str:
    rows = ", ".join(f"a{at}: {{ index: {at} }}" for at in range(count))
    uses = "".join(f"chrome.tabs.query(table.a{at});\n" for at in range(count))
    return f"const table = {{ {rows} }};\n{uses} for (const each in table) f(table[each]);"


def _chain(count: int) -> str:
    return f"f(){'.then(() => chrome.tabs.query({}))' * count};"


def _methods(count: int) -> str:
    methods = ", ".join(f"m{at}() {{ return this.m{at // 2}(chrome.tabs); }}" for at in range(count))
    return f"const own = {{ {methods} }}; own.m1().query({{}});"


def _pattern(count: int) -> str:
    names = ", ".join(f"a{at}" for at in range(count))
    calls = "chrome.tabs.query({}), " * count
    return f"const [{names}] = await Promise.all([{calls}]); {''.join(f'a{at}[0]; ' for at in range(count))}"


def _awaits(count: int) -> str:
    calls = "await chrome.scripting.executeScript({ target, files }); " * count
    return f"chrome.action.onClicked.addListener(async () => {{ {calls} }});"


SCALING = {
    "parts of a pattern": ("syntax.node.node_of", _pattern),
    "calls that are awaited": ("reachability.occasions.result_of", _awaits),
    "cases of a switch": ("guards.forms.manifest.implied_by_case", _cases),
    "branches of a listener": ("timing.exclusive_branches._conjuncts", _branches),
    "properties of an object whose parts may change": ("expressions.escaped_values._stays", _table),
    "links of a chain": ("guards.load_time.is_optional", _chain),
    "methods that call others": ("expressions.this.stable_part", _methods),
}


@pytest.mark.parametrize(("counted", "script"), SCALING.values(), ids=SCALING.keys())
def test_work_is_proportional_to_the_size(
    monkeypatch: pytest.MonkeyPatch, counted: str, script: Callable[[int], str]
) -> None:
    place, _, name = f"extlint.analysis.{counted}".rpartition(".")
    function = getattr(import_module(place), name)
    calls: list[None] = []

    def counting(*arguments: Any, **named: Any) -> Any:
        calls.append(None)
        return function(*arguments, **named)

    monkeypatch.setattr(f"{place}.{name}", counting)

    def work(count: int) -> int:
        calls.clear()
        analyze(script(count).encode(), "a.js")
        return len(calls)

    assert 0 < work(80) <= 5 * work(20)


def test_assigned_globals_of_each_script_are_queried_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from extlint.program.global_uses import GlobalUses

    queried = Counter[ScriptLocation]()
    assigned = GlobalUses.assigned_names

    def counted(self: GlobalUses, location: ScriptLocation, names: frozenset[str]) -> frozenset[str]:
        queried[location] += 1
        return assigned(self, location, names)

    monkeypatch.setattr(GlobalUses, "assigned_names", counted)
    scripts = {f"{at}.js": f"const own{at} = require('./{at + 1}.js'); chrome.tabs;" for at in range(5)}
    pages = "".join(f"<script src={path}></script>" for path in scripts)
    files = {
        "manifest.json": manifest(action={"default_popup": "popup.html"}),
        "popup.html": pages,
        **scripts,
    }
    assert [each.rule for each in lint(files, ["misplaced-import"], "chrome")] == ["misplaced-import"] * 5
    assert len(queried) == len(scripts)
    assert {*queried.values()} == {1}


MARKUP = {
    "a handler": ("e.innerHTML = '<b onclick=go()>';", 1),
    "no code": ("e.innerHTML = '<b>'; e.setAttribute('title', 'a'); e.append('a');", 0),
    "markup that is not known": ("e.innerHTML = text;", 0),
}


@pytest.mark.parametrize(("script", "times"), MARKUP.values(), ids=MARKUP.keys())
def test_documents_are_examined_only_if_their_markup_has_code(
    script: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined: list[Node] = []
    find = inert_documents.may_be_inert

    def counting(evaluator: Evaluator, item: Node) -> bool:
        examined.append(item)
        return find(evaluator, item)

    monkeypatch.setattr(written_markup, "may_be_inert", counting)
    page = {"default_popup": "a.html"}
    markup = "<script src=a.js></script>"
    lint({"manifest.json": manifest(action=page), "a.html": markup, "a.js": script}, None, "chrome")
    assert len(examined) == times
