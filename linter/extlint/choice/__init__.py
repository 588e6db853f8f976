"""For which browsers an extension is checked where nobody says it, and why."""
