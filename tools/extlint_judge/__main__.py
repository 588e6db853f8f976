"""Runs the command line, as `python -m extlint_judge` and as `python tools/extlint_judge`."""

import sys
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from extlint_judge.command_line import main

main(prog_name="extlint_judge")
