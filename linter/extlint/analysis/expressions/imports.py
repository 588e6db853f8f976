"""Evaluates imports: the API root from modules that provide it, and exports of other modules."""

from __future__ import annotations

from extlint.analysis.facts.other_scripts import NO_EXPORTS, Exports
from extlint.analysis.facts.values import UNKNOWN, Api, Field, Kind, Literal, ObjectValue, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import ImportRequireClause, ImportSpecifier, ImportStatement
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import default_of, namespace_of_value
from extlint.analysis.values.memo import once_per_script

_POLYFILL = "webextension-polyfill"
"""The module whose exports are the namespaces of the API, in lower case. Other names are those of types."""

_POLYFILLS = frozenset(
    {
        *(_POLYFILL, "webextension-polyfill-ts", "wxt/browser", "@wxt-dev/browser"),
        *("chrome-promise", "chrome-promise/constructor"),
    }
)
"""Modules whose own value is the root of the API, or a class of it: `new ChromePromise()`."""

_API_EXPORTS = {
    "#imports": {"browser"},
    "wxt/browser": {"browser", "chrome"},
    "@wxt-dev/browser": {"browser"},
}
_API_EXPORTS["webextension-polyfill-ts"] = {"browser"}
_API_EXPORTS[_POLYFILL] = {"default", "browser"}


def _is_polyfill(module: str) -> bool:
    """Whether a module's own value (`import api from`, `require`) is the root of the API."""
    return module in _POLYFILLS


EXPORT_ASSIGNMENT = "export ="
"""The export name of a CommonJS module's value, in TypeScript's syntax."""


def required_value(evaluator: Evaluator, module: str, at: Node) -> Value:
    """Returns the value of `require` of a module."""
    exports = evaluator.imported(module)
    if _is_polyfill(module) and exports is NO_EXPORTS:
        return Api((), "browser", at.span)
    if EXPORT_ASSIGNMENT in exports:
        return exports[EXPORT_ASSIGNMENT]
    if not exports:
        return UNKNOWN
    namespace = namespace_of(exports)
    marked = Field(Literal(Kind.BOOLEAN, True))
    return ObjectValue({**namespace.fields, "__esModule": marked}, True)


def _commonjs_import_value(evaluator: Evaluator, value: Value, export_name: str, clause: Node) -> Value:
    """Returns the value that an import from a CommonJS module binds."""
    if clause.type == "import_require_clause":
        return value
    if clause.type == "namespace_import":
        return namespace_of_value(value)
    if export_name == "default":
        return default_of(value)
    return evaluator.possible.member(value, export_name, clause)


def namespace_of(exports: Exports, requested: str | None = None) -> ObjectValue:
    """Returns the namespace object of `import * as`, possibly with only the `requested` property."""
    names = exports if requested is None else exports.keys() & {requested}
    return ObjectValue({name: Field(exports[name]) for name in names}, True)


@once_per_script
def _namespace(evaluator: Evaluator, module: str) -> ObjectValue:
    """Returns the entire namespace object of a module, the same for every reference."""
    return namespace_of(evaluator.imported(module))


def imported_value(evaluator: Evaluator, clause: Node, name: Node, requested: str | None = None) -> Value:
    """Returns the value that an import binds to a name; an object may have only the `requested` property."""
    module = module_of(evaluator, clause)
    if module is None:
        return UNKNOWN
    exports = evaluator.imported(module)
    original = clause.name if isinstance(clause, ImportSpecifier) else None
    export_name = "default" if original is None else evaluator.tree.source(original)
    if exports is NO_EXPORTS and (
        (_is_polyfill(module) and original is None) or export_name in _API_EXPORTS.get(module, ())
    ):
        return Api((), "browser", name.span)
    if exports is NO_EXPORTS and module == _POLYFILL and export_name[:1].islower():
        return Api((export_name,), "browser", name.span)
    if EXPORT_ASSIGNMENT in exports:
        return _commonjs_import_value(evaluator, exports[EXPORT_ASSIGNMENT], export_name, clause)
    if clause.type in {"import_require_clause", "namespace_import"}:
        if not exports:
            return UNKNOWN
        return _namespace(evaluator, module) if requested is None else namespace_of(exports, requested)
    return exports.get(export_name, UNKNOWN)


def module_of(evaluator: Evaluator, clause: Node) -> str | None:
    """Returns the module named by the import statement that contains a clause, or None."""
    for up in (clause, *clause.ancestors()):
        if isinstance(up, ImportRequireClause):
            return evaluator.tree.source(up.source)[1:-1]
        if isinstance(up, ImportStatement):
            return None if up.source is None else evaluator.tree.source(up.source)[1:-1]
    return None
