"""Which files of an extension the web pages may load in which its content scripts run."""
