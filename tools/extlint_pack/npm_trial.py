"""Installs the npm packages with npm in empty folders, without Python on the path, and uses them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from extlint_pack.npm_packages import NAME
from extlint_pack.platforms import tarball_name
from extlint_pack.registry import Registry

PROGRAMS = "basename cat dirname env git ls node npm npx readlink rm sed sh uname".split()
"""The programs on the path, as in an image with Node.js and Git only."""

_SCRIPT = "chrome.storage.local.set({ name: chrome.runtime.getManifset().name });\n"
_FIXED = _SCRIPT.replace("getManifset", "getManifest")
_MANIFEST = """\
{
  "manifest_version": 3,
  "name": "Trial",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
"""
_HOOK = """\
{
  "name": "trial",
  "private": true,
  "lint-staged": {"*.{js,json}": "extlint check --skip-foreign-files"}
}
"""


class Shell:
    """A folder in which a user runs commands."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self._environment = environment

    def write(self, name: str, text: str) -> None:
        """Writes a file in the folder."""
        self.folder.joinpath(name).write_text(text, "utf-8")

    def run(self, command: str, status: int = 0) -> str:
        """Runs a command, and returns what it prints. Raises OSError if its exit status is another."""
        found = subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if found.returncode != status:
            raise OSError(f"{command}: exit status {found.returncode} instead of {status}\n{found.stdout}")
        return found.stdout

    def expect(self, command: str, text: str, status: int = 0) -> None:
        """Runs a command. Raises OSError if it does not print a text."""
        if text not in (printed := self.run(command, status)):
            raise OSError(f"{command} does not print {text!r}:\n{printed}")


def try_packages(packages: Path, report: Callable[[str], object]) -> None:
    """Runs all trials, and reports each one that succeeds. Raises OSError for the first that does not."""
    with TemporaryDirectory(prefix="extlint-trial-") as temporary, Registry(packages) as registry:
        root = Path(temporary)
        environment = _environment(root, registry.address)
        version = registry.version
        tarball = (packages / tarball_name(NAME, version)).resolve()
        install = f"npm install --no-audit --no-fund '{tarball}'"
        for name, trial in TRIALS.items():
            trial(Shell(root / name, environment), install, version)
            report(f"{name}: right")


def _try_checks(shell: Shell, install: str, version: str) -> None:
    shell.run(install)
    shell.expect("npx extlint --version", f"extlint {version.partition('-')[0]}")
    shell.expect("npx extlint check", "no manifest.json in or below .", status=2)
    _write_extension(shell)
    shell.expect("npx extlint check", "Found 1 error in 1 extension", status=1)
    shell.expect("npx extlint check --fix", "No findings in 1 extension")
    if (text := shell.folder.joinpath("background.js").read_text("utf-8")) != _FIXED:
        raise OSError(f"--fix writes:\n{text}")
    shell.expect("npx extlint check --jobs 2 . .", "No findings in 1 extension")


def _try_hook(shell: Shell, install: str, _version: str) -> None:
    shell.run("git init --quiet && git config user.email a@example.com && git config user.name A")
    shell.write("package.json", _HOOK)
    shell.write(".gitignore", "node_modules\n")
    shell.run(f"{install} husky lint-staged && npx husky")
    shell.write(".husky/pre-commit", "npx lint-staged\n")
    _write_extension(shell)
    shell.run("git add --all")
    shell.expect("git commit --quiet --message First", "error[unknown-api]", status=1)
    shell.run("npx extlint check --fix && git add --all && git commit --quiet --message First")


def _try_without_program(shell: Shell, install: str, _version: str) -> None:
    shell.run(f"{install} --omit=optional")
    shell.expect("npx extlint check", "is not installed; install extlint again", status=2)


TRIALS: Mapping[str, Callable[[Shell, str, str], None]] = {
    "check and fix": _try_checks,
    "a hook of husky and lint-staged": _try_hook,
    "without optional packages": _try_without_program,
}


def _write_extension(shell: Shell) -> None:
    shell.write("manifest.json", _MANIFEST)
    shell.write("background.js", _SCRIPT)


def _environment(root: Path, registry: str) -> dict[str, str]:
    """Returns an environment whose path has only some programs; packages of extlint come from a registry."""
    programs = root / "programs"
    programs.mkdir()
    for name in PROGRAMS:
        found = shutil.which(name)
        if found is None:
            raise OSError(f"{name} is not installed")
        programs.joinpath(name).symlink_to(found)
    kept = {name: value for name, value in os.environ.items() if name.lower().startswith("npm_config_")}
    home = root / "home"
    home.mkdir()
    user = Path.home() / ".npmrc"
    settings = user.read_text("utf-8") if user.is_file() else ""
    home.joinpath(".npmrc").write_text(f"{settings}\n@extlint:registry={registry}\n", "utf-8")
    return {**kept, "PATH": str(programs), "HOME": str(home)}
