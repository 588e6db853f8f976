"""Runs the command line, as `python -m extlint_release` and as `python tools/extlint_release`."""

import sys
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from extlint_release.command_line import main

main(prog_name="extlint_release")
