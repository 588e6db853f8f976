"""Rules of declarativeNetRequest that are made by chance."""
