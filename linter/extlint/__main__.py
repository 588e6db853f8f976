"""Runs `extlint` as `python -m extlint`."""

from __future__ import annotations

import sys

from extlint.cli.main import main

sys.exit(main())
