"""Random declarativeNetRequest rules."""
