"""The interface of the package: which modules other packages import, and one table of the module systems."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from extlint.analysis.bundles.systems import SYSTEMS

ENGINE = Path(__file__).parents[2] / "linter" / "extlint"
PUBLIC_MODULES = {
    f"extlint.analysis.bundles.{name}" for name in ("bundle", "chunks", "filled_object", "model")
}


def imports(path: Path) -> Iterator[str]:
    """Yields the imports of a module from the package, except those for type checkers."""
    text = path.read_text()
    if "extlint.analysis.bundles" not in text:
        return
    tree = ast.parse(text)
    hidden = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None and id(node) not in hidden:
            if node.module == "extlint.analysis.bundles":
                yield from (f"{node.module}.{name.name}" for name in node.names)
            yield node.module


def test_other_packages_import_only_public_modules() -> None:
    imported = {
        name
        for path in ENGINE.rglob("*.py")
        if "bundles" not in path.parent.parts
        for name in imports(path)
        if name.startswith("extlint.analysis.bundles")
    }
    assert imported == PUBLIC_MODULES


def test_only_the_table_names_the_module_systems() -> None:
    modules = {type(system).__module__ for system in SYSTEMS}
    named_in = {
        path.name
        for path in (ENGINE / "analysis/bundles").glob("*.py")
        if not modules.isdisjoint(imports(path))
    }
    assert named_in == {"systems.py"}


def test_each_module_system_has_tests() -> None:
    modules = {type(system).__module__.rpartition(".")[2] for system in SYSTEMS}
    assert modules <= {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("*.py")}
