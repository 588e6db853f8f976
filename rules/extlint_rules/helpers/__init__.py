"""The code that a single rule requires beyond its own file, one concept per module.

Code shared by several rules is in the engine.
"""
