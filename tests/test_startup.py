"""The modules that a run imports: a quick command loads no expensive ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import manifest

from extlint_schemas import json_schema_names
from extlint_schemas.compiled import validate_function

HEAVY_MODULES = (
    "tree_sitter",
    "click",
    "asyncio",
    "importlib.metadata",
    "rich",
    "fastjsonschema",
    "extlint_schemas.compiled.compiler",
)

CACHE_MODULES = (
    "hashlib",
    "pickle",
    "extlint.analysis.cache.disk",
    "extlint.analysis.cache.records",
    "extlint.analysis.cache.codec",
)
"""The modules that read and write the cache, which does not pay off for a small extension."""

SCRIPT_MODULES = (
    "extlint.schema.matching.match",
    "extlint.checks.api.reasons",
    "extlint.checks.availability.missing_references",
    "extlint.program.parallel_analysis",
    "extlint.analysis.analyze",
)
"""The modules that a package without scripts does not use."""

MISTAKE_MODULES = (
    "extlint.checks.manifest_values.browser_verdict",
    "extlint.schema.matching.refusals",
    "extlint.report.excerpt",
    "extlint.schema.words.types",
)
"""The modules that explain mistakes."""

SLOW_MODULES = ("array", "inspect", "pathlib", "typing_extensions", "weakref")
"""Modules of Python and others that are slow to load and not used in such a run."""

CONDITION_MODULES = (
    "extlint.analysis.guards.condition_reader",
    "extlint.analysis.guards.try_catch",
)
"""The modules that read tests of the API."""

MAX_MODULES = {"the version": 9, "a manifest": 170, "a clean extension": 314}
"""The maximum number of extlint modules in a run: loading one takes about as long as its body."""

CLEAN = Path(__file__).parent.parent / "examples" / "clean"

PROGRAM = """
import json, sys
from extlint.cli.main import main
status = main(sys.argv[1:])
print(json.dumps([status, sorted(sys.modules)]))
"""


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compiles all schemas first: a checkout compiles each on first use, which is not under test."""
    for name in json_schema_names():
        validate_function(name)


def modules_after(*arguments: str) -> tuple[int, set[str]]:
    """Returns the exit status of a run in a fresh interpreter, and the modules it has loaded."""
    path = os.pathsep.join(each for each in sys.path if each)
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    status, modules = json.loads(found.stdout.splitlines()[-1])
    return status, set(modules)


@pytest.mark.parametrize("findings", [False, True], ids=["clean", "with findings"])
def test_run_without_api_uses_loads_no_heavy_modules(findings: bool, tmp_path: Path) -> None:
    keys = {"permissions": ["managment"]} if findings else {}
    (tmp_path / "manifest.json").write_text(manifest(**keys))
    (tmp_path / "a.js").write_text("let a = 'the browser';")
    status, modules = modules_after("check", str(tmp_path), "--fail-level", "warning")
    assert status == findings
    assert modules.isdisjoint(HEAVY_MODULES)
    assert ("jsonschema" in modules) == findings


def count_own_modules(modules: set[str]) -> int:
    return sum(each.startswith("extlint") and ".compiled." not in each for each in modules)


def test_small_run_loads_few_modules(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text((CLEAN / "manifest.json").read_text())
    status, modules = modules_after("check", str(tmp_path), "--ignore", "missing-file", "--jobs", "2")
    assert status == 0
    assert modules.isdisjoint((*SCRIPT_MODULES, *MISTAKE_MODULES, *CONDITION_MODULES, *SLOW_MODULES))
    assert count_own_modules(modules) <= MAX_MODULES["a manifest"]
    status, modules = modules_after("check", str(CLEAN), "--jobs", "2")
    assert status == 0
    assert modules.issuperset(set(SCRIPT_MODULES) - {"extlint.program.parallel_analysis"})
    assert modules.isdisjoint((*MISTAKE_MODULES, *CONDITION_MODULES, *SLOW_MODULES))
    assert count_own_modules(modules) <= MAX_MODULES["a clean extension"]


def test_eval_in_an_extension_script_does_not_load_hashlib(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest(background={"service_worker": "a.js"}))
    (tmp_path / "a.js").write_text("browser.management.getSelf(); eval(a);")
    _, modules = modules_after("check", str(tmp_path), "--no-cache")
    assert "extlint.checks.blocked_code" in modules
    assert "hashlib" not in modules


def test_mistakes_and_guards_load_their_modules(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest(background={"scripts": ["a.js"]}, icons=1))
    (tmp_path / "a.js").write_text("try { if (browser.tabs) browser.management.get(1); } catch {}")
    status, modules = modules_after("check", str(tmp_path))
    assert status == 1
    assert modules.issuperset((*MISTAKE_MODULES, *CONDITION_MODULES))


def test_version_option_does_not_load_the_linter() -> None:
    status, modules = modules_after("--version")
    assert status == 0
    assert count_own_modules(modules) <= MAX_MODULES["the version"]
    assert modules.isdisjoint(
        {
            *HEAVY_MODULES,
            "jsonschema",
            "extlint.schema.validation",
            "extlint.cli.commands.check",
            "extlint.checker",
            "extlint_schemas",
        }
    )


ENDING = """
import atexit
atexit.register(print, "Python came to its end")
from extlint.cli.main import main
main()
"""
TRACED = "import sys; sys.setprofile(lambda *_: None)\n"


@pytest.mark.parametrize("traced", [False, True], ids=["a run", "a traced run"])
def test_run_exits_immediately_unless_traced(traced: bool) -> None:
    path = os.pathsep.join(each for each in sys.path if each)
    found = subprocess.run(
        [sys.executable, "-c", (TRACED if traced else "") + ENDING, "--version"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    first, *rest = found.stdout.splitlines()
    assert first.startswith("extlint ")
    assert rest == ["Python came to its end"] * traced


def test_modules_after_lists_the_loaded_modules(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest(manifest_version=2, background={"scripts": ["a.js"]}))
    (tmp_path / "a.js").write_text("browser.management.getSelf();")
    status, modules = modules_after("check", str(tmp_path))
    assert status == 0
    assert "tree_sitter" in modules
    assert "jsonschema" not in modules
    assert modules.isdisjoint(CACHE_MODULES)


def test_cached_package_loads_no_heavy_modules(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest(background={"scripts": ["a.js"]}))
    (tmp_path / "a.js").write_text("browser.management.getSelf();" + "\n" * 100_000)
    _, first = modules_after("check", str(tmp_path))
    assert first.issuperset(CACHE_MODULES)
    assert "tree_sitter" in first
    status, modules = modules_after("check", str(tmp_path))
    assert status == 0
    assert modules.isdisjoint({*HEAVY_MODULES, "extlint.checker", "extlint.project.contexts.layout"})
