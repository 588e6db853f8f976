"""Firefox's facts, from the schemas in addons-linter.

That package has Mozilla's schemas in a form that a JSON Schema validator can read. These modules
reverse that conversion.
"""
