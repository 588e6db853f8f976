"""Conditions on the user agent, which the target decides: code that cannot run is not reported."""

from __future__ import annotations

import json
import shutil
import subprocess
from random import Random

import pytest
from harness import Files, lint, manifest
from thorough import is_thorough

RULES = ["invalid-argument", "unknown-api"]
USE = "chrome.tabs.query({ status: 'done' })"
ASK = "navigator.userAgent.indexOf('Firefox/') !== -1"


def reported(*scripts: str, target: str = "firefox", module: bool = False) -> list[int]:
    """Returns the lines of the last script at which a use that no browser accepts is reported."""
    names = [f"{at}.js" for at in range(len(scripts))]
    texts = [each.replace("ASK", ASK).replace("USE", USE) for each in scripts]
    background = {"scripts": names[-1:] if module else names, "type": "module" if module else "classic"}
    text = manifest(manifest_version=2, background=background)
    files: Files = {"manifest.json": text, **dict(zip(names, texts, strict=True))}
    found = lint(files, RULES, target)
    assert {each.path for each in found} <= {names[-1]}
    return [each.span.start.line for each in found]


FIREFOX_CONDITIONS = {
    "includes": "navigator.userAgent.includes('Firefox')",
    "indexOf": ASK,
    "indexOf that is not below": "navigator.userAgent.indexOf('Gecko/') >= 0",
    "indexOf after the number": "-1 < navigator.userAgent.indexOf('Firefox')",
    "a tilde": "~navigator.userAgent.indexOf('Firefox')",
    "search": "navigator.userAgent.search(/Firefox/) > -1",
    "a pattern": "/Firefox\\//.test(navigator.userAgent)",
    "a pattern in any letters": "/firefox/i.test(navigator.userAgent)",
    "a pattern of words": "/\\bFirefox\\b/.test(navigator.userAgent)",
    "a pattern with a version": "/Firefox\\/([0-9]+)/.test(navigator.userAgent)",
    "a pattern with two texts": "/Firefox|FxiOS/.test(navigator.userAgent)",
    "match": "navigator.userAgent.match(/Firefox/)",
    "small letters": "navigator.userAgent.toLowerCase().indexOf('firefox') > -1",
    "the window's": "window.navigator.userAgent.includes('Firefox')",
    "not the others": "!navigator.userAgent.includes('Chrome') && !/Safari/.test(navigator.userAgent)",
    "not one of the others": (
        "!(navigator.userAgent.includes('Chrome/') || navigator.userAgent.includes('Chromium/'))"
    ),
    "a ternary": "navigator.userAgent.includes('Firefox') ? true : false",
}


def test_user_agent_condition_excludes_other_targets() -> None:
    """Each condition has a line with a use behind it, and a line with one in the other case."""
    conditions = FIREFOX_CONDITIONS.values()
    source = "".join(f"if ({each}) {{ USE }}\nif ({each}) {{}} else {{ USE }}\n" for each in conditions)
    behind, otherwise = ({*range(first, 2 * len(conditions) + 1, 2)} for first in (1, 2))
    assert {*reported(source, target="firefox")} == behind
    assert {*reported(source, target="chrome")} == otherwise
    assert {*reported(source, target="reference")} >= otherwise


