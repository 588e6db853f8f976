"""Firefox's facts, from the schemas in addons-linter.

That package has Mozilla's schemas in a form that a JSON Schema validator can read. What is done here is
the inverse of how they came to that form.
"""
