"""Answers to the questions of an editor about one document: completion, definitions, links, lenses.

Nothing here depends on the protocol of the language server. A document may be unparsable in the middle of an
edit, and each answer takes milliseconds: no package is checked for it.
"""
