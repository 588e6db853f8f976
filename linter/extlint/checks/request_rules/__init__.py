"""The rules of declarativeNetRequest in the files that a manifest names."""
