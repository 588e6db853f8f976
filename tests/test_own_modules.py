"""The import finder for extlint's own modules, compared with Python's finder."""

from __future__ import annotations

import os
import py_compile
import sys
from collections.abc import Callable, Iterator
from importlib import import_module, invalidate_caches
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from extlint.cli.modules import find_own_modules

PACKAGE = "extlint_of_a_test"

Load = Callable[[str], ModuleType]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a package that contains a module and a subpackage."""
    folder = tmp_path / PACKAGE
    (folder / "inner").mkdir(parents=True)
    for name in ("__init__.py", "module.py", "inner/__init__.py", "inner/module.py"):
        (folder / name).write_text(f"NAME = {name!r}\n")
    return folder


@pytest.fixture(params=[False, True], ids=["Python's finder", "extlint's finder"])
def load(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """A function that imports or reloads a module of the package, with and without extlint's finder."""
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    if request.param:
        find_own_modules()

    def loaded(name: str) -> ModuleType:
        forget()
        return import_module(f"{PACKAGE}.{name}")

    def forget() -> None:
        invalidate_caches()
        for each in [each for each in sys.modules if each.startswith(PACKAGE)]:
            del sys.modules[each]

    yield loaded
    forget()


def bytecode(source: Path) -> Path:
    return source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"


def name_in(module: ModuleType) -> object:
    return vars(module)["NAME"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("module", "module.py"),
        ("inner", "inner/__init__.py"),
        ("inner.module", "inner/module.py"),
    ],
)
def test_modules_match_those_of_the_python_finder(name: str, path: str, load: Load, folder: Path) -> None:
    for _ in ("compiled", "from its bytecode"):
        module = load(name)
        source = folder / path
        assert name_in(module) == path
        assert module.__file__ == str(source)
        assert module.__cached__ == str(bytecode(source))
        assert isinstance(module.__loader__, SourceFileLoader)
        spec = module.__spec__
        assert spec is not None
        assert spec.origin == str(source)
        assert spec.has_location
        paths = [str(source.parent)] if source.stem == "__init__" else None
        assert spec.submodule_search_locations == paths
        assert vars(module).get("__path__") == paths
        assert bytecode(source).is_file()


@pytest.mark.parametrize("text", ["NAME = 'new'\n", "NAME = 'longer'\n"], ids=["other time", "other size"])
def test_changed_source_is_reloaded(text: str, load: Load, folder: Path) -> None:
    source = folder / "module.py"
    source.write_text("NAME = 'old'\n")
    os.utime(source, (1_000_000_000, 1_000_000_000))
    assert name_in(load("module")) == "old"
    source.write_text(text)
    time = 1_000_000_000 if "longer" in text else 1_000_000_002
    os.utime(source, (time, time))
    assert f"NAME = {name_in(load('module'))!r}\n" == text


@pytest.mark.parametrize(
    "damaged",
    [b"", b"\0" * 16, b"\xff" * 100, None],
    ids=["empty", "of another Python", "no bytecode", "absent"],
)
def test_invalid_bytecode_is_rewritten(damaged: bytes | None, load: Load, folder: Path) -> None:
    load("module")
    file = bytecode(folder / "module.py")
    whole = file.read_bytes()
    if damaged is None:
        file.unlink()
    else:
        file.write_bytes(damaged)
    assert name_in(load("module")) == "module.py"
    assert file.read_bytes() == whole


@pytest.mark.parametrize("mode", list(py_compile.PycInvalidationMode))
def test_all_bytecode_invalidation_modes_are_supported(
    mode: py_compile.PycInvalidationMode, load: Load, folder: Path
) -> None:
    source = folder / "module.py"
    py_compile.compile(str(source), invalidation_mode=mode)
    assert name_in(load("module")) == "module.py"


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (py_compile.PycInvalidationMode.TIMESTAMP, "new"),
        (py_compile.PycInvalidationMode.CHECKED_HASH, "new"),
        (py_compile.PycInvalidationMode.UNCHECKED_HASH, "old"),
    ],
)
def test_only_unchecked_bytecode_outlives_its_source(
    mode: py_compile.PycInvalidationMode, expected: str, load: Load, folder: Path
) -> None:
    source = folder / "module.py"
    source.write_text("NAME = 'old'\n")
    os.utime(source, (1_000_000_000, 1_000_000_000))
    py_compile.compile(str(source), invalidation_mode=mode)
    source.write_text("NAME = 'new'\n")
    assert name_in(load("module")) == expected


def test_code_has_the_current_source_path(load: Load, folder: Path) -> None:
    source = folder / "module.py"
    source.write_text("NAME = (lambda: 1).__code__.co_filename\n")
    py_compile.compile(str(source), dfile="where/it/was.py")
    assert name_in(load("module")) == str(source)


def test_large_bytecode_is_read_completely(load: Load, folder: Path) -> None:
    text = "x" * 200_000
    (folder / "module.py").write_text(f"NAME = {text!r}\n")
    for _ in ("compiled", "from its bytecode"):
        assert name_in(load("module")) == text


def test_missing_module_raises_module_not_found_error(load: Load) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"no_module"):
        load("no_module")


def test_missing_member_raises_the_usual_error(load: Load, folder: Path) -> None:
    (folder / "asking.py").write_text(f"from {PACKAGE}.module import WRONG\n")
    with pytest.raises(ImportError, match=r"cannot import name 'WRONG' from 'extlint_of_a_test.module'"):
        load("asking")
    with pytest.raises(AttributeError, match="'WRONG'"):
        load("module").WRONG  # noqa: B018


def test_finder_is_not_installed_with_a_pycache_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [])
    monkeypatch.setattr(sys, "pycache_prefix", "/elsewhere")
    find_own_modules()
    assert sys.meta_path == []
