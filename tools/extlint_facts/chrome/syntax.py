"""The parts of TypeScript declaration files that facts are read from."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Language, Node, Parser
from tree_sitter_typescript import language_typescript


class UnknownFormError(Exception):
    """A declaration has an unsupported form, which the message shows."""

    def __init__(self, node: Node) -> None:
        line = node.start_point[0] + 1
        super().__init__(f"line {line}: {node.type} is not read here: {text(node)[:200]}")


class Declared(Struct, frozen=True):
    """A declaration, or a part of one, with the name that scripts see and the comment before it."""

    name: str
    node: Node
    comment: str


def parse(source: str) -> Node:
    """Returns the syntax tree of a declaration file. Raises ValueError for a syntax error."""
    root = Parser(Language(language_typescript())).parse(source.encode("utf-8")).root_node
    if root.has_error:
        raise ValueError("the declarations have a mistake of syntax")
    return root


def text(node: Node) -> str:
    """Returns the source text of a node."""
    return (node.text or b"").decode("utf-8")


def part(node: Node, field: str) -> Node:
    """Returns a required child of a node. Raises UnknownFormError if it is missing."""
    found = node.child_by_field_name(field)
    if found is None:
        raise UnknownFormError(node)
    return found


def with_comments(body: Node) -> Iterator[tuple[Node, str]]:
    """Yields the parts of a body, each with the comment right before it."""
    comment = ""
    for child in body.named_children:
        if child.type == "comment":
            comment = text(child)
        else:
            yield child, comment
            comment = ""


def modules(root: Node) -> Iterator[Declared]:
    """Yields the namespaces inside `chrome`, with their full names (`devtools.panels`)."""
    for statement in root.named_children:
        for module in statement.named_children:
            if module.type == "internal_module" and text(part(module, "name")) == "chrome":
                yield from _nested_modules(module, "")


def _nested_modules(module: Node, prefix: str) -> Iterator[Declared]:
    for each in declarations(part(module, "body")):
        if each.node.type == "internal_module":
            found = Declared(prefix + each.name, each.node, each.comment)
            yield found
            yield from _nested_modules(each.node, f"{found.name}.")


def declarations(body: Node) -> Iterator[Declared]:
    """Yields a namespace's declarations; exported names replace names such as `_debugger`."""
    exported = dict(_export_aliases(body))
    for child, comment in with_comments(body):
        node = child
        if node.type in ("export_statement", "expression_statement"):
            node = next(each for each in node.named_children if each.type != "comment")
        if node.type != "export_clause":
            holder = node.named_children[0] if node.type == "lexical_declaration" else node
            name = text(part(holder, "name"))
            yield Declared(exported.get(name, name), node, comment)


def _export_aliases(body: Node) -> Iterator[tuple[str, str]]:
    for statement in body.named_children:
        for clause in statement.named_children:
            if clause.type == "export_clause":
                for each in clause.named_children:
                    yield text(part(each, "name")), text(part(each, "alias"))
