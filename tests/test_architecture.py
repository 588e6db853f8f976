"""Architecture test: packages import only packages on lower layers.

`python tests/test_architecture.py` prints the layers with the imports of each package.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "linter", ROOT / "rules", ROOT / "schemas")

LAYERS = (
    (
        "extlint",
        "extlint.processes",
        "extlint.queries",
        "extlint.text",
        "extlint_schemas",
    ),
    (
        "extlint.analysis.facts",
        "extlint.schema",
        "extlint.text.formats",
        "extlint.text.json",
    ),
    (
        "extlint.package",
        "extlint.schema.words",
    ),
    (
        "extlint.analysis.syntax",
        "extlint.finding",
        "extlint.manifest",
        "extlint.package.discovery",
        "extlint.schema.matching",
        "extlint.schema.validation",
    ),
    (
        "extlint.analysis.cache",
        "extlint.analysis.scope",
        "extlint.extension",
        "extlint.manifest.edits",
    ),
    ("extlint.analysis.values",),
    ("extlint.analysis.bundles",),
    (
        "extlint.analysis.call_graph",
        "extlint.analysis.expressions",
        "extlint.analysis.guards.forms",
    ),
    ("extlint.analysis.guards",),
    (
        "extlint.analysis.modules",
        "extlint.analysis.reachability",
    ),
    ("extlint.analysis.timing",),
    ("extlint.analysis.trace",),
    (
        "extlint.analysis",
        "extlint.analysis.repairs",
    ),
    ("extlint.project.resolution",),
    (
        "extlint.project.contexts",
        "extlint.project.target_detection",
    ),
    (
        "extlint.checks.api",
        "extlint.project",
        "extlint.rule",
    ),
    (
        "extlint.checks",
        "extlint.registry",
    ),
    ("extlint.checks.reachability",),
    (
        "extlint.checks.availability",
        "extlint.checks.locales",
        "extlint.checks.manifest_values",
        "extlint.linting.configuration",
        "extlint.program",
    ),
    (
        "extlint.checks.calls",
        "extlint.linting",
        "extlint.services.api_lookup",
        "extlint.services.editor.documents",
    ),
    (
        "extlint.linting.suppression",
        "extlint_rules.helpers",
    ),
    (
        "extlint.report",
        "extlint_rules",
    ),
    (
        "extlint.checker",
        "extlint.report.formats",
    ),
    (
        "extlint.checking",
        "extlint.services.permissions",
    ),
    (
        "extlint.services",
        "extlint.services.api",
        "extlint.services.editor",
    ),
    (
        "extlint.services.scan",
        "extlint.services.serve",
    ),
    ("extlint.services.lsp",),
    ("extlint.cli",),
    ("extlint.cli.commands",),
    ("extlint.__main__",),
)
"""The layers, lowest first. Each may use those above it in this list: packages and top-level modules."""

GROUPS = (
    "processes",
    "queries",
    "text",
    "package",
    "analysis",
    "schema",
    "manifest",
    "project",
    "checks",
    "program",
    "linting",
    "report",
    "checking",
    "services",
    "cli",
)
"""The packages directly in the engine, lowest first. Each imports only from those above it in this list."""

MAX_MODULES = 24
"""Modules in one folder, apart from `__init__.py`."""

TOP_LEVEL = frozenset(
    f"extlint.{name}" for name in ("__main__", "checker", "extension", "finding", "registry", "rule")
)
"""The top-level modules of the engine, which give an overview of it and have layers of their own."""


def modules() -> Iterator[tuple[str, Path]]:
    for source in SOURCES:
        for path in sorted(source.rglob("*.py")):
            yield ".".join(path.relative_to(source).with_suffix("").parts), path


def component_of(module: str) -> str:
    """Returns the package of a module, or the module itself if it is top-level."""
    if module in TOP_LEVEL:
        return module
    package, _, name = module.rpartition(".")
    if package.startswith("extlint_schemas"):
        return "extlint_schemas"
    return module.removesuffix(".__init__") if name == "__init__" else package


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields all statements below a node. Skips expressions, which are far more numerous."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())


@cache
def imported_modules(path: Path) -> tuple[str, ...]:
    found: list[str] = []
    for node in statements(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found += (node.module, *(f"{node.module}.{name.name}" for name in node.names))
        elif isinstance(node, ast.Import):
            found += (name.name for name in node.names)
    return tuple(found)


def package_imports() -> Mapping[str, Mapping[str, list[str]]]:
    """Returns the imports between packages, with the importing modules."""
    all_modules = {name.removesuffix(".__init__"): path for name, path in modules()}
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, path in modules():
        for imported in imported_modules(path):
            if imported in all_modules:
                is_package = all_modules[imported].name == "__init__.py"
                other = component_of(f"{imported}.__init__" if is_package else imported)
                if other != component_of(name):
                    found[component_of(name)][other].append(name)
    return found


EXCEPTIONS = frozenset(
    {
        ("extlint", each)
        for each in ("extlint.services.api", "extlint.linting.configuration", "extlint.package")
    }
)
"""Upward imports that exist: `extlint` exports the API. Type checkers see these, and programs that use it."""

LAYER_INDEX = {name: index for index, layer in enumerate(LAYERS) for name in layer}


def test_every_package_has_a_layer() -> None:
    components = {component_of(name) for name, _ in modules()}
    assert components == LAYER_INDEX.keys(), (
        "add a new package to LAYERS, and to the table in CONTRIBUTING.md"
    )


def test_packages_import_only_lower_layers() -> None:
    wrong = {
        (name, other): f"{name} -> {other}: {', '.join(sorted(set(users)))}"
        for name, imports in package_imports().items()
        for other, users in imports.items()
        if LAYER_INDEX[other] >= LAYER_INDEX[name]
    }
    assert wrong.keys() == EXCEPTIONS, (
        "a package imports only from layers above its own in LAYERS:\n" + "\n".join(wrong.values())
    )


def test_packages_of_the_engine_follow_the_data_flow() -> None:
    folders = {
        path.name for path in (ROOT / "linter" / "extlint").iterdir() if (path / "__init__.py").exists()
    }
    assert folders == {*GROUPS}
    wrong = [
        f"{user} -> {other}"
        for name, imports in package_imports().items()
        for other in imports
        for user, used in [(group_of(name), group_of(other))]
        if user in GROUPS and used in GROUPS and GROUPS.index(used) > GROUPS.index(user)
    ]
    assert wrong == []


def group_of(component: str) -> str:
    """Returns the package directly in the engine that contains a package."""
    return component.removeprefix("extlint.").partition(".")[0]


@pytest.mark.parametrize("source", SOURCES[:1], ids=lambda source: str(source.name))
def test_folders_have_few_modules(source: Path) -> None:
    counts = Counter(path.parent for path in source.rglob("*.py") if path.name != "__init__.py")
    assert {str(path): count for path, count in counts.items() if count > MAX_MODULES} == {}


def test_modules_have_no_import_cycles() -> None:
    """The import of a module in the same package also names that package, which is ignored."""
    all_modules = {name.removesuffix(".__init__"): path for name, path in modules()}
    graph = {
        name: {
            each
            for each in imported_modules(path)
            if each in all_modules and not f"{name}.".startswith(f"{each}.")
        }
        for name, path in all_modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_top_level_modules_are_listed() -> None:
    top = {path.stem for path in (ROOT / "linter" / "extlint").glob("*.py")} - {"__init__"}
    assert top == {name.removeprefix("extlint.") for name in TOP_LEVEL}


def test_contributing_page_names_every_package() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"^\| `(extlint[\w.]*)` \|", page, re.MULTILINE)
    expected = sorted(LAYER_INDEX.keys() - TOP_LEVEL - {"extlint"})
    assert sorted(named) == expected, "left: the tables in CONTRIBUTING.md; right: LAYERS"


def main() -> None:
    below = package_imports()
    for height in reversed(range(len(LAYERS))):
        for name in LAYERS[height]:
            print(height, f"{name}:", ", ".join(sorted(below.get(name, ()))) or "nothing")  # noqa: T201


if __name__ == "__main__":
    main()
