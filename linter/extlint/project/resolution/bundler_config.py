"""Aliases in the configuration of a bundler.

The configuration is a program, which is never run: only tables of constants and of paths next to the file
itself are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.package.suffixes import PROGRAMS
from extlint.project.resolution.project_files import ProjectFiles, joined
from extlint.text.positions import decode

if TYPE_CHECKING:
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.syntax.nodes import CallOrNewExpression
    from extlint.analysis.values.evaluator import Evaluator

_TOOLS = ("vite", "webpack", "rspack", "rollup", "wxt")
_OF_PARTS = ("base", "common", "shared")
CONFIGS = (
    *(f"{tool}.config{suffix}" for tool in _TOOLS for suffix in PROGRAMS),
    *(f"webpack.{part}.js" for part in _OF_PARTS),
    *(f"webpack.config.{part}.js" for part in _OF_PARTS),
)
MAX_STEPS = 30
"""Nested expressions that lead to one path."""

_JOINING = frozenset({"join", "resolve"})
_OWN_FOLDER = frozenset({"__dirname", "import.meta.dirname", "process.cwd()", "import.meta.url"})


class Settings(Struct, frozen=True):
    """The name resolution settings of a configuration.

    `aliases` maps a name to its path (None for an unknown path). `folders` are those in which names are
    searched for. `source_folder` is WXT's `srcDir`, or None if unknown.
    """

    aliases: dict[str, str | None]
    folders: tuple[str, ...] = ()
    source_folder: str | None = ""

    def candidates(self, name: str) -> Iterator[str]:
        """Yields the possible paths of a name: by the longest alias that is its prefix, or in a folder."""
        fitting = [each for each in self.aliases if name == each or name.startswith(f"{each}/")]
        if f"{name}$" in self.aliases:
            fitting.append(f"{name}$")
        alias = max(fitting, key=len, default=None)
        if alias is not None:
            target = self.aliases[alias]
            path = None if target is None else joined(target, name[len(alias) :])
            if path is not None:
                yield path
            return
        for folder in self.folders:
            path = joined(folder, name)
            if path is not None:
                yield path


def settings_of(project: ProjectFiles, config: str) -> Settings:
    """Returns the settings in one configuration file, or empty settings if it cannot be read."""
    data = project.read(config)
    if data is None:
        return Settings({})
    from extlint.analysis.follow import evaluator_of

    evaluator = evaluator_of(decode(data), basename(config))
    if evaluator is None:
        return Settings({})
    with closing(evaluator):
        found = evaluator.attempt(None, lambda: _settings(evaluator, dirname(config)))
    return Settings({}) if found is None else found


def _settings(evaluator: Evaluator, folder: str) -> Settings:
    aliases: dict[str, str | None] = {}
    for table in values_of(evaluator, "alias"):
        for name, path in _entries(evaluator, table, folder):
            known = name not in aliases or aliases[name] == path
            aliases[name] = path if known else None
    modules = (each for listed in values_of(evaluator, "modules") for each in listed.named())
    found = (_path(evaluator, each, folder) for each in modules if each.type != "string")
    sources = [text_in(evaluator, each) for each in values_of(evaluator, "srcDir")]
    source = "" if not sources else sources[0] if len(sources) == 1 else None
    return Settings(aliases, tuple(each for each in found if each is not None), source)


def values_of(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """Yields the values of keys of that name. For a variable, yields its initial object or array."""
    from extlint.analysis.syntax.nodes import Pair
    from extlint.analysis.values.property_index import property_leaves

    for leaf in property_leaves(evaluator, name):
        up = leaf.parent
        if leaf.type == "shorthand_property_identifier":
            yield _initial_value(evaluator, leaf) or leaf
        elif isinstance(up, Pair) and leaf.is_field("key"):
            value = up.value
            yield (_initial_value(evaluator, value) if value.type == "identifier" else None) or value


def _initial_value(evaluator: Evaluator, name: Node) -> Node | None:
    """Returns the initial value of a constant, or None."""
    from extlint.analysis.syntax.nodes import VariableDeclarator

    binding = evaluator.names.variable(name)
    declarator = binding.declarations[0].source if binding is not None and len(binding.writes) == 1 else None
    return declarator.value if isinstance(declarator, VariableDeclarator) else None


def _entries(evaluator: Evaluator, table: Node, folder: str) -> Iterator[tuple[str, str | None]]:
    from extlint.analysis.syntax.nodes import Pair
    from extlint.analysis.values.property_index import key_of

    for each in table.named():
        name: str | None = None
        value: Node | None = None
        if isinstance(each, Pair):
            name, value = key_of(evaluator, each), each.value
        elif each.type == "object":
            own = (pair for pair in each.named() if isinstance(pair, Pair))
            pairs = {key_of(evaluator, pair): pair.value for pair in own}
            find = pairs.get("find")
            name = None if find is None else text_in(evaluator, find)
            value = pairs.get("replacement")
        if name and value is not None:
            yield name.rstrip("/") or "/", _path(evaluator, value, folder)


def text_in(evaluator: Evaluator, expression: Node) -> str | None:
    """Returns the known text of a string or template string, or None for any other expression."""
    is_text = expression.type in {"string", "template_string"}
    return evaluator.text(expression) if is_text else None


def path_in(evaluator: Evaluator, expression: Node, folder: str, root: str) -> str | None:
    """Returns the path that an expression evaluates to in a configuration in a folder, or None if unknown.

    Unlike in tables of aliases, a plain text is a path too, relative to the `root` of the project.
    """
    found = _path(evaluator, expression, folder)
    text = None if found is not None else text_in(evaluator, expression)
    return found if text is None else joined(root, text)


def _path(evaluator: Evaluator, expression: Node, folder: str, steps: int = 0) -> str | None:
    """Returns the path that an expression of the configuration evaluates to.

    Returns None if unknown or not a path.
    """
    from extlint.analysis.syntax.nodes import BinaryExpression, CallOrNewExpression, MemberExpression

    source = evaluator.tree.source(expression)
    if source in _OWN_FOLDER:
        return folder
    if steps > MAX_STEPS:
        return None
    match expression:
        case BinaryExpression(operator="+"):
            return _concatenated_path(evaluator, expression.named(), folder, steps)
        case MemberExpression(object=target):
            is_path = source.endswith((".pathname", ".href"))
            return _path(evaluator, target, folder, steps + 1) if is_path else None
        case CallOrNewExpression():
            return _path_of_call(evaluator, expression, folder, steps)
    match expression.type:
        case "string":
            text = text_in(evaluator, expression)
            return joined(folder, text) if text is not None and text.startswith((".", "/")) else None
        case "identifier":
            declared = _initial_value(evaluator, expression)
            return None if declared is None else _path(evaluator, declared, folder, steps + 1)
        case "template_string":
            return _concatenated_path(evaluator, expression.named(), folder, steps)
    return None


def _path_of_call(evaluator: Evaluator, call: CallOrNewExpression, folder: str, steps: int) -> str | None:
    name = evaluator.tree.source(call.callee).rpartition(".")[2]
    arguments = call.arguments
    if name == "fileURLToPath" and len(arguments) == 1:
        return _path(evaluator, arguments[0], folder, steps + 1)
    if name == "URL" and len(arguments) == 2 and evaluator.tree.source(arguments[1]) == "import.meta.url":
        text = text_in(evaluator, arguments[0])
        return None if text is None else joined(folder, text)
    if name == "dirname" and len(arguments) == 1 and "import.meta.url" in evaluator.tree.source(call):
        return folder
    outer = _joined_in_function(evaluator, call)
    if not arguments or (outer is None and name not in _JOINING):
        return None
    first, *remaining = [*(outer or []), *arguments]
    text = text_in(evaluator, first)
    if text is not None and not text.startswith("/"):
        start = joined(folder, text)
    else:
        start = _path(evaluator, first, folder, steps + 1) if text is None else None
    parts = [text_in(evaluator, each) for each in remaining]
    if start is None or None in parts or any(each and each.startswith("/") for each in parts):
        return None
    return joined(start, "/".join(each or "" for each in parts))


def _joined_in_function(evaluator: Evaluator, call: CallOrNewExpression) -> list[Node] | None:
    """Returns what a function of the configuration joins its argument to: `(a) => join(__dirname, a)`."""
    from extlint.analysis.syntax.nodes import CallOrNewExpression, Function, VariableDeclarator

    source = evaluator.tree.source
    binding = evaluator.names.variable(call.callee) if call.callee.type == "identifier" else None
    declared = binding.declarations[0].source if binding is not None and len(binding.writes) == 1 else None
    function = declared.value if isinstance(declared, VariableDeclarator) else declared
    if not isinstance(function, Function) or len(function.parameters) != 1:
        return None
    body = function.body
    statement = next(iter(body.named()), body) if body.type == "statement_block" else body
    joining = statement.first() if statement.type == "return_statement" else statement
    if not isinstance(joining, CallOrNewExpression) or not joining.arguments:
        return None
    parameter = source(function.parameters[0]).partition(":")[0].strip()
    is_passed = len(call.arguments) == 1 or parameter.startswith("...")
    is_joined = source(joining.callee).rpartition(".")[2] in _JOINING
    *outer, last = joining.arguments
    return outer if is_joined and is_passed and source(last) == parameter else None


def _concatenated_path(evaluator: Evaluator, parts: list[Node], folder: str, steps: int) -> str | None:
    """Returns the path made of a folder and following text, `${__dirname}/src`, or None if unknown."""
    if not parts:
        return None
    first = parts[0].first() if parts[0].type == "template_substitution" else parts[0]
    start = None if first is None or first.type == "string" else _path(evaluator, first, folder, steps + 1)
    texts = []
    for each in parts[1:]:
        text = evaluator.tree.source(each) if each.type == "string_fragment" else text_in(evaluator, each)
        if text is None:
            return None
        texts.append(text)
    rest = "".join(texts)
    return joined(start, rest) if start is not None and rest[:1] in ("", "/") else None
