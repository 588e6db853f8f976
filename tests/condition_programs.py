"""Random pairs of a module that tests the API and a script that checks its exports before using the API."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

MEMBERS = ("management", "management.getAll", "management.getSelf", "test.log")
USES = ("browser.management.getAll();", "browser.management.getSelf();", "browser.test.log(1);")
TESTS = (
    "!!browser.{member}",
    "!browser.{member}",
    "Boolean(browser.{member})",
    "typeof browser.{member} !== 'undefined'",
    "typeof browser.{member} === 'undefined'",
    "browser.{member} != null",
    "browser.{member} === undefined",
    "browser.{member} ? true : false",
    "browser.{member} ? false : true",
    "!!browser.{member} && Math.random() < 2",
    "!!browser.{member} || Math.random() > 2",
    "'{namespace}' in browser",
)
DECLARED = (
    ("const {name} = {test};", "{name}"),
    ("let {name} = {test};", "{name}"),
    ("let {name} = {test}; {name} = {other};", "{name}"),
    ("let {name}; {name} = {test};", "{name}"),
    ("function {name}() {{ return {test}; }}", "{name}()"),
    ("function {name}() {{ if ({test}) return true; return false; }}", "{name}()"),
    ("function {name}() {{ if ({test}) {{ return false; }} return {other}; }}", "{name}()"),
    ("const {name} = () => {test};", "{name}()"),
    ("const {name} = () => {test};", "!{name}"),
    ("const {name} = (x) => x in browser;", "{name}('{namespace}')"),
    ("const {name} = (y, x) => !!browser[x];", "{name}(1, '{namespace}')"),
    ("const {name} = (y, x) => !!browser[x];", "{name}('{namespace}')"),
    ("const {name} = {{ a: {test}, b: {other} }};", "{name}.a"),
    ("const {name} = {{ a: {test}, b: {other} }}; {name}.a = {other};", "{name}.a"),
    ("const {name} = Object.freeze({{ a: {{ b: {test} }} }});", "{name}.a.b"),
    ("const {name} = {{ get a() {{ return {test}; }} }};", "{name}.a"),
    ("const {name} = {{ a() {{ return {test}; }} }};", "{name}.a()"),
    ("class {name} {{ static a = {test}; }}", "{name}.a"),
    ("class {name} {{ static a = {test}; static b() {{ {name}.a = {other}; }} }} {name}.b();", "{name}.a"),
    ("class {name} {{ static a() {{ return {test}; }} }}", "{name}.a()"),
    ("class C{name} {{ a = {test}; }} const {name} = new C{name}();", "{name}.a"),
    ("const t{name} = {test}; const {name} = {{ t{name} }};", "{name}.t{name}"),
)
CONDITIONAL_USES = (
    "if ({asked}) {{ {use} }}",
    "if ({asked}) {{ {other} }} else {{ {use} }}",
    "if (!({asked})) {{ {use} }}",
    "({asked}) && {use}",
    "({asked}) || {use}",
    "({asked}) ? {inner} : 0;",
    "(() => {{ if ({asked}) return; {use} }})();",
    "(() => {{ if (!({asked})) return; {use} }})();",
    "const k{name} = {asked}; if (k{name}) {use}",
    "const k{name} = {asked} && Math.random() < 2; if (k{name}) {use}",
    "function f{name}() {{ return {asked}; }} if (f{name}()) {use}",
    "switch (true) {{ case {asked}: {use} break; default: }}",
    "while ({asked}) {{ {use} break; }}",
)


class ConditionProgram(NamedTuple):
    """A module's statements, the names that it exports, and the script that imports them."""

    module: str
    names: tuple[str, ...]
    own: str


def condition_program(seed: int) -> ConditionProgram:
    """Returns the pair for a seed."""
    random = Random(seed)
    names = tuple(f"v{at}" for at in range(random.randint(1, 3)))
    module, own = [], []
    for name in names:
        member = random.choice(MEMBERS)
        other = random.choice(MEMBERS)
        values = {"name": name, "member": member, "namespace": member.partition(".")[0]}
        test = random.choice(TESTS).format(**values)
        declared, condition = random.choice(DECLARED)
        other_test = random.choice(TESTS).format(member=other, namespace=other.partition(".")[0])
        module.append(declared.format(test=test, other=other_test, **values))
        use = random.choice(USES)
        own.append(
            random.choice(CONDITIONAL_USES).format(
                name=name,
                asked=condition.format(**values),
                use=use,
                inner=use[:-1],
                other=random.choice(USES),
            )
        )
    return ConditionProgram("\n".join(module), names, "\n".join(own))
