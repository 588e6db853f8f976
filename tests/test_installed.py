"""The contents of the wheel and the sdist: compiled schemas, to which a run adds nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from harness import manifest
from thorough import is_thorough, some

from extlint_schemas import json_schema_names
from extlint_schemas.compiled import module_name

CHECKOUT = Path(__file__).parent.parent
COMPILED = "extlint_schemas.compiled"

pytestmark = [
    pytest.mark.together,
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed"),
]

PROGRAM = """
import json, sys
import extlint_schemas
from extlint.cli.main import main
status = main(sys.argv[1:])
print(json.dumps([status, extlint_schemas.__file__, sorted(sys.modules)]))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of this checkout. `again` has the wheel of the sdist.

    A thorough run also builds the wheel of this checkout.
    """
    folder = tmp_path_factory.mktemp("built")
    build(CHECKOUT, folder, "sdist", *(["wheel"] if is_thorough() else []))
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
        archive.extractall(folder)
    build(folder / sdist.name.removesuffix(".tar.gz"), folder / "again", "wheel")
    return folder


@pytest.fixture(scope="module", params=some(["again/*.whl", "*.whl"], 2))
def installed(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that a wheel installs. Only `test_pre_commit.py` runs pip itself."""
    (wheel,) = built.glob(request.param)
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def build(source: Path, folder: Path, *targets: str) -> None:
    """Builds the distributions of a checkout without downloading anything."""
    found = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *(f"-t{each}" for each in targets)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def check(installed: Path, *arguments: str, before: Path | None = None) -> tuple[int, set[str], str]:
    """Runs the installed `extlint check`. Returns its exit status, the loaded modules, and its output."""
    paths = [str(path) for path in (before, installed) if path is not None]
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check", *arguments],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONPYCACHEPREFIX": str(installed.with_name("bytecode")),
        },
        check=True,
    )
    *lines, last = found.stdout.splitlines()
    status, origin, modules = json.loads(last)
    assert Path(origin).is_relative_to(installed)
    return status, set(modules), "\n".join(lines)


def test_wheel_has_the_version_of_its_metadata(installed: Path) -> None:
    (metadata,) = installed.glob("extlint-*.dist-info/METADATA")
    [version] = re.findall(r"^Version: (.+)$", metadata.read_text("utf-8"), re.MULTILINE)
    source = (installed / "extlint" / "__init__.py").read_text("utf-8")
    assert re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE) == [version]
    assert source.count("\n") == (CHECKOUT / "linter/extlint/__init__.py").read_text("utf-8").count("\n")


def test_links_of_the_readme_lead_to_the_repository(installed: Path) -> None:
    (metadata,) = installed.glob("extlint-*.dist-info/METADATA")
    links = set(re.findall(r"\]\(([^)]+)\)", metadata.read_text("utf-8")))
    assert "https://github.com/extlint/extlint/blob/HEAD/docs/install.md" in links
    assert {each for each in links if not each.startswith("https://")} == set()


def test_wheel_has_only_expected_contents(built: Path) -> None:
    pytest.importorskip("check_wheel_contents")
    (wheel,) = built.glob("again/*.whl")
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "check_wheel_contents",
            "--config",
            str(CHECKOUT / "pyproject.toml"),
            str(wheel),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def files(folder: Path) -> Mapping[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_each_schema_is_compiled(installed: Path) -> None:
    folder = installed / "extlint_schemas" / "compiled"
    expected = {f"{module_name(name)}.py" for name in json_schema_names()}
    assert expected | {"__init__.py", "compiler.py", "first_use.py", "runtime.py"} == {
        path.name for path in folder.iterdir() if path.name != "__pycache__"
    }


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    folder = tmp_path / "extension"
    folder.mkdir()
    (folder / "manifest.json").write_text(manifest())
    return folder


@pytest.fixture
def without_compiler(tmp_path: Path) -> Path:
    """A module folder in which importing fastjsonschema fails."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "fastjsonschema.py").write_text("raise ImportError('not needed by an installed extlint')\n")
    return folder


def test_clean_manifest_loads_no_validator_or_schema_compiler(
    installed: Path, extension: Path, without_compiler: Path
) -> None:
    before = files(installed)
    targets = ("chrome", "edge", "firefox", "firefox_android", "safari")
    status, modules, output = check(
        installed, str(extension), *(f"--target={each}" for each in targets), before=without_compiler
    )
    assert (status, output.splitlines()[0]) == (0, "No findings in 1 extension (1 file).")
    assert modules >= {f"{COMPILED}.manifests_{each}_3" for each in targets}
    assert modules.isdisjoint(
        {"fastjsonschema", "jsonschema", f"{COMPILED}.compiler", f"{COMPILED}.first_use"}
    )
    assert files(installed) == before


def test_mistakes_are_explained_without_a_schema_compiler(
    installed: Path, extension: Path, without_compiler: Path
) -> None:
    (extension / "manifest.json").write_text(manifest(description=1))
    before = files(installed)
    status, modules, output = check(installed, str(extension), before=without_compiler)
    assert (status, output.count("error[invalid-value]")) == (1, 1)
    assert "jsonschema" in modules
    assert files(installed) == before
