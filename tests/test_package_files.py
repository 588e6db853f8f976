from __future__ import annotations

import pytest
from packages import package_of

from extlint.package.files import Package, Reader


def hidden(path: str) -> Reader | None:
    return (lambda: b"hidden") if path in ("lib/x.js", "A.js") else None


@pytest.fixture
def package() -> Package:
    return Package("ext", {"b.js": lambda: b"b", "a.js": lambda: b"a"}, unlisted=hidden)


def test_paths_are_the_sorted_listed_files(package: Package) -> None:
    assert package.paths == ("a.js", "b.js")
    assert package.read("a.js") == b"a"


def test_unlisted_file_can_be_read(package: Package) -> None:
    assert "lib/x.js" in package
    assert package.read("lib/x.js") == b"hidden"


def test_listed_file_in_other_case_is_found_on_any_file_system(package: Package) -> None:
    assert "A.js" not in package
    assert package.other_case("A.js") == "a.js"
    assert package.other_case("a.js") is None


def test_missing_file_raises_key_error(package: Package) -> None:
    assert "c.js" not in package
    with pytest.raises(KeyError):
        package.read("c.js")


def test_package_defaults() -> None:
    package = package_of({"manifest.json": "{}"})
    assert (package.manifest_path, package.complete) == ("manifest.json", True)
