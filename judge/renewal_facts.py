"""What of renewal/ is used here too: where results stand in the facts, and what was seen of them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "renewal"))

import observed
from result_places import ITEM, PROMISE, Namespaces, Place, is_described

__all__ = ["ITEM", "PROMISE", "Namespaces", "Place", "is_described", "observed"]
