"""The rooms of the code and the floors they stand on: what imports what, and never upward.

`python tests/test_architecture.py` prints the floors with all that each room imports.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "linter", ROOT / "rules", ROOT / "schemas")

FLOORS = (
    ("extlint", "extlint.processes", "extlint.text", "extlint_schemas"),
    ("extlint.images", "extlint.json_text"),
    ("extlint.script.facts", "extlint.package", "extlint.formats"),
    ("extlint.script.syntax", "extlint.schema"),
    ("extlint.script.scope", "extlint.targets", "extlint.words", "extlint.cache"),
    ("extlint.finding", "extlint.script.values", "extlint.manifest", "extlint.matching"),
    ("extlint.bundles", "extlint.edits", "extlint.extension", "extlint.validation"),
    ("extlint.script.expressions", "extlint.script.call_graph"),
    ("extlint.script.guards.forms",),
    ("extlint.script.guards.environment",),
    ("extlint.script.guards",),
    ("extlint.script.modules", "extlint.script.reachability"),
    ("extlint.script.timing",),
    ("extlint.script.trace",),
    ("extlint.script",),
    ("extlint.resolution",),
    ("extlint.contexts",),
    ("extlint.project", "extlint.request_rules", "extlint.rule", "extlint.checks.api"),
    ("extlint.checks", "extlint.checks.portability", "extlint.checks.reachability", "extlint.registry"),
    ("extlint.checks.availability", "extlint.manifest_values", "extlint.configuration"),
    ("extlint.checks.calls", "extlint.target_detection"),
    ("extlint.program", "extlint.locales", "extlint.api_lookup"),
    ("extlint.linting", "extlint.stores"),
    ("extlint.suppression",),
    ("extlint.reporter",),
    ("extlint.reporter.html",),
    ("extlint.checker", "extlint.fixes", "extlint_rules.helpers"),
    ("extlint_rules", "extlint.permissions"),
    ("extlint.commands.options", "extlint.first_configuration"),
    ("extlint.commands",),
    ("extlint.__main__",),
)
"""Each floor may use those above it in this list: a package, or a module that stands by itself at the top."""

ALONE = frozenset(
    f"extlint.{name}" for name in ("__main__", "checker", "extension", "finding", "registry", "rule")
)
"""The modules at the top of the engine: they tell the story, each on a floor of its own."""


def modules() -> Iterator[tuple[str, Path]]:
    for source in SOURCES:
        for path in sorted(source.rglob("*.py")):
            yield ".".join(path.relative_to(source).with_suffix("").parts), path


def room(module: str) -> str:
    """The package that a module is in, or the module that stands by itself."""
    if module in ALONE:
        return module
    package, _, name = module.rpartition(".")
    if package.startswith("extlint_schemas"):
        return "extlint_schemas"
    return module.removesuffix(".__init__") if name == "__init__" else package


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements below a node, without their expressions, of which there are far more."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())


@cache
def imported(path: Path) -> tuple[str, ...]:
    found: list[str] = []
    for node in statements(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found += (node.module, *(f"{node.module}.{name.name}" for name in node.names))
        elif isinstance(node, ast.Import):
            found += (name.name for name in node.names)
    return tuple(found)


def arrows() -> Mapping[str, Mapping[str, list[str]]]:
    """Which rooms each room imports, with the modules that do."""
    all_modules = {name.removesuffix(".__init__"): path for name, path in modules()}
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, path in modules():
        for wanted in imported(path):
            if wanted in all_modules:
                is_package = all_modules[wanted].name == "__init__.py"
                other = room(f"{wanted}.__init__" if is_package else wanted)
                if other != room(name):
                    found[room(name)][other].append(name)
    return found


EXCEPTIONS = frozenset[tuple[str, str]]()
"""Arrows upward that are still there."""

HEIGHT = {name: height for height, floor in enumerate(FLOORS) for name in floor}


def test_every_room_has_a_floor() -> None:
    rooms = {room(name) for name, _ in modules()}
    assert rooms == HEIGHT.keys(), "add a new package to FLOORS, and to the table in CONTRIBUTING.md"


def test_no_arrow_leads_up_or_along_a_floor() -> None:
    wrong = {
        (name, other): f"{name} -> {other}: {', '.join(sorted(set(users)))}"
        for name, others in arrows().items()
        for other, users in others.items()
        if HEIGHT[other] >= HEIGHT[name]
    }
    assert wrong.keys() == EXCEPTIONS, (
        "a package imports only from floors above its own in the list FLOORS:\n" + "\n".join(wrong.values())
    )


def test_no_modules_import_one_another() -> None:
    """That a module imports one beside it names the package of both, which counts for nothing."""
    all_modules = {name.removesuffix(".__init__"): path for name, path in modules()}
    graph = {
        name: {
            each for each in imported(path) if each in all_modules and not f"{name}.".startswith(f"{each}.")
        }
        for name, path in all_modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_only_the_story_stands_at_the_top() -> None:
    top = {path.stem for path in (ROOT / "linter" / "extlint").glob("*.py")} - {"__init__"}
    assert top == {name.removeprefix("extlint.") for name in ALONE}


def test_the_page_about_the_architecture_names_every_room() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"^\| `(extlint[\w.]*)` \|", page, re.MULTILINE)
    expected = sorted(HEIGHT.keys() - ALONE - {"extlint"})
    assert sorted(named) == expected, "left: the tables in CONTRIBUTING.md; right: FLOORS"


def main() -> None:
    below = arrows()
    for height in reversed(range(len(FLOORS))):
        for name in FLOORS[height]:
            print(height, f"{name}:", ", ".join(sorted(below.get(name, ()))) or "nothing")  # noqa: T201


if __name__ == "__main__":
    main()
