"""Runs a command: `python -m extlint_facts renew`, or `python tools/extlint_facts renew`."""

import sys
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from extlint_facts import renew

COMMANDS = {"renew": renew.main}

if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
    sys.exit(f"usage: extlint_facts {{{','.join(COMMANDS)}}} ...")
sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
