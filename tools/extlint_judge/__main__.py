"""Runs a command: `python -m extlint_judge members`, or `python tools/extlint_judge members`."""

import sys
from importlib import import_module
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

COMMANDS = {
    "members": "judge",
    "native": "judge_native",
    "objects": "judge_objects",
    "manifests": "judge_manifests",
    "rules": "judge_rules",
    "locales": "judge_locales",
    "seen-manifest": "judge_seen_manifest",
    "user-agent": "judge_user_agent",
    "file-names": "judge_file_names",
    "permissions": "judge_permissions",
}
"""The module of each command."""

if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
    sys.exit(f"usage: extlint_judge {{{','.join(COMMANDS)}}} ...")
sys.exit(import_module(f"extlint_judge.{COMMANDS[sys.argv[1]]}").main(sys.argv[2:]))
