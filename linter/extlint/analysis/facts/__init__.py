"""The model of a script: how it uses the API. Rules see this and never a syntax tree."""