HELPERS = {
    "a constant": ("const isIt = ASK;", "isIt"),
    "a constant of the text": (
        "const ua = navigator.userAgent; const isIt = ua.includes('Firefox');",
        "isIt",
    ),
    "a function": ("function isIt() { return ASK }", "isIt()"),
    "a function with an early return": ("function isIt() { if (ASK) return true; return false }", "isIt()"),
    "a function of a text": (
        "function has(text) { return navigator.userAgent.includes(text) }",
        "has('Firefox')",
    ),
    "a method of a class": ("class Tools { static isIt() { return ASK } }", "Tools.isIt()"),
    "a getter of a class": ("class Tools { static get isIt() { return ASK } }", "Tools.isIt"),
    "a field of a class": ("class Tools { static isIt = ASK }", "Tools.isIt"),
    "a method of an instance": ("class A { isIt() { return ASK } } const a = new A();", "a.isIt()"),
    "a method of an object": ("const tools = { isIt() { return ASK } };", "tools.isIt()"),
    "a function in an object": ("var tools = { isIt: function () { return ASK } };", "tools.isIt()"),
    "a method of an object returned by a function": (
        "var tools = (function () { function isIt() { return ASK } return { isIt } })();",
        "tools.isIt()",
    ),
    "a remembered result": ("let it; const isIt = () => (it ??= ASK);", "isIt()"),
    "a result remembered in a function": (
        "const isIt = (() => { let it; return () => { return (it ??= ASK) } })();",
        "isIt()",
    ),
    "a result remembered if it is undefined": (
        "let it; function isIt() { if (it === undefined) it = ASK; return it }",
        "isIt()",
    ),
}
USES = {
    "else": "if (ASKED) {} else { USE }",
    "not": "if (!ASKED) { USE }",
    "or": "ASKED || USE",
    "a ternary": "x(ASKED ? 1 : USE)",
    "early return": "function f@() { if (ASKED) return; USE }",
    "a function": "function f@() { if (ASKED) {} else { USE } }",
    "a function that is called there": "function f@() { USE } if (!ASKED) f@()",
    "a condition besides": "if (!ASKED && x) { USE }",
}


"""Uses behind a condition, one per line. `@` is the line number."""


@pytest.mark.parametrize(("helper", "requested"), HELPERS.values(), ids=HELPERS.keys())
def test_user_agent_helper_excludes_other_targets(helper: str, requested: str) -> None:
    lines = [
        use.replace("ASKED", requested).replace("@", str(number))
        for number, use in enumerate(USES.values(), 1)
    ]
    source, numbers = "\n".join(lines), [number for number, _ in enumerate(lines, 1)]
    assert reported(f"{helper} {source}") == []
    assert reported(helper, source) == []
    name = requested.partition(".")[0].partition("(")[0]
    exporting, importing = f"{helper} export {{ {name} }}", f"import {{ {name} }} from './0.js'; {source}"
    assert reported(exporting, importing, module=True) == []
    assert reported(f"{helper} {source}", target="chrome") == numbers
    assert reported(helper, source, target="chrome") == numbers


UNDECIDED = {
    "the branch that runs": "if (ASK) { USE }",
    "no condition": "x(ASK); USE",
    "after the condition": "if (ASK) {} USE",
    "a condition unrelated to the target": "if (navigator.userAgent.includes('Windows')) {} else { USE }",
    "a version": "if (navigator.userAgent.includes('Firefox/1')) {} else { USE }",
    "another text": "if (navigator.userLanguage.includes('Firefox')) {} else { USE }",
    "another navigator": "function f(navigator) { if (ASK) {} else { USE } }",
    "something else besides": "if (ASK && x) {} else { USE }",
    "a text that changes": (
        "let ua = navigator.userAgent; ua = x; if (ua.includes('Firefox')) {} else { USE }"
    ),
    "capital letters in small ones": (
        "if (navigator.userAgent.toLowerCase().includes('Firefox')) {} else { USE }"
    ),
    "a pattern of more than text": "if (/Fire.*Chrome/.test(navigator.userAgent)) {} else { USE }",
    "a position": "if (navigator.userAgent.indexOf('Firefox') > 20) {} else { USE }",
    "a remembered result of something else": (
        "let it; function isIt() { return (it ??= x) } if (isIt()) {} else { USE }"
    ),
    "a remembered result with another first value": (
        "let it = x; function isIt() { return (it ??= ASK) } if (isIt()) {} else { USE }"
    ),
    "a remembered result that is written elsewhere": (
        "let it; function isIt() { return (it ??= ASK) } it = x; if (isIt()) {} else { USE }"
    ),
    "a caller without it": "function f() { USE } if (!(ASK)) f(); f()",
}


@pytest.mark.parametrize("source", UNDECIDED.values(), ids=UNDECIDED.keys())
def test_use_that_may_run_is_reported(source: str) -> None:
    assert reported(source)


def test_helper_assigned_later_in_another_script() -> None:
    tools = "var tools = {}; tools.isIt = function () { return ASK };"
    assert not reported(tools, "if (tools.isIt()) {} else { USE }")
    assert reported(f"{tools} tools.isIt = x;", "if (tools.isIt()) {} else { USE }")
    assert reported(tools, "if (tools.other()) {} else { USE }")


