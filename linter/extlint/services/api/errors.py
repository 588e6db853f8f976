"""The exception of a check that ends early."""

from __future__ import annotations


class Cancelled(Exception):  # noqa: N818
    """A check by a `Session` was cancelled."""
