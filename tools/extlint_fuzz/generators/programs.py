"""Generates programs of many small files that import each other or share globals."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.extensions import manifest_for
from extlint_fuzz.generators.statements import script

MODULE = """
import { api as dep } from "./mTO.js";
export * from "./mTO.js";
export const api = dep || browser;
export const run = (a) => a.tabs.query({ actve: NUMBER });
dep.management.getAll();
run(dep);
"""
CLASSIC = """
window.gNUMBER = gTO;
var hNUMBER = browser;
hTO.tabs.foo();
"""
SHAPES = ("chain", "circle", "star", "random", "globals")


def many_modules(chance: Random) -> Case:
    """Returns files in a chain, cycle, star or at random, as modules or as classic scripts of one page."""
    number = chance.choice((2, 5, 30, 80))
    shape = chance.choice(SHAPES)
    files: dict[str, bytes] = {}
    for i in range(number):
        to = {"chain": i + 1, "circle": (i + 1) % number, "star": 0}.get(shape, chance.randrange(number))
        template = CLASSIC if shape == "globals" else MODULE
        text = template.replace("NUMBER", str(i)).replace("TO", str(to))
        if chance.random() < 0.05:
            text += script(chance, statements=2)
        files[f"{FOLDER}/m{i}.js"] = text.encode()
    background: dict[str, Any] = {"scripts": ["m0.js"], "type": "module"}
    if shape == "globals":
        background = {"scripts": [f"m{i}.js" for i in range(number)]}
    value = manifest_for(chance, {"m0.js": True}, manifest_version=2, background=background)
    files[f"{FOLDER}/manifest.json"] = json.dumps(value).encode()
    return Case(files, (FOLDER,), "many modules", True)
