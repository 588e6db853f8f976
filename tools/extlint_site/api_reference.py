"""Generates the reference of the Python API from its docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import extlint
from extlint_site.markdown import escape, table

_FIRST = ("check", "Session", "Changes", "Report", "Finding", "Fix", "Edit", "Related", "Position")
"""The names that the reference begins with."""

_MODULES = tuple(
    import_module(f"extlint.{name}")
    for name in (
        "services.api.checking",
        "services.api.session",
        "services.api.results",
        "linting.configuration.usage_error",
        "package.files",
    )
)
_ALIASES = "extlint.services.api.checking"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def api_reference() -> str:
    """Returns a section for each name that `extlint` exports, except its version."""
    names = [*_FIRST, *(each for each in extlint.__all__ if each not in (*_FIRST, "__version__"))]
    definitions = {
        name: text for module in _MODULES for name, text in _definitions(module.__file__ or "").items()
    }
    return "\n".join(f"### {name}\n\n{definitions[name]}" for name in names)


def _definitions(file: str) -> dict[str, str]:
    """Returns the descriptions of the public names of a module."""
    body = ast.parse(Path(file).read_text("utf-8")).body
    found = {}
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = _function(f"extlint.{node.name}", node)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = "\n".join(_class(node))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            about = f"{_docstring_in(following)}\n\n```python\n{ast.unparse(node.value)}\n```\n"
            found[node.target.id] = about.replace("'", '"')
    return found


def _function(name: str, node: _Function) -> str:
    return f"```python\n{_signature(name, node)}\n```\n\n{_docstring(node)}\n"


def _class(node: ast.ClassDef) -> Iterator[str]:
    """Yields the parts of the description of a class: its docstring, constructor, attributes and methods."""
    methods = {
        each.name: each
        for each in node.body
        if isinstance(each, _Function) and (each.name == "__init__" or not each.name.startswith("_"))
    }
    if "__init__" in methods:
        yield f"```python\n{_signature(f'extlint.{node.name}', methods['__init__'])}\n```\n"
    yield f"{_docstring(node)}\n"
    rows = [
        (f"`{each.target.id}`", f"`{_type(each.annotation)}`", escape(_docstring_in(following)))
        for each, following in zip(node.body, node.body[1:], strict=False)
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    properties = [each for each in methods.values() if each.decorator_list]
    rows += [(f"`{each.name}`", f"`{_type(each.returns)}`", escape(_docstring(each))) for each in properties]
    if rows:
        yield table(
            ("attribute", "type", ""), [(name, kind.replace("|", r"\|"), about) for name, kind, about in rows]
        )
    for each in methods.values():
        if each.name != "__init__" and each not in properties:
            yield f"#### {node.name}.{each.name}\n\n{_function(each.name, each)}"


def _signature(name: str, node: _Function) -> str:
    """Returns a call of a function with the types of its parameters, on several lines if it is long."""
    arguments = node.args
    without_self = arguments.args[arguments.args[:1] != [] and arguments.args[0].arg == "self" :]
    defaults = [None] * (len(without_self) - len(arguments.defaults)) + [*arguments.defaults]
    parts = [_parameter(each, default) for each, default in zip(without_self, defaults, strict=True)]
    if arguments.kwonlyargs:
        parts.append("*")
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        parts += [_parameter(each, default) for each, default in pairs]
    result = "" if node.returns is None or node.name == "__init__" else f" -> {_type(node.returns)}"
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= 80:
        return line
    return "\n".join([f"{name}(", *(f"    {each}," for each in parts), f"){result}"])


def _parameter(parameter: ast.arg, default: ast.expr | None) -> str:
    found = f"{parameter.arg}: {_type(parameter.annotation)}"
    return found if default is None else f"{found} = {ast.unparse(default)}".replace("'", '"')


def _type(annotation: ast.expr | None) -> str:
    """Returns a type as text, with the types that internal aliases stand for."""
    text = "" if annotation is None else ast.unparse(annotation)
    while (expanded := re.sub(r"\b(\w+)\b", lambda found: _aliases().get(found[1], found[1]), text)) != text:
        text = expanded
    return text.replace("os.PathLike", "PathLike")


def _aliases() -> dict[str, str]:
    module = import_module(_ALIASES)
    tree = ast.parse(inspect.getsource(module))
    return {
        each.target.id: ast.unparse(each.value)
        for each in tree.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value is not None
    }


def _docstring(node: ast.ClassDef | _Function) -> str:
    return ast.get_docstring(node) or ""


def _docstring_in(node: ast.stmt | None) -> str:
    """Returns the text of a string that follows an assignment."""
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return inspect.cleandoc(node.value.value)
    return ""
