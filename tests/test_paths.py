"""Paths on the disk."""

from __future__ import annotations

import os

import pytest

from extlint.package.disk import below, is_in, with_parents, with_slashes

TOP = os.sep
A = f"{TOP}a"
B = f"{A}{TOP}b"


def test_parent_folders() -> None:
    assert list(with_parents(B)) == [B, A, TOP]
    assert list(with_parents(TOP)) == [TOP]


@pytest.mark.parametrize(
    ("path", "folder", "is_there"),
    [
        (B, A, True),
        (B, A + TOP, True),
        (A, A, True),
        (A, TOP, True),
        (A, B, False),
        (f"{A}b", A, False),
    ],
)
def test_path_is_in_a_folder(path: str, folder: str, is_there: bool) -> None:
    assert is_in(path, folder) is is_there


def test_relative_path_name() -> None:
    assert below(f"{B}{TOP}c", A) == "b/c"
    assert below(A, B) == ".."
    assert below(A, A) == "."
    assert with_slashes(f"a{TOP}b") == "a/b"
