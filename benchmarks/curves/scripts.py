"""Scripts that each grow in one construct: parts of a pattern, imports, mentions of one name …"""

from __future__ import annotations

from collections.abc import Callable

USE = "chrome.tabs.query({})"


def _table(size: int) -> str:
    rows = ", ".join(f"a{at}: {{ index: {at} }}" for at in range(size))
    uses = "".join(f"chrome.tabs.query(table.a{at});\n" for at in range(size))
    return f"const table = {{ {rows} }};\n{uses} for (const each in table) f(table[each]);"


def _methods(size: int) -> str:
    methods = ", ".join(f"m{at}() {{ return this.m{at // 2}(chrome.tabs); }}" for at in range(size))
    return f"const own = {{ {methods} }}; own.m1().query({{}});"


def _namesakes(size: int) -> str:
    """Returns classes with the name of a method that returns a result of the API."""
    classes = "".join(
        f"class Pen{at} {{ value() {{ return this.path; }} render() {{ return new Pen{at}().value(); }} }}\n"
        for at in range(size)
    )
    store = "class Store { value() { return chrome.storage.local.get('a'); } }"
    return f"{store}\nnew Store().value();\n{classes}"


def _pattern(size: int) -> str:
    names = ", ".join(f"a{at}" for at in range(size))
    reads = "".join(f"a{at}[0]; " for at in range(size))
    return f"const [{names}] = await Promise.all([{f'{USE}, ' * size}]); {reads}"


def _imports(size: int) -> str:
    return f"{'import(typeof ' * size}a{')' * size}"


def _stored_result(size: int) -> str:
    """Reads of the name of a property that holds a result."""
    return f"{USE}.then((tabs) => {{ state.value = tabs || []; }});{'a(b.value());' * size}"


def _field_writes(size: int) -> str:
    """Writes of the name of a field that is read."""
    return f"{USE}.then((tabs) => show(tabs[0].title));\n{'node.title = text;' * size}"


def _unknown_results(size: int) -> str:
    """Functions that each call the next, and may all return something else."""
    functions = "".join(f"function f{at}() {{ return unknown() || f{at + 1}(); }}\n" for at in range(size))
    return f"{functions}chrome.runtime.sendMessage({{ a: f0() }});"


def _cycle(size: int) -> str:
    """Functions that pass a value around a cycle, and also store it in globals."""
    functions = "\n".join(
        f"function f{at}(x) {{ self.g{at} = x;"
        f" return x.next ? f{(at + 1) % size}(x) : self.g{at * 7 % size}; }}"
        for at in range(size)
    )
    return f"(function () {{\n{functions}\nf0(self.g0).chrome.tabs.nope();\n}})();"


SCRIPTS: dict[str, Callable[[int], str]] = {
    "properties of an object whose parts may change": _table,
    "methods that call others": _methods,
    "methods of the same name": _namesakes,
    "parts of a pattern": _pattern,
    "imports in imports": _imports,
    "reads of the name of a stored result": _stored_result,
    "writes of the name of a field": _field_writes,
    "functions with an unknown result": _unknown_results,
    "functions in a cycle through globals": _cycle,
}
