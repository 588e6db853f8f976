"""The npm packages: their manifests, and the script that runs the program for the system."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from extlint_pack.archives import File, extract_archive, files_of_archive, write_archive
from extlint_pack.npm_packages import write_packages
from extlint_pack.platforms import PLATFORMS, current_platform, find_archives, tarball_name
from extlint_pack.registry import Registry

PYTHON = """\
#!/bin/sh
case $3 in
  print) echo "$@" ;;
  status) exit "$4" ;;
  killed) kill -TERM $$ ;;
  wait) trap 'exit 130' INT; trap 'exit 143' TERM; echo ready; while :; do sleep 0.05; done ;;
esac
"""
"""An interpreter of a test, whose third argument is the first of the user."""

pytestmark = pytest.mark.skipif(
    os.name != "posix" or shutil.which("node") is None, reason="Node.js is not installed"
)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with the packages of a version, for all platforms."""
    archives = tmp_path / "archives"
    archives.mkdir()
    for each in PLATFORMS:
        folder = each.folder_name("1.2.0rc1")
        files = [File(f"{folder}/python/bin/python3", PYTHON.encode(), is_program=True)]
        write_archive(archives / each.archive_name("1.2.0rc1"), files)
    write_packages(find_archives(archives, only_found=False), tmp_path / "packages")
    return tmp_path / "packages"


@pytest.fixture
def modules(packages: Path, tmp_path: Path) -> Path:
    """A `node_modules` folder with the packages that npm installs on this system."""
    folder = tmp_path / "node_modules"
    for name in ("extlint", current_platform().package):
        extract_archive(packages / tarball_name(name, "1.2.0-rc.1"), folder / "temporary")
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / "temporary" / "package").rename(folder / name)
    return folder


def command(modules: Path, *arguments: str) -> list[str]:
    return ["node", str(modules / "extlint" / "bin" / "extlint.js"), *arguments]


def run(modules: Path, *arguments: str) -> tuple[int, str, str]:
    found = subprocess.run(command(modules, *arguments), capture_output=True, text=True, check=False)
    return found.returncode, found.stdout, found.stderr


def manifest(package: Path) -> Mapping[str, Any]:
    (content,) = (each.content for each in files_of_archive(package) if each.path == "package/package.json")
    found: Mapping[str, Any] = json.loads(content)
    return found


def test_own_package_requires_exactly_its_version_of_each_program(packages: Path) -> None:
    own = manifest(packages / "extlint-1.2.0-rc.1.tgz")
    assert own["version"] == "1.2.0-rc.1"
    assert own["optionalDependencies"] == {each.package: "1.2.0-rc.1" for each in PLATFORMS}
    assert "scripts" not in own
    for each in PLATFORMS:
        found = manifest(packages / tarball_name(each.package, "1.2.0-rc.1"))
        assert (found["name"], found["version"]) == (each.package, "1.2.0-rc.1")
        assert (found["os"], found["cpu"]) == ([each.system], [each.processor])
        assert found.get("libc") == (["glibc"] if each.system == "linux" else None)
        assert "scripts" not in found


def test_arguments_and_output_are_those_of_the_program(modules: Path) -> None:
    status, output, errors = run(modules, "print", "a b", "--fix")
    main = modules / current_platform().package / "main.py"
    assert (status, output, errors) == (0, f"-IS {main} print a b --fix\n", "")


@pytest.mark.parametrize("expected", [0, 1, 2, 77])
def test_exit_status_is_that_of_the_program(expected: int, modules: Path) -> None:
    assert run(modules, "status", str(expected)) == (expected, "", "")


def test_killed_program_has_the_exit_status_of_a_shell(modules: Path) -> None:
    assert run(modules, "killed")[0] == 128 + signal.SIGTERM


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_reach_the_program(number: signal.Signals, expected: int, modules: Path) -> None:
    with subprocess.Popen(command(modules, "wait"), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.wait() == expected


def test_missing_program_is_explained(modules: Path) -> None:
    shutil.rmtree(modules / current_platform().package)
    status, output, errors = run(modules, "print")
    assert (status, output) == (2, "")
    assert errors == (
        f"extlint: the package {current_platform().package} is not installed; install extlint again on this"
        " system, without the options --omit=optional and --no-optional\n"
    )


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('Object.defineProperty(process, "arch", {value: "riscv64"});', "npm has no program for "),
        (
            'Object.defineProperty(process, "platform", {value: "linux"});'
            'Object.defineProperty(process, "arch", {value: "x64"});'
            "process.report.getReport = () => ({header: {}});",
            "npm has no program for systems with musl, such as Alpine; ",
        ),
    ],
    ids=["another processor", "musl"],
)
def test_systems_without_program_are_explained(before: str, expected: str, modules: Path) -> None:
    shutil.rmtree(modules / current_platform().package)
    (modules / "before.js").write_text(before)
    environment = {**os.environ, "NODE_OPTIONS": f"--require {modules / 'before.js'}"}
    found = subprocess.run(
        command(modules, "print"), capture_output=True, text=True, env=environment, check=False
    )
    assert found.returncode == 2
    assert found.stderr.startswith(f"extlint: {expected}")
    assert found.stderr.endswith("install the Python package: pip install extlint\n")


def test_registry_of_a_trial_describes_all_platforms(packages: Path) -> None:
    absent = PLATFORMS[-1]
    absent_name = tarball_name(absent.package, "1.2.0-rc.1")
    (packages / absent_name).unlink()
    with Registry(packages) as registry:
        for each in PLATFORMS:
            answer = registry.answer(f"/{each.package.replace('/', '%2f')}")
            assert answer is not None
            description = json.loads(answer)["versions"]["1.2.0-rc.1"]
            assert description["cpu"] == [each.processor]
            tarball = description["dist"]["tarball"].removeprefix(registry.address)
            assert (registry.answer(f"/{tarball}") is None) is (each is absent)
    assert registry.answer("/extlint") is None
