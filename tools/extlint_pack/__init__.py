"""Packs extlint with a Python: programs for people without Python, npm packages, Homebrew and Scoop."""
