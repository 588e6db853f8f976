"""The extension for Visual Studio Code. Its own tests run only after `npm ci` in its folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from extlint import __version__
from extlint.services.lsp.settings import Settings

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "editors" / "vscode"
PROPERTY = re.compile(r"`extlint\.(?!toml`)([\w.]+)`")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="a source distribution does not have it")


def package() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / "package.json").read_text("utf-8"))
    return content


def settings() -> dict[str, Any]:
    """Returns the settings that the extension declares, without the section."""
    declared = package()["contributes"]["configuration"]["properties"]
    return {name.removeprefix("extlint."): value for name, value in declared.items()}


def test_version_is_that_of_extlint() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text("utf-8"))
    versions = {package()["version"], lock["version"], lock["packages"][""]["version"]}
    assert versions == {__version__.removesuffix(".dev0")}


def test_settings_of_the_server_are_declared() -> None:
    own = {re.sub("_(.)", lambda match: match[1].upper(), name) for name in Settings.__struct_fields__}
    assert settings().keys() - own == {"path", "logLevel", "trace.server"}
    assert own <= settings().keys()
    assert all(settings()[name]["scope"] == "resource" for name in own)


def test_settings_are_documented() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert set(PROPERTY.findall(readme)) == settings().keys()


def test_settings_that_name_files_do_not_come_from_untrusted_workspaces() -> None:
    restricted = package()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert restricted == ["extlint.path", "extlint.configuration"]


def test_the_lock_file_names_no_registry() -> None:
    text = (FOLDER / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in text
    assert '"integrity"' in text


@pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="its packages are not installed")
def test_its_own_tests_pass(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    npm = shutil.which("npm")
    assert npm is not None
    copy = tmp_path / "vscode"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules", "build", "dist", "bundled"))
    (copy / "node_modules").symlink_to(FOLDER / "node_modules", target_is_directory=True)
    environment = {**os.environ, "EXTLINT": str(Path(sys.executable).parent / "extlint")}
    ran = subprocess.run(
        [npm, "test"],
        cwd=copy,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
