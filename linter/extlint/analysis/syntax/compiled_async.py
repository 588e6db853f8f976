"""Recognizes generators that compilers emit for `async` functions; each `yield` is an `await`.

    __awaiter(this, void 0, void 0, function* () { yield a(); })    TypeScript
    __async(this, null, function* () { yield a(); })                esbuild
    _asyncToGenerator(function* () { yield a(); })                  Babel, SWC

The first two run the generator immediately and return its promise, as `(async () => { … })()` does. The last
returns an `async` function.
"""

from __future__ import annotations

import re

from tree_sitter import Node as ParserNode

from extlint.analysis.syntax.node import CompiledAsync, Node
from extlint.text.patterns import lazy

_NOTHING = frozenset({b"null", b"void 0"})
_THIS = _NOTHING | {b"this"}
_PROMISE = _NOTHING | {b"Promise"}
_OWN_ARGUMENTS = _NOTHING | {b"arguments"}
_MAX_NAME_BYTES = 200
_MAKER = lazy(rb"async_?to_?generator", re.IGNORECASE)


def compiled_async(generator: ParserNode, parent: Node | None) -> CompiledAsync | None:
    """Returns how a helper uses a generator that implements an `async` function, or None if it is not one."""
    while parent is not None and parent.type == "parenthesized_expression":
        generator, parent = parent.node, parent.parent
    if parent is None or parent.type != "arguments" or parent.parent is None:
        return None
    arguments = [each for each in parent.node.named_children if each.type != "comment"]
    if arguments[-1] != generator:
        return None
    match [each.text or b"" for each in arguments[:-1]]:
        case []:
            return CompiledAsync.WRAPPED if _is_babel_helper(parent.parent) else None
        case [this, passed] if this in _THIS:
            pass
        case [this, passed, promise] if this in _THIS and promise in _PROMISE:
            pass
        case _:
            return None
    if passed in _OWN_ARGUMENTS:
        return CompiledAsync.CALLED
    return CompiledAsync.PASSED if arguments[1].type == "array" else None


def _is_babel_helper(call: Node) -> bool:
    """Whether the callee has the name of Babel's helper."""
    callee = call.node.child_by_field_name("function")
    if callee is None or callee.end_byte - callee.start_byte > _MAX_NAME_BYTES:
        return False
    return _MAKER.search(callee.text or b"") is not None
