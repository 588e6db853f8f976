"""Generates several extensions for one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from extlint_fuzz.case import FOLDER, Case


def several(generators: Mapping[str, tuple[int, Callable[[Random], Case]]]) -> Callable[[Random], Case]:
    """Returns a generator of cases with several extensions, in folders and archives, by these generators."""

    def make(chance: Random) -> Case:
        files: dict[str, bytes] = {}
        for number in range(chance.randint(2, 5)):
            name = chance.choice(list(generators))
            inner = generators[name][1](chance)
            files |= {f"{FOLDER}/{number}/{path}": data for path, data in inner.files.items()}
        return Case(files, (FOLDER,), "several")

    return make
