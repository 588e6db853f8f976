"""The hooks as run by pre-commit, installed from this checkout into another repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path

import pytest
from harness import manifest
from images import png
from thorough import is_thorough, some

CHECKOUT = Path(__file__).parent.parent
SHIPPED = (
    "linter",
    "rules",
    "schemas",
    "pyproject.toml",
    "hatch_build.py",
    "hatch_readme.py",
    "hatch_version.py",
    "CHANGELOG.md",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
)
MISTAKE = "browser.management.getSlef();\n"
RULE = {"id": 1, "action": {"type": "block"}, "condition": {"urlFilter": "||example.com"}}
MANIFEST = {
    "background": {"service_worker": "background.js"},
    "content_scripts": [{"matches": ["https://example.com/*"], "css": ["content.css"]}],
    "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    "icons": {"16": "icon.png"},
    "permissions": ["declarativeNetRequest"],
}

REUSED = {"PYTHONPATH": get_path("purelib"), "PIP_NO_BUILD_ISOLATION": "0"}
"""Variables with which pip installs neither the dependencies of extlint nor those of its build."""

pytestmark = [
    pytest.mark.together,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed"),
]


class Repository:
    """A Git repository in a folder, with pre-commit.

    Only a thorough run installs the dependencies of extlint again.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        excluded_prefixes = ("GIT_", "PYTHONPYCACHEPREFIX")
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(excluded_prefixes)
        }
        self._environment = {
            **inherited,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "PRE_COMMIT_HOME": str(cache),
            "PIP_COMPILE": "0",
            **({} if is_thorough() else REUSED),
        }
        self.git("init", "--quiet")

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False
        )

    def git(self, *arguments: str) -> str:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        found = self._run("git", *author, *arguments)
        assert found.returncode == 0, found.stderr
        return found.stdout.strip()

    def commit(self) -> str:
        """Commits everything and returns the commit ID."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-verify", "--message", "All")
        return self.git("rev-parse", "HEAD")

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_hooks(self, *options: str) -> tuple[int, str]:
        """Runs the hooks on the staged files, or with the given options. Returns exit status and output."""
        found = self._run(sys.executable, "-m", "pre_commit", "run", *options)
        return found.returncode, found.stdout + found.stderr


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with an extension and a build script, whose hook is installed from this checkout."""
    base = tmp_path_factory.mktemp("pre-commit")
    hooks = Repository(base / "hooks", base / "cache")
    for name in SHIPPED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(
                source, hooks.folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
            )
        else:
            shutil.copy(source, hooks.folder / name)
    revision = hooks.commit()
    found = Repository(base / "project", base / "cache")
    found.write(
        ".pre-commit-config.yaml",
        f"repos:\n- repo: {hooks.folder.as_posix()}\n  rev: {revision}\n  hooks:\n"
        "  - id: extlint\n  - id: extlint-all\n    stages: [manual]\n",
    )
    found.write("src/manifest.json", manifest(**MANIFEST))
    found.write("src/background.js", "browser.management.getSelf();\n")
    found.write("src/rules.json", json.dumps([RULE]))
    found.write("src/content.css", "a { color: red }\n")
    (found.folder / "src/icon.png").write_bytes(png(16, 16))
    found.write("src/manifest.firefox.json", manifest(name="Firefox's"))
    found.write("app/manifest.json", json.dumps({"name": "App", "start_url": "/", "display": "standalone"}))
    found.write("notes/example.js", MISTAKE)
    found.write("notes.txt", "nothing to check\n")
    found.commit()
    return found


@pytest.fixture(autouse=True)
def _untouched(repository: Repository) -> None:
    repository.git("reset", "--quiet", "--hard")


def test_correct_extension_passes(repository: Repository) -> None:
    status, output = repository.run_hooks("--all-files")
    assert (status, "Passed" in output) == (0, True), output


def test_mistake_fails_with_its_position(repository: Repository) -> None:
    repository.write("src/background.js", MISTAKE)
    repository.git("add", "--all")
    status, output = repository.run_hooks()
    assert status == 1
    assert "src/background.js:1:1: error[unknown-api]" in output


def test_manifest_change_triggers_the_hook(repository: Repository) -> None:
    repository.write("src/manifest.json", manifest(**MANIFEST | {"icons": {"16": "Icon.png"}}))
    repository.git("add", "--all")
    status, output = repository.run_hooks()
    assert status == 1
    assert output.count("error[missing-file]") == 1


def test_script_outside_extensions_passes(repository: Repository) -> None:
    repository.write("notes/example.js", MISTAKE * 2)
    repository.git("add", "--all")
    status, output = repository.run_hooks()
    assert (status, "Passed" in output) == (0, True), output


CHANGES = {
    "a rule file": ("src/rules.json", '[{"id": 1, "action": {}}]', "error[missing-key]"),
    "a rule file that is not JSON": ("src/rules.json", "[{]", "error[invalid-json]"),
    "another manifest": ("src/manifest.firefox.json", '{"manifest_version": 3,}', "error[invalid-json]"),
    "an image": ("src/icon.png", "no image", "error[invalid-image]"),
    "a style sheet": ("src/content.css", "a { cursor: url(icon.png) }", "error[inaccessible-resource]"),
}


@pytest.mark.parametrize(("path", "text", "expected"), some(CHANGES.values(), 2), ids=some(CHANGES, 2))
def test_every_extension_file_triggers_the_hook(
    repository: Repository, path: str, text: str, expected: str
) -> None:
    repository.write(path, text)
    repository.git("add", "--all")
    _, output = repository.run_hooks("--verbose")
    assert expected in output


def test_web_app_manifest_passes(repository: Repository) -> None:
    repository.write("app/manifest.json", json.dumps({"name": "B", "start_url": "/"}))
    repository.git("add", "--all")
    status, output = repository.run_hooks()
    assert (status, "Passed" in output) == (0, True), output


def test_deleted_file_is_reported_only_by_the_hook_for_all_files(repository: Repository) -> None:
    everything = ("extlint-all", "--hook-stage", "manual")
    status, output = repository.run_hooks(*everything)
    assert (status, "Passed" in output) == (0, True), output
    repository.git("rm", "--quiet", "src/background.js")
    status, output = repository.run_hooks()
    assert (status, "Skipped" in output) == (0, True), output
    status, output = repository.run_hooks(*everything)
    assert status == 1
    assert "error[missing-file]" in output


def test_other_files_do_not_trigger_the_hook(repository: Repository) -> None:
    repository.write("notes.txt", "still nothing\n")
    repository.git("add", "--all")
    status, output = repository.run_hooks()
    assert (status, "Skipped" in output) == (0, True), output
