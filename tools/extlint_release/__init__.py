"""Makes everything that a release publishes, tries it, and publishes nothing: `python -m extlint_release`."""
