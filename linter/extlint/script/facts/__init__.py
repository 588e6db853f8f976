"""The model of a script: what it does with the API. Rules see this and never a syntax tree."""
