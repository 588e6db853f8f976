from __future__ import annotations

import pytest
from packages import package_of

from extlint.package.files import Package, Reader


def hidden(path: str) -> Reader | None:
    return (lambda: b"hidden") if path in ("lib/x.js", "A.js") else None


@pytest.fixture
def package() -> Package:
    return Package("ext", {"b.js": lambda: b"b", "a.js": lambda: b"a"}, unlisted=hidden)


def test_paths_are_sorted_and_hold_what_is_listed(package: Package) -> None:
    assert package.paths == ("a.js", "b.js")
    assert package.read("a.js") == b"a"


def test_a_file_that_is_not_listed_can_be_named(package: Package) -> None:
    assert "lib/x.js" in package
    assert package.read("lib/x.js") == b"hidden"


def test_a_listed_file_in_other_case_is_told_of_even_where_the_disk_ignores_case(package: Package) -> None:
    assert "A.js" not in package
    assert package.other_case("A.js") == "a.js"
    assert package.other_case("a.js") is None


def test_a_file_that_is_not_there_is_a_key_error(package: Package) -> None:
    assert "c.js" not in package
    with pytest.raises(KeyError):
        package.read("c.js")


def test_a_package_is_complete_and_has_the_usual_manifest_unless_told_otherwise() -> None:
    package = package_of({"manifest.json": "{}"})
    assert (package.manifest_path, package.complete) == ("manifest.json", True)
