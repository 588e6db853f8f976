"""The verdicts of browsers on manifests."""
