"""The scripts of a document, and the names of files, messages and rulesets in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from msgspec import Struct

from extlint.analysis.facts.script_facts import GET_MESSAGE, ApiPath, CallSite, LoadKind
from extlint.analysis.follow import evaluator_of
from extlint.analysis.modules.loads import loads_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import NewExpression
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.checks.calls.file_names import Base, base_of
from extlint.package.references import folder_of, without_query
from extlint.package.suffixes import is_component
from extlint.project.contexts.called_files import files_injected_by, files_named_in_call
from extlint.project.contexts.pages import scan_page, script_of_component, text_of_component
from extlint.schema.engine import Engine
from extlint.services.editor.documents.document import Document, Role
from extlint.services.editor.documents.script_strings import (
    Argument,
    ElementAddress,
    call_at,
    element_address,
    string_at,
)
from extlint.services.editor.documents.scripts import parsing_of
from extlint.services.editor.documents.text_cursor import Name, Target
from extlint.services.editor.messages import targets_of_message
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

RULESET_FUNCTIONS = frozenset(
    ("declarativeNetRequest", name)
    for name in ("getDisabledRuleIds", "updateEnabledRulesets", "updateStaticRules")
)
"""The functions whose arguments contain ids of rulesets."""

_RULESET_KEYS = frozenset({"disableRulesetIds", "enableRulesetIds", "rulesetId"})
_MODULES = frozenset({LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE})


class ScriptName(Struct, frozen=True):
    """A name in a string of a script: its text, and the byte range of the string without quotes.

    `function` is the function of the API that is called with it, or empty, and `key` the property around it.
    `is_module` is true for the name of an imported module, and `is_relative` for one that is relative to the
    module with the string: `new URL(name, import.meta.url)`. `address` is the attribute that the name is
    assigned to, and the name is then relative to the page.
    """

    name: str
    span: ByteSpan
    function: ApiPath = ()
    key: str | None = None
    is_module: bool = False
    is_relative: bool = False
    address: ElementAddress | None = None


def name_at(evaluator: Evaluator, at: int) -> ScriptName | None:
    """Returns the name of a file, message or ruleset in the string around an offset, or None."""
    string = string_at(evaluator.tree, at)
    if string is None:
        return None
    span = string.start + 1, max(string.end - 1, string.start + 1)
    argument = call_at(evaluator, string)
    if argument is not None:
        name = _name_in_call(evaluator, argument, string)
        return None if name is None else ScriptName(name, span, argument.path, argument.key)
    for load in loads_of(evaluator.tree, evaluator, _around(string)):
        if load.span == string.span:
            return ScriptName(
                load.name,
                span,
                is_module=load.kind in _MODULES,
                is_relative=_is_relative(evaluator.tree, string),
            )
    address = element_address(evaluator, string)
    return None if address is None else ScriptName(_text(evaluator.tree, string), span, address=address)


def _text(tree: SyntaxTree, string: Node) -> str:
    return tree.text[string.start + 1 : string.end - 1].decode("utf-8", "replace")


def _is_relative(tree: SyntaxTree, string: Node) -> bool:
    listed = string.parent
    created = None if listed is None else listed.parent
    return isinstance(created, NewExpression) and tree.source(created.callee) == "URL"


def _around(string: Node) -> ByteSpan:
    """Returns the byte range of the statement, or of the call, that may load what a string names."""
    up = string.parent
    while up is not None and up.type in ("arguments", "binary_expression", "import_require_clause"):
        up = up.parent
    if up is not None and up.type == "new_expression" and up.parent is not None:
        outer = up.parent.parent if up.parent.type == "arguments" else None
        up = outer or up
    return (string.start, string.end) if up is None or up.parent is None else (up.start, up.end)


def _name_in_call(evaluator: Evaluator, argument: Argument, string: Node) -> str | None:
    text = _text(evaluator.tree, string)
    if argument.path == GET_MESSAGE:
        return text if argument.index == 0 else None
    if argument.path in RULESET_FUNCTIONS:
        return text if argument.key in _RULESET_KEYS else None
    files = _files_in(argument.call)
    return next((each for each, span in files if span == string.span), None)


def _files_in(call: CallSite) -> Iterable[tuple[str, ByteSpan]]:
    yield from ((each.name, each.span) for each in files_named_in_call(call))
    yield from ((each.name, each.span) for each in files_injected_by((call,)))


_TEXT = lazy(rb"(?=([\"'`])((?:(?!\1)[^\\\r\n]){1,300})\1)")
_MODULE = lazy(rb"(?:\bfrom|\bimport|\b(?:import|require)\s*\()\s*\Z")
_MODULE_BYTES = 40


def scripts_of(document: Document) -> Iterator[tuple[bytes, int]]:
    """Yields the scripts of a document, each with its byte offset in the document."""
    if document.role is Role.SCRIPT:
        yield document.data, 0
    elif document.role is Role.PAGE:
        page = scan_page(document.data, document.path)
        if is_component(document.path):
            body = script_of_component(page)
            if body is not None:
                yield text_of_component(document.data), body[0]
            return
        for each in page.scripts:
            if each.body is not None and each.kind != "other":
                yield document.data[slice(*each.body)], each.body[0]


def script_name_at(document: Document, at: int) -> Iterator[Name]:
    """Yields the name of a file, message or ruleset in the string of a script around an offset."""
    for text, start in scripts_of(document):
        if start <= at <= start + len(text):
            evaluator = evaluator_for(document, text, start)
            if evaluator is not None:
                with closing(evaluator):
                    yield from _resolved(document, name_at(evaluator, at - start), start)


def evaluator_for(document: Document, text: bytes, start: int) -> Evaluator | None:
    """Returns the evaluator of a script that begins at an offset of the document, or None.

    The script is parsed again only where it differs from the last one there.
    """
    name = f"{document.package.name}/{document.path}" + (f":{start}" if start else "")
    return evaluator_of(text, document.path, parsing=parsing_of(name, document.path))


def names_in_scripts(document: Document) -> Iterator[Name]:
    """Yields the names of existing files in the scripts of a document."""
    for text, start in scripts_of(document):
        places = [*_candidates(document, text)]
        evaluator = evaluator_for(document, text, start) if places else None
        if evaluator is not None:
            with closing(evaluator):
                for place in places:
                    yield from _files(document, evaluator, place, start)


def _files(document: Document, evaluator: Evaluator, place: int, start: int) -> Iterator[Name]:
    name = name_at(evaluator, place)
    if name is not None and name.function != GET_MESSAGE and name.span[0] == place:
        yield from _resolved(document, name, start)


def _candidates(document: Document, text: bytes) -> Iterator[int]:
    """Yields the offsets of the texts that may be names: those of existing files, modules and rulesets."""
    names = {path.rpartition("/")[2].casefold() for path in document.package.paths}
    for found in _TEXT.finditer(text):
        name = found[2].decode("utf-8", "replace")
        last = without_query(name).rpartition("/")[2].casefold()
        before = text[max(0, found.start() - _MODULE_BYTES) : found.start()]
        if last in names or "%" in last or name in document.rulesets or _MODULE.search(before) is not None:
            yield found.start(2)


def _resolved(document: Document, name: ScriptName | None, start: int) -> Iterator[Name]:
    if name is None:
        return
    if name.function == GET_MESSAGE:
        targets = targets_of_message(document, name.name)
    elif name.function in RULESET_FUNCTIONS:
        path = document.rulesets.get(name.name)
        targets = () if path is None else (Target(path),)
    else:
        targets = tuple(map(Target, files_of(document, name)))
    if targets:
        yield Name((name.span[0] + start, name.span[1] + start), targets)


def files_of(document: Document, name: ScriptName) -> tuple[str, ...]:
    """Returns the files that a name in a script may refer to, the likeliest first."""
    if name.is_module:
        module = document.resolver.find(name.name, document.path) or _first(document, name.name)
        return () if module is None else (module,)
    if name.address is not None and document.is_content_script:
        return ()  # relative to a web page
    folders = _folders(document)
    if _has_base(name.function, Base.ROOT):
        folders = ("", *folders[:-1])
    found = (document.file(name.name, folder) for folder in folders)
    return tuple(dict.fromkeys(each for each in found if each is not None))


def is_relative_to_page(document: Document, function: ApiPath) -> bool:
    """Whether some browser looks for a name in calls of a function in a folder other than the root."""
    return any(document.folders_of_pages) and not _has_base(function, Base.ROOT, everywhere=True)


def _has_base(function: ApiPath, base: Base, *, everywhere: bool = False) -> bool:
    engines = (Engine.CHROMIUM, Engine.GECKO)
    found = (base_of(".".join(function), each) is base for each in engines)
    return all(found) if everywhere else any(found)


def _first(document: Document, name: str) -> str | None:
    """Returns the file that a relative name of a module refers to, whether it is a script or not."""
    return document.file(name, folder_of(document.path)) if name.startswith((".", "/")) else None


def _folders(document: Document) -> tuple[str | None, ...]:
    """Returns the folders to which names in a script may be relative: its own, its page's and the root."""
    return tuple(dict.fromkeys((folder_of(document.path), *document.folders_of_pages, "")))
