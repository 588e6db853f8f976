"""Measures the cost of parsing only: `parse_floor.py FOLDER` parses each script that names the API.

Prints the bytes of these scripts and the seconds of processor time as a JSON array.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

from extlint.analysis.syntax.parse import grammar_of, parse
from extlint.analysis.syntax.prefilter import candidates
from extlint.analysis.syntax.source import parsable
from extlint.package.suffixes import SCRIPTS, suffix_of


def main(folder: str) -> None:
    """Reads and parses one script at a time."""
    size, seconds = 0, 0.0
    for path in sorted(Path(folder).rglob("*")):
        if suffix_of(path.name) in SCRIPTS and path.is_file():
            text = path.read_bytes()
            if next(iter(candidates(text)), None) is not None:
                size += len(text)
                text = parsable(text)
                start = process_time()
                parse(text, grammar_of(path.name))
                seconds += process_time() - start
    print(json.dumps([size, seconds]))


if __name__ == "__main__":
    main(sys.argv[1])
