"""Manual corrections of facts that packages miss or get wrong: one file for each browser, and one loader."""