def test_other_method_of_a_helper_class_is_unknown() -> None:
    tools = "class Tools { static isIt() { return ASK } static other() { return x } }"
    assert reported(tools, "if (Tools.other()) {} else { USE }")


AGENTS = {
    "firefox": "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
    "chrome": (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"
        " (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
    ),
}
TEXTS = (
    "Firefox",
    "Firefox/",
    "Chrome",
    "Chrome/",
    "Gecko",
    "Gecko/",
    "Safari",
    "Edg/",
    "Linux",
    "like Gecko",
)


def random_condition(random: Random, depth: int = 0) -> str:
    """Returns a random condition made of tests of the user agent."""
    text = random.choice(TEXTS)
    kind = random.randrange(12)
    if depth < 3 and kind < 5:
        one, other = random_condition(random, depth + 1), random_condition(random, depth + 1)
        combined = (
            f"!({one})",
            f"({one} && {other})",
            f"({one} || {other})",
            f"({one} ? {other} : !({other}))",
            f"(() => {{ if ({one}) return {other}; return false }})()",
        )
        return random.choice(combined)
    pattern = f"{text}|{random.choice(TEXTS)}".replace("/", "\\/")
    operator = random.choice(("!== -1", "=== -1", ">= 0", "< 0", "> -1", "<= -1"))
    forms = (
        f"navigator.userAgent.includes('{text}')",
        f"(navigator.userAgent.indexOf('{text}') {operator})",
        f"(navigator.userAgent.search(/{pattern}/) {operator})",
        f"(navigator.userAgent.toLowerCase().indexOf('{text.lower()}') {operator})",
        f"/{pattern}/{random.choice(('', 'i'))}.test(navigator.userAgent)",
        f"!!navigator.userAgent.match(/{pattern}/)",
    )
    return random.choice(forms)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js to run programs with")
@pytest.mark.parametrize("target", AGENTS)
def test_unreported_uses_do_not_run(target: str) -> None:
    conditions = [random_condition(Random(seed)) for seed in range(90 if is_thorough() else 30)]
    listed = ",".join(f"() => !!({each})" for each in conditions)
    program = (
        f"const run = (navigator) => [{listed}].map((each) => each());"
        f"console.log(JSON.stringify(run({{ userAgent: {json.dumps(AGENTS[target])} }})))"
    )
    done = subprocess.run(["node", "-e", program], capture_output=True, check=True, timeout=60)
    branches: list[tuple[str, bool]] = []
    for condition, outcome in zip(conditions, json.loads(done.stdout), strict=True):
        branches += [
            (f"if ({condition}) {{ USE }}", outcome),
            (f"if ({condition}) {{}} else {{ USE }}", not outcome),
        ]
    lines = reported("\n".join(source for source, _ in branches), target=target)
    silent = [source for line, (source, _) in enumerate(branches, 1) if line not in lines]
    assert [source for source, runs in branches if runs and source in silent] == []
    assert len(silent) > len(conditions) // 5


DECIDED = {
    "the branch of the other browser": ("if (FIREFOX) USE", []),
    "the own branch": ("if (FIREFOX) {} else USE", ["unknown-api"]),
    "an early return in the other browser": (
        "function f() { if (FIREFOX) return; USE } f()",
        ["unknown-api"],
    ),
    "an early return in the own browser": ("function f() { if (!FIREFOX) return; USE } f()", []),
    "a text that some editions have": ("if (navigator.userAgent.includes('Edg/')) USE", []),
    "a condition about a namespace besides": ("if (chrome.runtime && isFirefox()) USE", []),
    "a misspelling": ("if (FIREFOX) chrome.tabs.qurey({})", ["unknown-api"]),
}


@pytest.mark.parametrize(("source", "expected"), DECIDED.values(), ids=DECIDED.keys())
def test_target_decides_test_of_user_agent(source: str, expected: list[str]) -> None:
    text = source.replace("FIREFOX", "navigator.userAgent.includes('Firefox')")
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": text.replace("USE", "chrome.contextualIdentities.query({})"),
    }
    assert [each.rule for each in lint(files, ["unknown-api"], "chrome")] == expected
